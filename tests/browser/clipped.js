// Lists the boxes whose text is taller than they are and cut off there. Evaluated by access.py in Hindi, whose letters
// reach further above and below the line than Latin ones.
() => {
  const wrong = [];
  for (const element of document.querySelectorAll("body *")) {
    if (element.closest("svg, .unseen, option, script") || !element.checkVisibility()) continue;
    if (![...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())) continue;
    const style = getComputedStyle(element);
    const name = `${element.tagName.toLowerCase()}.${element.className} "${element.textContent.trim().slice(0, 30)}"`;
    if (style.display === "inline") continue;
    if (style.overflowY !== "visible" && element.scrollHeight > element.clientHeight + 1) wrong.push(`${name}: ${element.scrollHeight} px of text in ${element.clientHeight} px`);
    const line = parseFloat(style.lineHeight) / parseFloat(style.fontSize);
    if (/[\u0900-\u097f]/.test(element.textContent) && line < 1.35 && element.clientHeight > 1.5 * parseFloat(style.lineHeight)) wrong.push(`${name}: lines ${line.toFixed(2)} apart`);
  }
  return wrong;
}
