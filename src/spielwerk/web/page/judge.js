// <spw-judge>: what the position is worth, who says so, and what each move costs.

import { make, QUALITY, signed } from "./dom.js";

const SHOWN = 10;

export class Judge extends HTMLElement {
  /** @param {import("./types.js").Truth|null} truth @param {import("./types.js").Stage} stage @param {boolean} thinking */
  show(truth, stage, thinking) {
    if (!truth) {
      this.replaceChildren(make("p", { class: "quiet" }, thinking ? "Thinking …" : "Nothing to judge."));
      return;
    }
    const by = truth.by === "oracle" ? "the oracle, exact" : truth.by;
    const rows = truth.moves.slice(0, SHOWN).map(([move, value, , verdict, hops]) => {
      const [sign, quality] = QUALITY[verdict] ?? ["", ""];
      const button = make("button", { type: "button" }, move);
      button.addEventListener("click", () =>
        this.dispatchEvent(new CustomEvent("try", { detail: { move, hops }, bubbles: true })));
      return make("tr", {}, make("td", { class: quality }, make("span", { class: "sign", title: verdict }, sign)),
        make("td", {}, button), make("td", { class: "number" }, signed(value)));
    });
    const more = truth.moves.length > SHOWN ? `and ${truth.moves.length - SHOWN} more` : "";
    this.replaceChildren(
      make("p", {}, `${stage.players[truth.mover]} ${signed(truth.value)} `, make("span", { class: "quiet" }, `by ${by}`)),
      make("table", { "aria-label": "Moves by value" }, make("tbody", {}, ...rows)),
      make("p", { class: "quiet" }, more));
  }
}

/** The share of the bar that belongs to the side of player 0. @param {import("./types.js").Truth} truth @param {number[]} teams */
export function share(truth, teams) {
  const value = (truth.value ?? 0) / (truth.best || 1);
  const side = teams[truth.mover] === teams[0] ? 1 : -1;
  return Math.min(Math.max(50 + 50 * side * value, 2), 98);
}

/** Arrows of the best moves. @param {import("./types.js").Truth} truth @param {number} most */
export function arrows(truth, most) {
  return truth.moves.slice(0, most).filter((one) => one[4].length).reverse().map(([, value, , verdict, hops]) => ({
    hops, quality: (QUALITY[verdict] ?? ["", ""])[1], text: value == null ? "" : signed(value),
  }));
}

customElements.define("spw-judge", Judge);
