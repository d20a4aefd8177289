// The parts of a watched table as elements.

import "./board.js";
import "./moves.js";
import "./network.js";
import "./thoughts.js";
import { make } from "./dom.js";

/** The tools in their order: name, text, what they do, their keys. @type {[string, string, string, string?][]} */
const TOOLS = [
  ["play", "Pause", "Go on, or pause (space)", "Space"], ["step", "Step", "One turn (s)", "s"], ["slower", "Slower", "Longer pauses (-)", "-"],
  ["faster", "Faster", "Shorter pauses (+)", "Plus ="], ["heat", "Heat", "What the heat on the board shows (v)", "v"],
  ["flip", "Flip", "Turn the board (f)", "f"], ["record", "Record", "Download the game"],
  ["again", "New", "Other agents, or another game"], ["help", "?", "Keys (?)", "?"],
];

export class WatchParts {
  board = /** @type {import("./board.js").Board} */ (make("spw-board"));
  moves = /** @type {import("./moves.js").Moves} */ (make("spw-moves"));
  thoughts = /** @type {import("./thoughts.js").ThoughtsView} */ (make("spw-thoughts"));
  network = /** @type {import("./network.js").Network} */ (make("spw-network", { hidden: true }));
  above = make("div", { class: "seats" });
  status = make("p", { class: "status", role: "status" });
  pace = make("span", { class: "pace quiet" });
  /** @type {Record<string, HTMLButtonElement>} */ tools = {};

  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    for (const [name, text, title, key] of TOOLS) this.tools[name] = make("button", { type: "button", title, "aria-keyshortcuts": key }, text);
    this.tools.play.classList.add("first");
    const tools = make("div", { class: "tools" }, ...Object.values(this.tools));
    this.tools.step.after(make("span", { class: "paces" }, this.tools.slower, this.pace, this.tools.faster));
    place.replaceChildren(make("div", { class: "table watch" },
      make("div", { class: "main" }, this.above, make("div", { class: "boardrow" }, this.board), this.status, tools),
      make("div", { class: "side" }, make("section", {}, make("h2", {}, "Thoughts"), this.thoughts, this.network),
        make("section", {}, make("h2", {}, "Moves"), this.moves))));
  }

  /** @param {Record<string, () => void>} what */
  use(what) {
    for (const [name, does] of Object.entries(what)) this.tools[name].addEventListener("click", does);
  }
}
