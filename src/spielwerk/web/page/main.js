// The page looks at its address, and shows what is there.

import { go, make, recall, remember } from "./dom.js";
import { begin, Table } from "./table.js";

const place = /** @type {HTMLElement} */ (document.getElementById("place"));
/** @type {{key_(event: KeyboardEvent): void, close(): void}|null} */
let table = null;
let visit = 0;

/** @type {[RegExp, (found: RegExpMatchArray) => Promise<void>][]} */
const PLACES = [
  [/^\/$/, async () => (await import("./home.js")).home(place)],
  [/^\/games$/, async () => (await import("./home.js")).stored(place)],
  [/^\/table\/([\w-]+)$/, async ([, key]) => { table = new Table(place, key); }],
  [/^\/play\/(.+)$/, async ([, game]) => play(decodeURIComponent(game))],
  [/^\/watch$/, async () => (await import("./watching.js")).watching(place)],
  [/^\/watch\/(.+)$/, async ([, game]) => play(decodeURIComponent(game), true)],
  [/^\/watched\/([\w-]+)$/, async ([, key]) => { table = new (await import("./watch.js")).Watch(place, key); }],
  [/^\/review\/(\d+)$/, async ([, number]) => { table = await (await import("./review.js")).review(place, Number(number)); }],
  [/^\/lessons$/, async () => (await import("./lessons.js")).lessons(place)],
  [/^\/lab(?:\/(.*))?$/, async ([, rest]) => (await import("./lab.js")).lab(place, rest ?? "")],
  [/^\/edit\/(.+)$/, async ([, game]) => (await import("./edit.js")).edit(place, decodeURIComponent(game))],
];

/** @param {string} game @param {boolean} [watch] */
async function play(game, watch = false) {
  const asked = new URLSearchParams(location.search);
  const list = (/** @type {string} */ name) => (asked.get(name) ?? "").split(";").flatMap((part) => names(part)).filter(Boolean);
  const line = (asked.get("line") ?? "").split(";").map((move) => move.trim()).filter(Boolean);
  await begin({ game, seats: list(watch ? "agents" : "seats"), watch, at: asked.get("at") ?? "", line }, true);
}

/** Seats may also be separated by commas, where no agent has several settings. @param {string} text */
function names(text) {
  return text.includes("=") ? [text.trim()] : text.split(",").map((name) => name.trim());
}

async function arrive() {
  const now = ++visit;
  table?.close();
  table = null;
  const here = PLACES.map(([form, show]) => ({ found: location.pathname.match(form), show })).find(({ found }) => found);
  try {
    if (here?.found) await here.show(here.found);
    else place.replaceChildren(make("p", {}, "There is no such page. ", make("a", { href: "/" }, "To the games")));
  } catch (error) {
    if (now === visit) place.replaceChildren(make("p", { class: "status problem", role: "alert" }, /** @type {Error} */ (error).message),
      make("p", {}, make("a", { href: "/" }, "To the games")));
  }
}

/** @param {string} theme */
function wear(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

document.getElementById("look")?.addEventListener("click", () => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  const theme = now === "dark" ? "light" : "dark";
  remember("theme", theme);
  wear(theme);
  if (location.pathname === "/") arrive();
});
document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest("a[href^='/']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || link.hasAttribute("download")) return;
  event.preventDefault();
  go(link.getAttribute("href") ?? "/");
});
document.addEventListener("keydown", (event) => table?.key_(event));
addEventListener("popstate", arrive);
addEventListener("spw-go", arrive);
wear(recall("theme", ""));
arrive();
