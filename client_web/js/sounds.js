// Sounds, made here and not fetched. Law: silent until the person switches them on; nothing waits for one, and a
// browser without them is a quiet one.

import * as store from "./seat_store.js";

/** Tones of a sound: [Hz, from s, for s, loudness]. */
const TONES = {
  play: [[660, 0, 0.05, 0.1]],
  draw: [[360, 0, 0.06, 0.1]],
  refused: [[180, 0, 0.09, 0.1]],
  cleared: [[660, 0, 0.1, 0.1], [880, 0.1, 0.1, 0.1], [1320, 0.2, 0.22, 0.08]],
  ended: [[520, 0, 0.12, 0.08], [390, 0.12, 0.2, 0.08]],
  reaction: [[980, 0, 0.05, 0.05]],
};
/** A chain of plays goes up by a semitone each, for an octave. */
const SEMITONE = 2 ** (1 / 12);
const HIGHEST = 12;

export class Sounds {
  /** Plays a sound; `height` counts up a chain. */
  play(name, height = 0) {
    if (!store.settings().sound || !globalThis.AudioContext) return;
    this.context ??= new AudioContext();
    // Without a press on the page so far a browser keeps it suspended: then this sound is lost, the next is heard.
    if (this.context.state === "suspended") this.context.resume();
    for (const tone of TONES[name]) this.tone(tone, SEMITONE ** Math.min(height, HIGHEST));
  }

  tone([hertz, from, length, loudness], factor) {
    const { context } = this;
    const start = context.currentTime + from;
    const oscillator = new OscillatorNode(context, { type: "triangle", frequency: hertz * factor });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(loudness, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + length);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + length);
  }
}
