// <spw-moves>: the list of moves, each a button to the position after it.

import { make } from "./dom.js";

export class Moves extends HTMLElement {
  /**
   * @param {import("./types.js").TurnLine[]} turns @param {string[]} players @param {number} now the turn shown, or -1
   * @param {(string|null)[][]} [signs] sign, class and title of each turn
   */
  show(turns, players, now, signs = []) {
    const across = players.length === 2 ? 2 : 1;
    const list = make("ol", { "aria-label": "Moves" });
    let column = across;
    let count = 0;
    turns.forEach(([player, roll, move], number) => {
      if (column >= across || (across === 2 && player === 0)) {
        list.append(make("li", { class: "count", "aria-hidden": "true" }, `${++count}`));
        column = 0;
        if (across === 2 && player === 1) {
          list.append(make("li", { "aria-hidden": "true" }, "…"));
          column = 1;
        }
      }
      list.append(this.item(player, roll, move, number, players, now, signs[number]));
      column += 1;
      if (across === 1) list.append(make("li", { "aria-hidden": "true" }));
    });
    this.replaceChildren(turns.length ? list : make("p", { class: "quiet" }, "No move yet."));
    this.reveal();
  }

  /** Scrolls the list, and never the page, until the turn shown is seen. */
  reveal() {
    const row = this.querySelector("[aria-current=true]")?.getBoundingClientRect();
    const box = this.getBoundingClientRect();
    if (row) this.scrollTop += Math.max(row.bottom - box.bottom, 0) + Math.min(row.top - box.top, 0);
  }

  /**
   * @param {number} player @param {string|null} roll @param {string} move @param {number} number
   * @param {string[]} players @param {number} now @param {(string|null)[]} [sign]
   */
  item(player, roll, move, number, players, now, sign) {
    const said = `${number + 1}. ${players[player]}${roll ? ` ${roll}:` : ""} ${move}${sign?.[2] ? `, ${sign[2]}` : ""}`;
    const button = make("button", { type: "button", "aria-label": said, title: sign?.[2] ?? null,
      "aria-current": number === now ? "true" : null },
      roll ? make("span", { class: "roll" }, roll) : null, move || "…",
      sign?.[0] ? make("span", { class: `sign ${sign[1]}` }, sign[0]) : null);
    button.addEventListener("click", () =>
      this.dispatchEvent(new CustomEvent("goto", { detail: number, bubbles: true })));
    return make("li", {}, button);
  }
}

customElements.define("spw-moves", Moves);
