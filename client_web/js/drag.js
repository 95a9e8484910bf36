// Fingers, mice and keys on a board's cards. Law: a press that doesn't travel is a tap on the card under it; one
// that travels drags that card, and what moves with it; whatever the system interrupts puts the card back. Two thumbs may press at once.

const TRAVEL_PX = 8;
const REACH_PX = 24;
const SAME_PRESS_MS = 700;

/** How much of `a` lies on `b` or within `reach` of it, px². */
function overlap(a, b, reach) {
  const wide = Math.min(a.right, b.right + reach) - Math.max(a.left, b.left - reach);
  const high = Math.min(a.bottom, b.bottom + reach) - Math.max(a.top, b.top - reach);
  return Math.max(0, wide) * Math.max(0, high);
}

/** Puts taps and drags on a Board. Returns a function that takes the listeners outside the board off again. */
export function drags(board) {
  const { host, layout, handlers } = board;
  const presses = new Map();
  let dragged = null;
  let handled = { element: null, at: -Infinity };

  const act = (element) => {
    if ("draw" in element.dataset) return handlers.onDraw();
    const { pile, card } = element.dataset;
    if (!layout.inert.includes(pile)) handlers.onCard(pile, card);
    return undefined;
  };

  const help = (pile, card) => {
    const targets = pile && handlers.settings().placementHelp ? handlers.targets(pile, card) : [];
    for (const [name, element] of board.piles) {
      element.classList.toggle("is-target", targets.includes(name));
      for (const one of element.querySelectorAll("button.card")) {
        one.classList.toggle("is-target", targets.includes(name) && !one.classList.contains("covered"));
      }
    }
  };

  const putBack = () => {
    if (!dragged) return;
    help(null);
    for (const { element } of dragged.block) element.classList.remove("held");
    presses.delete(dragged.id);
    dragged = null;
    board.held = null;
    if (board.last) board.render(board.last);
  };

  const begin = (press) => {
    dragged = press;
    press.block = board.blockFrom(press.pile, press.card).map((card) => board.cards.get(card)).filter(Boolean)
      .map((element) => ({ element, from: element.style.transform }));
    board.held = press.block.map(({ element }) => element);
    press.element.setPointerCapture(press.id);
    for (const element of board.held) element.classList.add("held");
    help(press.pile, press.card);
  };

  const drop = ({ element, pile, card }) => {
    const rect = element.getBoundingClientRect();
    const offers = handlers.targets(pile, card);
    // The pile that most of the card lies on, and first of all one that takes it.
    const reached = layout.drops.filter((name) => name !== pile)
      .map((name) => ({ name, area: overlap(rect, board.zone(name), REACH_PX), takes: offers.includes(name) }))
      .filter(({ area }) => area > 0).sort((a, b) => b.takes - a.takes || b.area - a.area);
    let target = reached[0]?.name;
    if (!reached[0]?.takes && handlers.settings().autoPlacement && offers.length) target = handlers.best(pile, card) ?? target;
    putBack();
    if (target) handlers.onDrop(pile, card, target);
  };

  host.addEventListener("pointerdown", (event) => {
    const element = event.target.closest("button.card");
    if (!element || event.button !== 0) return;
    const { pile, card } = element.dataset;
    presses.set(event.pointerId, { id: event.pointerId, element, pile, card, x: event.clientX, y: event.clientY });
  });

  host.addEventListener("pointermove", (event) => {
    const press = presses.get(event.pointerId);
    if (!press) return;
    const dx = event.clientX - press.x;
    const dy = event.clientY - press.y;
    if (!dragged && press.card && !layout.inert.includes(press.pile) && Math.hypot(dx, dy) >= TRAVEL_PX) begin(press);
    if (dragged !== press) return;
    for (const { element, from } of press.block) element.style.transform = `translate(${dx}px, ${dy}px) ${from}`;
  });

  host.addEventListener("pointerup", (event) => {
    const press = presses.get(event.pointerId);
    if (!press) return;
    presses.delete(event.pointerId);
    handled = { element: press.element, at: event.timeStamp };
    if (dragged === press) drop(press);
    else if (document.elementFromPoint(event.clientX, event.clientY)?.closest("button.card") === press.element) act(press.element);
  });

  host.addEventListener("pointercancel", (event) => {
    presses.delete(event.pointerId);
    if (dragged?.id === event.pointerId) putBack();
  });
  host.addEventListener("lostpointercapture", (event) => dragged?.id === event.pointerId && putBack());

  // Keyboards and screen readers click without a pointer; a pointer's own click was acted on at its release.
  host.addEventListener("click", (event) => {
    const element = event.target.closest("button.card");
    if (!element || (handled.element === element && event.timeStamp - handled.at < SAME_PRESS_MS)) return;
    act(element);
  });
  host.addEventListener("contextmenu", (event) => event.preventDefault());

  const away = () => {
    presses.clear();
    putBack();
  };
  addEventListener("blur", away);
  return () => removeEventListener("blur", away);
}
