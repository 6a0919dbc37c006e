"use strict";
// What all pages share: elements, and a list that shows only the rows in sight, so that 100,000 of
// them take no longer than a few.
const page = (() => {
  const $ = id => document.getElementById(id);
  // Browsers limit the height of an element: beyond this, the scroll position is scaled.
  const MAX_HEIGHT = 8000000;

  function element(tag, name, content) {
    const it = document.createElement(tag);
    if (name) it.className = name;
    if (content !== undefined) it.textContent = content;
    return it;
  }
  function list(box, rows, { height, line, empty }) {
    let shown = [];
    function draw() {
      const h = height(), total = shown.length * h, full = Math.min(total, MAX_HEIGHT);
      rows.style.height = full + "px";
      const room = box.clientHeight, scroll = box.scrollTop;
      const at = full > room && total > full ? scroll / (full - room) * (total - room) : scroll;
      const first = Math.max(0, Math.floor(at / h) - 3), last = Math.min(shown.length, Math.ceil((at + room) / h) + 3);
      const part = document.createDocumentFragment();
      for (let i = first; i < last; i++) {
        const it = line(shown[i]);
        it.style.top = `${i * h - at + scroll}px`;
        part.append(it);
      }
      if (!shown.length) part.append(element("p", "empty", empty()));
      rows.replaceChildren(part);
    }
    box.onscroll = () => requestAnimationFrame(draw);
    addEventListener("resize", draw);
    return { show(items) { shown = items; box.scrollTop = 0; draw(); } };
  }
  return { $, element, list };
})();
