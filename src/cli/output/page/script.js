(() => {
  const { $, element } = page;
  const data = JSON.parse($("data").textContent);
  const rows = data.rows;
  $("sentence").textContent = data.sentence;
  $("footer").textContent = `urigrep ${data.version}`;
  const number = n => n.toLocaleString("en");
  // The columns of a row by which it can be chosen.
  const COLUMN = { file: 2, scheme: 4, host: 5, domain: 6, nid: 7 };
  const SHORT = 8;
  const text = rows.map(row => `${row[0]}\n${row[2]}`.toLowerCase());
  const narrow = matchMedia("(max-width: 700px)");
  const chosen = new Map(), long = new Set(), boxes = new Map();
  let words = [], sort = null, reverse = false;

  const list = page.list($("list"), $("rows"), {
    height: () => narrow.matches ? 60 : 36,
    line: index => {
      const row = rows[index], it = element("div", "row");
      const uri = element("div"), place = element("div", "place");
      uri.append(element("code", "", row[0]));
      place.append(element("code", "", row[3] ? `${row[2]}:${row[3]}` : row[2]));
      uri.title = row[0];
      place.title = place.textContent;
      it.append(element("div", "number", number(row[1])), uri, place);
      return it;
    },
    empty: () => rows.length ? "No URI matches." : "No URIs.",
  });
  function passes(index, but) {
    const row = rows[index];
    for (const [key, value] of chosen) if (key !== but && row[COLUMN[key]] !== value) return false;
    return words.every(word => text[index].includes(word));
  }
  // The totals of the run; once something is chosen, those of the rows that pass the other choices.
  function items(chart) {
    if (!(chart.key in COLUMN) || !words.length && ![...chosen.keys()].some(key => key !== chart.key)) return chart.items;
    const counts = new Map();
    for (let i = 0; i < rows.length; i++) {
      const name = rows[i][COLUMN[chart.key]];
      if (name && passes(i, chart.key)) counts.set(name, (counts.get(name) || 0) + rows[i][1]);
    }
    return [...counts].sort((a, b) => b[1] - a[1]).slice(0, 100);
  }
  function bars(chart, box) {
    const all = items(chart), most = Math.max(1, ...all.map(item => item[1]));
    const shown = long.has(chart.key) ? all : all.slice(0, SHORT);
    const value = chosen.get(chart.key);
    if (value !== undefined && !shown.some(item => item[0] === value)) shown.unshift([value, 0]);
    box.replaceChildren(...shown.map(([name, count]) => {
      const item = element("li"), isButton = chart.key in COLUMN;
      const bar = element(isButton ? "button" : "div", "bar");
      bar.style.setProperty("--part", `${100 * count / most}%`);
      bar.append(element("span", "name", name), element("span", "number", number(count)));
      bar.title = name;
      if (isButton) {
        bar.type = "button";
        bar.setAttribute("aria-pressed", value === name);
        bar.onclick = () => choose(chart.key, name);
      }
      item.append(bar);
      return item;
    }));
    if (all.length > SHORT) {
      const item = element("li"), more = element("button", "more", long.has(chart.key) ? "fewer" : chart.distinct > all.length ? `the first ${all.length}` : `${all.length - SHORT} more`);
      more.type = "button";
      more.onclick = () => { long.has(chart.key) ? long.delete(chart.key) : long.add(chart.key); bars(chart, box); box.querySelector(".more").focus(); };
      item.append(more);
      box.append(item);
    }
  }
  function time(chart) {
    const box = element("div"), columns = element("div", "time"), span = element("div", "span");
    const day = text => Date.parse(text + "T00:00:00Z") / 86400000;
    const first = day(chart.items[0][0]), last = day(chart.items[chart.items.length - 1][0]);
    const days = Math.max(1, Math.ceil((last - first + 1) / 60)), counts = [];
    for (const [name, count] of chart.items) {
      const at = Math.floor((day(name) - first) / days);
      counts[at] = (counts[at] || 0) + count;
    }
    const most = Math.max(...counts.filter(Boolean));
    const date = at => new Date((first + at * days) * 86400000).toISOString().slice(0, 10);
    for (let at = 0; at < counts.length; at++) {
      const column = element("div");
      column.style.height = `${100 * (counts[at] || 0) / most}%`;
      column.title = `${date(at)}${days > 1 ? ` and ${days - 1} days after` : ""}: ${number(counts[at] || 0)}`;
      columns.append(column);
    }
    columns.setAttribute("role", "img");
    columns.setAttribute("aria-label", `Matches from ${chart.items[0][0]} to ${chart.items[chart.items.length - 1][0]}`);
    span.append(element("span", "", chart.items[0][0]), element("span", "", chart.items[chart.items.length - 1][0]));
    box.append(columns, span);
    return box;
  }
  function choose(key, name) {
    chosen.get(key) === name ? chosen.delete(key) : chosen.set(key, name);
    update();
    const bars = [...boxes.get(key).querySelectorAll("button.bar")];
    bars.find(bar => bar.firstChild.textContent === name)?.focus();
  }
  function update() {
    words = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const pass = [];
    let matches = 0;
    for (let i = 0; i < rows.length; i++) if (passes(i)) { pass.push(i); matches += rows[i][1]; }
    if (sort !== null) {
      const compare = (a, b) => { const x = rows[a][sort], y = rows[b][sort]; return x < y ? -1 : x > y ? 1 : a - b; };
      pass.sort((a, b) => reverse ? compare(b, a) : compare(a, b));
    }
    for (const chart of data.charts) if (boxes.has(chart.key)) bars(chart, boxes.get(chart.key));
    $("chosen").replaceChildren(...[...chosen].map(([key, name]) => {
      const button = element("button", "", `${key}: ${name} ×`);
      button.type = "button";
      button.onclick = () => { chosen.delete(key); update(); $("filter").focus(); };
      return button;
    }));
    const isAll = pass.length === rows.length;
    const rest = data.left_out ? `; ${number(data.left_out)} rarer rows are only in the charts` : "";
    $("count").textContent = (isAll ? `${number(rows.length)} rows` : `${number(pass.length)} of ${number(rows.length)} rows, ${number(matches)} matches`) + rest;
    list.show(pass);
  }
  let opened = 0;
  for (const chart of data.charts) {
    if (!chart.items.length) continue;
    const it = element("details", "chart"), title = element("summary", "", chart.name);
    title.append(element("span", "", (chart.is_about ? "over " : "") + number(chart.distinct)));
    it.open = !narrow.matches || opened++ < 1;
    it.append(title);
    if (chart.key === "day") {
      it.append(time(chart));
    } else {
      const box = element("ol");
      boxes.set(chart.key, box);
      it.append(box);
    }
    $("charts").append(it);
  }
  let timer;
  $("filter").oninput = () => { clearTimeout(timer); timer = setTimeout(update, 120); };
  for (const button of document.querySelectorAll("[data-sort]")) {
    button.onclick = () => { const by = Number(button.dataset.sort); reverse = sort === by ? !reverse : by === 1; sort = by; update(); };
  }
  update();
})();
