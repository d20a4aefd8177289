// <spw-graph>: the value over a game as the first side sees it, and where it was thrown away.

import { bad, make, quality, svg } from "./dom.js";

const WIDTH = 600;
const HEIGHT = 140;
const EDGE = 10;

export class Graph extends HTMLElement {
  /** @param {import("./types.js").ReviewedTurn[]} turns @param {import("./types.js").Stage} stage @param {number} now */
  show(turns, { teams, players }, now) {
    const judged = turns.filter((turn) => turn.value != null);
    const most = Math.max(1, ...judged.map((turn) => Math.abs(turn.value ?? 0)));
    const last = Math.max(turns.length, 2);
    /** @param {import("./types.js").ReviewedTurn} turn @returns {[number, number]} */
    const spot = (turn) => {
      const side = teams[turn.player] === teams[0] ? 1 : -1;
      return [EDGE + (WIDTH - 2 * EDGE) * (turn.number - 1) / (last - 1), HEIGHT / 2 - (HEIGHT / 2 - EDGE) * side * (turn.value ?? 0) / most];
    };
    const points = judged.map(spot);
    const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
      "aria-label": "The value over the game" });
    if (points.length) {
      const line = points.map(([x, y]) => `${x},${y}`).join(" ");
      const base = HEIGHT / 2;
      picture.append(svg("polygon", { class: "graph-area", points: `${points[0][0]},${base} ${line} ${points[points.length - 1][0]},${base}` }),
        svg("line", { class: "graph-zero", x1: EDGE, x2: WIDTH - EDGE, y1: base, y2: base }),
        svg("polyline", { class: "graph-line", points: line }));
    }
    for (const turn of judged.filter((one) => bad(one.verdict))) {
      const [x, y] = spot(turn);
      picture.append(svg("ellipse", { class: `graph-dot ${quality(turn.verdict)[1]}`, cx: x, cy: y, rx: 4, ry: 5 }));
    }
    const x = EDGE + (WIDTH - 2 * EDGE) * Math.min(now, last - 1) / (last - 1);
    picture.append(svg("line", { class: "graph-now", x1: x, x2: x, y1: 0, y2: HEIGHT }));
    picture.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const box = picture.getBoundingClientRect();
      const turn = Math.round((event.clientX - box.left) / box.width * (last - 1));
      this.dispatchEvent(new CustomEvent("goto", { detail: Math.min(Math.max(turn, 0), turns.length), bubbles: true }));
    });
    const side = (/** @type {boolean} */ first) => players.filter((_, player) => (teams[player] === teams[0]) === first).join(" and ");
    this.replaceChildren(make("span", { class: "quiet" }, `${side(true)} ↑`), picture, make("span", { class: "quiet" }, `${side(false)} ↓`));
  }
}

customElements.define("spw-graph", Graph);
