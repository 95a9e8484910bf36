// Looks at the page as it stands and lists what is wrong with its layout. Evaluated by test_layouts.py.
() => {
  const wrong = [];
  const width = document.documentElement.clientWidth;
  const name = (element) => `${element.tagName.toLowerCase()}.${element.className?.baseVal ?? element.className} "${(element.textContent ?? "").trim().slice(0, 40)}"`;
  const shown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const box = (element) => element.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right - 1 && a.right > b.left + 1 && a.top < b.bottom - 1 && a.bottom > b.top + 1;

  if (document.documentElement.scrollWidth > width) wrong.push(`the page is ${document.documentElement.scrollWidth} px wide`);

  const dialog = document.querySelector("dialog[open]");
  for (const button of (dialog ?? document).querySelectorAll("button:not(.card), .switch-row label, select, summary, .segments label")) {
    if (!shown(button)) continue;
    const { width: w, height: h } = box(button);
    if (h < 40 || w < 40) wrong.push(`${name(button)} is ${Math.round(w)} x ${Math.round(h)} px`);
  }

  // Names and codes may be cut short by an ellipsis; they stand in full elsewhere.
  const mayShorten = ".clip, .rival-name, .bar .code, .spectate-title p";
  const walker = document.createTreeWalker(dialog ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !shown(element) || element.closest(".unseen, svg, option, noscript, .card")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect();
    for (let up = element; up && up !== document.body; up = up.parentElement) {
      if (up.matches(mayShorten)) break;
      const { overflowX, overflowY } = getComputedStyle(up);
      if (["auto", "scroll"].includes(overflowX) || ["auto", "scroll"].includes(overflowY)) break;
      if (overflowX === "visible" && up !== element) continue;
      const edge = box(up);
      if (text.left < edge.left - 1.5 || text.right > edge.right + 1.5) {
        if (getComputedStyle(up).display !== "inline") wrong.push(`${name(element)} is cut off by ${name(up)}`);
      }
      if (overflowY === "hidden" && (text.top < edge.top - 2 || text.bottom > edge.bottom + 2)) wrong.push(`${name(element)} is cut off above or below`);
    }
    if (!element.closest(`.scroller, ${mayShorten}`) && (text.right > width + 1 || text.left < -1)) wrong.push(`${name(element)} leaves the page`);
  }

  const stock = document.querySelector("[data-testid=stock]");
  const { match, you, seats } = window.fairway.view ?? {};
  if (stock && match?.phase === "playing") {
    const waste = [...document.querySelectorAll(".board .card[data-pile=waste]")];
    const low = [["stock", box(stock)], ...waste.map((card) => ["waste", box(card)])];
    const at = low[0][1];
    if (at.left < 0 || at.top < 0 || at.right > width || at.bottom > innerHeight) wrong.push("the stock is not fully visible");
    for (const card of document.querySelectorAll('.board .card[data-pile^="column"]')) {
      if (box(card).left < 0 || box(card).right > width) wrong.push(`${card.dataset.card} leaves the page`);
      for (const [what, rect] of low) if (meet(box(card), rect)) wrong.push(`${card.dataset.card} meets the ${what}`);
    }
    for (const button of document.querySelectorAll(".table button:not(.card)")) {
      if (shown(button) && meet(box(button), at)) wrong.push(`${name(button)} meets the stock`);
    }
    if (!seats[you.seat].ended) {
      for (const toast of document.querySelectorAll(".toast")) {
        for (const [what, rect] of low) if (meet(box(toast), rect)) wrong.push(`the words meet the ${what}`);
      }
    }
    const top = document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2);
    if (!dialog && !stock.contains(top)) wrong.push("something lies on the stock");
  }
  return [...new Set(wrong)];
}
