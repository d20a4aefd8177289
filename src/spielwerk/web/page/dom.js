// Small helpers: elements, the live region, requests, what the browser remembers.

const SVG = "http://www.w3.org/2000/svg";
const REMEMBERED = 8; // things that were said last
const SHAPES = new Set(["rect", "line", "circle", "ellipse", "polygon", "text", "path", "g"]);

/**
 * An element with attributes and children; `on…` attributes are listeners.
 * @param {string} tag @param {Record<string, any>} [attributes] @param {(Node|string|null)[]} children
 * @returns {any}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/**
 * @param {string} tag @param {Record<string, any>} attributes @param {Node[]} children
 * @returns {any}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** Draws a shape as the server describes it. @param {import("./types.js").Shape} shape @returns {SVGElement} */
export function drawn([tag, attributes, text]) {
  if (!SHAPES.has(tag)) return svg("g");
  const element = svg(tag, attributes);
  if (text) element.textContent = text;
  return element;
}

/** Puts children in the place of others; what had the focus keeps it, or what stands for it now. @param {HTMLElement} section @param {(Node|string)[]} children */
export function refill(section, ...children) {
  const all = () => /** @type {HTMLElement[]} */ ([...section.querySelectorAll("a[href], button, input, select, [tabindex]")]);
  const number = all().findIndex((one) => one === document.activeElement);
  const name = document.activeElement?.getAttribute("aria-label");
  section.replaceChildren(...children);
  if (number < 0) return;
  (all().find((one) => name && one.getAttribute("aria-label") === name) ?? all()[number])?.focus({ preventScroll: true });
}

/** Says something to who listens, after what was said before: nothing is cut short by the next. @param {string} text */
export function say(text) {
  const said = document.getElementById("said");
  said?.append(make("p", {}, text));
  while (said && said.childElementCount > REMEMBERED) said.firstElementChild?.remove();
}

/**
 * Asks the server; an Error carries its sentence.
 * @param {string} path @param {object} [body] @param {string} [method] @returns {Promise<any>}
 */
export async function ask(path, body, method) {
  const asked = body === undefined ? { method: method ?? "GET" } : {
    method: method ?? "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" },
  };
  const answer = await fetch(path, asked).catch(() => { throw new Error("The server cannot be reached."); });
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(found.detail ?? `The server answered ${answer.status}.`);
  return found;
}

/** What this browser remembers. @param {string} name @param {any} otherwise */
export function recall(name, otherwise = null) {
  try {
    return JSON.parse(localStorage.getItem(`spielwerk.${name}`) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {string} name @param {any} value */
export function remember(name, value) {
  try {
    localStorage.setItem(`spielwerk.${name}`, JSON.stringify(value));
  } catch { /* private windows remember nothing */ }
}

let visits = 0;
/** @type {(() => void)[]} */
let endings = [];

/** A new place is visited: what earlier ones still wait for comes too late, and what they follow ends. */
export function leave() {
  visits += 1;
  for (const end of endings.splice(0)) end();
}

/** Does something when one leaves the place of now. @param {() => void} end */
export function whenLeft(end) {
  endings.push(end);
}

/** Says later whether one is still at the place of now. @returns {() => boolean} */
export function visit() {
  const now = visits;
  return () => now === visits;
}

/** Goes to another place of the page. @param {string} path @param {boolean} [instead] */
export function go(path, instead = false) {
  history[instead ? "replaceState" : "pushState"](null, "", path);
  dispatchEvent(new Event("spw-go"));
}

/**
 * Goes where an answer leads, unless one has gone elsewhere meanwhile.
 * @template T @param {Promise<T>} answer @param {(found: T) => string} path @param {boolean} [instead]
 */
export async function goAfter(answer, path, instead = false) {
  const staying = visit();
  const found = await answer;
  if (staying()) go(path(found), instead);
}

/** The name of the place that an element shows, as long as it is shown. @param {Element} here @param {string} text */
export function entitle(here, text) {
  if (here.isConnected) document.title = `${text} – Spielwerk`;
}

/** A file for the user to keep. @param {string} address @param {string} name */
export function download(address, name) {
  const link = make("a", { href: address, download: name });
  link.click();
}

/** Such as a name at the beginning of a sentence. @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param {number|null} value */
export function signed(value) {
  if (value == null) return "";
  const text = Math.abs(value).toFixed(2);
  return text === "0.00" ? text : `${value < 0 ? "−" : "+"}${text}`;
}

/** How good a move was: its sign, its class, and what is said of it. @type {Record<string, [string, string, string]>} */
export const QUALITY = {
  best: ["✓", "q-best", "best"], good: ["≈", "q-best", "good, as far as the judge can tell"],
  inaccurate: ["?!", "q-inaccurate", "inaccurate"], mistake: ["?", "q-mistake", "a mistake"],
  blunder: ["??", "q-blunder", "a blunder"], "missed win": ["+?", "q-blunder", "a missed win"],
  "losing blunder": ["−?", "q-blunder", "a losing blunder"], forced: ["", "", "forced"],
};

/** @param {string} verdict */
export function quality(verdict) {
  return QUALITY[verdict] ?? ["", "", ""];
}

/** Whether a move is one to learn from. @param {string} verdict */
export function bad(verdict) {
  return ["mistake", "blunder", "missed win", "losing blunder"].includes(verdict);
}

/** A long name, which a narrow column breaks after its marks only. @param {string} name */
export function breakable(name) {
  return make("span", {}, ...name.split(/(?<=[:,])/).flatMap((part) => [part, make("wbr")]));
}
