// Keys press buttons: each does what its button does, and nothing where that cannot be pressed.

/** Names of keys that would not stand alone in a list. @type {Record<string, string>} */
const NAMES = { " ": "Space", "+": "Plus" };
const FIELDS = "input, select, textarea, dialog, dialog *";

/**
 * Presses the button in a part of the page that has this key among its `aria-keyshortcuts`; says whether there is one.
 * @param {KeyboardEvent} event @param {Element} within
 */
export function pressed(event, within) {
  if (!meant(event)) return false;
  const name = NAMES[event.key] ?? event.key;
  const all = /** @type {HTMLButtonElement[]} */ ([...within.querySelectorAll("button[aria-keyshortcuts]")]);
  const bound = all.filter((one) => one.getAttribute("aria-keyshortcuts")?.split(" ").includes(name));
  if (!bound.length) return false;
  event.preventDefault();
  bound.find((one) => !one.hidden && !one.disabled)?.click();
  return true;
}

/** Whether a key is for the place, and not for a field, a dialog, a button or the browser. @param {KeyboardEvent} event */
export function meant(event) {
  const target = /** @type {Element} */ (event.target);
  const other = event.ctrlKey || event.metaKey || event.altKey || target.matches?.(FIELDS);
  return !other && !(event.key === " " && target.matches?.("button, a"));
}
