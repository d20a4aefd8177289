// Jobs: how far each is, to be stopped and resumed; and one of them with all that it says.

import { ask, go, make, refill } from "./dom.js";
import { follow } from "./follow.js";
import { sheet } from "./sheet.js";

const SHOWN = 6;
const AGAIN = 11_000; // milliseconds after which a job that does not hear can be stopped for good

/** The last jobs, with progress. @param {HTMLElement} section @param {any[]} jobs */
export function jobList(section, jobs) {
  const shown = jobs.filter((one, i) => one.state === "running" || i < SHOWN);
  refill(section, make("h2", {}, "Jobs"), make("ul", { class: "jobs" }, ...shown.map((one) => known(section, one) ?? item(one))));
}

/** @param {any} one */
function item(one) {
  return make("li", { "data-job": one.job, "data-state": `${one.state} ${one.resumable}` }, make("a", { href: address(one) }, `${NAMES[one.kind] ?? one.kind}: ${one.title}`),
    bar(one), make("span", { class: "words" }, words(one)), controls(one));
}

/** A job that is shown already, as it is now: what can be done with it is the same as long as its state is, and no later one goes on. @param {HTMLElement} section @param {any} one */
function known(section, one) {
  const found = section.querySelector(`[data-job="${one.job}"][data-state="${one.state} ${one.resumable}"]`);
  found?.querySelector("a")?.setAttribute("href", address(one));
  found?.querySelector("progress")?.replaceWith(bar(one));
  found?.querySelector(".words")?.replaceChildren(words(one));
  return found;
}

/** @type {Record<string, string>} */
const NAMES = { train: "Training", match: "Match", tournament: "Tournament", solve: "Solving", study: "Study" };

/** Where a job is looked at. @param {any} one */
function address(one) {
  return one.kind === "train" && one.total ? `/lab/runs/${one.about.run}` : `/lab/jobs/${one.job}`;
}

/** @param {any} one */
export function bar(one) {
  const known = one.total > 0;
  return make("progress", { max: known ? one.total : 1, value: known ? one.done : one.state === "running" ? null : 0,
    "aria-label": `Progress of ${one.title}` });
}

/** @param {any} one */
export function words(one) {
  const share = one.total > 0 ? `${Math.floor(100 * one.done / one.total)} %` : "";
  return [one.problem || one.state, one.state === "finished" ? "" : share, one.now].filter(Boolean).join(" · ");
}

/** What can be done with a job now. @param {any} one */
export function controls(one) {
  const problem = make("span", { class: "problem", role: "alert" });
  /** @param {string} name @param {string} path @param {string} [method] */
  const button = (name, path, method) => {
    const made = make("button", { type: "button", "aria-label": `${name} ${one.title}` }, name);
    made.addEventListener("click", async () => {
      made.disabled = true;
      try {
        await ask(`/api/lab/jobs/${one.job}${path}`, method ? undefined : {}, method);
        setTimeout(() => { made.disabled = false; }, AGAIN);
      } catch (error) {
        problem.textContent = /** @type {Error} */ (error).message;
        made.disabled = false;
      }
    });
    return made;
  };
  return make("span", { class: "row" }, one.state === "running" ? button("Stop", "/stop") : null, one.resumable ? button("Resume", "/resume") : null,
    one.state === "running" ? null : button("Forget", "", "DELETE"), problem);
}

/** One job; a training that has a run is shown there. @param {HTMLElement} here @param {number} number */
export async function job(here, number) {
  const top = make("div");
  const said = make("pre", { class: "said", tabindex: 0, "aria-label": "What the job says" });
  const result = make("section");
  const command = make("code");
  const acts = make("div");
  let state = "";
  here.replaceChildren(top, acts, result, make("h2", {}, "Log"), said, make("p", { class: "quiet" }, "The same from the command line: ", command));
  await follow(here, [`jobs/${number}`], ([one]) => {
    if (one.kind === "train" && one.state === "running" && one.total) return go(`/lab/runs/${one.about.run}`, true);
    top.replaceChildren(make("h1", {}, `${NAMES[one.kind] ?? one.kind}: ${one.title}`), make("p", { class: "quiet" }, about(one)),
      bar(one), make("p", { role: "status" }, words(one)));
    said.textContent = one.said.join("\n") || "Nothing yet.";
    command.textContent = one.command;
    if (`${one.state} ${one.resumable}` !== state) {
      state = `${one.state} ${one.resumable}`;
      acts.replaceChildren(controls(one), link(one));
      result.replaceChildren(...outcome(one));
    }
    return undefined;
  }, () => go("/lab", true));
}

/** @param {any} one */
function about(one) {
  return [one.about.game, one.about.games ? `${one.about.games.toLocaleString("en")} games` : "", `job ${one.job}`].filter(Boolean).join(" · ");
}

/** Where what came of a job is shown. @param {any} one */
function link(one) {
  /** @type {Record<string, [string, string]>} */
  const places = {
    train: [`/lab/runs/${one.about.run}`, "The run"], tournament: [`/lab/tournaments/${one.about.tournament}`, "The table"],
    match: [`/lab/ladder/${one.about.game}`, "The ladder"], study: [`/lab/studies/${one.about.study}${one.about.quick ? "?quick" : ""}`, "The report"],
  };
  const found = places[one.kind];
  return found && (one.state === "finished" || one.kind !== "study") ? make("p", {}, make("a", { href: found[0] }, found[1])) : "";
}

/** What a finished job found, as far as it is plain facts. @param {any} one */
function outcome(one) {
  if (one.state !== "finished" || !one.result || !["match", "solve"].includes(one.kind)) return [];
  const facts = Object.entries(one.result).filter(([, value]) => ["number", "string", "boolean"].includes(typeof value));
  return [make("h2", {}, "Result"), sheet("Result", [
    { name: "what", cell: ([name]) => name.replaceAll("_", " ") },
    { name: "figure", number: true, cell: ([, value]) => (typeof value === "number" ? Number(value.toPrecision(6)).toLocaleString("en", { maximumFractionDigits: 6 }) : String(value)) },
  ], facts)];
}
