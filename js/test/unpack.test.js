// What the encoder packs, the page unpacks.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { compress } from 'lzma1';
import { unpack } from '../src/unpack.js';

const module = new Uint8Array(readFileSync(new URL('../dist/urigrep.wasm', import.meta.url)));

/** Bytes of a generator with a fixed start, which nothing compresses. */
function noise(length) {
  let state = 1;
  return Uint8Array.from({ length }, () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 24);
}

test('unpacked bytes are those that were packed', () => {
  const samples = [
    new Uint8Array(1),
    new Uint8Array(100_000),
    noise(1000),
    noise(100_000),
    // Matches of every length, near and far, and the last distances again.
    Uint8Array.from({ length: 50_000 }, (_, at) => (at * at) >> 7),
    Uint8Array.from({ length: 50_000 }, (_, at) => (at % 331 < 300 ? at % 7 : at >> 3)),
    Uint8Array.of(...noise(3000), ...new Uint8Array(400), ...noise(3000), ...noise(2000).subarray(500)),
    module,
  ];
  for (const sample of samples) {
    for (const mode of [1, 5, 9]) {
      assert.deepEqual(unpack(new Uint8Array(compress(sample, mode))), sample, `${sample.length} ${mode}`);
    }
  }
});
