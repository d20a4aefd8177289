// The laboratory: looks at the rest of the address, and shows runs, ratings, matches, studies or jobs.

import { ask, entitle, make } from "./dom.js";

/** Its places: name, address. @type {[string, string][]} */
const TABS = [["Runs", "/lab"], ["Ladder", "/lab/ladder"], ["Matches", "/lab/matches"], ["Studies", "/lab/studies"], ["New", "/lab/start"]];

/** @type {[RegExp, (here: HTMLElement, found: string[]) => Promise<void>][]} */
const PLACES = [
  [/^$/, async (here) => (await import("./lab-runs.js")).runs(here)],
  [/^runs\/([\w.,-]+)$/, async (here, [, names]) => (await import("./lab-run.js")).run(here, names.split(","))],
  [/^ladder(?:\/(.+))?$/, async (here, [, game]) => (await import("./lab-ratings.js")).ladder(here, game ?? "")],
  [/^matches$/, async (here) => (await import("./lab-ratings.js")).matches(here)],
  [/^tournaments\/(\d+)$/, async (here, [, number]) => (await import("./lab-ratings.js")).tournament(here, Number(number))],
  [/^studies(?:\/([\w-]+\/[\w-]+))?$/, async (here, [, name]) => (await import("./lab-studies.js")).studies(here, name ?? "")],
  [/^start(?:\/(\w+))?$/, async (here, [, kind]) => (await import("./lab-start.js")).start(here, kind ?? "train")],
  [/^jobs\/(\d+)$/, async (here, [, number]) => (await import("./lab-jobs.js")).job(here, Number(number))],
];

/** @param {HTMLElement} place @param {string} rest */
export async function lab(place, rest) {
  entitle(place, "Laboratory");
  const where = decodeURIComponent(rest);
  const here = make("div", { class: "lab" });
  const now = TABS.findIndex(([, path], i) => (i ? `/lab/${where}`.startsWith(path) : !where || where.startsWith("runs/")));
  const tabs = make("nav", { class: "tabs", "aria-label": "Laboratory" }, ...TABS.map(([name, path], i) =>
    make("a", { href: path, "aria-current": i === now ? "page" : null }, name)));
  place.replaceChildren(tabs, here);
  const found = PLACES.map(([form, show]) => ({ found: where.match(form), show })).find((one) => one.found);
  if (found?.found) await found.show(here, [...found.found]);
  else here.append(make("p", {}, "There is no such place in the laboratory."));
}

/** The curve of the last run, for the first page. @param {HTMLElement} section */
export async function lastRun(section) {
  const last = await ask("/api/lab/last");
  if (!last.run) return;
  await import("./chart.js");
  const chart = make("spw-chart");
  section.replaceChildren(make("h2", {}, "The last run"),
    make("p", {}, make("a", { href: `/lab/runs/${last.run}` }, last.run), make("span", { class: "quiet" }, ` ${last.kind} in ${last.game}, ${last.state}`)), chart);
  section.hidden = false;
  chart.show(last.curve.panels[0], last.curve.counted, [last.run]);
}
