// The demo page: a text, its findings, and the details of one. Nothing is sent anywhere.

import { Finder, normalize, parse } from 'urigrep';

/** Longer texts are cut: a browser cannot show so many marks. The library has no such limit. */
const MAX_SHOWN = 200_000;
/** Longer addresses are refused by some programs that people share links with. */
const MAX_SHARED = 30_000;

const EXAMPLE = `The film page (https://en.wikipedia.org/wiki/Rust_(film)) moved. Its
ISBN is urn:isbn:0-395-36341-1, the paper doi:10.1000/182. See also
<http://www.example.org/reports/
2026/q3.html>; never http://$HOST/status or TODO:later.

Unicode: http://bücher.example/größe?q=ü, and 日本語はhttps://例え.jp/です。
Blocked: hxxps://evil[.]example/gate. Beware of
http://bank.example.com@0x7f.1/login, http://a.example:99999/ and urn:isbn:0451450524.
Write to jo@example.org or visit www.example.com/a.
`;

const OPTIONS = [
  ['email', 'mail addresses', true],
  ['abbreviated', 'links without a scheme', true],
  ['identifiers', 'ISBN, DOI, …', false],
  ['refang', 'hxxp, [.]', false],
  ['embedded', 'URIs inside URIs', false],
  ['unwrap', 'behind redirectors', false],
  ['strict', 'strict', false],
  ['uts58', 'UTS #58', false],
];

const $ = (id) => document.getElementById(id);
const text = $('text');
const marks = $('marks');
const list = $('list');
const details = $('details');

let findings = [];
let chosen = -1;
/** The file whose start is the text, if it is too large to show. */
let cutFile;
const chosenOptions = Object.fromEntries(OPTIONS.map(([name, , on]) => [name, on]));

/** Creates an element; strings among the children are text, never HTML. */
function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function search() {
  forgetLink();
  const all = text.value;
  const shown = all.slice(0, MAX_SHOWN);
  const finder = new Finder(chosenOptions);
  const started = performance.now();
  const found = finder.explain(shown);
  const took = performance.now() - started;
  findings = $('rejected').checked ? found : found.filter((each) => each.reason === undefined);
  const matches = findings.filter((each) => each.reason === undefined).length;
  const rejected = findings.length - matches;
  $('count').textContent =
    `${matches} URI${matches === 1 ? '' : 's'}${rejected > 0 ? `, ${rejected} rejected` : ''}`;
  const whole = cutFile
    ? `a file of ${cutFile.size.toLocaleString('en')} bytes`
    : `${all.length.toLocaleString('en')} characters`;
  $('status').textContent =
    cutFile || all.length > MAX_SHOWN
      ? `Shown: the first ${shown.length.toLocaleString('en')} characters of ${whole}.`
      : `${all.length.toLocaleString('en')} characters in ${took.toFixed(1)} ms`;
  list.replaceChildren(...findings.map(row));
  drawMarks(shown);
  choose(findings.length === 0 ? -1 : Math.max(0, Math.min(chosen, findings.length - 1)));
}

function row(finding, at) {
  const isRejected = finding.reason !== undefined;
  const made = element(
    'li',
    {
      id: `finding-${at}`,
      className: isRejected ? 'rejected' : '',
      onclick: () => {
        choose(at);
        show(at);
      },
    },
    // People read an IRI, not its encoded form.
    visible(isRejected || finding.kind === 'iri' ? finding.text : finding.uri),
    element('small', {}, isRejected ? finding.reason : [finding.kind, ...finding.flags].join(', ')),
  );
  made.setAttribute('role', 'option');
  return made;
}

/** Draws the marks behind the text. Of URIs inside others only the outer one is marked. */
function drawMarks(shown) {
  const pieces = [];
  let done = 0;
  findings.forEach((finding, at) => {
    if (finding.start < done) return;
    const mark = element(
      'mark',
      { className: finding.reason === undefined ? '' : 'rejected' },
      shown.slice(finding.start, finding.end),
    );
    mark.dataset.at = at;
    pieces.push(shown.slice(done, finding.start), mark);
    done = finding.end;
  });
  // A line break at the end of a block takes no height without something after it.
  marks.replaceChildren(...pieces, `${shown.slice(done)}\n`);
  scroll();
}

function scroll() {
  marks.scrollTop = text.scrollTop;
}

function choose(at) {
  chosen = at;
  for (const [place, item] of [...list.children].entries())
    item.setAttribute('aria-selected', String(place === at));
  for (const mark of marks.querySelectorAll('mark'))
    mark.classList.toggle('chosen', Number(mark.dataset.at) === at);
  if (at >= 0) list.setAttribute('aria-activedescendant', `finding-${at}`);
  else list.removeAttribute('aria-activedescendant');
  draw(findings[at]);
}

/** Scrolls to a finding in the list and in the text. */
function show(at) {
  list.children[at]?.scrollIntoView({ block: 'nearest' });
  const mark = marks.querySelector(`mark[data-at="${at}"]`);
  if (!mark) return;
  const above = mark.offsetTop - 20;
  if (above < text.scrollTop || above > text.scrollTop + text.clientHeight - 60) text.scrollTop = above - 80;
  scroll();
}

function draw(finding) {
  if (!finding) {
    details.replaceChildren(
      element('p', {}, text.value ? 'No URI found.' : 'Paste a text, or drop a file on this page.'),
    );
    return;
  }
  const parts = finding.reason === undefined ? matchParts(finding) : rejectedParts(finding);
  details.replaceChildren(...parts, element('h3', {}, 'Rules that decided'), steps(finding));
}

function matchParts(finding) {
  const parsed = attempt(() => parse(finding.uri));
  const normal = attempt(() => normalize(finding.uri));
  const shown = ['scheme', 'userinfo', 'host', 'port', 'path', 'query', 'fragment', 'nid', 'nss'];
  const rows = shown
    .filter((name) => parsed && parsed[name] !== null && parsed[name] !== '')
    .map((name) => [name, parsed[name]]);
  const more = [
    ['kind', finding.kind],
    ['flags', finding.flags.join(', ')],
    ['identifier', finding.identifier],
    ['in the text', finding.text === finding.uri ? '' : visible(finding.text)],
    ['delimited by', finding.wrapper === 'none' ? '' : finding.wrapper],
    ['normalized', normal === finding.uri ? 'already' : normal],
    ['characters', `${finding.start} to ${finding.end}`],
  ];
  return [
    element('h2', {}, finding.uri),
    element('h3', {}, 'Parts'),
    table(rows),
    element('h3', {}, 'Match'),
    table(more.filter(([, value]) => value)),
  ];
}

function rejectedParts(finding) {
  const at = Math.min(finding.at - finding.start, finding.text.length);
  const [before, fault, after] = [
    finding.text.slice(0, at),
    finding.text.slice(at, at + 1),
    finding.text.slice(at + 1),
  ];
  return [
    element('h2', {}, visible(before), element('b', {}, visible(fault)), visible(after)),
    element(
      'p',
      { className: 'fault' },
      `Rejected: ${finding.message} (`,
      element('code', {}, finding.reason),
      ')',
    ),
  ];
}

function steps(finding) {
  if (finding.steps.length === 0) return element('p', {}, 'None.');
  return element(
    'ol',
    {},
    ...finding.steps.map(({ rule, what, text }) => {
      const isRule = /^D\d/.test(rule);
      const name = isRule
        ? element('a', { href: `rules.html#${rule}`, target: '_blank' }, rule)
        : element('b', {}, rule);
      return element('li', {}, name, ` ${what} `, text ? element('code', {}, visible(text)) : null);
    }),
  );
}

function table(rows) {
  const cells = ([name, value]) =>
    element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, value));
  return element('table', {}, element('tbody', {}, ...rows.map(cells)));
}

function attempt(call) {
  try {
    return call();
  } catch {
    return undefined;
  }
}

/**
 * Line breaks and tabs as pictures of themselves. What changes the direction of a text, so that `gpj.exe` reads `exe.jpg`,
 * is percent-encoded: no IRI should have it (RFC 3987 section 4.1).
 */
function visible(shown) {
  return shown
    .replace(/\r?\n/g, '␊')
    .replace(/\t/g, '␉')
    .replace(/\p{Bidi_Control}/gu, encodeURIComponent);
}

// The fragment holds the text and the options that differ from the defaults. Browsers do not send it.

function address() {
  const state = new URLSearchParams({ text: text.value });
  for (const [name, , on] of OPTIONS)
    if (chosenOptions[name] !== on) state.set(name, chosenOptions[name] ? '1' : '0');
  return `${location.href.split('#')[0]}#${state}`;
}

/** Takes the link out of the address of the page once it holds another text, which may be secret. */
function forgetLink() {
  const held = new URLSearchParams(location.hash.slice(1)).get('text');
  // A text area has line feeds only.
  if (held !== null && held.replace(/\r\n?/g, '\n') !== text.value)
    history.replaceState(null, '', location.href.split('#')[0]);
}

function restore() {
  const state = new URLSearchParams(location.hash.slice(1));
  if (!state.has('text')) return false;
  setText(state.get('text'));
  for (const [name, , on] of OPTIONS) {
    chosenOptions[name] = state.has(name) ? state.get(name) === '1' : on;
    $(`option-${name}`).checked = chosenOptions[name];
  }
  return true;
}

async function share() {
  const link = address();
  if (link.length > MAX_SHARED) {
    $('status').textContent = 'The text is too long for a link.';
    return;
  }
  history.replaceState(null, '', link);
  try {
    await navigator.clipboard.writeText(link);
    $('status').textContent = 'Copied a link that holds the text.';
  } catch {
    $('status').textContent = 'The address of this page holds the text now.';
  }
}

function setText(value, file) {
  text.value = value;
  cutFile = file;
}

/** Decodes a file, or its start, as browsers do: UTF-8, UTF-16 with its mark, or else windows-1252. */
function decode(bytes) {
  const names = { '255,254': 'utf-16le', '254,255': 'utf-16be' };
  const name = names[bytes.slice(0, 2).join()] ?? 'utf-8';
  try {
    // A character at the end may be cut.
    return new TextDecoder(name, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

async function open(file) {
  if (!file) return;
  const start = file.slice(0, 4 * MAX_SHOWN);
  setText(decode(new Uint8Array(await start.arrayBuffer())), start.size < file.size ? file : undefined);
  chosen = 0;
  search();
}

/** Moves to a finding before or after the chosen one, round the ends. */
function step(by) {
  moveTo((chosen + by + findings.length) % findings.length);
}

function moveTo(at) {
  if (findings.length === 0) return;
  choose(at);
  show(at);
}

function setTheme(theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  $('theme').textContent = `Theme: ${theme}`;
}

function start() {
  $('options').append(
    ...OPTIONS.map(([name, label, on]) =>
      element(
        'label',
        {},
        element('input', {
          type: 'checkbox',
          id: `option-${name}`,
          checked: on,
          onchange: ({ target }) => {
            chosenOptions[name] = target.checked;
            search();
          },
        }),
        ` ${label}`,
      ),
    ),
  );
  let waiting;
  text.addEventListener('input', () => {
    cutFile = undefined;
    clearTimeout(waiting);
    // The marks of a long text take longer than a keystroke.
    waiting = setTimeout(search, text.value.length > 20_000 ? 250 : 0);
  });
  text.addEventListener('scroll', scroll);
  document.addEventListener('selectionchange', () => {
    if (document.activeElement !== text) return;
    const caret = text.selectionStart;
    const at = findings.findIndex((each) => each.start <= caret && caret <= each.end);
    if (at >= 0 && at !== chosen) {
      choose(at);
      list.children[at].scrollIntoView({ block: 'nearest' });
    }
  });
  list.addEventListener('keydown', (event) => {
    const moves = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      Home: () => moveTo(0),
      End: () => moveTo(findings.length - 1),
    };
    if (Object.hasOwn(moves, event.key)) {
      moves[event.key]();
      event.preventDefault();
    }
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'F8') {
      step(event.shiftKey ? -1 : 1);
      event.preventDefault();
    }
    if (event.key === 'Escape') text.focus();
  });
  for (const name of ['dragover', 'dragleave', 'drop']) {
    document.addEventListener(name, (event) => {
      event.preventDefault();
      document.body.classList.toggle('dropping', name === 'dragover');
      if (name === 'drop') open(event.dataTransfer.files[0]);
    });
  }
  $('file').addEventListener('change', ({ target }) => open(target.files[0]));
  $('rejected').addEventListener('change', search);
  $('share').addEventListener('click', share);
  $('example').addEventListener('click', () => {
    setText(EXAMPLE);
    chosen = 0;
    search();
  });
  $('clear').addEventListener('click', () => {
    setText('');
    search();
    text.focus();
  });
  const themes = ['system', 'light', 'dark'];
  let theme = 0;
  $('theme').addEventListener('click', () => setTheme(themes[(theme = (theme + 1) % themes.length)]));
  addEventListener('hashchange', () => {
    if (restore()) search();
  });
  setTheme('system');
  if (!restore()) setText(EXAMPLE);
  search();
}

start();
