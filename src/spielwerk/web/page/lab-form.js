// Parts of forms: labelled inputs, and a field for each setting that a learner or a solver describes.

import { make } from "./dom.js";

/** @typedef {{name: string, kind: string, default: any, help: string, choices: any[], least: number|null, most: number|null}} Setting */

/** @param {string} name @param {string} value @param {string[]} [listed] @param {string} [hint] */
export function line(name, value, listed, hint = "") {
  const box = make("input", { id: `new-${name}`, value, maxlength: 200, autocomplete: "off", spellcheck: "false", placeholder: hint || null, list: listed ? `list-${name}` : null });
  return { box, list: make("datalist", { id: `list-${name}` }, ...(listed ?? []).map((one) => make("option", { value: one }))) };
}

/** @param {string} name @param {string} value */
export function area(name, value) {
  const box = make("textarea", { id: `new-${name}`, maxlength: 4000, rows: 5 });
  box.value = value;
  return box;
}

/** @param {string} name @param {string[]} options @param {string} chosen */
export function choice(name, options, chosen) {
  return make("select", { id: `new-${name}` }, ...options.map((one) => make("option", { value: one, selected: one === chosen }, one)));
}

/** A label and its input, perhaps with a hint below. @param {string} name @param {Element} box @param {string} [hint] */
export function labelled(name, box, hint = "") {
  const said = hint ? make("span", { class: "quiet hint", id: `hint-${name}` }, hint) : null;
  if (said) box.setAttribute("aria-describedby", said.id);
  return [make("label", { for: box.id }, name), make("div", {}, box, said)];
}

/** A field for each setting. @param {Setting[]} settings @param {string} group */
export function settingsGrid(settings, group) {
  return make("div", { class: "grid" }, ...settings.map((one) => {
    const id = `${group}-${one.name}`;
    const field = box(one, id);
    field.dataset.name = one.name;
    field.dataset.kind = one.kind;
    field.dataset.usual = String(one.default);
    field.setAttribute("aria-describedby", `${id}-help`);
    return make("div", { class: "setting" }, make("label", { for: id }, one.name), field, make("span", { class: "quiet hint", id: `${id}-help` }, one.help));
  }));
}

/** @param {Setting} one @param {string} id */
function box(one, id) {
  if (one.choices.length) {
    const options = one.choices.map((value) => String(value));
    return make("select", { id }, ...options.map((value) => make("option", { value, selected: value === String(one.default) }, value)));
  }
  if (one.kind === "int" || one.kind === "float") {
    return make("input", { id, type: "number", value: one.default, step: one.kind === "int" ? 1 : "any", min: one.least, max: one.most, required: true });
  }
  return make("input", { id, value: one.default, maxlength: 100, autocomplete: "off", spellcheck: "false", placeholder: "usual" });
}

/** The fields of settings in some places. @param {Element[]} places */
export function inputs(...places) {
  return places.flatMap((place) => [...place.querySelectorAll("[data-name]")]);
}

/** What was changed from the defaults, by name. @param {any[]} fields */
export function given(fields) {
  const changed = fields.filter((field) => field.value.trim() !== field.dataset.usual);
  return Object.fromEntries(changed.map((field) => [field.dataset.name, typed(field)]));
}

/** @param {any} field */
function typed(field) {
  if (field.dataset.kind === "bool") return field.value === "true";
  return ["int", "float"].includes(field.dataset.kind) ? Number(field.value) : field.value.trim();
}
