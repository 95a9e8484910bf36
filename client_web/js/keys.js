// The keys of the table. Law: a key does what a press does, on the same buttons and cards, and nothing in fields or windows.

/** The key by its place where the keyboard writes another script: on a Hindi one the key U writes a vowel sign. */
const latinKey = ({ key, code }) => (key.length === 1 && key > "\u007f" ? code.replace(/^(Key|Digit)/, "") : key).toLowerCase();

/** A key went down over the table. */
export function pressed(table, event) {
  if (event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.closest?.("input, select, textarea")) return;
  const key = latinKey(event);
  const control = event.ctrlKey || event.metaKey;
  if (control && key !== "z") return;
  if (event.repeat) return void (key === " " && event.preventDefault());
  const piles = [table.app.layout.keys[key] ?? []].flat(); // of several the first that has a card
  if (piles.length) {
    const waiting = new Set(table.app.commands.moves().map((frame) => frame.card));
    const [pile, card] = piles.map((name) => [name, table.board.lastFree(name, waiting)]).find((found) => found[1]) ?? [];
    if (card) table.taps.tap(pile, card);
  } else if (key === " " && event.target.matches?.("[data-card]:focus-visible")) {
    // The card that one stands on, as on any button: its click follows.
  } else if (key === " " && (!event.target.closest?.("button, summary, a") || table.boardHost.contains(event.target))) {
    event.preventDefault();
    table.draw();
  } else if (key === "u" || (control && key === "z")) {
    event.preventDefault();
    table.undo();
  } else if (key === "?") table.app.openRules();
  else if (key === "h") table.help.ask();
  else if (key === "g") table.giveUp();
  else if (key === "d") table.done();
  else if (key === "t") table.sayStatus();
  else if (key === "enter" && table.app.view.match.phase === "between" && !event.target.closest?.("button, summary, a")) {
    table.app.send({ t: "next", hole: table.app.view.match.hole });
  }
}
