// Watch: every game drawn small, with two agents that are worth watching.

import { ask, entitle, make } from "./dom.js";
import { begin } from "./table.js";
import { setup } from "./setup.js";

/** @param {HTMLElement} place */
export async function watching(place) {
  entitle(place, "Watch");
  const problem = make("p", { class: "status problem", role: "alert" });
  const theme = document.documentElement.dataset.theme ?? "auto";
  const games = await ask("/api/watch");
  const list = make("ul", { class: "boards" }, ...games.map((/** @type {any} */ game) => {
    const picture = make("img", { src: `/api/picture?game=${game.kind}&theme=${theme}`, alt: "" });
    const [one, two] = game.agents;
    const watch = make("button", { type: "button", class: "first", "aria-label": `Watch ${one} and ${two} play ${game.title}` }, "Watch");
    watch.addEventListener("click", () =>
      begin({ game: game.kind, seats: game.agents, watch: true }).catch((error) => { problem.textContent = error.message; }));
    const choose = make("button", { type: "button", "aria-label": `Choose a variant and agents of ${game.title}`,
      onclick: () => setup(game.kind, game.agents) }, "…");
    return make("li", {}, make("div", { class: "picture" }, picture), make("h2", {}, game.title),
      make("p", { class: "quiet pair" }, `${one} – ${two}`), make("div", { class: "row" }, watch, choose));
  }));
  place.replaceChildren(make("h1", {}, "Watch"), list, problem);
}
