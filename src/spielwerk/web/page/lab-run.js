// A run, or several in one plot: its curves as they grow, its figures, its settings; to be stopped, resumed, extended.

import "./chart.js";
import { COLOURS } from "./chart.js";
import { ask, entitle, make, refill, say } from "./dom.js";
import { controls } from "./lab-jobs.js";
import { follow } from "./follow.js";
import { sheet } from "./sheet.js";

/** @param {HTMLElement} here @param {string[]} names */
export async function run(here, names) {
  const top = make("div");
  const acts = make("div", { class: "acts" });
  const key = make("ul", { class: "key", hidden: names.length < 2 });
  const charts = make("div", { class: "charts" });
  const metrics = make("div", { class: "charts small" });
  const training = make("section", { hidden: true }, make("h2", {}, "Training"), metrics);
  const more = make("section");
  here.replaceChildren(top, acts, key, charts, more, training);
  let said = "";
  let before = ""; // what could be done
  await follow(here, [`curves/${names.join(",")}`, "jobs", ...names.map((name) => `runs/${name}`)], ([curves, jobs, ...all]) => {
    const shown = all.map((run) => ({ ...run, state: starting(run, jobs) ? "starting" : run.state }));
    draw(charts, curves, curves.panels.filter((/** @type {any} */ panel) => !panel.metric));
    draw(metrics, curves, curves.panels.filter((/** @type {any} */ panel) => panel.metric));
    training.hidden = !metrics.childElementCount;
    legend(key, curves);
    if (names.length === 1) one(top, shown[0]);
    else several(top, shown);
    const words = shown.map((run) => `${run.run} ${run.state}`).join(", ");
    if (words !== said) say(words);
    said = words;
    const job = jobs.find((/** @type {any} */ one) => one.about.run === names[0]);
    const can = [words, shown[0].length, job?.job, job?.state, job?.resumable].join();
    if (can !== before && names.length === 1) acts.replaceChildren(...actions(shown[0], job));
    before = can;
    refill(more, ...figures(shown), ...settings(shown));
  });
}

/** Whether a job is about to go on with a run. @param {any} run @param {any[]} jobs */
function starting(run, jobs) {
  return run.state === "stopped" && jobs.some((one) => one.about.run === run.run && one.state === "running");
}

/** @param {HTMLElement} top @param {any} run */
function one(top, run) {
  entitle(top, run.run);
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

/** @param {HTMLElement} place @param {any} curves @param {import("./chart.js").Panel[]} panels */
function draw(place, curves, panels) {
  const names = curves.groups.map((/** @type {any} */ group) => group.name);
  while (place.childElementCount > panels.length) place.lastElementChild?.remove();
  panels.forEach((panel, i) => {
    const chart = /** @type {import("./chart.js").Chart} */ (place.children[i] ?? place.appendChild(make("spw-chart")));
    chart.show(panel, curves.counted, names);
  });
}

/** What the colours mean. @param {HTMLElement} key @param {any} curves */
function legend(key, curves) {
  key.replaceChildren(...curves.groups.map((/** @type {any} */ group, /** @type {number} */ i) =>
    make("li", {}, make("i", { class: `c${i % COLOURS}` }), `${group.name}${group.seeds > 1 ? `, ${group.seeds} seeds` : ""}`)));
}

/** @param {any} run @param {any} job the last one that trained it, if any */
function actions(run, job) {
  const play = make("a", { class: "button", href: `/play/${run.game}?seats=you;${run.agent}` }, "Play against it");
  const own = job?.state === "running" ? controls(job) : null;
  const problem = make("p", { class: "status problem", role: "alert" });
  const tell = (/** @type {Error} */ error) => { problem.textContent = error.message; };
  /** @param {object} body */
  const resume = (body) => ask(`/api/lab/runs/${run.run}/resume`, body).catch(tell);
  const goOn = () => (job?.resumable ? ask(`/api/lab/jobs/${job.job}/resume`, {}).catch(tell) : resume({}));
  const again = make("button", { type: "button", class: "first", onclick: () => { again.disabled = true; goOn().then(() => { again.disabled = false; }); } }, "Resume");
  const length = make("input", { type: "number", min: run.length + 1, value: 2 * run.length, id: "longer" });
  const longer = make("form", { class: "row" }, make("label", { for: "longer" }, "Extend to"), length, make("span", { class: "quiet" }, run.counted), make("button", { type: "submit" }, "Go on"));
  longer.addEventListener("submit", (/** @type {Event} */ event) => { event.preventDefault(); resume({ length: Number(length.value) }); });
  const foreign = run.state === "running" && !own ? make("span", { class: "quiet" }, "It is trained by another program; stop it there.") : null;
  return [make("div", { class: "row" }, own, foreign, run.state === "stopped" ? again : null, play, run.state === "finished" && !own ? longer : null), problem];
}

/** The last figures, a column for each run. @param {any[]} shown */
function figures(shown) {
  const names = [...new Set(shown.flatMap((run) => run.figures.map((/** @type {string[]} */ row) => row[0])))];
  if (!names.length) return [make("p", { class: "quiet" }, "Nothing has been measured yet; the curves appear here.")];
  const row = (/** @type {any} */ run, /** @type {string} */ name) => run.figures.find((/** @type {string[]} */ one) => one[0] === name);
  const at = shown.length > 1 ? [] : [{ name: "measured at", number: true, cell: (/** @type {string} */ name) => row(shown[0], name)[2] }];
  return [make("h2", {}, "Last figures (mean over seeds, 95 % interval)"), sheet("Last figures", [
    { name: "figure", cell: (name) => name },
    ...shown.map((run) => ({ name: run.run, number: true, cell: (/** @type {string} */ name) => row(run, name)?.[1] ?? "" })), ...at,
  ], names)];
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
