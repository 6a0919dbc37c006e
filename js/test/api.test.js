import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import test from 'node:test';
import { Worker } from 'node:worker_threads';
import { Finder, parse, setModule, UriError } from 'urigrep';

test('a match has what the types say', () => {
  const text = '😀 <http://A.example:80/\nb> jo@example.org urn:isbn:0451450523';
  assert.deepEqual(new Finder({ email: true }).find(text), [
    {
      start: 4,
      end: 26,
      uri: 'http://A.example:80/b',
      text: 'http://A.example:80/\nb',
      kind: 'uri',
      scheme: 'http',
      host: 'A.example',
      flags: ['rejoined'],
    },
    {
      start: 28,
      end: 42,
      uri: 'mailto:jo@example.org',
      text: 'jo@example.org',
      kind: 'email',
      scheme: 'mailto',
      host: null,
      flags: [],
    },
    {
      start: 43,
      end: 62,
      uri: 'urn:isbn:0451450523',
      text: 'urn:isbn:0451450523',
      kind: 'urn',
      scheme: 'urn',
      host: null,
      flags: [],
    },
  ]);
});

test('every option changes what is found', () => {
  const texts = {
    schemes: [['urn'], 'http://a.example urn:example:a'],
    strict: [true, 'http://a.example/{b}'],
    ascii: [true, 'http://a.example/é'],
    embedded: [true, 'http://a.example/?u=http://b.example/'],
    refang: [true, 'hxxp://a[.]example'],
    unwrap: [true, 'https://www.google.com/url?q=http://a.example/&sa=D'],
    rejoin: ['never', '<http://a.example/\nb>'],
    abbreviated: [true, 'www.example.com'],
    email: [true, 'jo@example.org'],
    identifiers: ['doi', '10.1000/182'],
    uts58: [true, 'example.com/αβγ'],
    grammar: ['url-1993', 'http://a.example/~b'],
    maxUri: [10, 'http://a.example/'],
  };
  for (const [name, [value, text]] of Object.entries(texts)) {
    assert.notDeepEqual(new Finder({ [name]: value }).find(text), new Finder().find(text), name);
  }
  const finder = new Finder({ abbreviated: true, assumeScheme: 'http' });
  assert.equal(finder.find('www.example.com')[0].uri, 'http://www.example.com');
  assert.deepEqual(new Finder({ schemes: 'known' }).find('myapp://a.example'), []);
  assert.equal(new Finder({ identifiers: true }).find('ISBN 0-306-40615-2')[0].uri, 'urn:isbn:0306406152');
  assert.deepEqual(new Finder({ email: false, strict: undefined }).find('jo@example.org'), []);
});

test('wrong options are errors that name them', () => {
  const wrong = [
    [{ emails: true }, TypeError, /emails/],
    [{ email: 'yes' }, TypeError, /email/],
    [{ rejoin: 'sometimes' }, RangeError, /never, wrapped, hyphen, always/],
    [{ schemes: 'http' }, RangeError, /schemes/],
    [{ schemes: ['a\nstrict'] }, TypeError, /schemes/],
    [{ grammar: 'rfc1' }, RangeError, /grammar/],
    [{ maxUri: 1.5 }, RangeError, /maxUri/],
    [null, TypeError, /the options must be an object/],
    [[], TypeError, /the options must/],
    ['https', TypeError, /the options must/],
  ];
  for (const [options, type, message] of wrong) {
    assert.throws(
      () => new Finder(options),
      (error) => error instanceof type && message.test(error.message),
      JSON.stringify(options),
    );
  }
  for (const call of ['find', 'test', 'explain', 'linkify']) {
    for (const text of [undefined, null, [], 1])
      assert.throws(() => new Finder()[call](text), {
        name: 'TypeError',
        message: 'urigrep: the text must be a string',
      });
  }
  assert.throws(() => new Finder().linkify('a', { target: '_blank' }), /target/);
  assert.throws(() => new Finder().linkify('a', null), /the options must be an object/);
  assert.throws(
    () => parse('http://a/%zz'),
    (error) => error instanceof UriError && error instanceof SyntaxError && error.at === 9,
  );
  assert.throws(() => setModule(new Uint8Array(8)), TypeError);
});

test('linkify is safe', () => {
  const finder = new Finder();
  assert.equal(
    finder.linkify('<b> "https://a.example/?a&b" javascript:alert(1)'),
    '&lt;b&gt; &quot;<a href="https://a.example/?a&amp;b" rel="nofollow noopener">https://a.example/?a&amp;b</a>&quot; javascript:alert(1)',
  );
  assert.equal(
    finder.linkify('ftp://a.example', { schemes: ['ftp'], rel: '' }),
    '<a href="ftp://a.example">ftp://a.example</a>',
  );
  assert.equal(finder.linkify('javascript:alert(1)', { schemes: ['javascript'] }), 'javascript:alert(1)');
  assert.equal(
    finder.linkify('é https://a.example', { rel: '"é' }),
    'é <a href="https://a.example" rel="&quot;é">https://a.example</a>',
  );
});

test('explain has reasons and rules', () => {
  const [rejected, match] = new Finder().explain('é hxxp://a[.]example <http://a.example/>.');
  assert.deepEqual([rejected.reason, rejected.text, rejected.at], ['defanged', 'hxxp://a[.]example', 2]);
  assert.equal(match.wrapper, 'angle');
  assert.deepEqual(match.steps[0], {
    rule: 'D1.2',
    what: 'a known scheme',
    start: 22,
    end: 26,
    text: 'http',
  });
});

test('identifiers and URNs are parsed', () => {
  const { kind, nid, nss, identifier } = parse('urn:isbn:0-306-40615-2');
  assert.deepEqual(
    [kind, nid, nss, identifier.canonical],
    ['urn', 'isbn', '0-306-40615-2', 'urn:isbn:9780306406157'],
  );
  assert.equal(parse('../b?c').kind, 'relative-ref');
  assert.equal(parse('http://é.example/').kind, 'iri');
  assert.equal(parse('https://doi.org/10.1000/ABC').identifier.canonical, 'doi:10.1000/abc');
});

test('large texts, and many finders', () => {
  const text = 'é http://a.example/b '.repeat(1_000_000);
  const finder = new Finder();
  const found = finder.find(text);
  assert.equal(found.length, 1_000_000);
  assert.equal(text.slice(found.at(-1).start, found.at(-1).end), 'http://a.example/b');
  // The instance with all that memory is gone; its finders go on.
  assert.equal(finder.find('http://a.example')[0].end, 16);
  for (let count = 0; count < 2000; count++) new Finder({ email: true });
  assert.ok(finder.test('http://a.example'));
});

test('the CommonJS programs, and the one for browsers, find the same', async () => {
  const require = createRequire(import.meta.url);
  const embedded = await import(new URL('../dist/index.mjs', import.meta.url));
  const text = 'See <http://www.w3.org/Addressing/>, urn:isbn:0451450523.';
  for (const package_ of [require('urigrep'), require('../dist/index.cjs'), embedded]) {
    assert.deepEqual(new package_.Finder().find(text), new Finder().find(text));
  }
});

test('workers', async () => {
  const program = `
    const { parentPort } = require('node:worker_threads');
    import('urigrep').then(({ Finder }) => parentPort.postMessage(new Finder().find('http://a.example')));`;
  const worker = new Worker(program, { eval: true });
  const found = await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  await worker.terminate();
  assert.equal(found[0].uri, 'http://a.example');
});

test('nothing happens at import', async () => {
  const source =
    'const before = WebAssembly.Module; let compiled = 0; WebAssembly.Module = class extends before { constructor(bytes) { compiled++; super(bytes); } }; ' +
    "const { Finder } = await import('urigrep'); const early = compiled; new Finder(); process.stdout.write(JSON.stringify([early, compiled]));";
  const { execFileSync } = await import('node:child_process');
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', source], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  assert.equal(printed, '[0,1]');
});

test('half a surrogate pair ends a URI, which may be cut', () => {
  const finder = new Finder();
  const text = '\ufffd see https://a.example/x\ud83d, 😀 https://b.example/\udc00y http://c.example/';
  const found = finder.find(text).map(({ start, end, uri, flags }) => [text.slice(start, end), uri, flags]);
  assert.deepEqual(found, [
    ['https://a.example/x', 'https://a.example/x', ['maybe-cut']],
    ['https://b.example/', 'https://b.example/', ['maybe-cut']],
    ['http://c.example/', 'http://c.example/', []],
  ]);
  assert.equal(finder.test('https://a.example/x\ud83d'), true);
  assert.equal(finder.explain(text)[0].text, 'https://a.example/x');
});

test('errors name the option', () => {
  const finder = new Finder();
  assert.throws(() => finder.linkify('', { rel: null }), {
    message: 'urigrep: option `rel` must be a string',
  });
  assert.throws(() => new Finder({ email: 1 }), { message: 'urigrep: option `email` must be true or false' });
  assert.throws(() => new Finder({ emails: true }), { message: 'urigrep: there is no option `emails`' });
});
