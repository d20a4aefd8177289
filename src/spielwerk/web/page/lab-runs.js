// The first page of the laboratory: jobs at work, and all runs, of which several can be compared.

import { go, make, refill } from "./dom.js";
import { jobList } from "./lab-jobs.js";
import { follow } from "./follow.js";
import { sheet, when } from "./sheet.js";

const MOST = 8; // runs in one plot

/** @param {HTMLElement} here */
export async function runs(here) {
  const jobs = make("section", { hidden: true });
  const list = make("section");
  /** @type {Set<string>} */
  const chosen = new Set();
  const compare = make("button", { type: "button", disabled: true }, "Compare");
  compare.addEventListener("click", () => go(`/lab/runs/${[...chosen].join(",")}`));
  const problem = make("p", { class: "status problem", role: "alert" });
  here.replaceChildren(make("h1", {}, "Laboratory"), jobs, list, problem);
  await follow(here, ["jobs", "runs"], ([all, found]) => {
    jobs.hidden = !all.length;
    jobList(jobs, all);
    refill(list, heading(found, compare), found.length ? table(found, chosen, compare, problem) : nothing());
  });
}

/** @param {any[]} found @param {Element} compare */
function heading(found, compare) {
  return make("div", { class: "row heading" }, make("h2", {}, "Runs"), found.length > 1 ? compare : null,
    make("a", { class: "button first", href: "/lab/start/train" }, "Train"));
}

function nothing() {
  return make("p", { class: "quiet" }, "Nothing has been trained here yet. ", make("a", { href: "/lab/start/train" }, "Train an agent"), ", and watch it learn.");
}

/** @param {any[]} found @param {Set<string>} chosen @param {any} compare @param {HTMLElement} problem */
function table(found, chosen, compare, problem) {
  /** @param {any} one */
  const tick = (one) => {
    const box = make("input", { type: "checkbox", "aria-label": `Compare ${one.run}` });
    box.checked = chosen.has(one.run);
    box.addEventListener("change", () => {
      if (box.checked) chosen.add(one.run);
      else chosen.delete(one.run);
      const games = new Set(found.filter((run) => chosen.has(run.run)).map((run) => run.game));
      problem.textContent = games.size > 1 ? "Runs of different games have no scale in common; choose runs of one game." : "";
      compare.disabled = chosen.size < 2 || chosen.size > MOST || games.size > 1;
    });
    return box;
  };
  return sheet("Runs", [
    { name: "", cell: (one) => (one.problem ? "" : tick(one)) },
    { name: "run", value: (one) => one.run, cell: (one) => make("a", { href: `/lab/runs/${one.run}` }, one.run) },
    { name: "state", value: (one) => one.state, cell: (one) => make("span", { class: `state ${one.state}` }, one.state ?? "cannot be read") },
    { name: "done", number: true, value: (one) => one.done / one.length, cell: (one) => (one.length ? `${Math.floor(100 * one.done / one.length)} %` : "") },
    { name: "strength", long: true, value: (one) => one.main?.[0]?.[1], cell: (one) => (one.main ?? []).map((/** @type {string[]} */ pair) => `${pair[1]} ${pair[0]}`).join(" · ") },
    { name: "game", value: (one) => one.game, cell: (one) => one.game ?? "" },
    { name: "learner", value: (one) => one.kind, cell: (one) => one.kind ?? "" },
    { name: "settings", long: true, cell: (one) => one.problem ?? one.chosen },
    { name: "seeds", number: true, value: (one) => one.seeds?.length, cell: (one) => `${one.seeds?.length ?? ""}` },
    { name: "began (UTC)", value: (one) => one.started, cell: (one) => when(one.started) },
  ], found);
}
