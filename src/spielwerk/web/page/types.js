// What the server sends, as the type checker knows it. Nothing here runs.

/** @typedef {[tag: string, attributes: Record<string, string|number>, text: string]} Shape */
/** @typedef {[id: string, x: number, y: number, width: number, height: number, round: boolean, fixed: boolean]} Place */
/** @typedef {[look: string, place: string, x: number, y: number, fixed: boolean]} Piece */
/** @typedef {[text: string, x: number, y: number, size: number, colour: string, fixed: boolean, view: number]} Label */
/** @typedef {[source: string, target: string]} Hop */
/** @typedef {[a: number, b: number, c: number, d: number]} Matrix */
/** @typedef {[move: string, value: number|null, regret: number|null, verdict: string, hops: Hop[]]} ValuedMove */
/** @typedef {[player: number, roll: string|null, move: string]} TurnLine */

/**
 * @typedef {object} Stage
 * @property {string} game @property {string} kind @property {string} title @property {string[]} players
 * @property {number[]} teams @property {number} width @property {number} height @property {Shape[]} ground
 * @property {Place[]} places @property {Record<string, Shape[]>} looks @property {Label[]} labels
 * @property {[number, number]} centre @property {Matrix[]} views @property {Record<string, string>[]} called @property {boolean} confirmed @property {boolean} listed
 * @property {boolean} obvious @property {string[]} colours
 */
/**
 * @typedef {object} Scene
 * @property {Piece[]} pieces @property {Record<string, string>} names @property {Label[]} labels
 * @property {string[]} seats @property {Shape[]} ground
 */
/**
 * @typedef {object} State
 * @property {number} version @property {number|null} number @property {string} position @property {number} mover
 * @property {boolean} asked @property {boolean} ended @property {number[]|null} scores @property {string[]} seats
 * @property {string} status @property {string|null} roll @property {Scene} scene @property {string[]} last
 * @property {TurnLine[]} turns @property {string|null} begin @property {boolean} undoable
 * @property {Hop[]} hops @property {Hop[]} following @property {boolean} complete
 */
/**
 * @typedef {object} Truth
 * @property {number} version @property {number} mover @property {number} best @property {string} by
 * @property {number} value @property {number} error of a difference of two values @property {ValuedMove[]} moves
 */
/** @typedef {{place: string, sign: string, quality: string}} Sign */
/**
 * @typedef {object} Frame
 * @property {string} position @property {number|null} player @property {string|null} roll @property {string} move
 * @property {string[]} touched @property {string} status @property {Scene} scene
 */
/**
 * @typedef {object} ReviewedTurn
 * @property {number} number @property {number} player @property {string|null} roll @property {string} move
 * @property {string} by @property {number|null} value @property {number|null} regret @property {string} verdict
 * @property {string} better @property {number|null} luck @property {number|null} error @property {ValuedMove[]} moves
 */
/**
 * @typedef {object} PlayerReview
 * @property {number} player @property {string} name @property {number} decisions @property {number} regret
 * @property {number|null} accuracy @property {number} mistakes @property {number} blunders
 * @property {number} missed_wins @property {number} losing_blunders @property {number|null} luck
 */
export {};
