// Studies: published experiments, and reports with the published figures beside ours.

import { ask, breakable, goAfter, make, svg } from "./dom.js";
import { scale } from "./scale.js";
import { sheet } from "./sheet.js";

/** @param {HTMLElement} here @param {string} name */
export async function studies(here, name) {
  if (name) await study(here, name, location.search.includes("quick"));
  else await list(here);
}

/** @param {HTMLElement} here */
async function list(here) {
  const found = await ask("/api/lab/studies");
  here.replaceChildren(make("h1", {}, "Studies"), make("p", { class: "quiet" }, "Published experiments, each a recipe that measures again and sets ours beside theirs."),
    sheet("Studies", [
      { name: "study", value: (one) => one.name, cell: (one) => make("a", { href: `/lab/studies/${one.name}${!one.reports.full && one.reports.quick ? "?quick" : ""}` }, one.name) },
      { name: "what it measures", long: true, value: (one) => one.about, cell: (one) => one.about },
      { name: "report", value: (one) => reported(one), cell: (one) => reported(one) },
    ], found.studies), make("h2", {}, "Sources"), make("ul", { class: "sources" }, ...found.sources.map((/** @type {string} */ one) => make("li", {}, one))));
}

/** @param {any} one */
function reported(one) {
  return [one.reports.full ? "full" : "", one.reports.quick ? "quick" : ""].filter(Boolean).join(", ") || "–";
}

/** @param {HTMLElement} here @param {string} name @param {boolean} quick */
async function study(here, name, quick) {
  const found = await ask(`/api/lab/studies/${name}?quick=${quick}`);
  const problem = make("p", { class: "status problem", role: "alert" });
  /** @param {boolean} short */
  const begin = (short) => goAfter(ask("/api/lab/study", { study: name, quick: short }), (job) => `/lab/jobs/${job.job}`)
    .catch((error) => { problem.textContent = error.message; });
  const other = found.less && (quick ? found.reports.full : found.reports.quick)
    ? make("a", { href: `/lab/studies/${name}${quick ? "" : "?quick"}` }, quick ? "The full form" : "The quick form") : null;
  here.replaceChildren(make("h1", {}, name), make("p", {}, found.about), make("p", { class: "quiet" }, found.less ? `Quick form: ${found.less}.` : ""),
    make("p", { class: "quiet" }, found.without_gpu ? `Full form without a GPU: ${found.without_gpu}.` : ""),
    make("div", { class: "row" }, found.less ? make("button", { type: "button", onclick: () => begin(true) }, `Run the quick form, about ${found.takes.quick}`) : null,
      make("button", { type: "button", onclick: () => begin(false) }, `Run ${found.less ? "the full form" : "it"}, about ${found.takes.full}`), other), problem,
    ...(found.rows.length ? report(found, name, quick) : [make("p", { class: "quiet" }, "It has no report in this form yet.")]));
}

/** @param {any} found @param {string} name @param {boolean} quick */
function report(found, name, quick) {
  const columns = [{ name: "", long: true, cell: (/** @type {any} */ row) => breakable(row.name) }, ...columnsOf(found.rows)];
  const plots = [...new Array(found.figures).keys()].map((number) => make("img", { class: "figure", loading: "lazy",
    alt: `Figure ${number + 1} of ${name}`, src: `/api/lab/studies/${name}/figures/${number}?quick=${quick}` }));
  const notes = found.notes.map((/** @type {string} */ note) => make("li", {}, note));
  return [make("h2", {}, `Published and reproduced${quick && found.less ? ", quick form" : ""}`), sheet(`Figures of ${name}`, columns, found.rows),
    found.rows.some((/** @type {any} */ row) => row.text.published) ? make("p", { class: "quiet" }, "○ published · ● ours, with its 95 % interval") : "",
    notes.length ? make("ul", { class: "notes" }, ...notes) : "", ...(plots.length ? [make("h2", {}, "Figures"), make("div", { class: "figures" }, ...plots)] : [])];
}

/** @param {any[]} rows */
function columnsOf(rows) {
  const some = (/** @type {(row: any) => any} */ has) => rows.some((row) => has(row));
  const text = (/** @type {string} */ key, /** @type {string} */ name) => ({ name, number: true, cell: (/** @type {any} */ row) => row.text[key] });
  return [
    ...(some((row) => row.text.printed) ? [text("printed", "as printed")] : []),
    ...(some((row) => row.text.published) ? [text("published", "published")] : []), text("ours", "reproduced"),
    ...(some((row) => row.interval) ? [{ name: "95 % interval", number: true, cell: (/** @type {any} */ row) => row.interval }] : []),
    ...(some((row) => row.text.published && row.text.ours) ? [{ name: "side by side", cell: (/** @type {any} */ row) => beside(row, rows) }] : []),
    ...(some((row) => row.note) ? [{ name: "note", long: true, cell: (/** @type {any} */ row) => row.note }] : []),
  ];
}

/** The published figure as a ring, ours as a dot with its interval. @param {any} row @param {any[]} rows */
function beside(row, rows) {
  const alike = rows.filter((one) => one.unit === row.unit).flatMap((one) => one.numbers).filter((value) => value != null);
  const ends = scale(alike, row.unit === "share");
  const at = (/** @type {number} */ value) => 6 + 148 * (value - ends.low) / (ends.high - ends.low);
  const [published, ours, low, high] = row.numbers;
  const picture = svg("svg", { class: "whisker", viewBox: "0 0 160 16", width: 160, height: 16, "aria-hidden": "true" },
    svg("line", { class: "rule", x1: 0, x2: 160, y1: 8, y2: 8 }));
  if (low != null) picture.append(svg("line", { class: "span", x1: at(low), x2: at(high), y1: 8, y2: 8 }));
  if (ours != null) picture.append(svg("circle", { class: "dot c0", cx: at(ours), cy: 8, r: 4 }));
  if (published != null) picture.append(svg("circle", { class: "ring", cx: at(published), cy: 8, r: 5 }));
  return picture;
}
