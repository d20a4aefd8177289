// Lessons: positions in which you went wrong; find the better move. What is not found comes again soon.

import "./board.js";
import { ask, entitle, make, quality, say } from "./dom.js";
import { arrows } from "./judge.js";

/** @param {HTMLElement} place */
export async function lessons(place) {
  entitle(place, "Lessons");
  const only = (new URLSearchParams(location.search).get("of") ?? "").split(",").filter(Boolean).map(Number);
  const due = only.length ? only : (await ask("/api/lessons")).map((/** @type {any} */ one) => one.number);
  if (!due.length) {
    const all = await ask("/api/lessons?due=false");
    const next = all.length ? ` The next one is due ${new Date(1000 * all[0].due).toLocaleString()}.` : " They come from the reviews of your games.";
    place.replaceChildren(make("h1", {}, "Lessons"), make("p", {}, `No lesson is due.${next}`));
    return;
  }
  await new Lesson(place, due).next();
}

class Lesson {
  /** @param {HTMLElement} place @param {number[]} due */
  constructor(place, due) {
    this.place = place;
    this.due = [...due];
    this.all = due.length;
    this.done = 0;
    this.well = 0;
    /** @type {any} */ this.one = null;
    /** @type {import("./types.js").Hop[]} */ this.hops = [];
    this.failed = false;
    this.move = "";
  }

  async next() {
    const number = this.due.shift();
    if (number === undefined) return this.end();
    this.one = await ask(`/api/lessons/${number}`);
    this.hops = [];
    this.failed = false;
    this.board = /** @type {import("./board.js").Board} */ (make("spw-board"));
    this.status = make("p", { class: "status", role: "status" });
    this.confirm = make("button", { type: "button", class: "first", hidden: true, onclick: () => this.answer(this.move) }, "Done");
    this.typed = make("input", { "aria-label": "Type a move", placeholder: "Type a move", autocomplete: "off", maxlength: 200 });
    const form = make("form", { class: "typed", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.answer(this.typed.value); } },
      this.typed, make("button", { type: "submit" }, "Try"));
    this.after = make("div", { class: "tools" });
    this.place.replaceChildren(make("h1", {}, `Lesson ${this.done + 1} of ${this.all}`), make("div", { class: "table" },
      make("div", { class: "main" }, this.board, this.status, this.after),
      make("div", { class: "side" }, make("p", {}, `${this.one.stage.title}. You played ${this.one.played}.`),
        make("p", { class: "quiet" }, `It gave ${this.one.regret.toFixed(2)} away, says ${this.one.judge}.`),
        make("p", {}, "Find a better move."), form,
        make("div", { class: "row" }, this.confirm,
          make("button", { type: "button", onclick: () => this.touch([]) }, "Take back"),
          make("button", { type: "button", onclick: () => this.answer(this.one.played) }, "Show it")))));
    this.board.begin(this.one.stage, this.one.mover);
    this.board.show(this.one.scene, { following: [], last: [] });
    this.board.addEventListener("hop", (event) => {
      const { source, target } = /** @type {CustomEvent} */ (event).detail;
      this.touch([...this.hops, [source, target]]);
    });
    this.board.addEventListener("dice", () => { if (this.move) this.answer(this.move); });
    this.tell(`${this.one.status} Find a better move than ${this.one.played}.`);
    await this.touch([]);
  }

  /** Shows a turn in the making; one that cannot be leaves the board as it is. @param {import("./types.js").Hop[]} hops */
  async touch(hops) {
    try {
      const found = await ask("/api/touch", { game: this.one.stage.game, position: this.one.position, hops });
      this.hops = hops;
      this.board?.show(found.scene, { following: found.following, last: [] });
      this.move = found.move;
      this.confirm.hidden = !(found.complete && this.one.stage.confirmed);
      if (found.complete && !found.following.length && !this.one.stage.confirmed) await this.answer(found.move);
    } catch (error) {
      this.tell(/** @type {Error} */ (error).message);
      this.board?.mark();
    }
  }

  /** @param {string} move */
  async answer(move) {
    const number = this.one.number;
    const shown = move === this.one.played;
    try {
      this.tell("Thinking …");
      const found = await ask(`/api/lessons/${number}/answer`, { move: move.trim() });
      if (found.well) this.finish(`${move} is ${this.failed ? "right" : "right, well done"}.`, !this.failed, found.moves);
      else if (shown) this.finish(`Better is ${found.better}, says ${found.judge}; this one comes again.`, false, found.moves);
      else {
        this.failed = true;
        this.tell(`${move} is ${found.verdict === "inaccurate" ? "not quite it" : quality(found.verdict)[2] || "not known to be good"}; try again.`);
        await this.touch([]);
      }
    } catch (error) {
      this.tell(/** @type {Error} */ (error).message);
    }
  }

  /** @param {string} text @param {boolean} well @param {import("./types.js").ValuedMove[]} moves to be drawn */
  finish(text, well, moves) {
    this.done += 1;
    this.well += well ? 1 : 0;
    this.board?.show(this.one.scene, { following: [], arrows: arrows(moves, false) });
    this.tell(text);
    this.after.replaceChildren(make("button", { type: "button", class: "first", onclick: () => this.next() }, this.due.length ? "Next" : "Finish"));
    this.after.firstChild.focus();
  }

  end() {
    this.place.replaceChildren(make("h1", {}, "Lessons"), make("p", {}, `${this.well} of ${this.all} found at once. What was not comes again soon.`),
      make("p", {}, make("a", { class: "button", href: "/" }, "Play")));
  }

  /** @param {string} text */
  tell(text) {
    this.status.textContent = text;
    say(text);
  }
}
