// A table whose columns sort.

import { make, whenLeft } from "./dom.js";

/** How tables of this place are sorted, by their labels: one that is drawn again stays sorted. @type {Map<string, [number, boolean]>} */
const sorting = new Map();

/** @typedef {{name: string, number?: boolean, long?: boolean, value?: (row: any) => any, cell: (row: any) => Node|string}} Column */

/**
 * @param {string} label @param {Column[]} columns @param {any[]} rows
 * @returns {HTMLElement}
 */
export function sheet(label, columns, rows) {
  const body = make("tbody");
  const heads = columns.map((column) => head(column));
  /** @param {number} chosen @param {boolean} down */
  const fill = (chosen, down) => {
    if (!sorting.size) whenLeft(() => sorting.clear());
    sorting.set(label, [chosen, down]);
    const value = columns[chosen]?.value;
    const sorted = value ? [...rows].sort((one, other) => compare(value(one), value(other)) * (down ? -1 : 1)) : rows;
    body.replaceChildren(...sorted.map((row) => make("tr", {}, ...columns.map((column) =>
      make("td", { class: column.number ? "number" : column.long ? "long" : null }, column.cell(row))))));
    heads.forEach((one, i) => {
      if (i === chosen) one.setAttribute("aria-sort", down ? "descending" : "ascending");
      else one.removeAttribute("aria-sort");
    });
  };
  heads.forEach((one, i) => one.querySelector("button")?.addEventListener("click", () =>
    fill(i, columns[i].number ? one.getAttribute("aria-sort") !== "descending" : one.getAttribute("aria-sort") === "ascending")));
  fill(...(sorting.get(label) ?? /** @type {[number, boolean]} */ ([-1, false])));
  return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
    make("table", { class: "sheet" }, make("thead", {}, make("tr", {}, ...heads)), body));
}

/** @param {Column} column */
function head(column) {
  const inner = column.value ? make("button", { type: "button" }, column.name) : column.name ? column.name : make("span", { class: "unseen" }, "more");
  return make("th", { class: column.number ? "number" : null, scope: "col" }, inner);
}

/** @param {any} one @param {any} other */
function compare(one, other) {
  if (one == null || other == null) return one == null ? (other == null ? 0 : -1) : 1;
  return typeof one === "number" ? one - other : String(one).localeCompare(String(other), "en", { numeric: true });
}

/** A day and a time, from an ISO text. @param {string} text */
export function when(text) {
  return (text ?? "").slice(0, 16).replace("T", " ");
}
