// The parts of a table as elements: the board, seats, list of moves, status, tools, the judge.

import "./board.js";
import "./judge.js";
import "./moves.js";
import { make } from "./dom.js";

/** The tools in their order: name, text, what they do, their key. @type {[string, string, string, string?][]} */
const TOOLS = [
  ["confirm", "Done", "Confirm the turn (c)", "c"], ["pass", "Pass", "There is nothing to play (c)", "c"], ["undo", "Undo", "Take back (u)", "u"], ["hint", "Hint", "What would be best (h)", "h"],
  ["judge", "Judge", "Show what moves are worth, for your side or the one to move (e)", "e"], ["flip", "Flip", "Turn the board (f)", "f"],
  ["share", "Invite", "A link for the other player"], ["link", "Link", "Copy a link to this position and line"],
  ["record", "Record", "Download the game"], ["resign", "Resign", "Give up"], ["again", "New game", "Another game, or from here"],
  ["help", "?", "Keys and settings (?)", "?"],
];

export class Parts {
  board = /** @type {import("./board.js").Board} */ (make("spw-board"));
  bar = make("div", { class: "bar", hidden: true, role: "img", "aria-label": "Evaluation" }, make("i"));
  moves = /** @type {import("./moves.js").Moves} */ (make("spw-moves"));
  judge = /** @type {import("./judge.js").Judge} */ (make("spw-judge"));
  above = make("div", { class: "seats" });
  status = make("p", { class: "status", role: "status" });
  typed = make("input", { placeholder: "Type a move", "aria-label": "Type a move", autocomplete: "off",
    autocapitalize: "off", spellcheck: "false", maxlength: 200, readonly: true });
  send = make("button", { type: "submit", disabled: true }, "Play");
  form = make("form", { class: "typed" }, this.typed, this.send);
  choices = make("div", { class: "choices", hidden: true, role: "group", "aria-label": "Legal moves" });
  sides = make("p", { class: "row", role: "group", "aria-label": "At whose turns the judge is shown" });
  truth = make("section", { class: "truth", hidden: true }, make("h2", {}, "Judge"), this.sides, this.judge);
  /** @type {Record<string, HTMLButtonElement>} */ tools = {};

  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    for (const [name, text, title, key] of TOOLS) this.tools[name] = make("button", { type: "button", title, "aria-keyshortcuts": key }, text);
    this.tools.confirm.classList.add("first");
    this.tools.confirm.hidden = this.tools.pass.hidden = this.tools.share.hidden = true;
    const tools = make("div", { class: "tools" }, ...Object.values(this.tools));
    place.replaceChildren(make("div", { class: "table" },
      make("div", { class: "main" }, this.above, make("div", { class: "boardrow" }, this.bar, this.board), this.status, tools),
      make("div", { class: "side" }, make("section", {}, make("h2", {}, "Moves"), this.moves), this.choices, this.form, this.truth)));
  }

  /** @param {Record<string, () => void>} what */
  use(what) {
    for (const [name, does] of Object.entries(what)) this.tools[name].addEventListener("click", does);
  }
}
