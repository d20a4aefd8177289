// Numbers of charts: where axes end, where their ticks are, and how figures are written.

const LEAST_SPAN = 0.05; // of a share's axis: less would show chance as if it were learning

/** The ends of an axis around some values. @param {number[]} values @param {boolean} share */
export function scale(values, share) {
  const known = values.filter(Number.isFinite);
  let low = Math.min(...known, ...(known.length ? [] : [0]));
  let high = Math.max(...known, ...(known.length ? [] : [1]));
  const pad = Math.max((high - low) * 0.06, share ? (LEAST_SPAN - (high - low)) / 2 : Math.abs(high) * 0.05, 1e-9);
  low = low >= 0 && (low - pad < 0 || low < 0.15 * high) ? 0 : low - pad;
  high = share && high <= 1 ? Math.min(1.0, high + pad) : high + pad;
  return { low, high: Math.max(high, low + 1e-9) };
}

/** Round numbers from low to high. @param {number} low @param {number} high @param {number} about */
export function ticks(low, high, about) {
  const raw = (high - low) / about;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = unit * (/** @type {number} */ ([1, 2, 2.5, 5, 10].find((one) => one * unit >= raw * 0.999)) ?? 10);
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high * (1 + 1e-9); at++) found.push(at * step);
  return found;
}

/** Such as 12k, 3.5M or 0.0061. @param {number} value */
export function numberText(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return `${trimmed(value / 1e6)}M`;
  if (size >= 1e4) return `${trimmed(value / 1e3)}k`;
  if (size >= 1000) return Math.round(value).toLocaleString("en");
  return size >= 100 ? value.toFixed(0) : trimmed(value);
}

/** @param {number} value */
export function shareText(value) {
  return `${trimmed(100 * value)} %`;
}

/** @param {number} value */
function trimmed(value) {
  return Number(value.toPrecision(3)).toString();
}
