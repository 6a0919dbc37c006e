// A page in headless Chromium, with files of this folder and nothing else of the network.

import { createServer } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
};
const PROGRAMS = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Where the browser is; undefined without one. */
export const program = PROGRAMS.find((path) => path && existsSync(path));

/** Why the tests in the browser are skipped, or false. In CI they are not. */
export const skip = !program && !process.env.CI && 'SKIPPED: no Chromium';

/** Calls `use` with a page, its address, and the requests that it made. */
export async function withPage(use, options = {}) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    const file = join(root, path);
    if (path === '/empty.html') {
      response.setHeader('content-type', 'text/html');
      response.end(
        '<!doctype html><script type="importmap">{"imports":{"urigrep":"/dist/index.mjs","urigrep/linkify-it":"/dist/linkify-it.mjs"}}</script>',
      );
    } else if (!existsSync(file) || !file.startsWith(root)) {
      response.writeHead(404).end();
    } else {
      response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
      response.end(readFileSync(file));
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({
    executablePath: program,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  try {
    const page = await browser.newPage(options);
    // Of a machine with other work: in CI, a page once took longer than the usual 30 seconds.
    page.setDefaultTimeout(120_000);
    const requests = [];
    const errors = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('pageerror', (error) => errors.push(error));
    await use(page, `http://127.0.0.1:${server.address().port}`, requests);
    if (errors.length > 0) throw errors[0];
  } finally {
    await browser.close();
    server.close();
  }
}
