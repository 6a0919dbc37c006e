// The vectors that the Rust tests run too. Offsets are checked by JavaScript's own slicing.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Finder, normalize, parse, redact, resolve, UriError } from 'urigrep';
import { cases, table } from './corpus.js';

const finders = new Map();
function finder(options) {
  const key = JSON.stringify(options);
  if (!finders.has(key)) finders.set(key, new Finder(options));
  return finders.get(key);
}

test('labelled texts', () => {
  const all = cases();
  assert.ok(all.length > 1000, `${all.length} cases`);
  for (const { name, text, spans, options, labels } of all) {
    const found = finder(options).find(text);
    assert.deepEqual(
      found.map((m) => [m.start, m.end]),
      spans,
      name,
    );
    assert.equal(finder(options).test(text), found.length > 0, name);
    for (const m of found) {
      assert.equal(text.slice(m.start, m.end), m.text, name);
      // `parse` judges by the newest standards.
      if (options.grammar) continue;
      const parsed = parse(m.uri);
      assert.deepEqual([m.scheme, m.host], [parsed.scheme.toLowerCase(), parsed.host], name);
    }
    // Without the tables of IDNA, a host beyond ASCII is percent-encoded here, not mapped to A-labels.
    const hasWideDot = found.some((m) => /[．。｡]/u.test(m.text));
    if (
      labels.uri &&
      !hasWideDot &&
      !text.includes('xn--') &&
      !labels.uri.some((uri) => uri.includes('xn--'))
    ) {
      assert.deepEqual(
        found.map((m) => m.uri),
        labels.uri,
        name,
      );
    }
    if (labels.kind)
      assert.deepEqual(
        found.map((m) => m.kind),
        labels.kind,
        name,
      );
    if (labels.flags)
      assert.deepEqual(
        found.map((m) => m.flags.toSorted()),
        labels.flags.map((f) => f.toSorted()),
        name,
      );
    const explained = finder(options).explain(text);
    const matches = explained.filter((each) => each.uri !== undefined);
    assert.deepEqual(
      matches.map((m) => [m.start, m.end, m.uri]),
      found.map((m) => [m.start, m.end, m.uri]),
      name,
    );
    if (labels.reject)
      assert.deepEqual(
        explained.filter((each) => each.reason).map((each) => each.reason),
        labels.reject,
        name,
      );
  }
});

test('offsets after characters of every width', () => {
  for (const before of ['a ', 'é ', '€ ', '😀 ', '\u{10ffff} ', '\ud800 ', '\udc00\ud800 ']) {
    for (let times = 0; times < 40; times++) {
      const text = `${before.repeat(times)}http://a.example/é😀 ${before}urn:example:a.`;
      const found = finder({}).find(text);
      assert.deepEqual(
        found.map((m) => m.text),
        ['http://a.example/é😀', 'urn:example:a'],
        JSON.stringify(text),
      );
    }
  }
});

test('normal forms', () => {
  const rows = table('reference/normalize.tsv');
  assert.ok(rows.length > 50);
  for (const { name, uri, syntax, scheme } of rows) {
    const expected = scheme === '=' ? (syntax === '=' ? uri : syntax) : scheme;
    assert.equal(normalize(uri), expected, name);
  }
});

test('resolved references', () => {
  const rows = table('reference/rfc3986.tsv').filter(({ resolution }) => resolution === 'rfc3986');
  assert.ok(rows.length > 42);
  for (const { name, base, reference, target } of rows) assert.equal(resolve(base, reference), target, name);
});

test('redacted texts', () => {
  const rows = table('names/redact.tsv');
  assert.ok(rows.length > 50);
  for (const { name, text, expect } of rows) {
    // The table has URIs; `redact` takes a text, whose words are URIs only where they hold no white space or quotes.
    if (/[\s`"<>]/.test(text)) continue;
    const expected = expect === '=' ? text : expect;
    assert.equal(redact(`see ${text}`), `see ${expected}`, name);
  }
});

test('parsed URIs', () => {
  const unescaped = (text) =>
    text.replace(/\\(\\|u\{([0-9A-Fa-f]+)\})/g, (all, what, code) =>
      code ? String.fromCodePoint(parseInt(code, 16)) : '\\',
    );
  let count = 0;
  for (const { name, text, expect } of table('grammar/uri.tsv')) {
    const source = unescaped(text);
    // A URI without a scheme is a relative reference here, and a URN is judged by RFC 8141.
    if (/no-scheme|scheme-character/.test(expect) || /^urn:/i.test(source) || !/^[\0-\x7f]*$/.test(source))
      continue;
    count++;
    if (expect.startsWith('ok')) {
      const parsed = parse(source);
      for (const part of expect.split(' ').slice(1)) {
        const [key, ...value] = part.split('=');
        if (key !== 'type') assert.equal(parsed[key], unescaped(value.join('=')), `${name}: ${key}`);
      }
    } else {
      const [reason, at] = expect.split('@');
      assert.throws(
        () => parse(source),
        (error) => error instanceof UriError && error.reason === reason && error.at === Number(at),
        name,
      );
    }
  }
  assert.ok(count > 100, `${count} rows`);
});
