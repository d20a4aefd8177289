// Pieces that move: which element of the old scene becomes which piece of the new one, and how it gets there.

/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {{element: SVGElement, piece: Piece}} Shown */

/**
 * Pairs old pieces with new ones: those that stay, those that go elsewhere, those that change their look.
 * @param {Shown[]} old @param {Piece[]} pieces
 * @returns {{pairs: (Shown|null)[], left: Shown[]}} for each new piece its old one, and the old ones that are gone
 */
export function paired(old, pieces) {
  const left = new Set(old);
  /** @type {(Shown|null)[]} */
  const pairs = pieces.map(() => null);
  /** @param {(a: Piece, b: Piece) => boolean} alike */
  const match = (alike) => {
    pieces.forEach((piece, number) => {
      if (pairs[number]) return;
      let nearest = null;
      let least = Infinity;
      for (const shown of left) {
        const far = Math.hypot(shown.piece[2] - piece[2], shown.piece[3] - piece[3]);
        if (alike(shown.piece, piece) && far < least) [nearest, least] = [shown, far];
      }
      if (nearest) {
        pairs[number] = nearest;
        left.delete(nearest);
      }
    });
  };
  match((a, b) => a[0] === b[0] && a[1] === b[1]);
  match((a, b) => a[0] === b[0]);
  match((a, b) => a[1] === b[1] && kind(a[0]) === kind(b[0]));
  return { pairs, left: [...left] };
}

/** Dice are never stones. @param {string} look */
function kind(look) {
  return look.startsWith("die") ? "die" : "piece";
}

/** A disc that turns over. @param {SVGElement} element @param {string} where @param {() => void} swap */
export function turnOver(element, where, swap) {
  const half = [{ transform: `${where} scaleX(1)` }, { transform: `${where} scaleX(0)` }];
  element.animate(half, { duration: 110, easing: "ease-in" }).onfinish = () => {
    swap();
    element.animate([...half].reverse(), { duration: 110, easing: "ease-out" });
  };
}

/** A die that rolls. @param {SVGElement} element @param {string} where */
export function tumble(element, where) {
  const steps = [[-34, -190], [16, -90], [-6, -30], [0, 0]].map(
    ([up, turn]) => ({ transform: `${where} translate(0px, ${up}px) rotate(${turn}deg)` }));
  element.animate(steps, { duration: 420, easing: "ease-out" });
}

/** Whether things may move. @returns {boolean} */
export function lively() {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches && localStorage.getItem("spielwerk.still") !== "true";
}
