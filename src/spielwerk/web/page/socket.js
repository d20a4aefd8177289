// A line to the server: it comes back by itself when it breaks, and begins with the same message each time.

const WAITS = [300, 600, 1200, 2500, 5000]; // milliseconds before each new try
const GONE = 4404; // what one asked for is no more

export class Line extends EventTarget {
  /** @param {string} path @param {object} first the message with which it begins */
  constructor(path, first) {
    super();
    this.path = path;
    this.first = first;
    this.tries = 0;
    this.ended = false;
    /** @type {WebSocket|null} */
    this.socket = null;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = this.socket = new WebSocket(`${scheme}://${location.host}${this.path}`);
    socket.onopen = () => {
      this.tries = 0;
      this.send(this.first);
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
