// The examples of docs/guide/javascript.md and README.md: each expression returns what the comment after it says.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Makes a program of a page: an expression before a comment is compared with the value in the comment. */
function program(page) {
  const blocks = [...page.matchAll(/^```js\n([^]*?)^```$/gm)].map((found) => found[1]);
  let count = 0;
  const source = blocks
    .join('\n')
    .replace(/^(?!import|const |\/\/)([^\n]+);(?: *)\n((?:\/\/[^\n]*\n)+)/gm, (_, expression, comment) => {
      count++;
      const value = comment.replace(/^\/\/ ?/gm, '').trim();
      return `assert.deepEqual(copy(${expression}), ${value});\n`;
    });
  // One block may name what another names, too.
  const imports = [...source.matchAll(/^import[^\n]*/gm)].map((found) => found[0].replace(/;.*/, ';'));
  return {
    count,
    source: `${imports.join('\n')}\nexport default (assert, copy) => {\n${source.replace(/^import[^\n]*\n/gm, '')}\n};`,
  };
}

for (const [path, least] of [['../../docs/guide/javascript.md', 11]]) {
  test(path, async () => {
    const { count, source } = program(read(path));
    assert.ok(count >= least, `${count} examples`);
    // A program of a data URL has no folder to look for packages in, so their places are written into it.
    const placed = source.replace(
      /from '(urigrep[^']*)'/g,
      (_, name) => `from '${import.meta.resolve(name)}'`,
    );
    const { default: run } = await import(`data:text/javascript,${encodeURIComponent(placed)}`);
    run(assert, (value) => JSON.parse(JSON.stringify(value)));
  });
}
