// A run, or several in one plot: its curves as they grow, its figures, its settings; to be stopped, resumed, extended.

import "./chart.js";
import { COLOURS } from "./chart.js";
import { ask, make, say } from "./dom.js";
import { controls } from "./lab-jobs.js";
import { live, sheet } from "./sheet.js";

/** @param {HTMLElement} here @param {string[]} names */
export async function run(here, names) {
  const top = make("div");
  const acts = make("div", { class: "acts" });
  const key = make("ul", { class: "key", hidden: names.length < 2 });
  const charts = make("div", { class: "charts" });
  const more = make("section");
  here.replaceChildren(top, acts, key, charts, more);
  let before = "";
  await live(here, async () => {
    const [curves, ...shown] = await Promise.all([ask(`/api/lab/curves?names=${names.join(",")}`), ...names.map((name) => ask(`/api/lab/runs/${name}`))]);
    draw(charts, curves);
    legend(key, curves);
    const jobs = await ask("/api/lab/jobs");
    if (names.length === 1) one(top, shown[0]);
    else several(top, shown);
    const state = shown.map((run) => run.state).join() + shown.map((run) => run.figures.length).join() + jobs.length;
    if (state !== before) {
      before = state;
      acts.replaceChildren(...(names.length === 1 ? actions(shown[0], jobs) : []));
      say(shown.map((run) => `${run.run} ${run.state}`).join(", "));
    }
    more.replaceChildren(...shown.flatMap((run) => figures(run, names.length > 1)), ...settings(shown));
    return shown.some((run) => run.state === "running") ? 1 : 3;
  });
}

/** @param {HTMLElement} top @param {any} run */
function one(top, run) {
  document.title = `${run.run} – Spielwerk`;
  const total = run.length * run.seeds.length;
  const done = run.each.reduce((/** @type {number} */ sum, /** @type {any} */ seed) => sum + seed.done, 0);
  const seeds = run.seeds.length > 1 ? `${run.seeds.length} seeds` : `seed ${run.seeds[0]}`;
  top.replaceChildren(make("h1", {}, run.run),
    make("p", { class: "quiet" }, `${run.kind} in ${run.game} · ${seeds} · ${run.length.toLocaleString("en")} ${run.counted}`),
    make("p", { class: "row" }, make("span", { class: `state ${run.state}`, role: "status" }, run.state),
      make("progress", { max: total, value: done, "aria-label": `Progress of ${run.run}` }),
      make("span", { class: "quiet tabular" }, `${run.done.toLocaleString("en")} of ${run.length.toLocaleString("en")} ${run.counted}`)));
}

/** @param {HTMLElement} top @param {any[]} shown */
function several(top, shown) {
  top.replaceChildren(make("h1", {}, `${shown.length} runs`), make("p", { class: "quiet" }, `${shown[0].game} · ${shown.map((run) => `${run.run} ${run.state}`).join(" · ")}`));
}

/** @param {HTMLElement} place @param {any} curves */
function draw(place, curves) {
  const names = curves.groups.map((/** @type {any} */ group) => group.name);
  while (place.childElementCount > curves.panels.length) place.lastElementChild?.remove();
  curves.panels.forEach((/** @type {any} */ panel, /** @type {number} */ i) => {
    const chart = /** @type {import("./chart.js").Chart} */ (place.children[i] ?? place.appendChild(make("spw-chart")));
    chart.show(panel, curves.counted, names);
  });
  if (!curves.panels.length) place.replaceChildren(make("p", { class: "quiet" }, "Nothing has been measured yet; the curves appear here."));
}

/** What the colours mean. @param {HTMLElement} key @param {any} curves */
function legend(key, curves) {
  key.replaceChildren(...curves.groups.map((/** @type {any} */ group, /** @type {number} */ i) =>
    make("li", {}, make("i", { class: `c${i % COLOURS}` }), `${group.name}${group.seeds > 1 ? `, ${group.seeds} seeds` : ""}`)));
}

/** @param {any} run @param {any[]} jobs */
function actions(run, jobs) {
  const job = jobs.find((one) => one.about.run === run.run);
  const play = make("a", { class: "button", href: `/play/${run.game}?seats=you;${run.agent}` }, "Play against it");
  const own = job?.state === "running" ? controls(job, () => {}) : null;
  const problem = make("p", { class: "status problem", role: "alert" });
  /** @param {object} body */
  const resume = (body) => ask(`/api/lab/runs/${run.run}/resume`, body).catch((error) => { problem.textContent = error.message; });
  const again = make("button", { type: "button", class: "first", onclick: () => resume({}) }, "Resume");
  const length = make("input", { type: "number", min: run.length + 1, value: 2 * run.length, id: "longer" });
  const longer = make("form", { class: "row" }, make("label", { for: "longer" }, "Extend to"), length, make("span", { class: "quiet" }, run.counted), make("button", { type: "submit" }, "Go on"));
  longer.addEventListener("submit", (/** @type {Event} */ event) => { event.preventDefault(); resume({ length: Number(length.value) }); });
  const foreign = run.state === "running" && !own ? make("span", { class: "quiet" }, "It is trained by another program; stop it there.") : null;
  return [make("div", { class: "row" }, own, foreign, run.state === "stopped" ? again : null, play, run.state === "finished" ? longer : null), problem];
}

/** @param {any} run @param {boolean} named */
function figures(run, named) {
  if (!run.figures.length) return [];
  return [make("h2", {}, named ? `Last figures of ${run.run}` : "Last figures"), sheet(`Last figures of ${run.run}`, [
    { name: "figure", cell: (row) => row[0] }, { name: "mean over seeds (95 % interval)", number: true, cell: (row) => row[1] }, { name: "measured at", number: true, cell: (row) => row[2] },
  ], run.figures)];
}

/** The settings that differ from the defaults, or between runs. @param {any[]} shown */
function settings(shown) {
  const names = [...new Set(shown.flatMap((run) => Object.keys(run.settings)))];
  if (!names.length) return [];
  return [make("h2", {}, "Settings, where not the default"), sheet("Settings", [
    { name: "setting", value: (name) => name, cell: (name) => name },
    ...shown.map((run) => ({ name: run.run, number: true, cell: (/** @type {string} */ name) => run.settings[name] ?? "usual" })),
  ], names)];
}
