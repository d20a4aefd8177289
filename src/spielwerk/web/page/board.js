// <spw-board>: a board under one's hands: click, drag and keys. The server answers what cannot be.

import { DICE, DrawnBoard } from "./drawing.js";

/** @typedef {import("./types.js").Stage} Stage @typedef {import("./types.js").Place} Place */

/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FAR = 7; // pixels from which on a press is a drag

export class Board extends DrawnBoard {
  chosen = ""; // the place whose piece is to move
  swapped = false; // whether a tap plays the smaller die first
  /** @type {any} */ drag = null;

  /** @param {SVGSVGElement} picture */
  listen(picture) {
    super.listen(picture);
    picture.addEventListener("pointerdown", (event) => this.press(event));
    picture.addEventListener("pointermove", (event) => this.pull(event));
    picture.addEventListener("pointerup", (event) => this.release(event));
    picture.addEventListener("pointercancel", () => this.putBack());
    picture.addEventListener("touchstart", (event) => this.hold(event), { passive: false });
    picture.addEventListener("keydown", (event) => this.key(event));
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

  /** A finger on a piece that can move takes it, and does not scroll; `touch-action` has no effect on unpainted shapes. @param {TouchEvent} event */
  hold(event) {
    if (this.drag?.held && event.cancelable) event.preventDefault();
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
      this.buttons.get(this.beside(id, WAYS[event.key]))?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.touch(id);
    } else if (event.key === "Escape") {
      this.chosen = "";
      this.mark();
    }
  }

  /** The nearest place that way, if any. @param {string} id @param {[number, number]} way */
  beside(id, [dx, dy]) {
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
    return best;
  }
}

customElements.define("spw-board", Board);
