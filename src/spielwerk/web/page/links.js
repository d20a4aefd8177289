// Links for other people: where they find this server, and a dialog with one for each seat that is free for them.

import { ask, make } from "./dom.js";

const ALONE = "This server can be reached from this machine only; for others, start it with spielwerk serve --host 0.0.0.0.";

/** Where others find this server. @typedef {{origin: string, token: string, alone: boolean}} Sharing */

/** @returns {Promise<Sharing>} */
export function sharing() {
  return ask("/api/sharing");
}

/** A place of the page as others reach it. @param {Sharing} how @param {string} path @param {Record<string, string>} [asked] */
export function addressed({ origin, token }, path, asked = {}) {
  const all = new URLSearchParams({ ...asked, ...(token ? { token } : {}) }).toString();
  return `${origin}${path}${all ? `?${all}` : ""}`;
}

/**
 * The address of a position of a table: where the game began, and the turns that led there.
 * @param {string} game @param {import("./types.js").State} state @param {import("./types.js").TurnLine[]} turns
 */
export async function linkTo(game, { seats, begin }, turns) {
  const line = turns.map(([, roll, move]) => (roll ? `${roll}: ${move}` : move)).join(";");
  const who = seats.map((name) => (name === "human" ? "you" : name)).join(";");
  return addressed(await sharing(), `/play/${game}`, { seats: who, ...(begin ? { at: begin } : {}), ...(line ? { line } : {}) });
}

/** Copies a text, if the browser lets the page do so. @param {string} text */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** @param {string[][]} seats the name of each, and its link @param {boolean} alone */
export function links(seats, alone) {
  const told = make("p", { role: "status" }, "Send each player their link. Whoever opens it sits there.");
  const dialog = make("dialog", { "aria-label": "Links for the other players" }, make("h1", {}, "Invite"), told,
    ...seats.map(([name, address]) => row(name, address, told)), alone ? make("p", { class: "quiet" }, ALONE) : null,
    make("form", { method: "dialog" }, make("button", { class: "first" }, "Done")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  /** @type {HTMLDialogElement} */ (dialog).showModal();
}

/** @param {string} name @param {string} address @param {HTMLElement} told */
function row(name, address, told) {
  const field = /** @type {HTMLInputElement} */ (make("input", { value: address, readonly: "", "aria-label": `Link for ${name}` }));
  field.addEventListener("focus", () => field.select());
  const copy = async () => {
    const done = await copied(address);
    if (!done) field.focus();
    told.textContent = done ? `The link for ${name} is copied; send it.` : "The browser does not let the page copy; copy the marked link.";
  };
  return make("p", { class: "row link" }, make("span", {}, name), field, make("button", { type: "button", onclick: copy, "aria-label": `Copy the link for ${name}` }, "Copy"));
}
