// Heat on a board: the places to which moves lead, the warmer the more an agent thinks of them.

import { svg } from "./dom.js";

/** @typedef {import("./drawing.js").DrawnBoard} DrawnBoard @typedef {import("./watchtypes.js").Hot} Hot */

const ARROWS = 3;
const LIKELY = .1; // of the weight of the first move, from which on another has an arrow
const SPOKEN = .05; // shares from which on they are written on the board
const SHARES = new Set(["visits", "policy", "probability"]);

/** What a kind of heat means. @type {Record<string, string>} */
export const MEANING = {
  visits: "share of the tree's visits", policy: "the network's policy", probability: "how likely each move is",
  value: "values, from the worst move to the best", score: "the network's scores, from the worst move to the best",
};

/** Lays heat on places, or takes it away. @param {DrawnBoard} board @param {string} kind @param {Hot[]} places */
export function heat(board, kind, places) {
  const most = Math.max(...places.map(([, weight]) => weight), 1e-9);
  const taken = new Set(board.scene?.pieces.map((piece) => piece[1]));
  const glowing = (/** @type {number} */ part) => (SHARES.has(kind) ? .1 + .7 * part ** 1.5 : .78 * part ** 5);
  board.layers.heat.replaceChildren(...places.flatMap(([id, weight]) => glow(board, id, glowing(weight / most))));
  const told = SHARES.has(kind) ? places.filter(([id, weight]) => weight >= SPOKEN && !taken.has(id)) : [];
  board.layers.heatwords.replaceChildren(...told.flatMap(([id, weight]) => words(board, id, weight)));
}

/** @param {DrawnBoard} board @param {string} id @param {number} strength @returns {SVGElement[]} */
function glow(board, id, strength) {
  const place = board.place(id);
  if (!place) return [];
  const [x, y] = board.spot(place[1], place[2], place[6]);
  const [w, h] = board.size(place);
  const look = { class: "heat", "fill-opacity": strength.toFixed(3) };
  if (place[5]) return [svg("circle", { ...look, cx: x, cy: y, r: w / 2 })];
  return [svg("rect", { ...look, x: x - w / 2 + 2, y: y - h / 2 + 2, width: w - 4, height: h - 4, rx: 6 })];
}

/** @param {DrawnBoard} board @param {string} id @param {number} weight @returns {SVGElement[]} */
function words(board, id, weight) {
  const place = board.place(id);
  if (!place) return [];
  const [x, y] = board.spot(place[1], place[2], place[6]);
  const text = svg("text", { class: "heatword", x, y, dy: ".35em", "text-anchor": "middle", "aria-hidden": "true",
    "font-size": Math.min(17, place[3] * .4) });
  text.textContent = `${Math.round(100 * weight)}`;
  return [text];
}

/** Arrows for the first moves that go from a place to another. @param {import("./watchtypes.js").Thoughts} thoughts @param {string} picked */
export function ways(thoughts, picked) {
  const weight = (/** @type {import("./watchtypes.js").Considered} */ one) => one.visits ?? one.probability ?? 1;
  const least = LIKELY * Math.max(...thoughts.moves.map(weight), 0);
  const shown = thoughts.moves.filter((one, place) => one.move === picked || (place < ARROWS && weight(one) >= least))
    .filter((one) => one.hops.some(([from]) => from));
  const order = shown.filter((one) => one.move !== picked).reverse().concat(shown.filter((one) => one.move === picked));
  return order.map((one) => ({ hops: one.hops, quality: one.move === picked ? "q-heat" : "q-heat faint", text: "" }));
}
