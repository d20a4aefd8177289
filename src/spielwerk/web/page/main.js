// The page looks at its address, and shows what is there.

import { go, leave, make, recall, remember, visit } from "./dom.js";
import { begin, Table } from "./table.js";

/** What takes keys, and ends when one leaves. @typedef {{key_(event: KeyboardEvent): void, close(): void}} Live */

const place = /** @type {HTMLElement} */ (document.getElementById("place"));
/** @type {Live|null} */
let table = null;

/** @type {[RegExp, (here: HTMLElement, found: RegExpMatchArray) => Promise<Live|void>][]} */
const PLACES = [
  [/^\/$/, async (here) => (await import("./home.js")).home(here)],
  [/^\/games$/, async (here) => (await import("./home.js")).stored(here)],
  [/^\/table\/([\w-]+)$/, async (here, [, key]) => new Table(here, key)],
  [/^\/play\/(.+)$/, async (_, [, game]) => play(decodeURIComponent(game))],
  [/^\/watch$/, async (here) => (await import("./watching.js")).watching(here)],
  [/^\/watch\/(.+)$/, async (_, [, game]) => play(decodeURIComponent(game), true)],
  [/^\/watched\/([\w-]+)$/, async (here, [, key]) => new (await import("./watch.js")).Watch(here, key)],
  [/^\/review\/(\d+)$/, async (here, [, number]) => (await import("./review.js")).review(here, Number(number))],
  [/^\/lessons$/, async (here) => (await import("./lessons.js")).lessons(here)],
  [/^\/lab(?:\/(.*))?$/, async (here, [, rest]) => (await import("./lab.js")).lab(here, rest ?? "")],
  [/^\/edit\/(.+)$/, async (here, [, game]) => (await import("./edit.js")).edit(here, decodeURIComponent(game))],
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

/** Shows the place of the address. Each visit has an element of its own: what comes late is shown to nobody. */
async function arrive() {
  leave();
  table?.close();
  table = null;
  const staying = visit();
  const here = make("div");
  place.replaceChildren(here);
  const asked = PLACES.map(([form, show]) => ({ found: location.pathname.match(form), show })).find(({ found }) => found);
  try {
    const shown = asked?.found ? await asked.show(here, asked.found) : here.append(make("p", {}, "There is no such page. ", make("a", { href: "/" }, "To the games")));
    if (staying()) table = shown ?? null;
    else shown?.close();
  } catch (error) {
    here.replaceChildren(make("p", { class: "status problem", role: "alert" }, /** @type {Error} */ (error).message),
      make("p", {}, make("a", { href: "/" }, "To the games")));
  }
}

/** Goes on reading at the top of the new place. */
function enter() {
  arrive();
  scrollTo(0, 0);
  place.focus({ preventScroll: true });
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
addEventListener("spw-go", enter);
wear(recall("theme", ""));
arrive();
