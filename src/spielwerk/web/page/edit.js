// The position editor: put pieces on places, or write the position in any of its forms; each follows the others.

import "./board.js";
import { ask, entitle, make } from "./dom.js";
import { begin } from "./table.js";

/** @param {HTMLElement} place @param {string} game */
export async function edit(place, game) {
  entitle(place, "Position");
  const asked = new URLSearchParams(location.search).get("at") ?? "";
  const shown = await ask("/api/position", { game, position: asked });
  new Editor(place, game, shown).draw();
}

class Editor {
  board = /** @type {import("./board.js").Board} */ (make("spw-board"));
  text = make("textarea", { "aria-label": "The position as text", maxlength: 4000, rows: 3 });
  status = make("p", { class: "status", role: "status" });
  start = make("button", { type: "button", class: "first", onclick: () => this.play() }, "Play from here");
  brush = ""; // what a touch puts on a place; empty: takes away
  asked = 0; // the last answer is shown, whichever comes last

  /** @param {HTMLElement} place @param {string} game @param {any} shown */
  constructor(place, game, shown) {
    this.game = game;
    this.shown = shown;
    /** @type {[string, string][]} */ this.pieces = shown.pieces;
    this.mover = make("select", { "aria-label": "Who is to move", hidden: !shown.brushes.length }, ...shown.stage.players.map((/** @type {string} */ name, /** @type {number} */ player) =>
      make("option", { value: player }, `${name} to move`)));
    this.mover.addEventListener("change", () => this.compose());
    this.text.addEventListener("change", () => this.read(this.text.value));
    this.forms = Object.fromEntries(Object.keys(shown.forms).map((name) => [name, this.form(name)]));
    const empty = make("button", { type: "button", hidden: !shown.brushes.length, onclick: () => { this.pieces = []; this.compose(); } }, "Empty board");
    place.replaceChildren(make("h1", {}, `${shown.stage.title}: a position`), make("div", { class: "table" },
      make("div", { class: "main" }, this.board, this.status),
      make("div", { class: "side" }, this.palette(), this.mover, this.text,
        make("div", { class: "forms" }, ...Object.entries(this.forms).map(([name, field]) => make("label", {}, name, field))),
        make("div", { class: "row" }, this.start, empty))));
    this.board.begin(shown.stage, 0);
    this.board.addEventListener("hop", (event) => this.put(/** @type {CustomEvent} */ (event).detail.target));
  }

  palette() {
    const { brushes } = this.shown;
    const palette = make("div", { class: "palette", role: "group", "aria-label": "Pieces", hidden: !brushes.length });
    for (const look of ["", ...brushes]) {
      const button = make("button", { type: "button", "aria-pressed": String(look === this.brush) }, look || "take away");
      button.addEventListener("click", () => {
        this.brush = look;
        for (const one of palette.children) one.setAttribute("aria-pressed", String(one === button));
      });
      palette.append(button);
    }
    return palette;
  }

  /** The position as another program writes it, which can be written here as well. @param {string} name */
  form(name) {
    const field = make("input", { maxlength: 4000, autocomplete: "off", spellcheck: "false", "data-form": name });
    field.addEventListener("change", () => this.read(field.value));
    return field;
  }

  draw() {
    const { shown } = this;
    const anywhere = shown.brushes.length ? shown.stage.places.map((/** @type {any} */ place) => ["", place[0]]) : [];
    this.board.show(shown.scene, { following: anywhere, last: [] });
    this.board.layers.targets.replaceChildren();
    this.text.value = shown.position;
    this.mover.value = String(shown.mover);
    for (const [name, field] of Object.entries(this.forms)) field.value = shown.forms[name] ?? "";
    this.tell(shown.problem || shown.status, !!shown.problem);
  }

  /** @param {string} text @param {boolean} bad */
  tell(text, bad) {
    this.status.textContent = text;
    this.status.classList.toggle("problem", bad);
    this.start.disabled = bad;
  }

  /** @param {string} target */
  put(target) {
    const there = this.pieces.filter(([place]) => place === target);
    if (!this.brush) {
      const gone = there.pop();
      if (gone) this.pieces.splice(this.pieces.lastIndexOf(gone), 1);
    } else {
      if (!this.shown.stacked || there.some(([, look]) => look !== this.brush)) this.pieces = this.pieces.filter(([place]) => place !== target);
      this.pieces.push([target, this.brush]);
    }
    this.compose();
  }

  /** What stands on the board, as a position; one that cannot be has no text. */
  compose() {
    const mover = Number(this.mover.value);
    const nothing = { position: "", forms: {}, mover };
    this.follow(ask("/api/edit", { game: this.game, pieces: this.pieces, mover }).then((found) => ({ ...nothing, ...found })));
  }

  /** @param {string} text */
  read(text) {
    this.follow(ask("/api/position", { game: this.game, position: text }).then((found) => {
      this.pieces = found.pieces;
      return { problem: "", ...found };
    }));
  }

  /** @param {Promise<any>} answer */
  async follow(answer) {
    const now = ++this.asked;
    try {
      const found = await answer;
      if (now !== this.asked) return;
      Object.assign(this.shown, found);
      this.draw();
    } catch (error) {
      if (now === this.asked) this.tell(/** @type {Error} */ (error).message, true);
    }
  }

  async play() {
    try {
      await begin({ game: this.game, at: this.text.value });
    } catch (error) {
      this.tell(/** @type {Error} */ (error).message, true);
    }
  }
}
