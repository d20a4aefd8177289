// New: forms that start a training, a match, a tournament, a solve or a study, from what the library says of itself.

import { ask, goAfter, make } from "./dom.js";
import { area, choice, given, inputs, labelled, line, settingsGrid } from "./lab-form.js";

/** @type {[string, string][]} */
const KINDS = [["train", "Training"], ["match", "Match"], ["tournament", "Tournament"], ["solve", "Solve"], ["study", "Study"]];

/** @typedef {{parts: (Node|null)[], body: () => object}} Form */

/** @param {HTMLElement} here @param {string} kind */
export async function start(here, kind) {
  const name = KINDS.find(([one]) => one === kind)?.[1] ?? "Training";
  const tabs = make("nav", { class: "tabs small", "aria-label": "What to start" }, ...KINDS.map(([one, text]) =>
    make("a", { href: `/lab/start/${one}`, "aria-current": one === kind ? "page" : null }, text)));
  const form = make("form", { class: "new" });
  here.replaceChildren(make("h1", {}, `New: ${name.toLowerCase()}`), tabs, form);
  const games = await ask("/api/games");
  const made = await (FORMS[kind] ?? FORMS.train)(games.flatMap((/** @type {any} */ game) => game.variants.map((/** @type {any} */ one) => one.name)));
  const problem = make("p", { class: "status problem", role: "alert" });
  const begin = make("button", { type: "submit", class: "first" }, "Start");
  form.replaceChildren(...made.parts.filter(Boolean), problem, make("div", { class: "row" }, begin));
  form.addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    begin.disabled = true;
    problem.textContent = "";
    try {
      await goAfter(ask(`/api/lab/${kind}`, made.body()), (job) => `/lab/jobs/${job.job}`);
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
      begin.disabled = false;
    }
  });
}

/** @param {string[]} games */
async function train(games) {
  const known = await ask("/api/lab/learners");
  const learners = known.learners.filter((/** @type {any} */ one) => !one.problem);
  const which = choice("learner", learners.map((/** @type {any} */ one) => one.name), learners[0].name);
  const game = line("game", "einstein:board=4", games);
  const [seeds, name, opponents] = [line("seeds", "1"), line("name", "", [], "kind, game and a number"), line("opponents", "random")];
  const title = make("p", { class: "quiet wide" });
  const [first, rest, device] = [make("div", { class: "wide form" }), make("div", { class: "grid" }), make("div", { class: "wide form" })];
  const summary = make("summary");
  const evaluation = settingsGrid(known.evaluation, "evaluation");
  const fill = () => {
    const one = learners.find((/** @type {any} */ learner) => learner.name === which.value);
    title.textContent = one.title ? `Its agent: ${one.title[0].toLowerCase()}${one.title.slice(1)}` : "";
    summary.textContent = `All settings of ${one.name}`;
    const own = settingsGrid(one.settings, "own");
    const length = own.querySelector(`[data-name="${one.length}"]`)?.closest("div");
    first.replaceChildren(...(length ? [length] : []));
    rest.replaceChildren(...own.children);
    device.replaceChildren(...(one.devices.length > 1 ? labelled("device", choice("device", one.devices, "cpu")) : []));
  };
  which.addEventListener("change", fill);
  fill();
  return {
    parts: [make("div", { class: "form" }, ...labelled("learner", which), title, ...labelled("game", game.box), first, ...labelled("seeds", seeds.box, "1-5, or 1,2,7"),
      ...labelled("name", name.box), ...labelled("opponents", opponents.box, "measured against; several with ;"), device), game.list,
    make("details", {}, summary, rest), make("details", {}, make("summary", {}, "Evaluation"), evaluation)],
    body: () => ({ learner: which.value, game: game.box.value, name: name.box.value.trim(), seeds: seeds.box.value, settings: given(inputs(first, rest)),
      opponents: several(opponents.box.value), evaluation: given(inputs(evaluation)), device: device.querySelector("select")?.value ?? "cpu" }),
  };
}

/** @param {string[]} games */
async function match(games) {
  const game = line("game", "morris", games);
  const [first, second] = [line("first", "mcts:iterations=200", []), line("second", "random", [])];
  const [count, seed, opening] = [line("games", "1000"), line("seed", "1"), line("opening", "0")];
  await agents(game.box, [first, second]);
  return {
    parts: [make("div", { class: "form" }, ...labelled("game", game.box), ...labelled("first", first.box), ...labelled("second", second.box), ...labelled("games", count.box),
      ...labelled("seed", seed.box), ...labelled("opening", opening.box, "random turns at the beginning of each game")), game.list, first.list, second.list],
    body: () => ({ game: game.box.value, first: first.box.value, second: second.box.value, games: whole(count), seed: whole(seed), opening: whole(opening) }),
  };
}

/** @param {string[]} games */
async function tournament(games) {
  const game = line("game", "nim", games);
  const who = area("agents", "random\nmc:iterations=100\nmcts:iterations=100");
  const [count, seed, swiss] = [line("games", "100"), line("seed", "1"), line("swiss", "0")];
  return {
    parts: [make("div", { class: "form" }, ...labelled("game", game.box), ...labelled("agents", who, "one a line"), ...labelled("games", count.box, "of each pair"),
      ...labelled("seed", seed.box), ...labelled("swiss", swiss.box, "rounds; 0: everyone meets everyone")), game.list],
    body: () => ({ game: game.box.value, agents: who.value.split("\n").map((/** @type {string} */ one) => one.trim()).filter(Boolean), games: whole(count), seed: whole(seed), swiss: whole(swiss) }),
  };
}

/** @param {string[]} games */
async function solve(games) {
  const game = line("game", "nim", games);
  const grid = make("div");
  const fill = async () => {
    const own = await ask(`/api/lab/solvers?game=${encodeURIComponent(game.box.value)}`).catch(() => []);
    grid.replaceChildren(own.length ? settingsGrid(own, "own") : make("p", { class: "quiet" }, "The solver of this game has no settings."));
  };
  game.box.addEventListener("change", fill);
  await fill();
  return { parts: [make("div", { class: "form" }, ...labelled("game", game.box)), game.list, grid], body: () => ({ game: game.box.value, settings: given(inputs(grid)) }) };
}

async function study() {
  const found = await ask("/api/lab/studies");
  const which = choice("study", found.studies.map((/** @type {any} */ one) => one.name), "");
  const about = make("p", { class: "quiet wide" });
  const [form, seed] = [choice("form", ["quick", "full"], "quick"), line("seed", "1")];
  const fill = () => { about.textContent = found.studies.find((/** @type {any} */ one) => one.name === which.value)?.about ?? ""; };
  which.addEventListener("change", fill);
  fill();
  return { parts: [make("div", { class: "form" }, ...labelled("study", which), about, ...labelled("form", form), ...labelled("seed", seed.box))],
    body: () => ({ study: which.value, quick: form.value === "quick", seed: whole(seed) }) };
}

/** @type {Record<string, (games: string[]) => Promise<Form>>} */
const FORMS = { train, match, tournament, solve, study };

/** Offers the agents of a game. @param {any} game @param {{list: Element}[]} seats */
async function agents(game, seats) {
  const fill = async () => {
    const found = (await ask(`/api/agents?game=${encodeURIComponent(game.value)}`).catch(() => [])).filter((/** @type {any} */ one) => one.name !== "human");
    for (const seat of seats) seat.list.replaceChildren(...found.map((/** @type {any} */ one) => make("option", { value: one.name }, one.title)));
  };
  game.addEventListener("change", fill);
  fill();
}

/** @param {string} text */
function several(text) {
  return text.split(";").map((one) => one.trim()).filter(Boolean);
}

/** @param {{box: any}} line */
function whole(line) {
  const value = Number(line.box.value);
  if (!Number.isInteger(value)) throw new Error(`${line.box.id.replace("new-", "")} must be a whole number.`);
  return value;
}
