// Watching agents play: at a chosen pace, with what the one to move thinks, as heat on the board and as a list.

import { ask, download, entitle, go, make, recall, remember, say } from "./dom.js";
import { heat, ways } from "./heat.js";
import { help } from "./help.js";
import { meant, pressed } from "./keys.js";
import { showPlayers } from "./players.js";
import { setup } from "./setup.js";
import { Line } from "./socket.js";
import { WatchParts } from "./watchparts.js";
import { KEYS, lookingBack, played, sentence } from "./watchwords.js";

/** @typedef {import("./types.js").State} State @typedef {import("./types.js").Stage} Stage */
/** @typedef {import("./watchtypes.js").Thoughts} Thoughts @typedef {import("./watchtypes.js").Pace} Pace */

const PAUSES = [.05, .25, .5, 1, 2, 4, 8, 16]; // seconds for which each thought is shown
const SAID = .5; // seconds from which on each move is read aloud
const NONE = "none";

export class Watch {
  /** @param {HTMLElement} place @param {string} key */
  constructor(place, key) {
    this.key = key;
    /** @type {Stage|null} */ this.stage = null;
    /** @type {State|null} */ this.state = null;
    /** @type {Pace} */ this.pace = { playing: true, pause: 1 };
    /** @type {Map<number, Thoughts>} */ this.seen = new Map(); // by the number of turns before them
    /** @type {Map<string, import("./watchtypes.js").EvolvedGraph|null>} */ this.graphs = new Map();
    /** @type {{version: number, game: any, turn: number}|null} */ this.looking = null; // at an earlier turn
    this.picked = ""; // the move whose way and lights are shown, other than the one that is played
    this.parts = new WatchParts(place);
    this.parts.use({
      play: () => this.toggle(), step: () => this.step(), slower: () => this.change(1), faster: () => this.change(-1),
      heat: () => this.nextHeat(), flip: () => this.flip(), help: () => help(KEYS),
      record: () => download(`/api/tables/${this.key}/record`, "game.txt"),
      again: () => setup(this.stage?.game ?? "morris", this.state?.seats ?? []),
    });
    this.parts.moves.addEventListener("goto", (event) => this.look(/** @type {CustomEvent} */ (event).detail));
    this.parts.thoughts.addEventListener("pick", (event) => {
      this.picked = /** @type {CustomEvent} */ (event).detail;
      this.draw();
    });
    this.line = new Line(`/ws/tables/${key}`, { type: "hello" });
    this.listen();
  }

  listen() {
    /** @type {Record<string, (message: any) => void>} */
    const does = {
      welcome: (message) => this.welcome(message), state: (message) => this.show(message),
      thoughts: (message) => this.think(message), pace: (message) => this.setPace(message),
      error: ({ text }) => this.tell(text, true), gone: ({ text }) => this.tell(text, true),
      line: ({ up }) => up || this.tell("The line is broken; trying again …", true),
    };
    for (const [type, what] of Object.entries(does)) {
      this.line.addEventListener(type, (event) => what(/** @type {CustomEvent} */ (event).detail));
    }
  }

  /** @param {{stage: Stage, watch?: Pace}} message */
  welcome({ stage, watch }) {
    if (!watch) return go(`/table/${this.key}`, true);
    if (this.stage?.game !== stage.game) this.parts.board.begin(stage, recall(`view.${this.key}`, 0));
    this.stage = stage;
    entitle(this.parts.board, `Watch ${stage.title}`);
    this.parts.tools.flip.hidden = stage.views.length === 0;
    return this.setPace(watch);
  }

  /** @param {State} state */
  show(state) {
    const before = this.state;
    this.state = state;
    if (before && before.turns.length !== state.turns.length) this.picked = "";
    this.announce(before, state);
    if (!this.looking) this.draw();
  }

  /** @param {Thoughts} thoughts */
  think(thoughts) {
    if (!this.state || thoughts.version !== this.state.version) return;
    this.seen.set(this.state.turns.length, thoughts);
    if (Object.keys(thoughts.lit).length) this.fetchGraph(thoughts.by);
    if (!this.looking) this.draw();
  }

  /** @param {Pace} pace */
  setPace({ playing, pause }) {
    this.pace = { playing, pause };
    this.parts.tools.play.textContent = playing ? "Pause" : "Play";
    this.parts.pace.textContent = pause < .1 ? "no pause" : `${pause} s`;
    this.parts.tools.faster.disabled = pause <= PAUSES[0];
    this.parts.tools.slower.disabled = pause >= PAUSES[PAUSES.length - 1];
    if (this.state && !this.looking) this.draw();
  }

  /** The turn that is shown: the next one, or an earlier one. */
  get turn() {
    return this.looking ? this.looking.turn : this.state?.turns.length ?? 0;
  }

  draw() {
    const { state, stage } = this;
    if (!state || !stage) return;
    const thoughts = this.seen.get(this.turn) ?? null;
    const picked = this.picked || (thoughts?.turn ?? "");
    const frame = this.looking?.game.frames[this.turn];
    const last = this.looking ? this.looking.game.frames[this.turn - 1]?.touched ?? [] : state.last;
    const over = state.ended && !this.looking;
    this.parts.board.show(frame?.scene ?? state.scene, { following: [], last, arrows: thoughts && !over ? ways(thoughts, picked) : [] });
    const [kind, places] = this.heated(thoughts);
    this.parts.tools.heat.textContent = `Heat: ${kind || "off"}`;
    heat(this.parts.board, kind, over ? [] : places);
    this.parts.moves.show(state.turns, stage.players, this.looking ? this.turn : state.turns.length - 1);
    showPlayers(this.parts.above, stage, state, this.parts.board.view);
    this.parts.thoughts.hidden = over;
    this.parts.thoughts.show(thoughts, stage.players, picked, kind, this.evolved);
    this.light(thoughts, picked, over);
    this.parts.tools.play.disabled = state.ended;
    this.parts.tools.step.disabled = over;
    if (over) this.over();
    else if (frame) this.tell(lookingBack(stage, frame, this.turn));
    else this.tell(sentence(stage, state, thoughts, this.pace.playing));
  }

  /** The heat that is chosen, or else the first. @param {Thoughts|null} thoughts @returns {[string, import("./watchtypes.js").Hot[]]} */
  heated(thoughts) {
    const wanted = recall("heat", "");
    if (wanted === NONE || !thoughts) return ["", []];
    return thoughts.heats.find(([kind]) => kind === wanted) ?? thoughts.heats[0] ?? ["", []];
  }

  /** Whether one of the agents has a network to be shown. */
  get evolved() {
    return [...this.graphs.values()].some(Boolean);
  }

  /** @param {Thoughts|null} thoughts @param {string} picked @param {boolean} over */
  light(thoughts, picked, over) {
    const values = thoughts?.lit[picked] ?? thoughts?.lit[thoughts.turn];
    const graph = thoughts && values ? this.graphs.get(thoughts.by) : null;
    this.parts.network.hidden = over || !(graph || this.parts.network.graph);
    this.parts.network.classList.toggle("resting", !graph);
    this.parts.network.closest(".watch")?.classList.toggle("lit", this.evolved);
    if (!graph || !values || !thoughts) return;
    if (this.parts.network.graph !== graph) this.parts.network.begin(graph);
    this.parts.network.light(values, `The network of ${thoughts.by}, lit by ${picked}: ${values[graph.inputs].toFixed(2)}`);
  }

  /** @param {string} agent */
  async fetchGraph(agent) {
    if (this.graphs.has(agent)) return;
    this.graphs.set(agent, null);
    const asked = new URLSearchParams({ game: this.stage?.game ?? "", agent });
    this.graphs.set(agent, await ask(`/api/network?${asked}`).catch(() => null));
    this.draw();
  }

  over() {
    const link = make("a", { href: `/review/${this.state?.number}`, class: "button" }, "Review this game");
    this.parts.status.classList.remove("problem");
    this.parts.status.replaceChildren(`${this.state?.status} `, link);
  }

  /** @param {State|null} before @param {State} state */
  announce(before, state) {
    if (state.ended && !before?.ended) say(state.status);
    else if (before && (!this.pace.playing || this.pace.pause >= SAID)) {
      const said = played(/** @type {Stage} */ (this.stage), state.turns.slice(before.turns.length));
      if (said) say(said);
    }
  }

  /** @param {string} text @param {boolean} [bad] */
  tell(text, bad = false) {
    this.parts.status.textContent = text;
    this.parts.status.classList.toggle("problem", bad);
  }

  toggle() {
    this.looking = null;
    this.choose({ ...this.pace, playing: !this.pace.playing });
  }

  /** Sets the pace here at once, and for all who watch. @param {Pace} pace */
  choose(pace) {
    this.setPace(pace);
    this.line.send({ type: "pace", ...pace });
  }

  step() {
    if (this.looking) return this.look(this.turn + 1);
    return this.line.send({ type: "step" });
  }

  /** @param {number} way */
  change(way) {
    const now = PAUSES.findIndex((pause) => pause >= this.pace.pause);
    const pause = PAUSES[Math.min(Math.max((now < 0 ? PAUSES.length - 1 : now) + way, 0), PAUSES.length - 1)];
    this.choose({ ...this.pace, pause });
  }

  nextHeat() {
    const thoughts = this.seen.get(this.turn);
    const kinds = [...(thoughts?.heats ?? []).map(([kind]) => kind), NONE];
    const now = recall("heat", "") === NONE ? NONE : this.heated(thoughts ?? null)[0];
    remember("heat", kinds[(kinds.indexOf(now) + 1) % kinds.length]);
    this.draw();
  }

  flip() {
    const views = this.stage?.views.length ?? 0;
    if (!views) return;
    const view = (this.parts.board.view + 1) % views;
    remember(`view.${this.key}`, view);
    this.parts.board.turn(view);
    this.draw();
  }

  /** The position before an earlier turn, with what was thought there; the game waits meanwhile. @param {number} turn */
  async look(turn) {
    const state = this.state;
    if (!state || state.number == null) return;
    this.picked = "";
    if (turn < 0 || turn >= state.turns.length) this.looking = null;
    else {
      if (this.pace.playing) this.choose({ ...this.pace, playing: false });
      const known = this.looking && this.looking.game.frames.length > turn + 1 ? this.looking.game : null;
      this.looking = { version: state.version, game: known ?? await ask(`/api/stored/${state.number}`), turn };
    }
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  key_(event) {
    if (pressed(event, this.parts.place) || !meant(event)) return;
    if (event.key === "[") this.look(Math.max(this.turn - 1, 0));
    if (event.key === "]") this.look(this.turn + 1);
  }

  close() {
    this.line.close();
  }
}
