// Home: every game drawn small with a Play button, and the games in progress.

import { ask, breakable, entitle, go, goAfter, make, say } from "./dom.js";
import { keep } from "./seats.js";
import { setup } from "./setup.js";
import { addressOf, begin } from "./table.js";

const SHOWN = 6;
const LISTED = 100; // stored games on one page of the list

/** @param {HTMLElement} place */
export async function home(place) {
  if (place.isConnected) document.title = "Spielwerk";
  const problem = make("p", { class: "status problem", role: "alert" });
  const list = make("ul", { class: "boards" });
  const going = make("section", { hidden: true });
  const last = make("section", { class: "home-run", hidden: true });
  place.replaceChildren(make("h1", {}, "Play"), list, problem, going, last);
  const theme = document.documentElement.dataset.theme ?? "auto";
  const games = await ask("/api/games");
  list.replaceChildren(...games.map((/** @type {any} */ game) => {
    const picture = make("img", { src: `/api/picture?game=${game.kind}&theme=${theme}`, alt: "" });
    const play = make("button", { type: "button", class: "first", "aria-label": `Play ${game.title}` }, "Play");
    play.addEventListener("click", () => begin({ game: game.kind }).catch((error) => { problem.textContent = error.message; }));
    const choose = make("button", { type: "button", "aria-label": `Choose a variant and players of ${game.title}`,
      onclick: () => setup(game.kind, []) }, "…");
    return make("li", {}, make("div", { class: "picture" }, picture), make("h2", {}, game.title),
      make("div", { class: "row" }, play, choose));
  }));
  const open = (await ask("/api/stored")).filter((/** @type {any} */ one) => !one.finished && !one.imported).slice(0, SHOWN);
  going.hidden = !open.length;
  going.replaceChildren(make("h2", {}, "In progress"), gamesTable(open));
  await (await import("./lab.js")).lastRun(last);
}

/** All stored games. @param {HTMLElement} place */
export async function stored(place) {
  entitle(place, "Games");
  const text = make("textarea", { "aria-label": "A record, a transcript, a .mat match, an XGID or a GNU id", maxlength: 200000 });
  const file = make("input", { type: "file", "aria-label": "A file of games" });
  const problem = make("p", { class: "status problem", role: "alert" });
  file.addEventListener("change", async () => { if (file.files[0]) text.value = await file.files[0].text(); });
  const bring = make("button", { type: "button", class: "first" }, "Import");
  bring.addEventListener("click", async () => {
    try {
      const found = await ask("/api/import", { text: text.value });
      if (!text.isConnected) return;
      if (found.position) await begin({ game: found.game, at: found.position });
      else if (found.numbers.length === 1) go(`/review/${found.numbers[0]}`);
      else {
        go("/games");
        say(`${found.numbers.length} games were imported.`);
      }
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  });
  const before = new URLSearchParams(location.search).get("before");
  const found = await ask(`/api/stored?most=${LISTED + 1}${before ? `&before=${encodeURIComponent(before)}` : ""}`);
  const games = found.slice(0, LISTED);
  const older = make("p", { hidden: found.length <= LISTED }, make("a", { href: `/games?before=${games.at(-1)?.number}` }, "Older games"));
  place.replaceChildren(make("h1", {}, "Games"),
    games.length ? gamesTable(games) : make("p", { class: "quiet" }, "No game has been played here yet."), older,
    make("h2", {}, "Import"), make("p", { class: "quiet" }, "Our own records, .mat matches, Othello transcripts, XGIDs, GNU ids."),
    text, make("p", { class: "row" }, file, bring), problem);
}

/** @param {any[]} games */
function gamesTable(games) {
  const rows = games.map((one) => {
    const what = one.finished || one.imported ? make("a", { href: `/review/${one.number}` }, "Review") : make("button", { type: "button" }, "Go on");
    what.addEventListener("click", async () => {
      if (one.finished || one.imported) return;
      const made = ask(`/api/stored/${one.number}/open`, {});
      made.then(keep, () => {});
      await goAfter(made, addressOf);
    });
    const result = one.scores ? one.scores.map((/** @type {number} */ score) => (score > 0 ? `+${score}` : score)).join(" ") : "";
    return make("tr", {}, make("td", { class: "number spare" }, `${one.number}`), make("td", {}, breakable(one.game)), make("td", {}, breakable(one.agents.join(", "))),
      make("td", { class: "number spare" }, `${one.turns}`), make("td", {}, result), make("td", { class: "way" }, what));
  });
  return make("table", { class: "games", "aria-label": "List of games" }, make("thead", {}, make("tr", {}, make("th", { class: "number spare" }, "number"), make("th", {}, "game"),
    make("th", {}, "players"), make("th", { class: "number spare" }, "turns"), make("th", {}, "result"), make("th", {}, make("span", { class: "unseen" }, "open")))),
    make("tbody", {}, ...rows));
}
