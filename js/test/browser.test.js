import assert from 'node:assert/strict';
import test from 'node:test';
import { Finder } from 'urigrep';
import { skip, withPage } from './browser.js';
import { cases } from './corpus.js';

test('a page finds what Node finds', { skip }, async () => {
  const all = cases().map(({ text, options }) => ({ text, options }));
  const expected = all.map(({ text, options }) => new Finder(options).find(text));
  await withPage(async (page, address) => {
    await page.goto(`${address}/empty.html`);
    const found = await page.evaluate(async (all) => {
      const { Finder } = await import('urigrep');
      return all.map(({ text, options }) => new Finder(options).find(text));
    }, all);
    assert.deepEqual(found, expected);
    const linkified = await page.evaluate(async () => {
      const { LinkifyIt } = await import('urigrep/linkify-it');
      return new LinkifyIt().match('http://a.example.').map((match) => match.url);
    });
    assert.deepEqual(linkified, ['http://a.example']);
  });
});

test('a worker of a page', { skip }, async () => {
  await withPage(async (page, address) => {
    await page.goto(`${address}/empty.html`);
    const found = await page.evaluate(async (address) => {
      const program = `import { Finder } from '${address}/dist/index.mjs'; postMessage(new Finder().find('http://a.example.'));`;
      const worker = new Worker(URL.createObjectURL(new Blob([program], { type: 'text/javascript' })), {
        type: 'module',
      });
      return new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = reject;
      });
    }, address);
    assert.deepEqual(
      found.map((m) => [m.start, m.end]),
      [[0, 16]],
    );
  });
});
