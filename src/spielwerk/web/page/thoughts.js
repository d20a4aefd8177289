// <spw-thoughts>: what the agent to move thinks of its moves: visits, values, its network's policy, scores.

import { make, signed } from "./dom.js";
import { MEANING } from "./heat.js";

/** @typedef {import("./watchtypes.js").Thoughts} Thoughts @typedef {import("./watchtypes.js").Considered} Considered */

const MOST = 10;
const FEW = 6; // beside a network
const number = (/** @type {number} */ value) => value.toLocaleString("en");
const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(share < .0995 ? 1 : 0)} %`;

/** Columns: a heading, the number behind it, and how it is written. @type {[string, (one: Considered) => number|null, (value: number) => string][]} */
const COLUMNS = [
  ["visits", (one) => one.visits, number], ["policy", (one) => one.probability, percent],
  ["value", (one) => one.value, signed], ["score", (one) => one.score, signed],
];

export class ThoughtsView extends HTMLElement {
  /** @param {Thoughts|null} thoughts @param {string[]} players @param {string} picked @param {string} heated @param {boolean} few */
  show(thoughts, players, picked, heated, few) {
    if (!thoughts) return this.replaceChildren(make("p", { class: "quiet" }, "Thinking …"));
    const who = make("p", {}, make("b", {}, thoughts.by), ` for ${players[thoughts.mover]}`,
      thoughts.value == null ? "" : `, ${signed(thoughts.value)}`);
    const how = [thoughts.simulations ? `${number(thoughts.simulations)} simulations` : "",
      MEANING[heated] ? `heat: ${MEANING[heated]}` : ""].filter(Boolean).join("; ");
    return this.replaceChildren(who, make("p", { class: "quiet" }, how), thoughts.problem ? make("p", {}, thoughts.problem) : "",
      thoughts.moves.length ? this.table(thoughts, picked, few ? FEW : MOST) : "",
      make("p", { class: "quiet" }, thoughts.note));
  }

  /** @param {Thoughts} thoughts @param {string} picked @param {number} rowsShown */
  table(thoughts, picked, rowsShown) {
    const columns = COLUMNS.filter(([, of]) => thoughts.moves.some((one) => of(one) != null));
    const most = Math.max(...thoughts.moves.map(weight), 1e-9);
    const rows = thoughts.moves.filter((one, place) => place < rowsShown || one.move === thoughts.turn).map((one) => {
      const button = make("button", { type: "button", "aria-pressed": String(one.move === picked) }, one.move);
      button.addEventListener("click", () => this.dispatchEvent(new CustomEvent("pick", { detail: one.move, bubbles: true })));
      const bar = make("i", { class: "share" });
      bar.style.width = `${(100 * weight(one) / most).toFixed(1)}%`;
      return make("tr", {}, make("td", {}, button, bar), ...columns.map(([, of, text]) => {
        const value = of(one);
        return make("td", { class: "number" }, value == null ? "" : text(value));
      }));
    });
    return make("table", { "aria-label": "Moves as the agent sees them" },
      make("thead", {}, make("tr", {}, make("th", {}, "move"), ...columns.map(([name]) => make("th", { class: "number" }, name)))),
      make("tbody", {}, ...rows, ...(thoughts.count > rows.length ? [make("tr", {}, make("td", { class: "quiet", colspan: 1 + columns.length },
        `and ${number(thoughts.count - rows.length)} more`))] : [])));
  }
}

/** What the bar under a move shows. @param {Considered} one */
function weight(one) {
  return one.visits ?? one.probability ?? 0;
}

customElements.define("spw-thoughts", ThoughtsView);
