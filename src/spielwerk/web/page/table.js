// The table: a board, its seats, the list of moves, a line of status, tools, and the judge, hidden until asked.

import { ask, download, entitle, go, goAfter, make, recall, remember, say } from "./dom.js";
import { help } from "./help.js";
import { Judging } from "./judging.js";
import { meant, pressed } from "./keys.js";
import { lively } from "./moving.js";
import { Parts } from "./parts.js";
import { showPlayers } from "./players.js";
import { addressed, copied, linkTo, links, sharing } from "./links.js";
import { keep, offer, seatHash, seatsAt, sitDown } from "./seats.js";
import { setup } from "./setup.js";
import { Line } from "./socket.js";

/** @typedef {import("./types.js").State} State @typedef {import("./types.js").Stage} Stage */

const PAUSE = 280; // milliseconds between two things that happen
const PASS = "pass"; // the place that stands for nothing to play

export class Table {
  /** @param {HTMLElement} place @param {string} key */
  constructor(place, key) {
    this.key = key;
    if (sitDown(key, location.hash)) history.replaceState(null, "", location.pathname);
    /** @type {Stage|null} */ this.stage = null;
    /** @type {State|null} */ this.state = null;
    /** @type {State[]} */ this.coming = [];
    /** @type {number[]} */ this.yours = [];
    /** @type {any} */ this.looking = null; // at an earlier position
    this.busy = false;
    this.parts = new Parts(place);
    this.judging = new Judging(this);
    this.begin();
    this.line = this.connected();
  }

  /** A line for the seats that one has now. */
  connected() {
    const line = new Line(`/ws/tables/${this.key}`, { type: "hello", keys: Object.values(seatsAt(this.key).held) });
    this.listen(line);
    return line;
  }

  begin() {
    this.parts.use({
      confirm: () => this.line.send({ type: "confirm" }), pass: () => this.line.send({ type: "touch", source: "", target: PASS }),
      undo: () => this.undo(), hint: () => this.judging.hint(), judge: () => this.judging.toggle(), flip: () => this.flip(), share: () => this.invite(), link: () => this.copyLink(),
      record: () => download(`/api/tables/${this.key}/record`, "game.txt"), resign: () => this.resign(), help: () => this.help(),
      again: () => setup(this.stage?.game ?? "morris", this.state?.seats ?? [], this.position),
    });
    this.parts.form.addEventListener("submit", (/** @type {Event} */ event) => this.type(event));
    this.parts.board.addEventListener("hop", (event) => {
      if (this.looking) return this.lookBack(-1);
      this.line.send({ type: "touch", .../** @type {CustomEvent} */ (event).detail });
    });
    this.parts.board.addEventListener("dice", () => this.dice());
    this.parts.moves.addEventListener("goto", (event) => this.lookBack(/** @type {CustomEvent} */ (event).detail + 1));
    this.parts.judge.addEventListener("try", (event) => {
      if (this.state?.asked) this.line.send({ type: "move", text: /** @type {CustomEvent} */ (event).detail.move });
    });
  }

  /** @param {Line} line */
  listen(line) {
    line.addEventListener("welcome", (event) => this.welcome(/** @type {CustomEvent} */ (event).detail));
    line.addEventListener("state", (event) => this.receive(/** @type {CustomEvent} */ (event).detail));
    line.addEventListener("truth", (event) => this.judging.heard(/** @type {CustomEvent} */ (event).detail));
    line.addEventListener("hint", (event) => this.judging.hinted(/** @type {CustomEvent} */ (event).detail));
    line.addEventListener("moves", (event) => this.listMoves(/** @type {CustomEvent} */ (event).detail));
    line.addEventListener("error", (event) => this.problem(/** @type {CustomEvent} */ (event).detail.text));
    line.addEventListener("gone", (event) => this.problem(/** @type {CustomEvent} */ (event).detail.text));
    line.addEventListener("line", (event) => {
      if (!(/** @type {CustomEvent} */ (event).detail.up)) this.tell("The line is broken; trying again …", true);
    });
  }

  /** @param {{stage: Stage, yours: number[], watch?: object}} message */
  welcome({ stage, yours, watch }) {
    if (watch) return go(`/watched/${this.key}`, true);
    const again = this.stage?.game === stage.game;
    this.stage = stage;
    this.yours = yours;
    entitle(this.parts.board, stage.title);
    if (!again) this.judging.begin(stage);
    if (!again) this.parts.board.begin(stage, recall(`view.${this.key}`, yours.length === 1 ? yours[0] : 0));
    this.parts.tools.flip.hidden = stage.views.length === 0;
    this.coming = [];
    this.state = again ? this.state : null;
    if (this.judging.sides.size) this.judging.ask();
  }

  /** States are shown one after the other, so that a reply is seen to happen. @param {State} state */
  receive(state) {
    this.coming.push(state);
    if (!this.busy) this.next();
  }

  next() {
    const state = this.coming.shift();
    if (!state) return;
    const first = !this.state;
    const mine = first || this.mover(this.state);
    this.show(state);
    const pause = lively() ? PAUSE : 0;
    const wait = first || mine || document.hidden ? 0 : pause;
    this.busy = this.coming.length > 0 || wait > 0;
    if (this.busy) setTimeout(() => { this.busy = false; this.next(); }, Math.max(wait, this.coming.length ? pause : 0));
  }

  /** @param {State|null} state */
  mover(state) {
    return !!state && state.asked && this.yours.includes(state.mover);
  }

  /** @param {State} state */
  show(state) {
    const before = this.state;
    this.state = state;
    this.looking = null;
    this.draw();
    this.announce(before, state);
    if (this.stage?.listed && this.mover(state)) this.line.send({ type: "moves" });
    else this.parts.choices.hidden = true;
  }

  draw() {
    const { state, stage } = this;
    if (!state || !stage) return;
    const mine = this.mover(state);
    this.parts.board.show(state.scene, { following: mine ? state.following : [], last: state.last, arrows: this.judging.arrows() });
    this.parts.moves.show(state.turns, stage.players, state.turns.length - 1);
    showPlayers(this.parts.above, stage, state, this.parts.board.view, (seat) => this.who(seat));
    if (state.ended) this.over();
    else this.tell(state.status);
    const { confirm, undo, hint, resign, share: invite } = this.parts.tools;
    confirm.hidden = !stage.confirmed || !mine;
    confirm.disabled = !state.complete;
    this.parts.tools.pass.hidden = !(mine && state.following.some((hop) => hop[1] === PASS));
    undo.disabled = !(state.undoable || state.hops.length) || !this.yours.length;
    hint.disabled = !mine;
    resign.disabled = state.ended || !this.yours.length;
    const { held, offered } = seatsAt(this.key);
    invite.hidden = !this.yours.length || Object.keys({ ...held, ...offered }).length < 2;
    this.parts.typed.readOnly = this.parts.send.disabled = !mine; // it keeps the focus for the next move
    this.judging.draw();
  }

  /** Who sits there. @param {number} seat */
  who(seat) {
    const name = /** @type {State} */ (this.state).seats[seat];
    return name !== "human" ? name : this.yours.includes(seat) ? "you" : "person";
  }

  /** @param {string} text @param {boolean} [bad] */
  tell(text, bad = false) {
    this.parts.status.textContent = text;
    this.parts.status.classList.toggle("problem", bad);
  }

  /** @param {string} text */
  problem(text) {
    this.tell(text, true);
    if (this.state?.ended) this.parts.status.append(" ", this.link());
    if (this.state) this.parts.board.show(this.state.scene, {});
  }

  /** @param {State|null} before @param {State} state */
  announce(before, state) {
    const since = before ? state.turns.slice(before.turns.length) : [];
    const names = /** @type {Stage} */ (this.stage).players;
    const told = since.map(([player, roll, move]) => `${names[player]}${roll ? ` rolled ${roll},` : ""} plays ${move}.`);
    say([...(before ? told : [this.whoWeAre()]), state.status].join(" "));
  }

  whoWeAre() {
    const names = this.yours.map((seat) => this.stage?.players[seat]);
    return names.length ? `You play ${names.join(" and ")}.` : "You are watching.";
  }

  over() {
    this.tell(`${this.state?.status} `);
    this.parts.status.append(this.link());
  }

  /** To the review of this game, once it is stored. */
  link() {
    return this.state?.number ? make("a", { href: `/review/${this.state.number}`, class: "button" }, "Review this game") : "";
  }

  /** @param {Event} event */
  type(event) {
    event.preventDefault();
    const text = this.parts.typed.value.trim();
    if (text && !this.parts.typed.readOnly) this.line.send({ type: "move", text });
    this.parts.typed.value = "";
  }

  /** @param {{moves: string[]}} message */
  listMoves({ moves }) {
    this.parts.choices.hidden = false;
    this.parts.choices.replaceChildren(...moves.map((text) =>
      make("button", { type: "button", onclick: () => this.line.send({ type: "move", text }) }, text)));
  }

  undo() {
    const partly = (this.state?.hops.length ?? 0) > 0;
    this.line.send({ type: partly ? "untouch" : "undo" });
  }

  dice() {
    if (!this.state || !this.mover(this.state)) return;
    if (this.state.complete && this.stage?.confirmed) this.line.send({ type: "confirm" });
    else if (this.stage?.confirmed) {
      this.parts.board.swapped = !this.parts.board.swapped;
      this.tell(this.parts.board.swapped ? "A tap plays the smaller die first." : "A tap plays the larger die first.");
    }
  }

  help() {
    const before = recall("judge", "");
    help(undefined, () => { if (this.judging.sides.size && recall("judge", "") !== before) this.judging.ask(); });
  }

  flip() {
    const views = this.stage?.views.length ?? 0;
    if (!views || !this.state) return;
    const view = (this.parts.board.view + 1) % views;
    remember(`view.${this.key}`, view);
    this.parts.board.turn(view);
    this.draw();
  }

  resign() {
    if (this.parts.tools.resign.textContent === "Resign") {
      this.parts.tools.resign.textContent = "Really?";
      setTimeout(() => { this.parts.tools.resign.textContent = "Resign"; }, 3000);
    } else this.line.send({ type: "resign" });
  }

  /** The other seats leave this browser: whoever opens a link sits there. */
  async invite() {
    const how = await sharing();
    const away = Object.entries(offer(this.key));
    links(away.map(([seat, key]) => [this.stage?.players[Number(seat)] ?? "", addressed(how, `/table/${this.key}`) + seatHash(seat, key)]), how.alone);
    this.line.send({ type: "share" });
    this.line.close();
    this.line = this.connected();
  }

  /** The turns that led to the position that is shown. */
  get shownTurns() {
    return this.state?.turns.slice(0, this.looking?.turn) ?? [];
  }

  /** The text of the position that is shown. */
  get position() {
    return this.looking ? this.looking.game.frames[this.looking.turn].position : this.state?.position;
  }

  async copyLink() {
    if (!this.state || !this.stage) return;
    const address = await linkTo(this.stage.game, this.state, this.shownTurns);
    this.tell(await copied(address) ? "A link to this position and its line is copied." : address);
  }

  /** An earlier position; -1, or the last one, is the game as it stands. @param {number} turn */
  async lookBack(turn) {
    const { state, stage } = this;
    if (!state || !stage || state.number == null) return;
    if (turn < 0 || turn >= state.turns.length) {
      this.looking = null;
      return this.draw();
    }
    const found = this.looking?.version === state.version ? this.looking.game : await ask(`/api/stored/${state.number}`);
    this.looking = { version: state.version, game: found, turn };
    const frame = found.frames[turn];
    this.parts.board.show(frame.scene, { following: [], last: turn ? found.frames[turn - 1].touched : [] });
    this.parts.moves.show(state.turns, stage.players, turn - 1);
    this.tell("An earlier position; touch the board or press ] to go on.");
  }

  /** @param {KeyboardEvent} event */
  key_(event) {
    if (pressed(event, this.parts.place) || !meant(event)) return;
    const turns = this.state?.turns.length ?? 0;
    const now = this.looking ? this.looking.turn : turns;
    /** @type {Record<string, () => void>} */
    const does = {
      "/": () => this.parts.typed.focus(), d: () => this.dice(),
      "[": () => this.lookBack(Math.max(now - 1, 0)), "]": () => this.lookBack(now + 1 > turns ? -1 : now + 1),
    };
    if (does[event.key]) {
      event.preventDefault();
      does[event.key]();
    }
  }

  close() {
    this.line.close();
  }
}

/** Makes a table and goes there, unless one has gone elsewhere meanwhile. @param {object} asked @param {boolean} [instead] */
export async function begin(asked, instead = false) {
  const made = ask("/api/tables", asked);
  made.then(keep, () => {});
  await goAfter(made, addressOf, instead);
}

/** Where a game goes on. @param {{key: string, watched: boolean}} made */
export function addressOf({ key, watched }) {
  return `/${watched ? "watched" : "table"}/${key}`;
}
