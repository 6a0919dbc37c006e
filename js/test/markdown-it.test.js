// No text is lost or doubled when markdown-it makes links with urigrep, in every version that has other rules for links.

import assert from 'node:assert/strict';
import test from 'node:test';
import MarkdownIt12 from 'markdown-it-12';
import MarkdownIt13 from 'markdown-it-13';
import MarkdownIt14 from 'markdown-it-14';
import MarkdownIt15 from 'markdown-it';
import { markdownIt } from 'urigrep/linkify-it';

/** Up to 12, only the text that is left is searched for links; since 13, the source is, too. */
const VERSIONS = { 12: MarkdownIt12, 13: MarkdownIt13, 14: MarkdownIt14, 15: MarkdownIt15 };
const PAIRS = Object.entries(VERSIONS).map(([version, MarkdownIt]) => ({
  version,
  plain: new MarkdownIt(),
  linked: new MarkdownIt({ linkify: true }).use(markdownIt, { fuzzyLink: true }),
}));

const TEXTS = 500;

/** What is between links, and may be inside one. */
const WORDS = ['cat', 'dog', 'Größe', '日本', '😀', '50%', 'a_b', 'x'];
const STARTS = [
  'https://a.example/',
  'http://b.example',
  'ftp://c.example/',
  'HTTPS://D.example/e/',
  '//e.example/',
  'www.f.example/',
  'mailto:jo@g.example',
  'jo@h.example',
  'i.example.com/',
  'http://é.example/',
  'https\\://j.example/',
];
const PIECES = [
  '{x}',
  '{x\\_y}',
  '%zz',
  '%7Bx%7D',
  '50%-off',
  "'x'",
  '"x"',
  'a^b',
  'a\\_b',
  '\\(x\\)',
  '\\*',
  'a|b',
  '`',
  '[x]',
  '<',
  '&amp;b=c',
  '&#95;',
  '&copy',
  '?q=é',
  '\\u00e9',
  '%C3%A9',
  '%C3é',
  '(x)',
  '(x',
  'x)',
  '#f',
  '...',
  '…',
  '\\\\',
  '*',
  '**',
  '_',
  '~~',
  '😀',
  '\u202e',
  '//x',
  ':80/',
  '.',
  ',',
  ';',
];
const BETWEEN = [
  ' ',
  ' ',
  ' ',
  '\n',
  '  \n',
  '\\\n',
  '(',
  ') ',
  '<',
  '> ',
  '"',
  '" ',
  '*',
  '* ',
  '**',
  ', ',
  '\\',
  '\u00a0',
];

/** A generator of numbers that are the same in each run (mulberry32). */
function random(seed) {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

function textOf(seed) {
  const below = random(seed);
  const one = (list) => list[below(list.length)];
  let text = '';
  for (let count = 2 + below(5); count > 0; count--) {
    text += one(WORDS) + one(BETWEEN);
    if (below(3) > 0) {
      text += one(STARTS);
      for (let pieces = below(4); pieces > 0; pieces--) text += one(below(2) ? PIECES : WORDS);
      text += one(BETWEEN);
    }
  }
  // Without links, this would be one of Markdown's own.
  return `${text}end${seed}`.replaceAll('](', '],(');
}

/** The text of all tokens. */
function shown(md, source) {
  return md
    .parse(source, {})
    .flatMap((token) => token.children ?? [])
    .map(({ type, content }) => (/break$/.test(type) ? '\n' : content))
    .join('');
}

const MARKUP = /[*_~`\\]/g;

/**
 * Text without what may be markup in one reading and not in the other: markdown-it shows a link with its percent-encoding
 * decoded, and what is an escape, an entity, or emphasis elsewhere is not within one.
 */
function comparable({ utils }, text) {
  const read = utils.unescapeAll(text.replace(/\\u00e9/g, 'é'));
  const plain = utils.unescapeAll(read).replace(MARKUP, '');
  return utils.lib.mdurl.decode(plain, '').replace(MARKUP, '');
}
for (const { version, plain, linked } of PAIRS) {
  test(`markdown-it ${version} loses and doubles no text`, () => {
    for (let seed = 1; seed <= TEXTS; seed++) {
      const source = textOf(seed);
      const [expected, actual] = [plain, linked].map((md) => comparable(md, shown(md, source)));
      assert.equal(actual, expected, `seed ${seed}: ${JSON.stringify(source)}`);
    }
  });
}

test('markdown-it goes on where a link ends', () => {
  const html = {
    'https://a.example/{x} cat': '<a href="https://a.example/%7Bx%7D">https://a.example/{x}</a> cat',
    'https://a.example/%zz cat': '<a href="https://a.example/%25zz">https://a.example/%zz</a> cat',
    'https://a.example/50%-off cat':
      '<a href="https://a.example/50%25-off">https://a.example/50%-off</a> cat',
    'https://a.example/"x" cat':
      '<a href="https://a.example/%22x%22">https://a.example/&quot;x&quot;</a> cat',
    'https://a.example/a^b cat': '<a href="https://a.example/a%5Eb">https://a.example/a^b</a> cat',
    'https://a.example/a\\_b cat': '<a href="https://a.example/a_b">https://a.example/a_b</a> cat',
    'https://a.example/\\(x\\) cat': '<a href="https://a.example/(x)">https://a.example/(x)</a> cat',
    'https://a.example/{a\\_b} cat': '<a href="https://a.example/%7Ba_b%7D">https://a.example/{a_b}</a> cat',
    'https://a.example/a\\u00e9 cat': '<a href="https://a.example/a%C3%A9">https://a.example/aé</a> cat',
    '**https://a.example/a\\_b** cat':
      '<strong><a href="https://a.example/a_b">https://a.example/a_b</a></strong> cat',
  };
  // Up to 12, markdown-it has no rule that reads links in the source.
  for (const { version, linked } of PAIRS.filter(({ version }) => version > 12)) {
    for (const [source, expected] of Object.entries(html))
      assert.equal(linked.render(source), `<p>${expected}</p>\n`, `markdown-it ${version}: ${source}`);
  }
});
