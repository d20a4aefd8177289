// A new game: which variant, who sits where, and from which position.

import { ask, go, make } from "./dom.js";
import { begin } from "./table.js";

const PEOPLE = ["human", "you", "person"];

/** @param {string} game @param {string[]} seats @param {string} [position] that one looks at @param {string} [from] where the game is to begin */
export async function setup(game, seats, position = "", from = "") {
  const games = await ask("/api/games");
  const kind = game.split(":")[0];
  const known = games.flatMap((/** @type {any} */ one) => one.variants);
  if (!known.some((/** @type {any} */ one) => one.name === game)) known.push({ name: game, title: game, players: seats });
  const which = make("select", { id: "variant" }, ...known.map((/** @type {any} */ one) =>
    make("option", { value: one.name, selected: one.name === game }, one.name)));
  const people = make("div", { class: "wide form" });
  const list = make("datalist", { id: "agents" });
  const at = make("input", { id: "at", placeholder: "the start", maxlength: 4000, autocomplete: "off", value: from });
  const problem = make("p", { class: "status problem wide", role: "alert" });
  const fill = async () => {
    const chosen = known.find((/** @type {any} */ one) => one.name === which.value);
    const given = which.value === game && seats.length ? seats : ["human", ...chosen.players.slice(1).map(() => "mcts")];
    people.replaceChildren(...chosen.players.flatMap((/** @type {string} */ name, /** @type {number} */ seat) => [
      make("label", { for: `seat${seat}` }, name),
      make("input", { id: `seat${seat}`, class: "who", list: "agents", value: given[seat] ?? "human", maxlength: 200 })]));
    const agents = await ask(`/api/agents?game=${encodeURIComponent(which.value)}`);
    list.replaceChildren(...agents.map((/** @type {any} */ one) => make("option", { value: one.name }, one.title)));
  };
  which.addEventListener("change", fill);
  const start = make("button", { type: "submit", class: "first" }, "Play");
  const here = position ? make("button", { type: "button", onclick: () => { at.value = position; } }, "This position") : null;
  const form = make("form", {}, make("div", { class: "form" }, make("label", { for: "variant" }, "Game"), which, people,
    make("label", { for: "at" }, "From"), make("div", { class: "row" }, at, here), problem), list,
    make("div", { class: "row" }, start, make("a", { class: "button", href: `/edit/${kind}` }, "Edit a position"),
      make("button", { type: "button", onclick: () => dialog.close() }, "Cancel")));
  const dialog = make("dialog", { "aria-label": "New game" }, make("h1", {}, "New game"), form);
  form.addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    const who = [...form.querySelectorAll(".who")].map((one) => one.value.trim() || "human");
    try {
      await begin({ game: which.value, seats: who, at: at.value, watch: !who.some((name) => PEOPLE.includes(name.toLowerCase())) });
      dialog.close();
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  });
  dialog.addEventListener("click", (/** @type {Event} */ event) => {
    const link = /** @type {Element} */ (event.target).closest("a");
    if (!link) return;
    event.preventDefault();
    dialog.close();
    go(link.getAttribute("href") ?? "/");
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  fill();
}
