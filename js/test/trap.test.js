// A trap, as where the machine gives no more memory, is an error of one call.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Finder } from 'urigrep';

const { Instance } = WebAssembly;
let refusesMemory = false;

/** An instance whose input cannot grow while `refusesMemory` is true. After a trap, its functions trap, too. */
WebAssembly.Instance = class {
  constructor(module) {
    const { memory, ...functions } = new Instance(module).exports;
    let hasTrapped = false;
    this.exports = { memory };
    for (const [name, act] of Object.entries(functions)) {
      this.exports[name] = (...values) => {
        hasTrapped ||= refusesMemory && name === 'input';
        if (hasTrapped) throw new WebAssembly.RuntimeError('unreachable');
        return act(...values);
      };
    }
  }
};

test('a text for which there is no memory is an error, and the next call works', () => {
  const finder = new Finder();
  assert.equal(finder.find('http://a.example/').length, 1);
  refusesMemory = true;
  assert.throws(() => finder.find('http://a.example/'), /urigrep: input failed/);
  refusesMemory = false;
  assert.equal(finder.find('http://a.example/').length, 1);
});
