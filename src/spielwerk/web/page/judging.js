// The judge at a table: at whose turns it is shown, what it says of the state that is shown, and hints.

import { recall, say } from "./dom.js";
import { arrows, share, sideBoxes } from "./judge.js";

/** @typedef {import("./types.js").Truth} Truth @typedef {import("./types.js").Stage} Stage */

const ARROWS = 5;

export class Judging {
  /** @type {Truth|null} */ last = null; // what was heard last, perhaps of a state that is still to be shown
  /** @type {Set<number>} */ sides = new Set(); // at whose turns the judge is shown

  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.parts = table.parts;
  }

  /** A box for each side. @param {Stage} stage */
  begin(stage) {
    this.parts.sides.replaceChildren(...sideBoxes(stage, (side) => this.toggle(side)));
  }

  /** What the judge says of the state that is shown, if it may be seen. */
  get truth() {
    const { state, stage } = this.table;
    const found = this.last;
    return found && found.version === state?.version && this.sides.has(stage?.teams[found.mover] ?? -1) ? found : null;
  }

  /** The best moves, to be drawn on the board. */
  arrows() {
    return this.truth ? arrows(this.truth.moves.slice(0, ARROWS)) : [];
  }

  draw() {
    const { sides, parts, truth } = this;
    const { state, stage } = this.table;
    parts.truth.hidden = parts.bar.hidden = !sides.size;
    if (!stage || !state) return;
    parts.tools.judge.setAttribute("aria-pressed", String(sides.has(this.ownSide())));
    if (!sides.size) return;
    const here = sides.has(stage.teams[state.mover]);
    for (const box of parts.sides.querySelectorAll("input")) box.checked = sides.has(Number(box.value));
    parts.judge.show(truth, stage, state.ended ? "Nothing to judge." : here ? "Thinking …" : `Hidden at the turns of ${stage.players[state.mover]}.`);
    parts.bar.style.visibility = truth ? "visible" : "hidden";
    if (truth) {
      const part = share(truth, stage.teams);
      parts.bar.firstChild.style.height = `${part}%`;
      parts.bar.setAttribute("aria-label", `Evaluation: ${Math.round(part)} % for ${stage.players[0]}`);
    }
  }

  /** The side of whoever sits here: the one to move, where several do. */
  ownSide() {
    const { yours, stage, state } = this.table;
    const mover = state?.mover ?? 0;
    return (stage?.teams ?? [])[yours.length && !yours.includes(mover) ? yours[0] : Math.max(mover, 0)];
  }

  /** Shows or hides the judge at the turns of one side. @param {number} side */
  toggle(side = this.ownSide()) {
    if (!this.sides.delete(side)) this.sides.add(side);
    this.ask();
  }

  ask() {
    this.last = null;
    this.table.line.send({ type: "judge", on: this.sides.size > 0, sides: [...this.sides], agent: recall("judge", "") });
    this.table.draw();
  }

  /** @param {Truth} truth */
  heard(truth) {
    this.last = truth;
    if (this.truth && !this.table.looking) this.table.draw();
  }

  hint() {
    this.table.tell("Thinking …");
    this.table.line.send({ type: "hint", agent: recall("judge", "") });
  }

  /** @param {{move: string, by: string, hops: import("./types.js").Hop[], version: number}} message */
  hinted({ move, by, hops, version }) {
    const { state } = this.table;
    if (!state || version !== state.version) return;
    this.parts.board.show(state.scene, { arrows: [{ hops, quality: "q-best", sign: "✓", text: "✓" }] });
    this.table.tell(`${move}, says ${by}.`);
    say(`Hint: ${move}, says ${by}.`);
  }
}
