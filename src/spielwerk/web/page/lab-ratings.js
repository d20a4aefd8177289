// Ratings: the ladder of a game with intervals, tournaments with their cross tables, and the stored matches.

import { ask, go, goAfter, make, refill, svg } from "./dom.js";
import { follow } from "./follow.js";
import { sheet, when } from "./sheet.js";

const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)} %`;
const counts = (/** @type {number[]} */ numbers) => numbers.map((one) => one.toLocaleString("en")).join(" · ");

/** @param {HTMLElement} here @param {string} game */
export async function ladder(here, game) {
  const games = await ask("/api/lab/games");
  const chosen = game || games[0];
  here.replaceChildren(make("h1", {}, "Ladder"));
  if (!chosen) {
    here.append(make("p", { class: "quiet" }, "No match between two agents is stored yet. ", make("a", { href: "/lab/start/match" }, "Play one")));
    return;
  }
  const which = make("select", { id: "game" }, ...[...new Set([chosen, ...games])].map((name) => make("option", { value: name, selected: name === chosen }, name)));
  which.addEventListener("change", () => go(`/lab/ladder/${which.value}`));
  const found = await ask(`/api/lab/ladder?game=${encodeURIComponent(chosen)}`);
  here.append(make("p", { class: "row" }, make("label", { for: "game" }, "Game"), which,
    make("span", { class: "quiet" }, `${found.games.toLocaleString("en")} games, from every stored match`)), ...rated(found.ratings, true));
}

/** A table for each group of agents that have met. @param {any[]} ratings @param {boolean} [dated] */
function rated(ratings, dated = false) {
  const anchors = [...new Set(ratings.map((one) => one.anchor))];
  if (!ratings.length) return [make("p", { class: "quiet" }, "No game has been played yet.")];
  return anchors.flatMap((anchor) => {
    const rows = ratings.filter((one) => one.anchor === anchor);
    const ends = rows.flatMap((one) => one.interval);
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    return [sheet(`Ratings above ${anchor}`, [
      { name: "agent", value: (one) => one.agent, cell: (one) => one.agent },
      { name: "Elo", number: true, value: (one) => one.rating, cell: (one) => one.rating.toFixed(0) },
      { name: "95 %", number: true, cell: (one) => (one.interval[1] > one.rating ? `± ${(one.interval[1] - one.rating).toFixed(0)}` : "") },
      { name: "interval", cell: (one) => whisker(one, low, high) },
      { name: "games", number: true, value: (one) => one.games, cell: (one) => one.games.toLocaleString("en") },
      { name: "won · drawn · lost", number: true, cell: (one) => counts([one.wins, one.draws, one.losses]) },
      { name: "rate", number: true, value: (one) => one.rate, cell: (one) => percent(one.rate) },
      ...(dated ? [{ name: "last match (UTC)", value: (/** @type {any} */ one) => one.last_played, cell: (/** @type {any} */ one) => when(one.last_played) }] : []),
    ], rows), make("p", { class: "quiet" }, `Elo above ${anchor}${anchor === "random" ? "" : ", the lowest; random did not play"}.`)];
  });
}

/** A rating as a dot with its interval. @param {any} one @param {number} low @param {number} high */
function whisker(one, low, high) {
  const at = (/** @type {number} */ value) => 6 + 148 * (value - low) / Math.max(high - low, 1);
  return svg("svg", { class: "whisker", viewBox: "0 0 160 16", width: 160, height: 16, "aria-hidden": "true" },
    svg("line", { class: "rule", x1: 0, x2: 160, y1: 8, y2: 8 }),
    svg("line", { class: "span", x1: at(one.interval[0]), x2: at(one.interval[1]), y1: 8, y2: 8 }),
    svg("circle", { class: "dot c0", cx: at(one.rating), cy: 8, r: 4 }));
}

/** @param {HTMLElement} here */
export async function matches(here) {
  const list = make("section");
  const cups = make("section");
  here.replaceChildren(make("div", { class: "row heading" }, make("h1", {}, "Matches"), make("a", { class: "button first", href: "/lab/start/match" }, "Match"),
    make("a", { class: "button", href: "/lab/start/tournament" }, "Tournament")), list, cups);
  await follow(here, ["matches", "tournaments"], ([found, held]) => {
    refill(list, found.length ? matchTable(found) : make("p", { class: "quiet" }, "No match is stored yet."));
    refill(cups, ...(held.length ? [make("h2", {}, "Tournaments"), cupTable(held)] : []));
  });
}

/** @param {any[]} found */
function matchTable(found) {
  const stopped = (/** @type {any} */ one) => !one.finished && !one.tournament;
  return sheet("Matches", [
    { name: "match", number: true, value: (one) => one.number, cell: (one) => `${one.number}` },
    ...(found.some(stopped) ? [{ name: "", cell: (/** @type {any} */ one) => (stopped(one) ? resume(`matches/${one.number}`, `match ${one.number}`) : "") }] : []),
    { name: "game", value: (one) => one.game, cell: (one) => make("a", { href: `/lab/ladder/${one.game}` }, one.game) },
    { name: "first", value: (one) => one.agents[0], cell: (one) => one.agents[0] },
    { name: "second", value: (one) => one.agents[1], cell: (one) => one.agents[1] },
    { name: "rate of the first (95 % interval)", number: true, value: (one) => one.rate, cell: (one) => (one.rate == null ? "" : `${percent(one.rate)} (${one.interval.map((/** @type {number} */ end) => (100 * end).toFixed(1)).join(" to ")})`) },
    { name: "won · drawn · lost", number: true, cell: (one) => (one.counts ? counts(one.counts) : "") },
    { name: "games", number: true, value: (one) => one.played, cell: (one) => (one.finished ? counts([one.played]) : `${counts([one.played])} of ${counts([one.games])}`) },
    { name: "began (UTC)", value: (one) => one.started, cell: (one) => when(one.started) },
  ], found);
}

/** A button that goes on with what was stopped; what the server says of one that cannot be resumed takes its place. @param {string} path @param {string} name */
function resume(path, name) {
  const button = make("button", { type: "button", class: "slim", "aria-label": `Resume ${name}` }, "Resume");
  button.addEventListener("click", () => goAfter(ask(`/api/lab/${path}/resume`, {}), (job) => `/lab/jobs/${job.job}`)
    .catch((error) => button.replaceWith(make("span", { class: "problem", role: "alert" }, error.message))));
  return button;
}

/** @param {any[]} held */
function cupTable(held) {
  return sheet("Tournaments", [
    { name: "tournament", number: true, value: (one) => one.number, cell: (one) => make("a", { href: `/lab/tournaments/${one.number}` }, `${one.number}`) },
    { name: "state", value: (one) => `${one.finished}`, cell: (one) => (one.finished ? "finished" : resume(`tournaments/${one.number}`, `tournament ${one.number}`)) },
    { name: "game", value: (one) => one.game, cell: (one) => one.game },
    { name: "agents", long: true, cell: (one) => one.agents.join(", ") },
    { name: "games a pair", number: true, cell: (one) => `${one.games ?? ""}` },
    { name: "began (UTC)", value: (one) => one.started, cell: (one) => when(one.started) },
  ], held);
}

/** @param {HTMLElement} here @param {number} number */
export async function tournament(here, number) {
  await follow(here, [`tournaments/${number}`], ([found]) => {
    refill(here, make("h1", {}, `Tournament ${number}`), make("p", { class: "quiet" }, `${found.game} · ${found.games ?? "?"} games a pair · ${found.finished ? "finished" : "not finished"}`),
      ...rated(found.ratings), ...cross(found.cross));
  });
}

/** Who scored how much against whom. @param {Record<string, Record<string, number>>} rates */
function cross(rates) {
  const agents = Object.keys(rates);
  if (agents.length < 2) return [];
  return [make("h2", {}, "Rates against each other"), sheet("Cross table", [
    { name: "", cell: (agent) => `${agents.indexOf(agent) + 1}` }, { name: "rate of", cell: (agent) => agent },
    ...agents.map((other, i) => ({ name: `against ${i + 1}`, number: true, cell: (/** @type {string} */ agent) => (other in rates[agent] ? percent(rates[agent][other]) : "·") })),
  ], agents)];
}
