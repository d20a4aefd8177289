// Links for the other seats of a table, in a dialog: they are shown only once, and can be copied by hand.

import { make } from "./dom.js";

/** @param {string[][]} seats the name of each, and its link */
export function links(seats) {
  const told = make("p", { role: "status" }, "Send each player their link. Whoever opens it sits there.");
  const dialog = make("dialog", { "aria-label": "Links for the other players" }, make("h1", {}, "Invite"), told,
    ...seats.map(([name, address]) => row(name, address, told)),
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
    try {
      await navigator.clipboard.writeText(address);
      told.textContent = `The link for ${name} is copied; send it.`;
    } catch {
      field.focus();
      told.textContent = "The browser does not let the page copy; copy the marked link.";
    }
  };
  return make("p", { class: "row link" }, make("span", {}, name), field, make("button", { type: "button", onclick: copy, "aria-label": `Copy the link for ${name}` }, "Copy"));
}
