// What a watched table sends, as the type checker knows it. Nothing here runs.

/** @typedef {{playing: boolean, pause: number}} Pace */
/** @typedef {[place: string, weight: number]} Hot */
/**
 * @typedef {object} Considered
 * @property {string} move @property {number|null} value @property {number|null} visits
 * @property {number|null} probability @property {number|null} score @property {import("./types.js").Hop[]} hops
 */
/**
 * @typedef {object} Thoughts
 * @property {number} version @property {number} mover @property {string} by @property {number} best
 * @property {string} turn @property {number|null} value @property {number|null} simulations @property {string} note
 * @property {Considered[]} moves @property {number} count @property {[kind: string, places: Hot[]][]} heats
 * @property {Record<string, number[]>} lit @property {string} problem
 */
/** @typedef {[x: number, y: number, size: number, name: string, activation: string]} GraphNode */
/** @typedef {[origin: number, target: number, weight: number, path: string]} GraphEdge */
/**
 * @typedef {object} EvolvedGraph
 * @property {number} width @property {number} height @property {number} inputs @property {number} outputs
 * @property {GraphNode[]} nodes @property {GraphEdge[]} edges
 */
export {};
