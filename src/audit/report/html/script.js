"use strict";
(() => {
  const { $, element } = page;
  const all = JSON.parse($("findings").textContent);
  const summary = JSON.parse($("summary").textContent);
  $("sentence").textContent = summary.sentence;
  $("footer").textContent = `urigrep ${summary.version}: ${summary.documents} documents, ${summary.links} links`;
  const RANK = { error: 0, warning: 1, note: 2 };
  const host = row => { const m = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(row[7] || ""); return m ? m[1].toLowerCase() : "(no host)"; };
  const directory = row => row[2].includes("/") ? row[2].slice(0, row[2].lastIndexOf("/") + 1) : "./";
  const key = (row, by) => by === "host" ? host(row) : by === "directory" ? directory(row) : row[by];
  const text = all.map(row => `${row[2]}\n${row[5]}\n${row[6] || ""}\n${row[7] || ""}\n${row[1]}`.toLowerCase());
  let shown = [], sort = null, reverse = false, chosen = null, severities = new Set(), onlyFixable = false;
  const narrow = matchMedia("(max-width: 700px)");
  const list = page.list($("list"), $("rows"), {
    height: () => narrow.matches ? 84 : 54,
    line: index => line(all[index]),
    empty: () => all.length ? "No finding matches." : "No findings.",
  });
  function line(row) {
    const it = element("div", "row");
    it.append(element("div", row[0], row[0]), element("div", "check", row[1]));
    const place = element("div", "place");
    const code = element("code", "", `${row[2]}:${row[3]}:${row[4]}`);
    code.dir = "ltr";
    place.append(code);
    place.title = code.textContent;
    const what = element("div", "what");
    what.append(element("div", "", row[5]));
    const help = [row[6], row[8] === "safe" ? "fixable with --fix" : row[8] ? "fixable with --unsafe-fixes" : "", row[6] ? "" : row[7]].filter(Boolean).join(" · ");
    what.append(element("div", "help", help));
    what.title = row[5] + (row[7] ? "\n" + row[7] : "");
    it.append(place, what);
    return it;
  }
  function update() {
    const words = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean), by = $("group").value;
    const pass = [];
    for (let i = 0; i < all.length; i++) {
      const row = all[i];
      if (severities.size && !severities.has(row[0])) continue;
      if (onlyFixable && !row[8]) continue;
      if (!words.every(word => text[i].includes(word))) continue;
      pass.push(i);
    }
    const counts = new Map();
    for (const i of pass) { const k = key(all[i], by); counts.set(k, (counts.get(k) || 0) + 1); }
    shown = chosen === null ? pass : pass.filter(i => key(all[i], by) === chosen);
    if (sort !== null) {
      const value = i => sort === 0 ? RANK[all[i][0]] : all[i][sort];
      const compare = (a, b) => { const x = value(a), y = value(b); return x < y ? -1 : x > y ? 1 : a - b; };
      shown.sort((a, b) => reverse ? compare(b, a) : compare(a, b));
    }
    const top = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 40);
    if (chosen !== null && !top.some(([name]) => name === chosen)) top.unshift([chosen, counts.get(chosen) || 0]);
    $("totals").replaceChildren(...top.map(([name, count]) => {
      const item = element("li"), button = element("button", "", `${name} ${count}`);
      button.type = "button";
      button.setAttribute("aria-pressed", name === chosen);
      button.onclick = () => { chosen = chosen === name ? null : name; update(); [...$("totals").querySelectorAll("button")].find(it => it.textContent.startsWith(name))?.focus(); };
      item.append(button);
      return item;
    }));
    $("count").textContent = shown.length === all.length ? `${all.length} findings` : `${shown.length} of ${all.length} findings`;
    list.show(shown);
  }
  let timer;
  $("filter").oninput = () => { clearTimeout(timer); timer = setTimeout(update, 120); };
  $("group").onchange = () => { chosen = null; update(); };
  for (const button of document.querySelectorAll("[data-severity]")) {
    button.onclick = () => {
      const name = button.dataset.severity, on = !severities.has(name);
      on ? severities.add(name) : severities.delete(name);
      button.setAttribute("aria-pressed", on);
      update();
    };
  }
  $("fixable").onclick = () => { onlyFixable = !onlyFixable; $("fixable").setAttribute("aria-pressed", onlyFixable); update(); };
  for (const button of document.querySelectorAll("[data-sort]")) {
    button.onclick = () => { const by = Number(button.dataset.sort); reverse = sort === by && !reverse; sort = by; update(); };
  }
  update();
})();
