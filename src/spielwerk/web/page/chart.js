// <spw-chart>: lines over the length of a training, with bands, seeds, and a line for perfect play.

import { make, svg } from "./dom.js";
import { numberText, scale, shareText, ticks } from "./scale.js";

const HEIGHT = 240;
const LOW = 170; // of a metric
const LEFT = 52;
const RIGHT = 26; // half of the last number below
const TOP = 12;
const BOTTOM = 40;
export const COLOURS = 6;

/** @typedef {{group: number, x: number[], y: number[], low?: number[], high?: number[], seeds?: {x: number[], y: number[]}[], count?: number}} Line */
/** @typedef {{title: string, unit: string, lines: Line[], perfect: number|null, metric?: string}} Panel */

export class Chart extends HTMLElement {
  /** @type {Panel|null} */ #panel = null;
  #counted = "episodes";
  /** @type {string[]} */ #names = [];
  #title = make("b");
  #readout = make("span", { class: "readout" });
  #perfect = make("span", { class: "perfect-words" });
  #picture = svg("svg", { role: "img" });
  #seen = new ResizeObserver(() => this.#draw());

  connectedCallback() {
    if (!this.childElementCount) {
      this.append(make("figure", {}, make("figcaption", {}, this.#title, make("div", {}, this.#readout, this.#perfect)), this.#picture));
      this.#picture.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.#point(event));
      this.#picture.addEventListener("pointerleave", () => this.#draw());
    }
    this.#seen.observe(this);
  }

  disconnectedCallback() {
    this.#seen.disconnect();
  }

  /** @param {Panel} panel @param {string} counted @param {string[]} names */
  show(panel, counted, names) {
    this.#panel = panel;
    this.#counted = counted;
    this.#names = names;
    this.#title.textContent = panel.title;
    this.#perfect.textContent = panel.perfect == null ? "" : `perfect play ${this.#text(panel.perfect)}`;
    this.#draw();
  }

  /** @param {number} value */
  #text(value) {
    return this.#panel?.unit === "share" ? shareText(value) : numberText(value);
  }

  #axes() {
    const panel = /** @type {Panel} */ (this.#panel);
    const ys = panel.lines.flatMap((line) => [...line.y, ...(line.low ?? []), ...(line.high ?? []), ...(line.seeds ?? []).flatMap((seed) => seed.y)]);
    if (panel.perfect != null) ys.push(panel.perfect);
    if (panel.metric === "speed") ys.push(0);
    const last = Math.max(1, ...panel.lines.flatMap((line) => [...line.x, ...(line.seeds ?? []).flatMap((seed) => seed.x)]));
    const y = scale(ys, panel.unit === "share");
    return { y, last, wide: Math.max(220, this.clientWidth), tall: panel.metric ? LOW : HEIGHT };
  }

  #draw() {
    const panel = this.#panel;
    if (!panel || !this.isConnected) return;
    const { y, last, wide, tall } = this.#axes();
    const across = (/** @type {number} */ x) => LEFT + (wide - LEFT - RIGHT) * x / last;
    const up = (/** @type {number} */ value) => tall - BOTTOM - (tall - TOP - BOTTOM) * (value - y.low) / (y.high - y.low);
    const parts = [...this.#grid({ wide, tall, y, last }, across, up), ...panel.lines.flatMap((line) => drawnLine(line, across, up))];
    if (panel.perfect != null) parts.push(svg("line", { class: "perfect", x1: LEFT, x2: wide - RIGHT, y1: up(panel.perfect), y2: up(panel.perfect) }));
    this.#picture.setAttribute("viewBox", `0 0 ${wide} ${tall}`);
    this.#picture.setAttribute("height", tall);
    this.#picture.setAttribute("aria-label", `${panel.title} over ${this.#counted}: ${this.#values(null).map(({ name, text }) => `${name} ${text}`).join(", ")}`);
    this.#picture.replaceChildren(...parts);
    this.#read(null);
  }

  /**
   * @param {{wide: number, tall: number, y: {low: number, high: number}, last: number}} axes
   * @param {(x: number) => number} across @param {(value: number) => number} up
   */
  #grid({ wide, tall, y, last }, across, up) {
    const rows = ticks(y.low, y.high, tall === LOW ? 4 : 5).flatMap((value) => [
      svg("line", { class: "rule", x1: LEFT, x2: wide - RIGHT, y1: up(value), y2: up(value) }),
      text(this.#text(value), LEFT - 8, up(value) + 4, "end")]);
    const columns = ticks(0, last, wide > 420 ? 5 : 3).map((x) => text(numberText(x), across(x), tall - BOTTOM + 18, "middle"));
    return [...rows, ...columns, text(this.#counted, (LEFT + wide - RIGHT) / 2, tall - 4, "middle")];
  }

  /** What stands at a place, or last, of each group: the mean over its lines. @param {number|null} x */
  #values(x) {
    return this.#names.flatMap((name, group) => {
      const lines = (this.#panel?.lines ?? []).filter((line) => line.group === group && line.x.length);
      if (!lines.length) return [];
      const places = lines.map((line) => (x == null ? line.x.length - 1 : nearest(line.x, x)));
      const mean = lines.reduce((sum, line, i) => sum + line.y[places[i]], 0) / lines.length;
      const { low, high } = lines[0];
      const ends = low?.length && high ? ` (${this.#text(low[places[0]]).replace(" %", "")} to ${this.#text(high[places[0]]).replace(" %", "")})` : "";
      return [{ name, group, text: this.#text(mean) + ends }];
    });
  }

  /** @param {number|null} x */
  #read(x) {
    const values = this.#values(x);
    const shown = values.flatMap(({ group, text }) => [
      this.#names.length > 1 ? make("i", { class: `swatch c${group % COLOURS}` }) : "", make("span", {}, text)]);
    const when = x == null ? "" : `at ${numberText(x)}: `;
    this.#readout.replaceChildren(...(values.length ? [when, ...shown] : ["nothing yet"]));
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const lines = this.#panel?.lines.filter((line) => line.x.length) ?? [];
    if (!lines.length) return;
    const { last, wide, tall } = this.#axes();
    const box = this.#picture.getBoundingClientRect();
    const x = ((event.clientX - box.left) * wide / box.width - LEFT) / (wide - LEFT - RIGHT) * last;
    const at = lines[0].x[nearest(lines[0].x, x)];
    const place = LEFT + (wide - LEFT - RIGHT) * at / last;
    this.#picture.querySelector(".cursor")?.remove();
    this.#picture.append(svg("line", { class: "cursor", x1: place, x2: place, y1: TOP, y2: tall - BOTTOM }));
    this.#read(at);
  }
}

/** @param {Line} line @param {(x: number) => number} across @param {(value: number) => number} up */
function drawnLine(line, across, up) {
  const colour = `line c${line.group % COLOURS}`;
  const path = (/** @type {number[]} */ ys, xs = line.x) => ys.map((value, i) => `${across(xs[i]).toFixed(1)},${up(value).toFixed(1)}`);
  const parts = [];
  if (line.low?.length && line.high && line.x.length > 1) {
    parts.push(svg("polygon", { class: `band c${line.group % COLOURS}`, points: [...path(line.high), ...path(line.low).reverse()].join(" ") }));
  }
  for (const seed of line.seeds ?? []) parts.push(svg("polyline", { class: `${colour} thin`, points: path(seed.y, seed.x).join(" ") }));
  parts.push(svg("polyline", { class: line.count === undefined ? `${colour} logged` : colour, points: path(line.y).join(" ") }));
  const end = line.x.length - 1;
  if (end >= 0 && line.count !== undefined) parts.push(svg("circle", { class: `dot c${line.group % COLOURS}`, cx: across(line.x[end]), cy: up(line.y[end]), r: 3.2 }));
  return parts;
}

/** @param {string} words @param {number} x @param {number} y @param {string} anchor */
function text(words, x, y, anchor) {
  const element = svg("text", { x, y, "text-anchor": anchor });
  element.textContent = words;
  return element;
}

/** @param {number[]} xs @param {number} x */
function nearest(xs, x) {
  return xs.reduce((best, value, i) => (Math.abs(value - x) < Math.abs(xs[best] - x) ? i : best), 0);
}

customElements.define("spw-chart", Chart);
