// The position editor: put pieces on places, or write the position; each follows the other.

import "./board.js";
import { ask, make } from "./dom.js";
import { begin } from "./table.js";

/** @param {HTMLElement} place @param {string} game */
export async function edit(place, game) {
  document.title = "Position – Spielwerk";
  const asked = new URLSearchParams(location.search).get("at") ?? "";
  await new Editor(place, game).begin(asked);
}

class Editor {
  /** @param {HTMLElement} place @param {string} game */
  constructor(place, game) {
    this.place = place;
    this.game = game;
    this.brush = "";
    /** @type {any} */ this.shown = null;
    /** @type {[string, string][]} */ this.pieces = [];
  }

  /** @param {string} text */
  async begin(text) {
    this.shown = await ask("/api/position", { game: this.game, position: text });
    this.pieces = this.shown.pieces;
    this.board = /** @type {import("./board.js").Board} */ (make("spw-board"));
    this.text = make("textarea", { "aria-label": "The position as text", maxlength: 4000, rows: 3 });
    this.status = make("p", { class: "status", role: "status" });
    this.mover = make("select", { "aria-label": "Who is to move" }, ...this.shown.stage.players.map((/** @type {string} */ name, /** @type {number} */ player) =>
      make("option", { value: player, selected: player === this.shown.mover }, `${name} to move`)));
    this.mover.addEventListener("change", () => this.compose());
    this.text.addEventListener("change", () => this.read());
    const palette = make("div", { class: "palette", role: "group", "aria-label": "Pieces" });
    for (const look of ["", ...this.shown.brushes]) {
      const button = make("button", { type: "button", "aria-pressed": String(look === this.brush) }, look || "take away");
      button.addEventListener("click", () => {
        this.brush = look;
        for (const one of palette.children) one.setAttribute("aria-pressed", String(one === button));
      });
      palette.append(button);
    }
    this.place.replaceChildren(make("h1", {}, `${this.shown.stage.title}: a position`), make("div", { class: "table" },
      make("div", { class: "main" }, this.board, this.status),
      make("div", { class: "side" }, this.shown.brushes.length ? palette : null, this.shown.brushes.length ? this.mover : null, this.text,
        make("p", { class: "quiet" }, ...Object.entries(this.shown.forms).flatMap(([name, form]) => [`${name}: ${form}`, make("br")])),
        make("div", { class: "row" }, make("button", { type: "button", class: "first", onclick: () => this.play() }, "Play from here"),
          make("button", { type: "button", onclick: () => this.empty() }, "Empty board")))));
    this.board.begin(this.shown.stage, 0);
    this.board.addEventListener("hop", (event) => this.put(/** @type {CustomEvent} */ (event).detail.target));
    this.draw();
  }

  /** @param {string} [problem] */
  draw(problem = "") {
    const anywhere = this.shown.brushes.length ? this.shown.stage.places.map((/** @type {any} */ place) => ["", place[0]]) : [];
    this.board?.show(this.shown.scene, { following: anywhere, last: [] });
    this.board?.layers.targets.replaceChildren();
    if (!problem) this.text.value = this.shown.position;
    this.status.textContent = problem || this.shown.status;
    this.status.classList.toggle("problem", !!problem);
  }

  /** @param {string} target */
  put(target) {
    const stacked = this.shown.stacked;
    const there = this.pieces.filter(([place]) => place === target);
    if (!this.brush) {
      const gone = there.pop();
      if (gone) this.pieces.splice(this.pieces.lastIndexOf(gone), 1);
    } else {
      if (!stacked || there.some(([, look]) => look !== this.brush)) this.pieces = this.pieces.filter(([place]) => place !== target);
      this.pieces.push([target, this.brush]);
    }
    this.compose();
  }

  empty() {
    this.pieces = [];
    this.compose();
  }

  async compose() {
    const found = await ask("/api/edit", { game: this.game, pieces: this.pieces, mover: Number(this.mover.value) });
    Object.assign(this.shown, found);
    this.draw(found.problem);
  }

  async read() {
    try {
      const found = await ask("/api/position", { game: this.game, position: this.text.value });
      this.shown = found;
      this.pieces = found.pieces;
      this.draw();
    } catch (error) {
      this.status.textContent = /** @type {Error} */ (error).message;
      this.status.classList.add("problem");
    }
  }

  async play() {
    try {
      await begin({ game: this.game, at: this.text.value });
    } catch (error) {
      this.draw(/** @type {Error} */ (error).message);
    }
  }
}
