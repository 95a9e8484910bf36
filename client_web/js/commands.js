// What was asked and not yet answered. Law: each command has its own seq and gets one answer; sending never waits
// for an answer; after a lost connection the same commands go out again under the same seq.

export class Commands {
  /** @param {(frame: object) => boolean} send writes a frame if the connection is up */
  constructor(send) {
    this.sendFrame = send;
    this.pending = [];
    this.nextSeq = 1;
    this.undoWanted = false;
  }

  /** Begins anew for a seat just claimed: nothing is outstanding. */
  reset(nextSeq) {
    this.pending = [];
    this.nextSeq = nextSeq;
    this.undoWanted = false;
  }

  /** A snapshot for the same claim: keep what is outstanding, never reuse a seq. */
  atLeast(nextSeq) {
    this.nextSeq = Math.max(this.nextSeq, nextSeq);
  }

  /** Numbers and sends a command; it is pending until `answered`. */
  send(body) {
    const frame = { ...body, seq: this.nextSeq++ };
    this.pending.push(frame);
    this.sendFrame(frame);
    return frame;
  }

  /** The connection is back: everything unanswered goes out again, in order. */
  resend() {
    for (const frame of this.pending) this.sendFrame(frame);
  }

  /** Takes the answered command out and returns it (undefined if it was not ours). */
  answered(seq) {
    const at = this.pending.findIndex((frame) => frame.seq === seq);
    return at < 0 ? undefined : this.pending.splice(at, 1)[0];
  }

  /** Commands that change the board and are unanswered, oldest first. */
  moves() {
    return this.pending.filter((frame) => frame.t === "play" || frame.t === "draw" || frame.t === "undo");
  }

  /** True while this card is named by an unanswered play. */
  names(card) {
    return this.pending.some((frame) => frame.t === "play" && frame.card === card);
  }

  /**
   * Undo names the confirmed counters. With plays in flight those are about to change, so one undo is kept back
   * until they are answered; `settle` sends it.
   */
  undo(you) {
    if (this.moves().some((frame) => frame.t !== "undo")) {
      this.undoWanted = true;
      return;
    }
    this.undoWanted = false;
    this.send({ t: "undo", moves: you.move_count, undos: you.undo_count });
  }

  /** Called after each answer. */
  settle(you) {
    if (this.undoWanted && this.moves().length === 0) this.undo(you);
  }
}
