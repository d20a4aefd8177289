// The table: a board, its seats, the list of moves, a line of status, tools, and the judge, hidden until asked.

import { ask, download, entitle, go, goAfter, make, recall, remember, say } from "./dom.js";
import { arrows, share, sideBoxes } from "./judge.js";
import { help } from "./help.js";
import { lively } from "./moving.js";
import { Parts } from "./parts.js";
import { addressed, links, sharing } from "./links.js";
import { keep, offer, seatHash, seatsAt, sitDown } from "./seats.js";
import { setup } from "./setup.js";
import { Line } from "./socket.js";

/** @typedef {import("./types.js").State} State @typedef {import("./types.js").Stage} Stage */

const PAUSE = 280; // milliseconds between two things that happen
const ARROWS = 5;
const PASS = "pass"; // the place that stands for nothing to play

export class Table {
  /** @param {HTMLElement} place @param {string} key */
  constructor(place, key) {
    this.key = key;
    if (sitDown(key, location.hash)) history.replaceState(null, "", location.pathname);
    /** @type {Stage|null} */ this.stage = null;
    /** @type {State|null} */ this.state = null;
    /** @type {State[]} */ this.coming = [];
    /** @type {number[]} */ this.yours = [];
    /** @type {import("./types.js").Truth|null} */ this.heardTruth = null; // the last one, perhaps of a state that is still to be shown
    /** @type {any} */ this.looking = null; // at an earlier position
    /** @type {Set<number>} */ this.judged = new Set(); // the sides at whose turns the judge is shown
    this.busy = false;
    this.parts = new Parts(place);
    this.begin();
    this.line = this.connected();
  }

  /** A line for the seats that one has now. */
  connected() {
    const line = new Line(`/ws/tables/${this.key}`, { type: "hello", keys: Object.values(seatsAt(this.key).held) });
    this.listen(line);
    return line;
  }

  begin() {
    this.parts.use({
      confirm: () => this.line.send({ type: "confirm" }), pass: () => this.pass(), undo: () => this.undo(), hint: () => this.hint(),
      judge: () => this.toggleJudge(), flip: () => this.flip(), share: () => this.invite(), link: () => this.copyLink(),
      record: () => download(`/api/tables/${this.key}/record`, "game.txt"), resign: () => this.resign(), help: () => this.help(),
      again: () => setup(this.stage?.game ?? "morris", this.state?.seats ?? [], this.state?.position),
    });
    this.parts.form.addEventListener("submit", (/** @type {Event} */ event) => this.type(event));
    this.parts.board.addEventListener("hop", (event) => {
      if (this.looking) return this.lookBack(-1);
      this.line.send({ type: "touch", .../** @type {CustomEvent} */ (event).detail });
    });
    this.parts.board.addEventListener("dice", () => this.dice());
    this.parts.moves.addEventListener("goto", (event) => this.lookBack(/** @type {CustomEvent} */ (event).detail + 1));
    this.parts.judge.addEventListener("try", (event) => {
      if (this.state?.asked) this.line.send({ type: "move", text: /** @type {CustomEvent} */ (event).detail.move });
    });
  }

  /** @param {Line} line */
  listen(line) {
    line.addEventListener("welcome", (event) => this.welcome(/** @type {CustomEvent} */ (event).detail));
    line.addEventListener("state", (event) => this.receive(/** @type {CustomEvent} */ (event).detail));
    line.addEventListener("truth", (event) => this.heard(/** @type {CustomEvent} */ (event).detail));
    line.addEventListener("hint", (event) => this.hinted(/** @type {CustomEvent} */ (event).detail));
    line.addEventListener("moves", (event) => this.listMoves(/** @type {CustomEvent} */ (event).detail));
    line.addEventListener("error", (event) => this.problem(/** @type {CustomEvent} */ (event).detail.text));
    line.addEventListener("gone", (event) => this.problem(/** @type {CustomEvent} */ (event).detail.text));
    line.addEventListener("line", (event) => {
      if (!(/** @type {CustomEvent} */ (event).detail.up)) this.tell("The line is broken; trying again …", true);
    });
  }

  /** @param {{stage: Stage, yours: number[], watch?: object}} message */
  welcome({ stage, yours, watch }) {
    if (watch) return go(`/watched/${this.key}`, true);
    const again = this.stage?.game === stage.game;
    this.stage = stage;
    this.yours = yours;
    entitle(this.parts.board, stage.title);
    if (!again) this.parts.sides.replaceChildren(...sideBoxes(stage, (side) => this.toggleJudge(side)));
    if (!again) this.parts.board.begin(stage, recall(`view.${this.key}`, yours.length === 1 ? yours[0] : 0));
    this.parts.tools.flip.hidden = stage.views.length === 0;
    this.coming = [];
    this.state = again ? this.state : null;
    if (this.judged.size) this.askJudge();
  }

  /** States are shown one after the other, so that a reply is seen to happen. @param {State} state */
  receive(state) {
    this.coming.push(state);
    if (!this.busy) this.next();
  }

  next() {
    const state = this.coming.shift();
    if (!state) return;
    const first = !this.state;
    const mine = first || this.mover(this.state);
    this.show(state);
    const pause = lively() ? PAUSE : 0;
    const wait = first || mine || document.hidden ? 0 : pause;
    this.busy = this.coming.length > 0 || wait > 0;
    if (this.busy) setTimeout(() => { this.busy = false; this.next(); }, Math.max(wait, this.coming.length ? pause : 0));
  }

  /** @param {State|null} state */
  mover(state) {
    return !!state && state.asked && this.yours.includes(state.mover);
  }

  /** @param {State} state */
  show(state) {
    const before = this.state;
    this.state = state;
    this.looking = null;
    this.draw();
    this.announce(before, state);
    if (this.stage?.listed && this.mover(state)) this.line.send({ type: "moves" });
    else this.parts.choices.hidden = true;
  }

  draw() {
    const { state, stage } = this;
    if (!state || !stage) return;
    const mine = this.mover(state);
    const shown = this.truth ? arrows(this.truth.moves.slice(0, ARROWS)) : [];
    this.parts.board.show(state.scene, { following: mine ? state.following : [], last: state.last, arrows: shown });
    this.parts.moves.show(state.turns, stage.players, state.turns.length - 1);
    this.parts.above.replaceChildren(...stage.players.map((name, seat) => this.seat(name, seat)));
    if (state.ended) this.over();
    else this.tell(state.status);
    const { confirm, undo, hint, resign, share: invite } = this.parts.tools;
    confirm.hidden = !stage.confirmed || !mine;
    confirm.disabled = !state.complete;
    this.parts.tools.pass.hidden = !(mine && state.following.some((hop) => hop[1] === PASS));
    undo.disabled = !(state.undoable || state.hops.length) || !this.yours.length;
    hint.disabled = !mine;
    resign.disabled = state.ended || !this.yours.length;
    const { held, offered } = seatsAt(this.key);
    invite.hidden = !this.yours.length || Object.keys({ ...held, ...offered }).length < 2;
    this.parts.typed.readOnly = this.parts.send.disabled = !mine; // it keeps the focus for the next move
    this.drawJudge();
  }

  /** @param {string} name @param {number} seat */
  seat(name, seat) {
    const state = /** @type {State} */ (this.state);
    const who = state.seats[seat] === "human" ? (this.yours.includes(seat) ? "you" : "person") : state.seats[seat];
    const note = state.scene.seats[seat] ?? "";
    const score = state.scores ? ` ${state.scores[seat] > 0 ? "won" : state.scores[seat] < 0 ? "lost" : "drew"}` : "";
    const mark = make("span", { class: "mark" });
    const colour = this.stage?.colours[seat];
    if (colour) mark.style.background = `var(--${colour})`;
    return make("div", { class: `seat${state.mover === seat && !state.ended ? " turn" : ""}` }, mark,
      make("span", { class: "name" }, `${name}, ${who}`), make("span", { class: "note" }, note + score));
  }

  /** What the judge says of the state that is shown, if it may be seen. */
  get truth() {
    const found = this.heardTruth;
    return found && found.version === this.state?.version && this.judged.has(this.stage?.teams[found.mover] ?? -1) ? found : null;
  }

  drawJudge() {
    const { state, stage, judged } = this;
    this.parts.truth.hidden = this.parts.bar.hidden = !judged.size;
    if (!stage || !state) return;
    this.parts.tools.judge.setAttribute("aria-pressed", String(judged.has(this.ownSide())));
    if (!judged.size) return;
    const here = judged.has(stage.teams[state.mover]);
    for (const box of this.parts.sides.querySelectorAll("input")) box.checked = judged.has(Number(box.value));
    this.parts.judge.show(this.truth, stage, state.ended ? "Nothing to judge." : here ? "Thinking …" : `Hidden at the turns of ${stage.players[state.mover]}.`);
    this.parts.bar.style.visibility = this.truth ? "visible" : "hidden";
    if (this.truth) {
      const part = share(this.truth, stage.teams);
      this.parts.bar.firstChild.style.height = `${part}%`;
      this.parts.bar.setAttribute("aria-label", `Evaluation: ${Math.round(part)} % for ${stage.players[0]}`);
    }
  }

  /** @param {string} text @param {boolean} [bad] */
  tell(text, bad = false) {
    this.parts.status.textContent = text;
    this.parts.status.classList.toggle("problem", bad);
  }

  /** @param {string} text */
  problem(text) {
    this.tell(text, true);
    if (this.state?.ended) this.parts.status.append(" ", this.link());
    if (this.state) this.parts.board.show(this.state.scene, {});
  }

  /** @param {State|null} before @param {State} state */
  announce(before, state) {
    const since = before ? state.turns.slice(before.turns.length) : [];
    const names = /** @type {Stage} */ (this.stage).players;
    const told = since.map(([player, roll, move]) => `${names[player]}${roll ? ` rolled ${roll},` : ""} plays ${move}.`);
    say([...(before ? told : [this.whoWeAre()]), state.status].join(" "));
  }

  whoWeAre() {
    const names = this.yours.map((seat) => this.stage?.players[seat]);
    return names.length ? `You play ${names.join(" and ")}.` : "You are watching.";
  }

  over() {
    this.tell(`${this.state?.status} `);
    this.parts.status.append(this.link());
  }

  /** To the review of this game, once it is stored. */
  link() {
    return this.state?.number ? make("a", { href: `/review/${this.state.number}`, class: "button" }, "Review this game") : "";
  }

  /** @param {Event} event */
  type(event) {
    event.preventDefault();
    const text = this.parts.typed.value.trim();
    if (text && !this.parts.typed.readOnly) this.line.send({ type: "move", text });
    this.parts.typed.value = "";
  }

  /** @param {{moves: string[]}} message */
  listMoves({ moves }) {
    this.parts.choices.hidden = false;
    this.parts.choices.replaceChildren(...moves.map((text) =>
      make("button", { type: "button", onclick: () => this.line.send({ type: "move", text }) }, text)));
  }

  undo() {
    const partly = (this.state?.hops.length ?? 0) > 0;
    this.line.send({ type: partly ? "untouch" : "undo" });
  }

  pass() {
    this.line.send({ type: "touch", source: "", target: PASS });
  }

  dice() {
    if (!this.state || !this.mover(this.state)) return;
    if (this.state.complete && this.stage?.confirmed) this.line.send({ type: "confirm" });
    else if (this.stage?.confirmed) {
      this.parts.board.swapped = !this.parts.board.swapped;
      this.tell(this.parts.board.swapped ? "A tap plays the smaller die first." : "A tap plays the larger die first.");
    }
  }

  hint() {
    this.tell("Thinking …");
    this.line.send({ type: "hint", agent: recall("judge", "") });
  }

  /** @param {{move: string, by: string, hops: import("./types.js").Hop[], version: number}} message */
  hinted({ move, by, hops, version }) {
    if (!this.state || version !== this.state.version) return;
    this.parts.board.show(this.state.scene, { arrows: [{ hops, quality: "q-best", sign: "✓", text: "✓" }] });
    this.tell(`${move}, says ${by}.`);
    say(`Hint: ${move}, says ${by}.`);
  }

  /** The side of whoever sits here: the one to move, where several do. */
  ownSide() {
    const teams = this.stage?.teams ?? [];
    const mover = this.state?.mover ?? 0;
    return teams[this.yours.length && !this.yours.includes(mover) ? this.yours[0] : Math.max(mover, 0)];
  }

  /** Shows or hides the judge at the turns of one side. @param {number} side */
  toggleJudge(side = this.ownSide()) {
    if (!this.judged.delete(side)) this.judged.add(side);
    this.askJudge();
  }

  askJudge() {
    this.heardTruth = null;
    this.line.send({ type: "judge", on: this.judged.size > 0, sides: [...this.judged], agent: recall("judge", "") });
    this.draw();
  }

  help() {
    const before = recall("judge", "");
    help(undefined, () => { if (this.judged.size && recall("judge", "") !== before) this.askJudge(); });
  }

  /** @param {import("./types.js").Truth} truth */
  heard(truth) {
    this.heardTruth = truth;
    if (this.truth && !this.looking) this.draw();
  }

  flip() {
    const views = this.stage?.views.length ?? 0;
    if (!views || !this.state) return;
    const view = (this.parts.board.view + 1) % views;
    remember(`view.${this.key}`, view);
    this.parts.board.turn(view);
    this.draw();
  }

  resign() {
    if (this.parts.tools.resign.textContent === "Resign") {
      this.parts.tools.resign.textContent = "Really?";
      setTimeout(() => { this.parts.tools.resign.textContent = "Resign"; }, 3000);
    } else this.line.send({ type: "resign" });
  }

  /** The other seats leave this browser: whoever opens a link sits there. */
  async invite() {
    const how = await sharing();
    const away = Object.entries(offer(this.key));
    links(away.map(([seat, key]) => [this.stage?.players[Number(seat)] ?? "", addressed(how, `/table/${this.key}`) + seatHash(seat, key)]), how.alone);
    this.line.send({ type: "share" });
    this.line.close();
    this.line = this.connected();
  }

  async copyLink() {
    const { state, stage } = this;
    if (!state || !stage) return;
    const line = state.turns.map(([, roll, move]) => (roll ? `${roll}: ${move}` : move)).join(";");
    const seats = state.seats.map((name) => (name === "human" ? "you" : name)).join(";");
    const asked = { seats, ...(state.begin ? { at: state.begin } : {}), ...(line ? { line } : {}) };
    this.copy(addressed(await sharing(), `/play/${stage.game}`, asked), "A link to this position and its line is copied.");
  }

  /** @param {string} address @param {string} done */
  async copy(address, done) {
    try {
      await navigator.clipboard.writeText(address);
      this.tell(done);
    } catch {
      this.tell(address);
    }
  }

  /** An earlier position; -1, or the last one, is the game as it stands. @param {number} turn */
  async lookBack(turn) {
    const { state, stage } = this;
    if (!state || !stage || state.number == null) return;
    if (turn < 0 || turn >= state.turns.length) {
      this.looking = null;
      return this.draw();
    }
    const found = this.looking?.version === state.version ? this.looking.game : await ask(`/api/stored/${state.number}`);
    this.looking = { version: state.version, game: found, turn };
    const frame = found.frames[turn];
    this.parts.board.show(frame.scene, { following: [], last: turn ? found.frames[turn - 1].touched : [] });
    this.parts.moves.show(state.turns, stage.players, turn - 1);
    this.tell("An earlier position; touch the board or press ] to go on.");
  }

  /** @param {KeyboardEvent} event */
  key_(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /** @type {Element} */ (event.target).matches?.("input, select, textarea")) return;
    const turns = this.state?.turns.length ?? 0;
    const now = this.looking ? this.looking.turn : turns;
    /** @type {Record<string, () => void>} */
    const does = {
      "/": () => this.parts.typed.focus(), u: () => this.undo(), h: () => this.hint(), e: () => this.toggleJudge(),
      f: () => this.flip(), c: () => (this.parts.tools.pass.hidden ? this.line.send({ type: "confirm" }) : this.pass()), d: () => this.dice(), "?": () => this.help(),
      "[": () => this.lookBack(Math.max(now - 1, 0)), "]": () => this.lookBack(now + 1 > turns ? -1 : now + 1),
    };
    if (does[event.key]) {
      event.preventDefault();
      does[event.key]();
    }
  }

  close() {
    this.line.close();
  }
}

/** Makes a table and goes there, unless one has gone elsewhere meanwhile. @param {object} asked @param {boolean} [instead] */
export async function begin(asked, instead = false) {
  const made = ask("/api/tables", asked);
  made.then(keep, () => {});
  await goAfter(made, addressOf, instead);
}

/** Where a game goes on. @param {{key: string, watched: boolean}} made */
export function addressOf({ key, watched }) {
  return `/${watched ? "watched" : "table"}/${key}`;
}
