// Prints how many bytes a page loads, and fails if one of our programs has grown beyond its limit.
//
// usage: node sizes.js   (after node build.js)

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));

/** The most kilobytes that a page may load, packed by gzip: what it is today, and some percent. */
const LIMITS = { urigrep: 194, 'urigrep/lite': 139 };

/** Other programs that make links, to compare with. */
const OTHERS = ['linkify-it', 'linkifyjs'];

const gzip = (bytes) => gzipSync(bytes, { level: 9 }).length / 1000;
const kilobytes = (size) => `${size.toFixed(1)} kB`;

/** The size of a program for browsers with all that it imports, minified. */
function page(name) {
  const { outputFiles } = buildSync({
    stdin: { contents: `export * from '${name}'`, resolveDir: here },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  return gzip(outputFiles[0].contents);
}

console.log('| gzip -9 | | limit |\n|---|--:|--:|');
for (const [name, limit] of Object.entries(LIMITS)) {
  const size = page(name);
  console.log(`| ${name} in a page, minified | ${kilobytes(size)} | ${limit} kB |`);
  if (size > limit) {
    console.error(`${name} is larger than ${limit} kB`);
    process.exitCode = 1;
  }
}
for (const name of OTHERS) console.log(`| ${name} in a page, minified | ${kilobytes(page(name))} | |`);
for (const name of ['urigrep', 'urigrep-lite']) {
  const size = gzip(readFileSync(join(here, 'dist', `${name}.wasm`)));
  console.log(`| ${name}.wasm alone | ${kilobytes(size)} | |`);
}
