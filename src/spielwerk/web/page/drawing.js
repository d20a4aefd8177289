// What a board shows of any game: its ground, places, pieces and marks. It knows no rule: the server says what may be touched.

import { drawn, svg } from "./dom.js";
import { lively, paired, tumble, turnOver } from "./moving.js";

/** @typedef {import("./types.js").Stage} Stage @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Hop} Hop @typedef {import("./types.js").Place} Place */
/** @typedef {{hops: Hop[], quality: string, sign?: string, text: string}} Arrow its sign stands beside an arrow, its text where a piece is put */

const SHINE = [["0", "#fff", ".5"], [".5", "#fff", "0"], ["1", "#000", ".2"]];
const LEAST = 11; // pixels of the radius of a sign that can be read
export const DICE = "dice";

export class DrawnBoard extends HTMLElement {
  /** @type {Stage|null} */ stage = null;
  /** @type {Scene|null} */ scene = null;
  /** @type {Hop[]} */ following = [];
  /** @type {string[]} */ last = [];
  /** @type {Arrow[]} */ arrows = [];
  view = 0; // the seat whose side is below
  chosen = ""; // the place whose piece is to move
  /** @type {import("./moving.js").Shown[]} */ shown = [];
  /** @type {Record<string, any>} */ layers = {};
  /** @type {Map<string, any>} */ buttons = new Map();

  /** Sets the board up for a game. @param {Stage} stage @param {number} view */
  begin(stage, view) {
    this.stage = stage;
    this.view = view;
    this.shown = [];
    this.chosen = "";
    this.layers = {};
    for (const name of ["ground", "more", "heat", "last", "places", "labels", "pieces", "counts", "targets", "arrows", "heatwords"]) {
      this.layers[name] = svg("g", { class: name });
    }
    const stops = SHINE.map(([offset, color, opacity]) =>
      svg("stop", { offset, "stop-color": color, "stop-opacity": opacity }));
    const shine = svg("radialGradient", { id: "shine", cx: ".36", cy: ".3", r: ".8" }, ...stops);
    const picture = svg("svg", { viewBox: `0 0 ${stage.width} ${stage.height}`, role: "group",
      "aria-label": `Board of ${stage.title}` }, svg("defs", {}, shine), ...Object.values(this.layers));
    this.replaceChildren(picture);
    this.drawGround();
    this.drawPlaces();
    this.listen(picture);
    if (this.scene) this.show(this.scene, {});
  }

  /** Turns the board. @param {number} view */
  turn(view) {
    if (this.stage) this.begin(this.stage, view);
  }

  /**
   * Shows a scene, what may be touched, what was touched last, and arrows.
   * @param {Scene} scene @param {{following?: Hop[], last?: string[], arrows?: Arrow[]}} more
   */
  show(scene, more) {
    this.scene = scene;
    this.following = more.following ?? this.following;
    this.last = more.last ?? this.last;
    this.arrows = more.arrows ?? [];
    if (!this.following.some(([source]) => source === this.chosen)) this.chosen = "";
    this.layers.more.replaceChildren(...scene.ground.map(drawn));
    this.layers.counts.replaceChildren(...scene.labels.map((label) => this.label(label)));
    this.movePieces(scene.pieces);
    this.mark();
  }

  /** For what is done by hand. @param {SVGSVGElement} picture */
  listen(picture) {
    picture.dataset.ready = "true";
  }

  /** One place can be reached by Tab: the one that had the focus last. @param {string} id */
  rove(id) {
    for (const [name, button] of this.buttons) button.setAttribute("tabindex", name === id ? "0" : "-1");
  }

  drawGround() {
    const { ground, labels, centre: [x, y] } = /** @type {Stage} */ (this.stage);
    const [a, b, c, d] = this.matrix();
    this.layers.ground.setAttribute("transform", `matrix(${a} ${b} ${c} ${d} ${x - a * x - c * y} ${y - b * x - d * y})`);
    this.layers.ground.replaceChildren(...ground.map(drawn));
    this.layers.labels.replaceChildren(...labels.filter(([, , , , , , view]) => view < 0 || view === this.view).map((label) => this.label(label)));
  }

  drawPlaces() {
    this.buttons.clear();
    for (const place of /** @type {Stage} */ (this.stage).places) {
      const [id, , , , , round] = place;
      const [x, y] = this.spot(place[1], place[2], place[6]);
      const [w, h] = this.size(place);
      const ring = round ? svg("circle", { class: "ring", cx: x, cy: y, r: w / 2 }) :
        svg("rect", { class: "ring", x: x - w / 2 + 2, y: y - h / 2 + 2, width: w - 4, height: h - 4, rx: 6 });
      const button = svg("g", { class: "place", role: "button", tabindex: "-1", "data-place": id }, ring);
      button.addEventListener("focus", () => this.rove(id));
      this.buttons.set(id, button);
    }
    this.layers.places.replaceChildren(...this.buttons.values());
    const first = this.buttons.values().next().value;
    if (first) first.setAttribute("tabindex", "0");
  }

  /** @returns {import("./types.js").Matrix} */
  matrix() {
    return /** @type {Stage} */ (this.stage).views[this.view] ?? [1, 0, 0, 1];
  }

  /** Where a point of the board is on the turned board. @param {number} x @param {number} y @param {boolean} fixed @returns {[number, number]} */
  spot(x, y, fixed = false) {
    if (fixed) return [x, y];
    const [cx, cy] = /** @type {Stage} */ (this.stage).centre;
    const [a, b, c, d] = this.matrix();
    return [cx + a * (x - cx) + c * (y - cy), cy + b * (x - cx) + d * (y - cy)];
  }

  /** The width and height of a place on the turned board. @param {Place} place @returns {[number, number]} */
  size([, , , width, height, , fixed]) {
    return !fixed && this.matrix()[0] === 0 ? [height, width] : [width, height];
  }

  /** @param {import("./types.js").Label} label */
  label([text, x, y, size, colour, fixed]) {
    const [at, down] = this.spot(x, y, fixed);
    const element = svg("text", { x: at, y: down, dy: ".35em", "font-size": size, "text-anchor": "middle",
      class: `label ${colour}`, "aria-hidden": "true" });
    element.textContent = text;
    return element;
  }

  /** @param {import("./types.js").Piece[]} pieces */
  movePieces(pieces) {
    const moving = lively() && this.shown.length > 0;
    this.classList.toggle("moving", moving);
    const { pairs, left } = paired(this.shown, pieces);
    for (const { element } of left) this.vanish(element, moving);
    this.shown = pieces.map((piece, number) => {
      const [look, , px, py, fixed] = piece;
      const [x, y] = this.spot(px, py, fixed);
      const where = `translate(${x}px, ${y}px)`;
      const old = pairs[number];
      const element = old?.element ?? svg("g", { class: "piece", "aria-hidden": "true" });
      const draw = () => {
        element.replaceChildren(.../** @type {Stage} */ (this.stage).looks[look].map(drawn));
        element.classList.toggle("spent", look.includes("spent"));
      };
      const die = look.startsWith("die");
      if (!old) draw();
      else if (old.piece[0] !== look) {
        if (moving && !die) turnOver(element, where, draw);
        else draw();
      }
      if (die && moving && !look.includes("spent") && old?.piece[0] !== look) tumble(element, where);
      element.style.transform = where;
      return { element, piece };
    });
    this.layers.pieces.append(...this.shown.map(({ element }) => element));
  }

  /** @param {SVGElement} element @param {boolean} moving */
  vanish(element, moving) {
    if (!moving) return element.remove();
    element.style.opacity = "0";
    setTimeout(() => element.remove(), 200);
  }

  /** Shows what may be touched, what was touched last, and arrows. */
  mark() {
    const scene = /** @type {Scene} */ (this.scene);
    const sources = new Set(this.following.map(([source]) => source).filter(Boolean));
    const targets = new Set(this.following.filter(([source]) => source === this.chosen || source === "").map((hop) => hop[1]));
    const taken = new Set(scene.pieces.map((piece) => piece[1]));
    for (const [id, button] of this.buttons) {
      const can = sources.has(id) || targets.has(id);
      const name = this.named(id, scene.names[id] ?? "");
      const more = targets.has(id) ? ", legal" : sources.has(id) ? ", can move" : "";
      button.setAttribute("aria-label", name + (id === this.chosen ? ", chosen" : more));
      button.classList.toggle("can", can || id === DICE);
      button.classList.toggle("chosen", id === this.chosen);
    }
    const few = this.chosen !== "" || !this.stage?.obvious;
    this.layers.targets.replaceChildren(...(few ? [...targets] : []).map((id) => this.target(id, taken.has(id))).filter(Boolean));
    this.layers.last.replaceChildren(...this.last.map((id) => this.lastMark(id)).filter(Boolean));
    this.layers.arrows.replaceChildren(...this.arrows.flatMap((arrow) => this.arrow(arrow)), ...this.arrows.flatMap((arrow) => this.sign(arrow)));
  }

  /** A place as it is called on this side of the board, and what is there. @param {string} id @param {string} there */
  named(id, there) {
    const called = this.stage?.called[this.view]?.[id];
    return called ? `${called}, ${there}` : there || id;
  }

  /** @param {string} id @returns {Place|undefined} */
  place(id) {
    return this.stage?.places.find((place) => place[0] === id);
  }

  /** @param {string} id @param {boolean} taken */
  target(id, taken) {
    const place = this.place(id);
    if (!place) return null;
    const [, x, y, width, height] = place;
    const [at, down] = this.spot(x, y, place[6]);
    const size = Math.min(width, height);
    const rings = ["halo-stroke", "target-stroke"].map((name) => svg("circle", { class: name, cx: at, cy: down, r: size * .46 }));
    if (taken) return svg("g", { class: "take" }, ...rings);
    return svg("circle", { class: "target halo-stroke", cx: at, cy: down, r: Math.max(size * (this.chosen ? .13 : .1), 5) });
  }

  /** @param {string} id */
  lastMark(id) {
    const place = this.place(id);
    if (!place || id === DICE) return null;
    const [, x, y, w, h, round] = place;
    const [at, down] = this.spot(x, y, place[6]);
    if (round) return svg("circle", { class: "last", cx: at, cy: down, r: w / 2 });
    return svg("rect", { class: "last", x: at - w / 2 + 3, y: down - h / 2 + 3, width: w - 6, height: h - 6, rx: 8 });
  }

  /** A move as arrows. @param {Arrow} arrow */
  arrow({ hops, quality }) {
    return hops.flatMap(([source, target]) => {
      const [from, to] = [this.place(source), this.place(target)];
      if (!to || !from) return [];
      const [[x1, y1], [x2, y2]] = [this.spot(from[1], from[2], from[6]), this.spot(to[1], to[2], to[6])];
      const far = Math.hypot(x2 - x1, y2 - y1) || 1;
      const [ux, uy] = [(x2 - x1) / far, (y2 - y1) / far];
      const [ex, ey] = [x2 - ux * 16, y2 - uy * 16];
      const tip = `${x2},${y2} ${ex - uy * 10},${ey + ux * 10} ${ex + uy * 10},${ey - ux * 10}`;
      return [svg("path", { class: `arrow ${quality}`, d: `M${x1} ${y1}L${ex} ${ey}` }), svg("polygon", { class: `arrowhead ${quality}`, points: tip })];
    });
  }

  /** The sign of a move on the first of its arrows that no other move has, or its text where a piece is put. @param {Arrow} arrow */
  sign(arrow) {
    const { hops, quality, sign, text } = arrow;
    const others = this.arrows.filter((one) => one !== arrow).flatMap((one) => one.hops.map(String));
    const [source, target] = hops.find((hop) => !others.includes(String(hop))) ?? hops[0] ?? ["", ""];
    const [from, to] = [this.place(source), this.place(target)];
    if (!to) return [];
    const [x2, y2] = this.spot(to[1], to[2], to[6]);
    const least = LEAST * this.pixel();
    if (!from) return text ? [badge(text, quality, x2, y2, Math.max(Math.min(22, Math.min(to[3], to[4]) * .48), least))] : [];
    const [x1, y1] = this.spot(from[1], from[2], from[6]);
    return sign ? [badge(sign, quality, (x1 + x2) / 2, (y1 + y2) / 2, Math.max(13, least))] : [];
  }

  /** How much of the drawing a pixel of the screen is. */
  pixel() {
    const wide = this.querySelector("svg")?.getBoundingClientRect().width;
    return wide ? /** @type {Stage} */ (this.stage).width / wide : 1;
  }
}

/** A word in a circle. @param {string} text @param {string} quality @param {number} x @param {number} y @param {number} radius */
function badge(text, quality, x, y, radius) {
  const size = radius * (text.length > 2 ? .58 : .95);
  const words = svg("text", { x, y, dy: ".35em", "text-anchor": "middle", "font-size": size });
  words.textContent = text;
  return svg("g", { class: `worth ${quality}` }, svg("circle", { cx: x, cy: y, r: radius }), words);
}
