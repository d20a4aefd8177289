// What is said of a watched game: who plays what, and the keys.

import { capital } from "./dom.js";

/** @typedef {import("./types.js").State} State @typedef {import("./types.js").Stage} Stage */

export const KEYS = [
  ["space", "pause, and go on"], ["s", "one turn"], ["+ −", "faster, slower"], ["v", "what the heat on the board shows"],
  ["f", "flip the board"], ["[ ]", "back through the turns, and what was thought before each"], ["?", "this list"],
];

/**
 * What comes next.
 * @param {Stage} stage @param {State} state @param {import("./watchtypes.js").Thoughts|null} thoughts @param {boolean} playing
 */
export function sentence(stage, state, thoughts, playing) {
  if (!thoughts) return state.status;
  if (thoughts.problem) return thoughts.problem;
  const roll = state.roll ? ` rolled ${state.roll} and` : "";
  return `${capital(stage.players[thoughts.mover])}, ${thoughts.by},${roll} ${playing ? "plays" : "would play"} ${thoughts.turn}.`;
}

/** An earlier turn. @param {Stage} stage @param {import("./types.js").Frame} frame @param {number} turn */
export function lookingBack(stage, frame, turn) {
  const roll = frame.roll ? ` rolled ${frame.roll} and` : "";
  return `Before turn ${turn + 1}: ${stage.players[frame.player ?? 0]}${roll} played ${frame.move}. Press ] to go on.`;
}

/** Turns, to be read aloud. @param {Stage} stage @param {import("./types.js").TurnLine[]} turns */
export function played(stage, turns) {
  return turns.map(([player, roll, move]) => `${stage.players[player]}${roll ? ` rolled ${roll},` : ""} plays ${move}.`).join(" ");
}
