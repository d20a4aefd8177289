// The line to a table: it comes back by itself when it breaks, and says who we are.

const WAITS = [300, 600, 1200, 2500, 5000]; // milliseconds before each new try
const GONE = 4404; // the table is no more

export class Line extends EventTarget {
  /** @param {string} key @param {string[]} keys of our seats */
  constructor(key, keys) {
    super();
    this.key = key;
    this.keys = keys;
    this.tries = 0;
    this.ended = false;
    /** @type {WebSocket|null} */
    this.socket = null;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = this.socket = new WebSocket(`${scheme}://${location.host}/ws/tables/${this.key}`);
    socket.onopen = () => {
      this.tries = 0;
      this.send({ type: "hello", keys: this.keys });
      this.tell("line", { up: true });
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      this.tell(message.type, message);
    };
    socket.onclose = (event) => {
      if (this.ended) return;
      if (event.code === GONE) return this.tell("gone", { text: event.reason });
      this.tell("line", { up: false });
      setTimeout(() => this.ended || this.open(), WAITS[Math.min(this.tries++, WAITS.length - 1)]);
    };
  }

  /** @param {object} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** @param {string} name @param {object} detail */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  close() {
    this.ended = true;
    this.socket?.close();
  }
}
