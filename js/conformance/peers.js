// The test tables of other finders. Each case is a text, and what must be found in it.

import { runInNewContext } from 'node:vm';
import { parse as parseYaml } from 'yaml';
import { file, list } from './fixtures.js';

/** How the cases of a suite are read. `expected` holds spans as they stand in the text, or with `by: 'href'` their targets. */
const WEB = { abbreviated: true, assumeScheme: 'http' };
const MAIL = { ...WEB, email: true };

/** The value of a literal of JavaScript, in a context that has nothing. */
const literal = (source, names = {}) => runInNewContext(`(${source})`, names, { timeout: 1000 });

const unescapeHtml = (text) =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name],
  );

/** The targets of the links in HTML. */
const hrefs = (html) => [...html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map((found) => unescapeHtml(found[1]));

function* linkifyIt() {
  const linked = file('markdown-it/linkify-it', 'test/fixtures/links.txt').split('\n');
  for (let at = 0; at < linked.length; at++) {
    const [text, next] = [linked[at], linked[at + 1] ?? ''].map((line) => line.replace(/^%.*/, ''));
    if (!text.trim()) continue;
    yield { id: `links.txt:${at + 1}`, text, expected: [next.trim() || text], by: 'first' };
    if (next.trim()) at++;
  }
  for (const [at, line] of file('markdown-it/linkify-it', 'test/fixtures/not_links.txt')
    .split('\n')
    .entries()) {
    const text = line.replace(/^%.*/, '');
    if (text.trim()) yield { id: `not_links.txt:${at + 1}`, text, expected: [] };
  }
}

function* linkifyjs() {
  const source = file('nfrasser/linkifyjs', 'test/spec/linkifyjs/parser.test.mjs');
  const table = source.slice(source.indexOf('const tests = ') + 14, source.indexOf('];\n\ndescribe') + 1);
  const cases = literal(table, { Text: 'text', Url: 'url', Email: 'email', Nl: 'nl' });
  for (const [at, [text, types, values]] of cases.entries()) {
    yield {
      id: `parser:${at}`,
      text,
      expected: values.filter((_, place) => ['url', 'email'].includes(types[place])),
    };
  }
}

function* twitterText() {
  const { tests } = parseYaml(file('twitter/twitter-text', 'conformance/extract.yml'));
  for (const table of ['urls', 'urls_with_directional_markers', 'tco_urls_with_params']) {
    for (const [at, { text, expected }] of (tests[table] ?? []).entries())
      yield { id: `${table}:${at}`, text, expected: (expected ?? []).map((each) => each.url ?? each) };
  }
}

function* autolinker() {
  const files = ['autolinker-url-scheme', 'autolinker-url-tld', 'autolinker-email', 'autolinker-url-ipv4'];
  const text = String.raw`('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")`;
  const pair = new RegExp(
    String.raw`utolinker\.link\(\s*${text},?\s*\);?\s*(?:\)|expect\(\w+\))\s*\.to\.(?:equal|be\.equal)\(\s*${text},?\s*\)`,
    'g',
  );
  for (const name of files) {
    for (const [at, found] of [
      ...file('gregjacobs/Autolinker.js', `tests/${name}.spec.ts`).matchAll(pair),
    ].entries()) {
      yield { id: `${name}:${at}`, text: literal(found[1]), expected: hrefs(literal(found[2])), by: 'href' };
    }
  }
}

function* xurls() {
  const source = file('mvdan/xurls', 'xurls_test.go');
  const tables = [
    ['both', source.indexOf('var constantTestCases'), source.indexOf('func TestRegexes')],
    ['relaxed', source.indexOf('"Relaxed2"'), source.indexOf('"Strict2"')],
    ['strict', source.indexOf('"Strict2"'), source.indexOf('func TestStrictMatchingSchemeError')],
  ];
  for (const [table, start, end] of tables) {
    const rows = source
      .slice(start, end)
      .matchAll(/^\s*\{(`[^`]*`|"(?:[^"\\]|\\.)*"), (nil|true|`[^`]*`|"(?:[^"\\]|\\.)*")\},$/gm);
    for (const [at, [, input, want]] of [...rows].entries()) {
      const value = (source) => (source.startsWith('`') ? source.slice(1, -1) : JSON.parse(source));
      const text = value(input);
      const expected = want === 'nil' ? [] : [want === 'true' ? text : value(want)];
      yield { id: `${table}:${at}`, text, expected, by: 'first', options: table === 'strict' ? {} : MAIL };
    }
  }
}

/** The two libraries of one author mark links with bars. */
function* barred(name, source, linked, notLinked) {
  const text = String.raw`"((?:[^"\\]|\\.)*)"`;
  const rows = source.matchAll(
    new RegExp(String.raw`\b(?:${linked}\(\s*${text},\s*${text},?|${notLinked}\(\s*${text},?)\s*\)`, 'g'),
  );
  // JavaScript reads the escapes of both languages; a string of Rust may hold a line break.
  const value = (source) => literal(`"${source.replace(/\n/g, '\\n')}"`);
  for (const [at, [, input, marked, other]] of [...rows].entries()) {
    if (input === undefined) yield { id: `${name}:${at}`, text: value(other), expected: [] };
    // A bar of the text can't be told from a mark.
    else if (!input.includes('|'))
      yield {
        id: `${name}:${at}`,
        text: value(input),
        expected: value(marked)
          .split('|')
          .filter((_, place) => place % 2 === 1),
      };
  }
}

function* robinst() {
  for (const name of ['url', 'email']) {
    const source = file('robinst/linkify', `tests/${name}.rs`);
    for (const each of barred(name, source, 'assert_linked', 'assert_not_linked'))
      yield { ...each, options: name === 'email' ? { email: true } : {} };
  }
}

function* autolinkJava() {
  for (const [name, options] of [
    ['Url', {}],
    ['Email', { email: true }],
    ['Www', { abbreviated: true }],
  ]) {
    const source = file('robinst/autolink-java', `src/test/java/org/nibor/autolink/Autolink${name}Test.java`);
    for (const each of barred(name, source, 'assertLinked', 'assertNotLinked')) yield { ...each, options };
  }
}

/** The examples of a specification in Markdown: texts and HTML. */
function* examples(source, id) {
  for (const [at, found] of [
    ...source.matchAll(/^`{32} example[^\n]*\n([^]*?)^\.\n([^]*?)^`{32}$/gm),
  ].entries()) {
    yield { id: `${id}:${at + 1}`, text: found[1].replaceAll('→', '\t'), html: found[2] };
  }
}

function* commonmark() {
  const spec = file('commonmark/commonmark-spec', 'spec.txt');
  const section = spec.slice(spec.indexOf('\n## Autolinks'), spec.indexOf('\n## Raw HTML'));
  // A text in `<…>` is a URI or an address; one without a link is not.
  for (const { id, text, html } of examples(section, 'autolinks'))
    yield { id, text, expected: hrefs(html), by: 'href' };
}

function* gfm() {
  const spec = file('github/cmark-gfm', 'test/spec.txt');
  const section = spec.slice(spec.indexOf('\n## Autolinks (extension)'), spec.indexOf('\n## Raw HTML'));
  for (const { id, text, html } of examples(section, 'extension'))
    yield { id, text, expected: hrefs(html), by: 'href' };
  const more = file('github/cmark-gfm', 'test/extensions.txt');
  const autolinks = more.slice(more.indexOf('\n## Autolinks'), more.indexOf('\n## HTML tag filter'));
  for (const { id, text, html } of examples(autolinks, 'extensions')) {
    // Each paragraph is a case of its own; a link of Markdown is not an autolink.
    const paragraphs = [text.split(/\n\n/), html.trim().split(/\n(?=<p>)/)];
    if (paragraphs[0].length !== paragraphs[1].length) yield { id, text, expected: hrefs(html), by: 'href' };
    else
      for (const [at, paragraph] of paragraphs[0].entries())
        yield { id: `${id}.${at + 1}`, text: paragraph, expected: hrefs(paragraphs[1][at]), by: 'href' };
  }
}

function* urlRegex() {
  const source = file('kevva/url-regex', 'test.js');
  const tables = [...source.matchAll(/test\('([^']*)', t => \{\n\tconst fixtures = (\[[^]*?\n\t\]);/g)];
  for (const [, title, table] of tables) {
    const isLinked = !title.startsWith('do not');
    const isStrict = !title.includes('TLD');
    for (const [at, text] of literal(table).entries()) {
      // Strictly, all of the text must be one URL; so a text is none where only a part of it is one.
      yield {
        id: `${title.replaceAll(' ', '-')}:${at}`,
        text,
        expected: [text],
        by: isLinked ? undefined : 'not-whole',
        options: isStrict ? { abbreviated: text.startsWith('www.') } : WEB,
      };
    }
  }
}

/** Pairs of a call and its HTML, in Python or Ruby. */
function* bleach() {
  const text = String.raw`'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"`;
  const source = file('mozilla/bleach', 'tests/test_linkify.py');
  const pair = new RegExp(String.raw`linkify\(\s*(?:${text})\s*\)\s*==\s*(?:${text})`, 'g');
  for (const [at, found] of [...source.matchAll(pair)].entries()) {
    const [input, html] = [found[1] ?? found[2], found[3] ?? found[4]];
    if (/\\[^'"]/.test(input + html)) continue;
    yield {
      id: `linkify:${at}`,
      text: input.replace(/\\(.)/g, '$1'),
      expected: hrefs(html.replace(/\\(.)/g, '$1')),
      by: 'href',
    };
  }
}

function* urlExtract() {
  const source = file('lipoja/URLExtract', 'tests/unit/test_find_urls.py');
  const text = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")`;
  const tuple = new RegExp(String.raw`\(\s*(${text}),\s*(\[\s*(?:${text},?\s*)*\]),?\s*\)`, 'g');
  for (const [at, found] of [...source.matchAll(tuple)].entries()) {
    yield { id: `find_urls:${at}`, text: literal(found[1]), expected: literal(found[2]) };
  }
}

function* rinku() {
  const source = file('vmg/rinku', 'test/autolink_test.rb');
  for (const [table, words] of [...source.matchAll(/urls = %w\(([^]*?)\n\s*\)/g)].entries()) {
    for (const [at, url] of words[1].trim().split(/\s+/).entries()) {
      yield { id: `table-${table}:${at}`, text: url, expected: [url], options: WEB };
    }
  }
  for (const [at, found] of [...source.matchAll(/^\s+link\d*_raw = '([^']*)'/gm)].entries()) {
    for (const [form, text] of [
      [0, `Go to ${found[1]}.`],
      [1, `(${found[1]})`],
      [2, `${found[1]}, then`],
    ]) {
      yield { id: `raw:${at}.${form}`, text, expected: [found[1]], options: WEB };
    }
  }
}

export const PEERS = [
  {
    name: 'linkify-it',
    repository: 'markdown-it/linkify-it',
    about: 'links.txt and not_links.txt, through `urigrep/linkify-it`',
    cases: linkifyIt,
    options: { linkifyIt: true },
  },
  {
    name: 'linkifyjs',
    repository: 'nfrasser/linkifyjs',
    about: 'the table of its parser',
    cases: linkifyjs,
    options: MAIL,
  },
  {
    name: 'twitter-text',
    repository: 'twitter/twitter-text',
    about: 'extract.yml: URLs',
    cases: twitterText,
    options: WEB,
  },
  {
    name: 'Autolinker.js',
    repository: 'gregjacobs/Autolinker.js',
    about: 'calls with one text and its HTML',
    cases: autolinker,
    options: MAIL,
  },
  {
    name: 'xurls',
    repository: 'mvdan/xurls',
    about: 'relaxed and strict tables',
    cases: xurls,
    options: MAIL,
  },
  {
    name: 'linkify (Rust)',
    repository: 'robinst/linkify',
    about: 'URLs and addresses',
    cases: robinst,
    options: {},
  },
  {
    name: 'autolink-java',
    repository: 'robinst/autolink-java',
    about: 'URLs, `www.`, and addresses',
    cases: autolinkJava,
    options: {},
  },
  {
    name: 'url-regex',
    repository: 'kevva/url-regex',
    about: 'strict and with TLDs',
    cases: urlRegex,
    options: WEB,
  },
  {
    name: 'URLExtract',
    repository: 'lipoja/URLExtract',
    about: 'test_find_urls.py',
    cases: urlExtract,
    options: WEB,
  },
  {
    name: 'bleach',
    repository: 'mozilla/bleach',
    about: '`linkify` with its defaults',
    cases: bleach,
    options: WEB,
  },
  { name: 'Rinku', repository: 'vmg/rinku', about: 'the URLs of its tables', cases: rinku, options: WEB },
  {
    name: 'CommonMark autolinks',
    repository: 'commonmark/commonmark-spec',
    about: 'section Autolinks',
    cases: commonmark,
    options: { email: true },
  },
  {
    name: 'GFM autolinks',
    repository: 'github/cmark-gfm',
    about: 'section Autolinks (extension), and extensions.txt',
    cases: gfm,
    options: MAIL,
  },
];

export { list };
