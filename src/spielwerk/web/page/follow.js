// Following: documents of the laboratory as they are now, and each time they change, as long as one looks at them.

import { make, whenLeft } from "./dom.js";
import { Line } from "./socket.js";

const BROKEN = "The line is broken; trying again …";

/**
 * Shows documents, by topic, once all are there, and whenever one has changed.
 * @param {HTMLElement} here @param {string[]} topics @param {(found: any[]) => void} show in the order of the topics
 * @param {() => void} [gone] what is done when one of them is no more
 * @returns {Promise<void>} when they are shown first; an Error carries the server's sentence
 */
export function follow(here, topics, show, gone = () => {}) {
  /** @type {Map<string, any>} */
  const found = new Map();
  if (!here.isConnected) return Promise.resolve(); // one has left meanwhile
  const broken = make("p", { class: "status problem", role: "status", hidden: true }, BROKEN);
  here.before(broken);
  const line = new Line("/ws/lab", { type: "follow", topics });
  whenLeft(() => line.close());
  return new Promise((done, failed) => {
    /** @param {string} name @param {(detail: any) => void} does */
    const on = (name, does) => line.addEventListener(name, (event) => does(/** @type {CustomEvent} */ (event).detail));
    on("line", ({ up }) => { broken.hidden = up; });
    on("gone", ({ text }) => failed(new Error(text)));
    on("error", ({ text }) => (found.size < topics.length ? failed(new Error(text)) : gone()));
    on("facts", ({ topic, facts }) => {
      found.set(topic, facts);
      if (found.size < topics.length) return;
      show(topics.map((one) => found.get(one)));
      done();
    });
  });
}
