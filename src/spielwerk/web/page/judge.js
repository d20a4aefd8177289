// <spw-judge>: what the position is worth, who says so, and what each move costs.

import { make, quality, signed } from "./dom.js";

const SHOWN = 10;

export class Judge extends HTMLElement {
  /** @param {import("./types.js").Truth|null} truth @param {import("./types.js").Stage} stage @param {string} otherwise what to say without it */
  show(truth, stage, otherwise) {
    if (!truth) {
      this.replaceChildren(make("p", { class: "quiet" }, otherwise));
      return;
    }
    const known = truth.moves.filter(([, value]) => value != null);
    const rows = known.slice(0, SHOWN).map(([move, value, , verdict, hops]) => {
      const [sign, colour] = quality(verdict);
      const button = make("button", { type: "button" }, move);
      button.addEventListener("click", () =>
        this.dispatchEvent(new CustomEvent("try", { detail: { move, hops }, bubbles: true })));
      return make("tr", {}, make("td", { class: colour }, make("span", { class: "sign", title: verdict }, sign)),
        make("td", {}, button), make("td", { class: "number" }, signed(value)));
    });
    const more = truth.moves.length > rows.length ? `and ${truth.moves.length - rows.length} more` : "";
    this.replaceChildren(
      make("p", {}, `${stage.players[truth.mover]} ${signed(truth.value)} `, make("span", { class: "quiet" }, `by ${judgeName(truth.by, truth.error)}`)),
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

/** A box for each side, to be ticked where the judge is shown at its turns. @param {import("./types.js").Stage} stage @param {(side: number) => void} toggle */
export function sideBoxes({ teams, players }, toggle) {
  return [...new Set(teams)].map((side) => make("label", {}, make("input", { type: "checkbox", value: side, onchange: () => toggle(side) }),
    ` ${players.filter((_, player) => teams[player] === side).join(" and ")}`));
}

/** Who judges, and how far it can be trusted. @param {string} by @param {number|null} error of a difference of two values */
export function judgeName(by, error) {
  return by === "oracle" ? "the oracle, exact" : `${by}${error ? `, ± ${error.toFixed(2)}` : ""}`;
}

/** Moves as arrows by quality, the first of them on top. @param {import("./types.js").ValuedMove[]} moves @param {boolean} [values] */
export function arrows(moves, values = true) {
  return moves.filter((one) => one[4].length).reverse().map(([, value, , verdict, hops]) => {
    const [sign, colour] = quality(verdict);
    return { hops, quality: colour, sign, text: values && value != null ? signed(value) : sign };
  });
}

customElements.define("spw-judge", Judge);
