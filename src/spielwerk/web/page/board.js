// <spw-board>: any game's board. It knows places, pieces and hops, and no rule: the server says what may be touched.

import { drawn, svg } from "./dom.js";
import { lively, paired, tumble, turnOver } from "./moving.js";

/** @typedef {import("./types.js").Stage} Stage @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Hop} Hop @typedef {import("./types.js").Place} Place */
/** @typedef {{hops: Hop[], quality: string, text: string}} Arrow */

const SHINE = [["0", "#fff", ".5"], [".5", "#fff", "0"], ["1", "#000", ".2"]];
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FAR = 7; // pixels from which on a press is a drag
const DICE = "dice";

export class Board extends HTMLElement {
  /** @type {Stage|null} */ stage = null;
  /** @type {Scene|null} */ scene = null;
  /** @type {Hop[]} */ following = [];
  /** @type {string[]} */ last = [];
  /** @type {Arrow[]} */ arrows = [];
  view = 0; // the seat whose side is below
  chosen = ""; // the place whose piece is to move
  swapped = false; // whether a tap plays the smaller die first
  /** @type {import("./moving.js").Shown[]} */ shown = [];
  /** @type {Record<string, any>} */ layers = {};
  /** @type {Map<string, any>} */ buttons = new Map();
  /** @type {any} */ drag = null;

  /** Sets the board up for a game. @param {Stage} stage @param {number} view */
  begin(stage, view) {
    this.stage = stage;
    this.view = view;
    this.shown = [];
    this.chosen = "";
    this.layers = {};
    for (const name of ["ground", "more", "last", "places", "labels", "pieces", "counts", "targets", "arrows"]) {
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
    picture.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => this.press(event));
    picture.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.pull(event));
    picture.addEventListener("pointerup", (/** @type {PointerEvent} */ event) => this.release(event));
    picture.addEventListener("pointercancel", () => this.putBack());
    picture.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
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

  drawGround() {
    const { ground, labels, centre: [x, y] } = /** @type {Stage} */ (this.stage);
    const [a, b, c, d] = this.matrix();
    this.layers.ground.setAttribute("transform", `matrix(${a} ${b} ${c} ${d} ${x - a * x - c * y} ${y - b * x - d * y})`);
    this.layers.ground.replaceChildren(...ground.map(drawn));
    this.layers.labels.replaceChildren(...labels.map((label) => this.label(label)));
  }

  drawPlaces() {
    this.buttons.clear();
    for (const place of /** @type {Stage} */ (this.stage).places) {
      const [id, , , width, height, round] = place;
      const [x, y] = this.spot(place[1], place[2], place[6]);
      const turned = !place[6] && this.matrix()[0] === 0;
      const [w, h] = turned ? [height, width] : [width, height];
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
      const name = scene.names[id] ?? id;
      const more = targets.has(id) ? ", legal" : sources.has(id) ? ", can move" : "";
      button.setAttribute("aria-label", name + (id === this.chosen ? ", chosen" : more));
      button.classList.toggle("can", can || id === DICE);
      button.classList.toggle("chosen", id === this.chosen);
    }
    const few = this.chosen !== "" || targets.size <= 30;
    this.layers.targets.replaceChildren(...(few ? [...targets] : []).map((id) => this.target(id, taken.has(id))).filter(Boolean));
    this.layers.last.replaceChildren(...this.last.map((id) => this.lastMark(id)).filter(Boolean));
    this.layers.arrows.replaceChildren(...this.arrows.flatMap((arrow) => this.arrow(arrow)));
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
    const quiet = this.chosen ? "" : " quiet";
    if (taken) return svg("circle", { class: "target take", cx: at, cy: down, r: size * .46 });
    return svg("circle", { class: `target${quiet}`, cx: at, cy: down, r: Math.max(size * .13, 5) });
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

  /** A move as arrows, or as a mark where it only touches one place. @param {Arrow} arrow */
  arrow({ hops, quality, text }) {
    const parts = [];
    hops.forEach(([source, target], number) => {
      const to = this.place(target);
      const from = this.place(source);
      if (!to) return;
      const [x2, y2] = this.spot(to[1], to[2], to[6]);
      if (from) {
        const [x1, y1] = this.spot(from[1], from[2], from[6]);
        const far = Math.hypot(x2 - x1, y2 - y1) || 1;
        const [ux, uy] = [(x2 - x1) / far, (y2 - y1) / far];
        const [ex, ey] = [x2 - ux * 16, y2 - uy * 16];
        parts.push(svg("path", { class: `arrow ${quality}`, d: `M${x1} ${y1}L${ex} ${ey}` }));
        const tip = `${x2},${y2} ${ex - uy * 10},${ey + ux * 10} ${ex + uy * 10},${ey - ux * 10}`;
        parts.push(svg("polygon", { class: `arrowhead ${quality}`, points: tip }));
      }
      if (number === 0 && text) {
        const words = svg("text", { x: x2, y: y2, dy: ".35em", "text-anchor": "middle", "font-size": 13 });
        words.textContent = text;
        if (!from) parts.push(svg("g", { class: `worth ${quality}` }, svg("circle", { cx: x2, cy: y2, r: 19 }), words));
      }
    });
    return parts;
  }

  /** A place was touched: a choice, a hop, or a try that the server will answer. @param {string} id */
  touch(id) {
    const legal = (/** @type {string} */ source, /** @type {string} */ target) =>
      this.following.some((hop) => hop[0] === source && hop[1] === target);
    if (id === DICE) return this.emit("dice", {});
    if (this.chosen && legal(this.chosen, id)) return this.hop(this.chosen, id);
    if (legal("", id)) return this.hop("", id);
    const ways = this.following.filter(([source]) => source === id);
    if (ways.length && this.stage?.confirmed) return this.hop(...ways[this.swapped ? ways.length - 1 : 0]);
    if (this.chosen === id) this.chosen = "";
    else if (ways.length) this.chosen = id;
    else if (this.following.length) return this.hop(this.chosen, id);
    return this.mark();
  }

  /** @param {string} source @param {string} target */
  hop(source, target) {
    this.chosen = "";
    this.emit("hop", { source, target });
  }

  /** @param {string} name @param {object} detail */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  /** The place under the pointer. @param {PointerEvent} event */
  under(event) {
    const found = document.elementsFromPoint(event.clientX, event.clientY).find((one) => one.closest?.(".place"));
    return found?.closest(".place")?.getAttribute("data-place") ?? "";
  }

  /** @param {PointerEvent} event */
  press(event) {
    const id = this.under(event);
    if (!id || event.button) return;
    const held = this.following.some(([source]) => source === id) ?
      [...this.shown].reverse().find(({ piece }) => piece[1] === id) : undefined;
    this.drag = { id, held, x: event.clientX, y: event.clientY, moved: false };
  }

  /** @param {PointerEvent} event */
  pull(event) {
    const drag = this.drag;
    if (!drag?.held) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    if (!drag.moved) {
      drag.moved = true;
      this.chosen = drag.id;
      this.mark();
      drag.held.element.classList.add("lifted", "held");
      this.layers.pieces.append(drag.held.element);
      /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
    }
    const [x, y] = this.point(event);
    drag.held.element.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** @param {PointerEvent} event */
  release(event) {
    const drag = this.drag;
    this.drag = null;
    if (!drag) return;
    const id = this.under(event);
    if (!drag.moved) {
      if (id === drag.id) {
        this.buttons.get(id)?.focus({ preventScroll: true });
        this.touch(id);
      }
      return;
    }
    drag.held.element.classList.remove("lifted", "held");
    if (id && id !== drag.id) this.hop(drag.id, id);
    const [x, y] = this.spot(drag.held.piece[2], drag.held.piece[3], drag.held.piece[4]);
    if (!this.following.some((hop) => hop[0] === drag.id && hop[1] === id)) {
      drag.held.element.style.transform = `translate(${x}px, ${y}px)`;
      this.chosen = "";
      this.mark();
    }
  }

  putBack() {
    this.drag = null;
    if (this.scene) this.show(this.scene, { arrows: this.arrows });
  }

  /** @param {PointerEvent} event @returns {[number, number]} in units of the drawing */
  point(event) {
    const picture = /** @type {SVGSVGElement} */ (this.querySelector("svg"));
    const matrix = /** @type {DOMMatrix} */ (picture.getScreenCTM()).inverse();
    const found = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return [found.x, found.y];
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const id = /** @type {Element} */ (event.target).getAttribute?.("data-place");
    if (!id) return;
    if (event.key in WAYS) {
      event.preventDefault();
      this.step(id, /** @type {any} */ (WAYS)[event.key]);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.touch(id);
    } else if (event.key === "Escape") {
      this.chosen = "";
      this.mark();
    }
  }

  /** To the nearest place that way. @param {string} id @param {[number, number]} way */
  step(id, [dx, dy]) {
    const here = /** @type {Place} */ (this.place(id));
    const [x, y] = this.spot(here[1], here[2], here[6]);
    let best = "";
    let least = Infinity;
    for (const place of /** @type {Stage} */ (this.stage).places) {
      const [px, py] = this.spot(place[1], place[2], place[6]);
      const along = (px - x) * dx + (py - y) * dy;
      const aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
      if (place[0] !== id && along > 1 && along + 2.5 * aside < least) [best, least] = [place[0], along + 2.5 * aside];
    }
    if (best) this.buttons.get(best).focus();
  }

  /** One place can be reached by Tab: the one that had the focus last. @param {string} id */
  rove(id) {
    for (const [name, button] of this.buttons) button.setAttribute("tabindex", name === id ? "0" : "-1");
  }
}

customElements.define("spw-board", Board);
