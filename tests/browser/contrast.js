// Measures the contrast of every text that is seen against what lies behind it, and lists what WCAG AA doesn't allow.
// Evaluated by access.py. Of a gradient each of its colours counts; pictures (svg) are the palette's test.
() => {
  const parse = (text) => {
    const srgb = /color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)(?: \/ ([\d.]+))?\)/.exec(text);
    if (srgb) return [srgb[1] * 255, srgb[2] * 255, srgb[3] * 255, srgb[4] === undefined ? 1 : Number(srgb[4])];
    const rgb = /rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)/.exec(text);
    return rgb ? [Number(rgb[1]), Number(rgb[2]), Number(rgb[3]), rgb[4] === undefined ? 1 : Number(rgb[4])] : [0, 0, 0, 0];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((part) => (part /= 255) <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ratio = (one, other) => {
    const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  const hex = (colour) => `#${colour.slice(0, 3).map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

  /** All colours that may lie behind an element's text. */
  const known = new Map();
  const behind = (element) => {
    if (!element) return [parse("rgb(255, 255, 255)")];
    if (known.has(element)) return known.get(element);
    const style = getComputedStyle(element);
    const own = parse(style.backgroundColor);
    const image = style.backgroundImage.includes("gradient") && style.backgroundSize === "auto" ? style.backgroundImage : "";
    const stops = (image.match(/rgba?\([^)]*\)|color\(srgb [^)]*\)/g) ?? []).map(parse).filter((colour) => colour[3] > 0);
    let found;
    if (stops.length && stops.every((colour) => colour[3] === 1)) found = stops;
    else if (own[3] === 1) found = [own];
    else {
      const under = behind(element.closest("dialog") === element ? null : element.parentElement);
      found = own[3] ? under.map((colour) => over(own, colour)) : under;
    }
    known.set(element, found);
    return found;
  };

  const wrong = new Set();
  const check = (element, text, colour, style, opacity) => {
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    for (const back of behind(element)) {
      const front = over([colour[0], colour[1], colour[2], colour[3] * opacity], back);
      const found = ratio(front, back);
      if (found < (large ? 3 : 4.5) - 0.005) wrong.add(`${element.tagName.toLowerCase()}.${element.className} "${text.trim().slice(0, 30)}": ${hex(front)} on ${hex(back)} is ${found.toFixed(2)}`);
    }
  };
  const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (element.closest(".unseen, svg, noscript, script, option, :disabled, [aria-disabled]")) continue;
    let opacity = 1;
    for (let up = element; up; up = up.parentElement) opacity *= Number(getComputedStyle(up).opacity);
    const style = getComputedStyle(element);
    check(element, node.data, parse(style.color), style, opacity);
  }
  for (const input of top.querySelectorAll("input[placeholder], textarea[placeholder]")) {
    if (input.value || !input.checkVisibility()) continue;
    const style = getComputedStyle(input, "::placeholder");
    check(input, input.placeholder, parse(style.color), style, Number(style.opacity));
  }
  return [...wrong];
}
