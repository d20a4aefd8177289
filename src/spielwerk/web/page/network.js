// <spw-network>: an evolved network; nodes and edges light up with what goes through them.

import { svg } from "./dom.js";

/** @typedef {import("./watchtypes.js").EvolvedGraph} EvolvedGraph */

const LEFT = 100;
const RIGHT = 100;
const EDGE = 40; // above the highest node and below the lowest
const CROWDED = 12; // from one input to the next, where names have no room
const PILL = [56, 26];
const short = (/** @type {number} */ value) => (Math.abs(value) >= 10 ? value.toFixed(0) : value.toFixed(2)).replace("-", "−");
const bright = (/** @type {number} */ value) => Math.tanh(1.2 * Math.abs(value));
const sign = (/** @type {number} */ value) => (value < 0 ? "minus" : "plus");

export class Network extends HTMLElement {
  /** @type {EvolvedGraph|null} */ graph = null;
  /** @type {SVGElement[]} */ edges = [];
  /** @type {{shape: SVGElement, word: SVGElement|null}[]} */ nodes = [];

  /** Draws a network, still dark. @param {EvolvedGraph} graph */
  begin(graph) {
    this.graph = graph;
    const largest = Math.max(...graph.edges.map((edge) => Math.abs(edge[2])), 1e-9);
    this.edges = graph.edges.map(([, , weight, path]) =>
      svg("path", { d: path, class: "wire", "stroke-width": (.6 + 4 * Math.abs(weight) / largest).toFixed(2) }));
    const down = graph.nodes.map(([, y]) => y);
    const crowded = graph.inputs > 1 && down[1] - down[0] < CROWDED;
    const drawn = graph.nodes.map((node, place) => this.node(node, place < graph.inputs, crowded));
    this.nodes = drawn.map(({ shape, word }) => ({ shape, word }));
    const [left, top] = [crowded ? 20 : LEFT, Math.min(...down) - EDGE];
    const size = `${-left} ${top} ${graph.width + left + RIGHT} ${Math.max(...down) + EDGE - top}`;
    this.replaceChildren(svg("svg", { viewBox: size, role: "img" }, svg("g", {}, ...this.edges), ...drawn.map(({ group }) => group)));
  }

  /** @param {import("./watchtypes.js").GraphNode} node @param {boolean} input @param {boolean} crowded */
  node([x, y, size, name, activation], input, crowded) {
    const [w, h] = [PILL[0] * size, PILL[1] * size];
    const shape = input ? svg("circle", { class: "node", cx: x, cy: y, r: size + 2, "fill-opacity": 0 }) :
      svg("rect", { class: "node", x: x - w / 2, y: y - h / 2, width: w, height: h, rx: h / 2, "fill-opacity": 0 });
    const word = input ? null : this.words(x, y, 15 * size, "middle", activation);
    const [at, anchor] = input ? [x - size - 9, "end"] : [x + w / 2 + 8, "start"];
    const label = name && !(input && crowded) ? this.words(at, y, input ? Math.min(18, Math.max(7, 3 * size)) : 18, anchor, name) : null;
    const base = shape.cloneNode();
    base.setAttribute("class", "node base");
    const group = svg("g", {}, ...[base, shape, word, label].filter((one) => one != null));
    return { group, shape, word };
  }

  /** @param {number} x @param {number} y @param {number} size @param {string} anchor @param {string} text */
  words(x, y, size, anchor, text) {
    const element = svg("text", { x, y, dy: ".35em", "font-size": size, "text-anchor": anchor });
    element.textContent = text;
    return element;
  }

  /** Lights it: the value of each node. @param {number[]} values @param {string} said */
  light(values, said) {
    const graph = this.graph;
    if (!graph) return;
    this.querySelector("svg")?.setAttribute("aria-label", said);
    graph.edges.forEach(([origin, , weight], place) => {
      const signal = weight * (values[origin] ?? 0);
      this.edges[place].setAttribute("class", `wire ${sign(signal)}`);
      this.edges[place].setAttribute("stroke-opacity", (.07 + .8 * bright(signal)).toFixed(2));
    });
    this.nodes.forEach(({ shape, word }, place) => {
      shape.setAttribute("class", `node ${sign(values[place])}`);
      shape.setAttribute("fill-opacity", (.75 * bright(values[place])).toFixed(2));
      if (word) word.textContent = short(values[place]);
    });
  }
}

customElements.define("spw-network", Network);
