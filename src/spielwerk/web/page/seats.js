// The seats of tables that this browser has keys of: those one sits in, and those that were offered to others by a link.

import { recall, remember } from "./dom.js";

const NAME = "seats";
const KEPT = 200; // tables

/** Keys by the number of their seat. @typedef {Record<string, string>} Keys @typedef {{held: Keys, offered: Keys}} Seats */

/** @param {string} table @returns {Seats} */
export function seatsAt(table) {
  const { held, offered } = recall(NAME, {})[table] ?? {};
  return { held: held ?? {}, offered: offered ?? {} };
}

/** @param {string} table @param {Seats} seats */
function write(table, seats) {
  const { [table]: _, ...others } = recall(NAME, {});
  remember(NAME, { ...Object.fromEntries(Object.entries(others).slice(1 - KEPT)), [table]: seats });
}

/** The keys that the server gave for a table, of which none that is known is lost. @param {{key: string, seat_keys: string[]}} made */
export function keep({ key, seat_keys }) {
  const { held, offered } = seatsAt(key);
  const given = Object.fromEntries(seat_keys.map((one, seat) => [seat, one]).filter(([seat, one]) => one && !(seat in offered)));
  if (seat_keys.some(Boolean)) write(key, { held: { ...held, ...given }, offered });
}

/** Sits down where a link leads, beside the seats that one has. @param {string} table @param {string} hash of the address */
export function sitDown(table, hash) {
  const [, seat, key] = hash.match(/^#seat=(\d)\.([\w-]+)$/) ?? [];
  if (!key) return false;
  const { held, offered: { [seat]: _, ...offered } } = seatsAt(table);
  write(table, { held: { ...held, [seat]: key }, offered });
  return true;
}

/** Leaves all seats but the first, which others may take by their links. @param {string} table @returns {Keys} the keys of those seats */
export function offer(table) {
  const { held, offered } = seatsAt(table);
  const [[mine, key], ...others] = Object.entries(held);
  const away = { ...offered, ...Object.fromEntries(others) };
  write(table, { held: { [mine]: key }, offered: away });
  return away;
}

/** How a link leads to a seat. @param {string} seat @param {string} key */
export function seatHash(seat, key) {
  return `#seat=${seat}.${key}`;
}
