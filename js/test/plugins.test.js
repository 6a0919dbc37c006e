import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import test from 'node:test';
import MarkdownIt from 'markdown-it';
import { remark } from 'remark';
import { Finder } from 'urigrep';
import LinkifyIt, { linkifyit, markdownIt } from 'urigrep/linkify-it';
import remarkUrigrep from 'urigrep/remark';

const shape = (matches) =>
  matches?.map(({ schema, index, lastIndex, raw, text, url }) => ({
    schema,
    index,
    lastIndex,
    raw,
    text,
    url,
  }));

test('matches have the shape of linkify-it', () => {
  const linkify = new LinkifyIt({ fuzzyLink: true });
  assert.deepEqual(shape(linkify.match('😀 (www.example.com/a_(b)), JO@example.org HTTP://a.example/.')), [
    {
      schema: '',
      index: 4,
      lastIndex: 25,
      raw: 'www.example.com/a_(b)',
      text: 'www.example.com/a_(b)',
      url: 'http://www.example.com/a_(b)',
    },
    {
      schema: 'mailto:',
      index: 28,
      lastIndex: 42,
      raw: 'JO@example.org',
      text: 'JO@example.org',
      url: 'mailto:JO@example.org',
    },
    {
      schema: 'http:',
      index: 43,
      lastIndex: 60,
      raw: 'HTTP://a.example/',
      text: 'HTTP://a.example/',
      url: 'HTTP://a.example/',
    },
  ]);
  assert.equal(linkify.match('no link'), null);
  assert.equal(linkifyit().match('www.example.com'), null);
  assert.equal(linkify.test('a.example.com'), true);
  assert.equal(linkify.pretest('plain'), false);
});

test('links without a scheme, addresses, and hosts after //', () => {
  const linkify = new LinkifyIt({ fuzzyLink: true });
  const raw = (text) => linkify.match(text)?.map((m) => m.raw) ?? [];
  assert.deepEqual(raw('see //example.com/a. and a//b'), ['//example.com/a']);
  assert.deepEqual(raw('192.168.1.1/a'), []);
  linkify.set({ fuzzyIP: true });
  assert.deepEqual(raw('192.168.1.1/a, v1.2.3.4.5, 999.1.1.1, 1.2.3.256/b'), ['192.168.1.1/a']);
  assert.deepEqual(raw('printer.lan/a'), []);
  linkify.tlds('lan', true);
  assert.deepEqual(raw('printer.lan/a, example.com.'), ['printer.lan/a', 'example.com']);
  linkify.tlds(['org']);
  assert.deepEqual(raw('example.com example.org/a'), ['example.org/a']);
  assert.deepEqual(
    new LinkifyIt({ fuzzyLink: true, tlds: ['org'] }).match('a.org b.com').map((m) => m.raw),
    ['a.org'],
  );
  linkify.set({ fuzzyEmail: false });
  assert.deepEqual(raw('jo@example.org'), []);
});

test('schemas can be added and removed', () => {
  const linkify = new LinkifyIt();
  linkify.add('@', {
    validate: (text, pos) => text.slice(pos).match(/^[a-z0-9_]{1,15}/)?.[0].length ?? 0,
    normalize: (match) => {
      match.url = `https://social.example/${match.raw.slice(1)}`;
    },
  });
  assert.deepEqual(
    linkify.match('hi @jo_1, not a@b').map((m) => [m.schema, m.raw, m.url]),
    [['@', '@jo_1', 'https://social.example/jo_1']],
  );
  assert.equal(linkify.testSchemaAt('@jo', '@', 1), 2);
  assert.equal(linkify.testSchemaAt('see http://a.example/b.', 'http:', 9), 13);
  linkify.add('ftp:', null).add('git:', 'http:');
  assert.deepEqual(
    linkify.match('ftp://a.example git://b.example').map((m) => m.raw),
    ['git://b.example'],
  );
  assert.equal(new LinkifyIt({ 'x:': { validate: /^\d+/ } }).match('x:12')[0].raw, 'x:12');
});

test('a normalizer of its own may search', () => {
  class Searching extends LinkifyIt {
    normalize(match) {
      super.normalize(match);
      new Finder().find('http://other.example/ '.repeat(9));
    }
  }
  const found = new Searching().match('http://a.example/ jo@b.example http://c.example/ http://d.example/');
  assert.deepEqual(
    found.map((match) => match.raw),
    ['http://a.example/', 'jo@b.example', 'http://c.example/', 'http://d.example/'],
  );
});

test('matchAtStart takes no link that has no scheme', () => {
  const linkify = new LinkifyIt({ fuzzyLink: true });
  assert.equal(linkify.matchAtStart('http://a.example/b) c').raw, 'http://a.example/b');
  assert.equal(linkify.matchAtStart('example.com'), null);
  assert.equal(linkify.matchAtStart('jo@example.org'), null);
  assert.equal(linkify.matchAtStart(' http://a.example'), null);
});

test('markdown-it', () => {
  const md = new MarkdownIt({ linkify: true });
  const source =
    'a https://en.example/wiki/Rust_(film), *http://a.example/b*, `http://c.example`, jo@example.org, http://é.example/é';
  const original = md.render(source);
  md.linkify = new LinkifyIt();
  assert.equal(md.render(source), original);
  assert.match(original, /xn--/);
  md.linkify.set({ fuzzyLink: true });
  assert.equal(md.render('www.example.com'), '<p><a href="http://www.example.com">www.example.com</a></p>\n');
  assert.equal(md.render('javascript://a.example'), '<p>javascript://a.example</p>\n');
  const other = new MarkdownIt({ linkify: true }).use(markdownIt, { fuzzyLink: true });
  assert.equal(other.render('www.example.com'), md.render('www.example.com'));
  assert.ok(LinkifyIt() instanceof LinkifyIt);
});

test('CommonJS', () => {
  const { LinkifyIt: Required } = createRequire(import.meta.url)('urigrep/linkify-it');
  assert.equal(new Required().match('http://a.example')[0].url, 'http://a.example');
});

test('remark', async () => {
  const process = async (source, options) =>
    String(await remark().use(remarkUrigrep, options).process(source));
  assert.equal(
    await process(
      'see https://a.example/b_(c). [x http://b.example](c.md) `http://d.example` *urn:example:a http://e.example*\n',
    ),
    'see <https://a.example/b_(c)>. [x http://b.example](c.md) `http://d.example` *urn:example:a <http://e.example>*\n',
  );
  const options = { finder: new Finder({ abbreviated: true }), schemes: ['https'] };
  assert.equal(
    await process('www.example.com http://a.example\n', options),
    '[www.example.com](https://www.example.com) http://a.example\n',
  );
});

test('remark with wrong options', () => {
  const wrong = [
    [{ shemes: ['https'] }, /there is no option `shemes`/],
    [{ schemes: 'https' }, /`schemes` must be an array of words/],
    [{ schemes: [1] }, /`schemes` must be a word/],
    [{ finder: {} }, /`finder` must be a Finder/],
    [{ finder: null }, /`finder` must be a Finder/],
    [null, /the options must be an object/],
    [['https'], /the options must be an object/],
  ];
  for (const [options, message] of wrong)
    assert.throws(() => remarkUrigrep(options), { name: 'TypeError', message }, JSON.stringify(options));
});

test('long texts take linear time', () => {
  const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyIP: true }).tlds('lan', true);
  for (const text of [
    '//a',
    '//a.b',
    '// ',
    '1.1.1.1 ',
    '1.1.1.1.',
    'a.lan ',
    'a.lan/',
    'a.',
    'http://',
    '@',
    'a@',
    '//[',
    'http://a/(',
  ]) {
    const started = performance.now();
    linkify.match(text.repeat(200_000 / text.length));
    const took = performance.now() - started;
    assert.ok(took < 3000, `${JSON.stringify(text)}: ${took} ms`);
  }
});
