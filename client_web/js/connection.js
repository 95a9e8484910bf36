// The socket. Law: it knows the conversation (hello, requests, resume, versions, reconnecting), not what is said;
// frames reach `onFrame` exactly in version order. Nothing is dropped silently: a gap asks for what was missed.

const PROTOCOL = 1;
const PROBE_MS = 4000;
const IDLE_PROBE_MS = 15000;
const BACKOFF_MS = [300, 800, 1600, 3200, 6000, 10000, 15000];
const CLOSE = { GOING: 1001, RESTART: 1012, BUSY: 1013, REPLACED: 4001, BYE: 4002, NEWER: 4003 };
/** Errors that pass: a resume that met one is tried again. */
const PASSING = new Set(["engine_away", "draining", "too_fast"]);
const RETRY_MS = 1500;
const RELOADED = "fairway.reloaded";

export class Connection {
  /** @param handlers {onFrame(frame), onState(state)}: state is connecting, open, away, replaced or bye */
  constructor({ onFrame, onState }) {
    Object.assign(this, { onFrame, onState });
    this.socket = null;
    this.greeted = false;
    this.attempts = 0;
    this.stopped = false;
    this.wish = null; // a host, join or watch that has no answer yet; sent again after a lost connection
    this.seat = null; // {match, token?}: what to resume
    this.version = null;
    this.generation = null;
    this.wantsLobby = false;
    this.offset = 0; // engine clock minus ours, ms
    this.bestTrip = Infinity;
    this.pings = new Map();
    this.pingNumber = 0;
    addEventListener("online", () => this.probe());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.probe();
    });
    setInterval(() => {
      if (!document.hidden) this.probe();
    }, IDLE_PROBE_MS);
  }

  /** The engine's clock, ms. */
  now() {
    return Date.now() + this.offset;
  }

  start() {
    clearTimeout(this.timer);
    this.stopped = false;
    this.drop();
    this.setState("connecting");
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/ws`);
    this.socket = socket;
    const slow = setTimeout(() => socket.readyState === WebSocket.CONNECTING && this.lost(socket, 0), 8000);
    socket.onopen = () => {
      clearTimeout(slow);
      socket.send(JSON.stringify({ t: "hello", protocol: PROTOCOL }));
    };
    socket.onmessage = (event) => socket === this.socket && this.receive(JSON.parse(event.data));
    socket.onclose = (event) => {
      clearTimeout(slow);
      this.lost(socket, event.code);
    };
  }

  /** Forgets the present socket without hearing from it again. */
  drop() {
    const old = this.socket;
    this.socket = null;
    this.greeted = false;
    this.resuming = false;
    for (const { timer } of this.pings.values()) clearTimeout(timer);
    this.pings.clear();
    if (old) old.close();
  }

  setState(state) {
    if (this.state === state) return;
    this.state = state;
    this.onState(state);
  }

  lost(socket, code) {
    if (socket !== this.socket) return;
    this.drop();
    if (this.stopped) return;
    if (code === CLOSE.REPLACED || code === CLOSE.BYE) {
      this.stopped = true;
      this.setState(code === CLOSE.REPLACED ? "replaced" : "bye");
      return;
    }
    if (code === CLOSE.NEWER) {
      if (sessionStorage.getItem(RELOADED)) return this.setState("outdated");
      sessionStorage.setItem(RELOADED, "1");
      return location.reload();
    }
    this.setState("away");
    const base = BACKOFF_MS[Math.min(this.attempts++, BACKOFF_MS.length - 1)];
    const known = [CLOSE.GOING, CLOSE.RESTART, CLOSE.BUSY].includes(code) && this.attempts === 1;
    // A restart sends everybody back at the same moment; jitter spreads them.
    this.timer = setTimeout(() => this.start(), known ? Math.random() * 500 : base * (0.5 + Math.random()));
  }

  /** Sends if the conversation is open; false if not (the caller's command stays pending). */
  send(frame) {
    if (!this.greeted || this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  /** Host, join or watch. Repeated after a lost connection until it is answered. */
  request(frame) {
    this.wish = frame;
    this.send(frame);
  }

  /** Takes up a match as a fresh page: a seat with its token, or a spectator without. */
  enter(match, token) {
    this.leave(false);
    this.seat = token ? { match, token } : { match };
    this.start();
  }

  /** Leaves whatever match this page was in; `restart` opens a new conversation at once. */
  leave(restart = true) {
    Object.assign(this, { seat: null, version: null, generation: null, wish: null });
    this.drop();
    if (restart) this.start();
  }

  lobby(on) {
    if (this.wantsLobby === on) return;
    this.wantsLobby = on;
    this.send(on ? { t: "lobby" } : { t: "lobby", off: true });
  }

  resume() {
    const frame = { t: "resume", ...this.seat };
    if (this.version !== null) frame.version = this.version;
    if (this.version !== null && this.generation) frame.generation = this.generation;
    this.resuming = true;
    this.send(frame);
  }

  receive(frame) {
    if (frame.t === "welcome") return this.welcomed(frame);
    if (frame.t === "pong") return this.ponged(frame);
    if (frame.t === "replaced") {
      this.stopped = true;
      this.drop();
      return this.setState("replaced");
    }
    if (frame.t === "snapshot") {
      const { match, you } = frame.view;
      this.wish = null;
      this.resuming = false;
      this.wantsLobby = false;
      this.version = frame.v;
      this.generation = you.generation ?? null;
      if (this.seat?.match !== match.id) this.seat = { match: match.id };
      this.setOffset(frame.now);
    }
    if (frame.t === "e") {
      if (this.version === null || frame.v > this.version + 1) {
        if (!this.resuming && this.seat) this.resume();
        return undefined;
      }
      if (frame.v <= this.version) return frame.seq ? this.onFrame({ t: "ack", seq: frame.seq }) : undefined;
      this.version = frame.v;
      this.resuming = false;
      if (frame.you?.generation) this.generation = frame.you.generation;
    }
    if (frame.t === "error") {
      this.wish = null;
      if (this.resuming && PASSING.has(frame.code)) {
        setTimeout(() => this.resuming && this.resume(), RETRY_MS);
        return undefined;
      }
    }
    if (frame.t === "gone") this.seat = null;
    return this.onFrame(frame);
  }

  /** The token that owns the seat just taken; told by whoever asked for it. */
  own(token) {
    if (this.seat) this.seat.token = token;
  }

  welcomed(frame) {
    this.greeted = true;
    this.attempts = 0;
    sessionStorage.removeItem(RELOADED);
    this.setOffset(frame.now);
    if (this.wish) this.send(this.wish);
    else if (this.seat) this.resume();
    else if (this.wantsLobby) this.send({ t: "lobby" });
    this.setState("open");
    this.probe();
  }

  setOffset(now) {
    if (this.bestTrip === Infinity && now) this.offset = now - Date.now();
  }

  /** Asks whether the other end is there; no answer in time means a dead connection. */
  probe() {
    if (this.stopped || this.state === "connecting") return;
    if (!this.greeted) {
      if (this.state === "away") this.start();
      return;
    }
    const n = ++this.pingNumber;
    const socket = this.socket;
    const timer = setTimeout(() => this.lost(socket, 0), PROBE_MS);
    this.pings.set(n, { sent: Date.now(), timer });
    this.send({ t: "ping", n });
  }

  ponged({ n, now }) {
    const ping = this.pings.get(n);
    if (!ping) return;
    this.pings.delete(n);
    clearTimeout(ping.timer);
    const trip = Date.now() - ping.sent;
    // The quickest trip tells the clock best; slow ones say more about the network.
    if (trip <= this.bestTrip + 20) {
      this.bestTrip = Math.min(trip, this.bestTrip);
      this.offset = now - (ping.sent + trip / 2);
    }
  }
}
