import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { skip, withPage } from './browser.js';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

const rows = (page) =>
  page.locator('#list li').evaluateAll((items) => items.map((item) => item.firstChild.textContent));
const chosen = (page) => page.locator('#list li[aria-selected="true"]').textContent();

/** Opens the page from a file, as somebody does who saved it. */
async function open(use, options) {
  execFileSync(process.execPath, [path('../demo/build.js')]);
  await withPage(async (page, address, requests) => {
    const file = new URL('../demo/dist/index.html', import.meta.url).href;
    await page.goto(file);
    await use(page, file, requests);
    // Nothing but pages was asked for.
    assert.deepEqual(
      requests.filter((url) => !url.startsWith('file:')),
      [],
    );
  }, options);
}

test('the demo shows findings, parts, reasons, and rules', { skip }, async () => {
  await open(async (page) => {
    const found = await rows(page);
    assert.ok(
      found.includes('https://en.wikipedia.org/wiki/Rust_(film)') &&
        found.includes('http://www.example.org/reports/2026/q3.html'),
      found.join(),
    );
    assert.ok(found.includes('hxxps://evil[.]example/gate.'));
    const details = page.locator('#details');
    assert.match(
      await details.textContent(),
      /hosten\.wikipedia\.orgpath\/wiki\/Rust_\(film\).*normalizedalready/,
    );
    assert.match(await details.textContent(), /D4\.2 a closing bracket without its opener/);
    await page.fill('#text', 'é see HTTP://a.example:80/%7Eb. hxxp://c[.]example');
    assert.deepEqual(await rows(page), ['HTTP://a.example:80/%7Eb', 'hxxp://c[.]example']);
    assert.match(await details.textContent(), /normalizedhttp:\/\/a\.example\/~b/);
    await page.check('#option-refang');
    assert.deepEqual(await rows(page), ['HTTP://a.example:80/%7Eb', 'http://c.example']);
    await page.uncheck('#option-refang');
    await page.locator('#list li').nth(1).click();
    assert.match(await details.textContent(), /Rejected: .*defanged.*D4\.6/);
    await page.uncheck('#rejected');
    assert.equal((await rows(page)).length, 1);
    // The marks are where the text is.
    assert.equal(await page.locator('#marks').textContent(), `${await page.inputValue('#text')}\n`);
  });
});

test('the demo can be used with the keyboard', { skip }, async () => {
  await open(async (page) => {
    await page.fill('#text', 'http://a.example http://b.example http://c.example');
    assert.match(await chosen(page), /a\.example/);
    await page.keyboard.press('F8');
    assert.match(await chosen(page), /b\.example/);
    await page.keyboard.press('Shift+F8');
    await page.keyboard.press('Shift+F8');
    assert.match(await chosen(page), /c\.example/);
    await page.focus('#list');
    await page.keyboard.press('ArrowUp');
    assert.match(await chosen(page), /b\.example/);
    await page.keyboard.press('Home');
    assert.match(await chosen(page), /a\.example/);
    await page.keyboard.press('End');
    assert.match(await chosen(page), /c\.example/);
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'text');
    // The caret chooses, too.
    await page.keyboard.press('Control+Home');
    await page.waitForFunction(() =>
      document.querySelector('[aria-selected="true"]').textContent.includes('a.example'),
    );
  });
});

test('the demo shows what turns a text round', { skip }, async () => {
  await open(async (page) => {
    await page.fill('#text', 'http://a.example/\u202egpj.exe http://b.example/\u2067%zz');
    await page.check('#option-strict');
    assert.deepEqual(await rows(page), [
      'http://a.example/%E2%80%AEgpj.exe',
      'http://b.example/%E2%81%A7%zz',
    ]);
    for (const at of [0, 1]) {
      await page.locator('#list li').nth(at).click();
      assert.doesNotMatch(await page.locator('#details').textContent(), /\p{Bidi_Control}/u);
    }
  });
});

test('a link holds the text, and files can be opened', { skip }, async () => {
  await open(async (page, file) => {
    await page.fill('#text', 'ümlaut & http://a.example/?b=c#d\nwww.example.com');
    await page.uncheck('#option-abbreviated');
    await page.click('#share');
    const link = page.url();
    assert.ok(link.startsWith(`${file}#text=`));
    await page.goto('about:blank');
    await page.goto(link);
    assert.equal(await page.inputValue('#text'), 'ümlaut & http://a.example/?b=c#d\nwww.example.com');
    assert.deepEqual(await rows(page), ['http://a.example/?b=c#d']);
    await page.setInputFiles('#file', path('../../corpus/documents/german.txt'));
    await page.waitForFunction(() => document.querySelectorAll('#list li').length > 5);
  });
});

test('a link is forgotten with its text', { skip }, async () => {
  await open(async (page, file) => {
    await page.fill('#text', 'secret http://a.example/');
    await page.click('#share');
    assert.ok(page.url().startsWith(`${file}#text=`));
    await page.click('#clear');
    assert.equal(page.url(), file);
  });
});

test('files are decoded, and their size is told', { skip }, async () => {
  await open(async (page) => {
    const latin1 = {
      name: 'a.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('caf\xe9 http://a.example/\xe9', 'latin1'),
    };
    await page.setInputFiles('#file', latin1);
    await page.waitForFunction(() => document.getElementById('text').value.startsWith('café'));
    assert.deepEqual(await rows(page), ['http://a.example/é']);
    const large = { name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.alloc(900_001, 'x') };
    await page.setInputFiles('#file', large);
    await page.waitForFunction(() => document.getElementById('status').textContent.includes('900,001'));
    assert.equal(
      await page.locator('#status').textContent(),
      'Shown: the first 200,000 characters of a file of 900,001 bytes.',
    );
  });
});

test('rules can be linked to', { skip }, async () => {
  await open(async (page, file) => {
    await page.goto(new URL('rules.html#D4.2', file).href);
    assert.match(await page.locator(':target').textContent(), /^D4\.2 /);
  });
});

test('the demo fits narrow and wide windows, light and dark', { skip }, async () => {
  for (const width of [400, 1440]) {
    for (const colorScheme of ['light', 'dark']) {
      await open(
        async (page) => {
          const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(over <= 0, `${width}: ${over} pixels too wide`);
          if (process.env.SCREENSHOTS) {
            mkdirSync(process.env.SCREENSHOTS, { recursive: true });
            await page.screenshot({
              path: `${process.env.SCREENSHOTS}/demo-${width}-${colorScheme}.png`,
              fullPage: true,
            });
          }
        },
        { viewport: { width, height: 900 }, colorScheme },
      );
    }
  }
});
