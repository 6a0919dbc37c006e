import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import test from 'node:test';
import { Finder } from 'urigrep';
import { Finder as LiteFinder } from 'urigrep/lite';
import { cases } from './corpus.js';

const ABSENT = ['refang', 'unwrap', 'identifiers', 'uts58', 'grammar'];

test('urigrep/lite finds what urigrep finds', () => {
  const common = cases().filter(({ options }) => !ABSENT.some((name) => options?.[name] !== undefined));
  assert.ok(common.length > 1000, `${common.length}`);
  for (const { text, options } of common) {
    const [full, lite] = [new Finder(options), new LiteFinder(options)];
    assert.deepEqual(lite.find(text), full.find(text), text);
    assert.equal(lite.test(text), full.test(text), text);
    assert.equal(lite.linkify(text), full.linkify(text), text);
  }
});

test('what it lacks is refused', () => {
  const values = { grammar: 'rfc8141' };
  for (const name of ABSENT) {
    const options = { [name]: values[name] ?? true };
    assert.throws(() => new LiteFinder(options), {
      name: 'RangeError',
      message: /not part of urigrep\/lite/,
    });
  }
  assert.equal(LiteFinder.prototype.explain, undefined);
});

test('it is a module and a CommonJS module', () => {
  const { Finder: Required, setModule } = createRequire(import.meta.url)('urigrep/lite');
  assert.equal(typeof setModule, 'function');
  assert.equal(new Required().find('http://a.example.')[0].uri, 'http://a.example');
});
