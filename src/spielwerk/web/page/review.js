// Review: a stored game position by position, what each move cost, accuracy, luck, and a way to learn from mistakes.

import "./board.js";
import "./graph.js";
import "./moves.js";
import { ask, bad, capital, download, entitle, make, quality, say, signed } from "./dom.js";
import { arrows } from "./judge.js";
import { pressed } from "./keys.js";
import { setup } from "./setup.js";

const POLL = 350; // milliseconds

/** @param {HTMLElement} place @param {number} number */
export async function review(place, number) {
  const game = await ask(`/api/stored/${number}`);
  const shown = new Review(place, number, game);
  shown.goto(Math.max(0, Number(location.hash.slice(1)) || 0));
  shown.begin();
  return shown;
}

class Review {
  /** @param {HTMLElement} place @param {number} number @param {any} game */
  constructor(place, number, game) {
    this.number = number;
    this.game = game;
    this.now = 0;
    /** @type {any} */ this.found = null;
    /** @type {number[]} */ this.lessons = [];
    entitle(place, `Game ${number}`);
    this.board = /** @type {import("./board.js").Board} */ (make("spw-board"));
    this.graph = /** @type {import("./graph.js").Graph} */ (make("spw-graph"));
    this.moves = /** @type {import("./moves.js").Moves} */ (make("spw-moves"));
    this.status = make("p", { class: "status", role: "status" });
    this.summary = make("div", {});
    this.progress = make("div", {});
    this.judge = make("input", { placeholder: "usual judge", "aria-label": "Judge", maxlength: 200 });
    /** @param {string} text @param {string} name @param {() => void} what @param {string} [key] */
    const button = (text, name, what, key) => make("button", { type: "button", "aria-label": name, "aria-keyshortcuts": key, onclick: what }, text);
    this.play = make("button", { type: "button", onclick: () => this.playFrom() }, "Play from here");
    this.tools = make("div", { class: "tools" }, button("«", "To the start", () => this.goto(0)),
      button("◀", "Back", () => this.goto(this.now - 1), "["), button("▶", "On", () => this.goto(this.now + 1), "]"),
      button("»", "To the end", () => this.goto(Infinity)), button("Next mistake", "To the next mistake", () => this.nextMistake()),
      button("Flip", "Turn the board", () => { this.board.turn((this.board.view + 1) % (game.stage.views.length || 1)); this.goto(this.now); }),
      this.play, button("Record", "Download the game", () => download(`/api/stored/${number}/record`, "game.txt")));
    const title = `${game.stage.title}: ${game.agents.join(" – ")}`;
    place.replaceChildren(make("h1", {}, title), make("div", { class: "table review" },
      make("div", { class: "main" }, this.board, this.status, this.tools, this.graph),
      make("div", { class: "side" }, this.progress, this.summary, make("section", {}, make("h2", {}, "Moves"), this.moves),
        make("form", { class: "typed", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.begin(); } },
          this.judge, make("button", { type: "submit" }, "Judge again")))));
    const people = game.agents.flatMap((/** @type {string} */ name, /** @type {number} */ seat) => (name === "human" ? [seat] : []));
    this.board.begin(game.stage, people.length === 1 ? people[0] : 0);
    this.moves.addEventListener("goto", (event) => this.goto(/** @type {CustomEvent} */ (event).detail));
    this.graph.addEventListener("goto", (event) => this.goto(/** @type {CustomEvent} */ (event).detail));
  }

  async begin() {
    try {
      let job = await ask(`/api/stored/${this.number}/review`, { judge: this.judge.value.trim() });
      while (!job.result && !job.problem && this.board.isConnected) {
        this.progress.replaceChildren(make("label", {}, "Judging … ", make("progress", { max: job.turns, value: job.done })));
        await new Promise((done) => { setTimeout(done, POLL); });
        job = await ask(`/api/reviews/${job.review}`);
      }
      if (!this.board.isConnected) return void ask(`/api/reviews/${job.review}`, undefined, "DELETE");
      if (job.problem) throw new Error(job.problem);
      this.found = job.result;
      this.lessons = job.lessons;
      this.progress.replaceChildren(make("p", { class: "quiet" }, this.judges()));
      this.summarise();
      this.goto(this.now);
      say("The review is done.");
    } catch (error) {
      this.progress.replaceChildren(make("p", { class: "status problem", role: "alert" }, /** @type {Error} */ (error).message));
    }
  }

  /** Who has judged, and what may be noise. */
  judges() {
    const noisy = this.found.turns.some((/** @type {any} */ one) => one.verdict !== "forced" && one.error);
    const noise = noisy ? " ± is its error at a turn: smaller differences may be noise, and are no mistakes." : "";
    return `Judged by ${this.found.judges.join(" and ") || "nobody"}.${noise}`;
  }

  summarise() {
    const names = this.game.stage.players;
    /** @type {[string, (one: import("./types.js").PlayerReview) => string][]} */
    const rows = [["accuracy", (one) => (one.accuracy == null ? "" : `${(100 * one.accuracy).toFixed(names.length > 2 ? 0 : 1)}\u00a0%`)],
      ["decisions", (one) => `${one.decisions}`], ["given away", (one) => one.regret.toFixed(2)],
      ["mistakes ?", (one) => `${one.mistakes}`], ["blunders ??", (one) => `${one.blunders}`],
      ["missed wins +?", (one) => `${one.missed_wins}`], ["losing blunders −?", (one) => `${one.losing_blunders}`], ["luck of the dice", (one) => signed(one.luck)]];
    const players = /** @type {import("./types.js").PlayerReview[]} */ (this.found.players);
    const kept = rows.filter(([, text]) => players.some((one) => text(one) !== ""));
    const learn = this.lessons.length ? make("p", {}, make("a", { class: "button first", href: `/lessons?of=${this.lessons.join(",")}` },
      "Learn from your mistakes")) : null;
    this.summary.replaceChildren(make("table", { "aria-label": "How each player chose" },
      make("thead", {}, make("tr", {}, make("th"), ...players.map((one) => make("th", { class: "number" }, names[one.player])))),
      make("tbody", {}, ...kept.map(([name, text]) => make("tr", {}, make("th", { scope: "row" }, name),
        ...players.map((one) => make("td", { class: "number" }, text(one))))))), learn ?? "");
  }

  /** @param {number} turn */
  goto(turn) {
    const frames = /** @type {import("./types.js").Frame[]} */ (this.game.frames);
    this.now = Math.min(Math.max(turn, 0), frames.length - 1);
    const frame = frames[this.now];
    history.replaceState(null, "", `#${this.now}`);
    const judged = this.found?.turns[this.now];
    const signs = (this.found?.turns ?? []).map((/** @type {any} */ one) => {
      const [sign, colour] = quality(one.verdict);
      return one.verdict === "best" ? [] : [sign, colour, one.verdict];
    });
    const last = this.now ? frames[this.now - 1].touched : [];
    this.board.show(frame.scene, { following: [], last, arrows: arrows(judged?.moves ?? [], false) });
    const turns = frames.slice(0, -1).map((one) => [one.player, one.roll, one.move]);
    this.moves.show(/** @type {any} */ (turns), this.game.stage.players, this.now, signs);
    this.graph.show(this.found?.turns ?? [], this.game.stage, this.now);
    this.status.textContent = this.words(frame, judged);
  }

  /** @param {import("./types.js").Frame} frame @param {import("./types.js").ReviewedTurn|undefined} judged */
  words(frame, judged) {
    const players = this.game.stage.players;
    if (frame.player == null) return frame.status;
    const roll = frame.roll ? ` rolled ${frame.roll} and` : "";
    const plays = `${capital(players[frame.player])}${roll} plays ${frame.move || "…"}`;
    if (!judged?.verdict || judged.verdict === "unknown") return `${plays}.`;
    const cost = judged.regret && judged.regret >= 0.005 ? `, ${judged.regret.toFixed(2)} given away` : "";
    const better = judged.better ? `; better is ${judged.better}` : "";
    const error = judged.error && judged.verdict !== "forced" ? ` (± ${judged.error.toFixed(2)})` : "";
    const luck = judged.luck == null ? "" : ` Luck ${signed(judged.luck)}.`;
    return `${plays}: ${quality(judged.verdict)[2]}${cost}${better}, says ${judged.by}${error}.${luck}`;
  }

  /** A new game from the position that is shown, by the same players where all of them can play here. */
  playFrom() {
    const { game, imported, agents, frames } = this.game;
    const { position } = frames[this.now];
    setup(game, imported ? [] : agents, position, position);
  }

  nextMistake() {
    const turns = this.found?.turns ?? [];
    const people = this.game.agents.includes("human");
    const own = (/** @type {any} */ one) => bad(one.verdict) && (!people || this.game.agents[one.player] === "human");
    const next = turns.findIndex((/** @type {any} */ one, /** @type {number} */ place) => place > this.now && own(one));
    const first = turns.findIndex(own);
    if (next >= 0 || first >= 0) this.goto(next >= 0 ? next : first);
    else this.status.textContent = people ? "No move of yours was a mistake for certain." : "There is no mistake for certain in this game.";
  }

  /** @param {KeyboardEvent} event */
  key_(event) {
    pressed(event, this.tools);
  }

  close() {} // what it waits for ends by itself
}
