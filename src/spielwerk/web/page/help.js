// The keys, in a dialog.

import { make } from "./dom.js";

const KEYS = [
  ["arrows", "move between the places of the board"], ["Enter", "chooses a place"], ["/", "type a move"], ["u", "undo"],
  ["h", "hint"], ["e", "judge on and off, for your side or the one to move"], ["f", "flip the board"], ["[ ]", "through the moves"], ["c", "confirm a turn of backgammon, or pass"],
  ["d", "the dice: confirm, or change which die a tap plays"], ["?", "this list"],
];

/** @param {string[][]} keys @param {() => void} done when it is closed */
export function help(keys = KEYS, done = () => {}) {
  const still = /** @type {HTMLInputElement} */ (make("input", { type: "checkbox", id: "still" }));
  still.checked = localStorage.getItem("spielwerk.still") === "true";
  still.addEventListener("change", () => localStorage.setItem("spielwerk.still", String(still.checked)));
  const judge = /** @type {HTMLInputElement} */ (make("input", { id: "judge", placeholder: "the usual one", maxlength: 200 }));
  judge.value = JSON.parse(localStorage.getItem("spielwerk.judge") ?? '""');
  judge.addEventListener("change", () => localStorage.setItem("spielwerk.judge", JSON.stringify(judge.value.trim())));
  const dialog = make("dialog", { "aria-label": "Keys and settings" }, make("h1", {}, "Keys"),
    make("table", {}, make("tbody", {}, ...keys.map(([key, text]) =>
      make("tr", {}, make("td", {}, make("kbd", {}, key)), make("td", {}, text))))),
    make("h2", {}, "Settings"),
    make("p", { class: "row" }, still, make("label", { for: "still" }, "No animation")),
    make("p", { class: "row" }, make("label", { for: "judge" }, "Judge where the oracle does not know"), judge),
    make("form", { method: "dialog" }, make("button", { class: "first" }, "Close")));
  dialog.addEventListener("close", () => { dialog.remove(); done(); });
  document.body.append(dialog);
  dialog.showModal();
}
