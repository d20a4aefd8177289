// Who plays, and how each stands.

import { make } from "./dom.js";

/**
 * Shows the players beside the board; on a phone two of them above and below it, each on their own side.
 * @param {HTMLElement} place @param {import("./types.js").Stage} stage @param {import("./types.js").State} state
 * @param {number} below whose side of the board is below @param {(seat: number) => string} [who] sits there
 */
export function showPlayers(place, stage, state, below, who = (seat) => state.seats[seat]) {
  place.classList.toggle("facing", stage.players.length === 2);
  place.replaceChildren(...stage.players.map((name, seat) => {
    const score = state.scores ? ` ${state.scores[seat] > 0 ? "won" : state.scores[seat] < 0 ? "lost" : "drew"}` : "";
    const mark = make("span", { class: "mark" });
    if (stage.colours[seat]) mark.style.background = `var(--${stage.colours[seat]})`;
    const turn = state.mover === seat && !state.ended;
    return make("div", { class: `seat${turn ? " turn" : ""}${seat === below ? " below" : ""}` }, mark,
      make("span", { class: "name" }, `${name}, ${who(seat)}`), make("span", { class: "note" }, (state.scene.seats[seat] ?? "") + score));
  }));
}
