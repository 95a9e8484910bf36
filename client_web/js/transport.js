// The controls of a replay: place on the axis, play and pause, speed, steps, keys. Law: it knows times and steps and
// asks for drawing; while it plays nothing is said, a step that was asked for is said once.

import { h, icon } from "./dom.js";
import { clock, t } from "./i18n.js";

const SPEEDS = [1, 2, 5, 10];

export class Transport {
  /** @param handlers {words(index), drawn(index), said(words)} */
  constructor(replay, handlers) {
    Object.assign(this, { replay, handlers });
    this.time = 0;
    this.index = -1;
    this.speed = 1;
    this.playing = false;
    this.element = this.build();
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
  }

  destroy() {
    this.pause();
    document.removeEventListener("keydown", this.onKey);
  }

  build() {
    const { length, holes } = this.replay;
    this.slider = h("input", { type: "range", min: 0, max: Math.max(1, Math.round(length)), step: 1, value: 0, class: "scrub", "data-testid": "scrub", "aria-label": t("replay.scrub"),
      oninput: () => this.seek(Number(this.slider.value)), onchange: () => this.tell() });
    const marks = holes.map(({ time }, i) => h("span", { class: "hole-mark", css: { "--x": length ? time / length : 0 } }, i + 1));
    const button = (name, label, press) => h("button", { class: "control", type: "button", "data-testid": name, "aria-label": label, title: label, onclick: press }, icon(`i-${name}`));
    this.playButton = h("button", { class: "control ready", type: "button", "data-testid": "play-pause", onclick: () => this.toggle() });
    const speed = h("select", { class: "speed", "data-testid": "speed", "aria-label": t("replay.speed"), onchange: () => (this.speed = Number(speed.value)) },
      SPEEDS.map((n) => h("option", { value: n }, t("replay.times", { n }))));
    this.line = h("p", { class: "replay-line clip", "data-testid": "replay-line" });
    this.time_ = h("p", { class: "replay-time", "data-testid": "replay-time" });
    const element = h("section", { class: "transport", "aria-label": t("replay.controls") },
      h("div", { class: "transport-words" }, this.line, this.time_),
      h("div", { class: "scrubber" }, h("div", { class: "hole-marks", "aria-hidden": "true", "data-many": holes.length > 9 }, marks), this.slider),
      h("div", { class: "transport-buttons" },
        button("hole-back", t("replay.hole.back"), () => this.hole(-1)), button("step-back", t("replay.back"), () => this.step(-1)), this.playButton,
        button("step-on", t("replay.on"), () => this.step(1)), button("hole-on", t("replay.hole.on"), () => this.hole(1)), speed));
    this.showPlaying();
    return element;
  }

  /** Goes to a time of the axis. */
  seek(time) {
    this.time = Math.max(0, Math.min(this.replay.length, time));
    const index = this.replay.indexAt(this.time);
    if (index !== this.index) {
      this.index = index;
      this.handlers.drawn(index);
      this.line.textContent = this.handlers.words(index);
    }
    this.slider.value = String(Math.round(this.time));
    const at = clock(this.replay.clockAt(this.time));
    if (this.time_.textContent !== at) this.time_.textContent = at;
    // A reader that stands on the slider says each change of this: only the places that were asked for.
    if (!this.playing) this.slider.setAttribute("aria-valuetext", this.placeWords(at));
  }

  placeWords(at) {
    return t("replay.at", { n: this.replay.steps[this.index].hole + 1, time: at, words: this.line.textContent });
  }

  /** Says where the person has gone to; on the slider the reader does so by itself. */
  tell() {
    if (document.activeElement !== this.slider) this.handlers.said(this.line.textContent);
  }

  /** Goes to a step, by a person: what plays stops. */
  go(index) {
    this.pause();
    const wanted = Math.max(0, Math.min(this.replay.steps.length - 1, index));
    const { time } = this.replay.steps[wanted];
    this.time = time;
    if (wanted !== this.replay.indexAt(time)) {
      // Several steps have this very time: show the one that was asked for.
      this.index = wanted;
      this.handlers.drawn(wanted);
      this.line.textContent = this.handlers.words(wanted);
      this.slider.value = String(Math.round(time));
      this.slider.setAttribute("aria-valuetext", this.placeWords(clock(this.replay.clockAt(time))));
    } else this.seek(time);
    this.tell();
  }

  step(by) {
    this.go(this.index + by);
  }

  hole(direction) {
    this.go(this.replay.holeFrom(this.index, direction));
  }

  toggle() {
    if (this.playing) return this.pause();
    if (this.time >= this.replay.length) this.seek(0);
    this.playing = true;
    this.showPlaying();
    let before = performance.now();
    const frame = (now) => {
      if (!this.playing) return;
      this.seek(this.time + (now - before) * this.speed);
      before = now;
      if (this.time >= this.replay.length) this.pause();
      else this.timer = requestAnimationFrame(frame);
    };
    this.timer = requestAnimationFrame(frame);
    return undefined;
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this.timer);
    this.seek(this.time);
    this.showPlaying();
  }

  showPlaying() {
    const label = t(this.playing ? "replay.pause" : "replay.play");
    this.playButton.replaceChildren(icon(this.playing ? "i-pause" : "i-play"));
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = label;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const on = event.target instanceof Element ? event.target.closest("button, a, select, textarea, input, summary, .scroller") : null;
    const free = !on || on === this.slider;
    const acts = { ArrowLeft: () => (event.shiftKey ? this.hole(-1) : this.step(-1)), ArrowRight: () => (event.shiftKey ? this.hole(1) : this.step(1)),
      Home: () => this.go(0), End: () => this.go(this.replay.steps.length - 1), " ": () => this.toggle() };
    const act = acts[event.key];
    // A press of Space belongs to the button it is on, and arrows to a list or a table that has them.
    if (!act || (!free && (event.key === " " || !on.matches("button, a, summary")))) return;
    event.preventDefault();
    act();
  }
}
