// Speed beside linkify-it and linkifyjs, in one process and on the same texts. `sizes.js` prints the sizes.
//
// usage: node bench.js [FILE...]

import { readFileSync } from 'node:fs';
import * as linkifyjs from 'linkifyjs';
import { LinkifyIt as Original } from 'linkify-it';
import { Finder } from 'urigrep';
import { LinkifyIt } from 'urigrep/linkify-it';

const ROUNDS = 11;
const MILLISECONDS_PER_ROUND = 60;
const WARM_UP_MILLISECONDS = 300;

const message =
  'Have a look at https://a.example/b?c=d, it is the third one (see http://b.example/wiki/A_(b)). Mail jo@example.org.';
const plain =
  'No link here: just a remark at 12:30, and some more words that say nothing of importance to anybody. ';
const texts = [
  ['a message of 117 characters', message],
  ['a message without a link', plain.trim()],
  ['prose without a link, 100 kB', plain.repeat(1000)],
  ['prose with links, 100 kB', `${plain}${message} `.repeat(460)],
  ...process.argv.slice(2).map((path) => [path.split('/').at(-1), readFileSync(path, 'utf8')]),
];

// All look for URIs with a scheme, hosts without one, and mail addresses; the last for URIs with a scheme only.
const all = new Finder({ abbreviated: true, email: true });
const written = new Finder();
const dropIn = new LinkifyIt({ fuzzyLink: true });
const original = new Original({ fuzzyLink: true });
const programs = [
  ['urigrep', (text) => all.find(text).length],
  ['urigrep/linkify-it', (text) => dropIn.match(text)?.length ?? 0],
  ['linkify-it', (text) => original.match(text)?.length ?? 0],
  ['linkifyjs', (text) => linkifyjs.find(text).length],
  ['urigrep, with a scheme', (text) => written.find(text).length],
];

/** Milliseconds per call: the median of rounds that alternate between the programs. */
function measure(text) {
  const times = programs.map(() => []);
  const calls = programs.map(([, find]) => {
    // Both JavaScript and WebAssembly are compiled better after some calls.
    for (const started = performance.now(); performance.now() < started + WARM_UP_MILLISECONDS;) find(text);
    const started = performance.now();
    find(text);
    return Math.max(1, Math.floor(MILLISECONDS_PER_ROUND / (performance.now() - started + 0.0005)));
  });
  for (let round = 0; round < ROUNDS; round++) {
    programs.forEach(([, find], at) => {
      const started = performance.now();
      for (let call = 0; call < calls[at]; call++) find(text);
      times[at].push((performance.now() - started) / calls[at]);
    });
  }
  return times.map((each) => each.sort((a, b) => a - b)[ROUNDS >> 1]);
}

console.log(
  `Node ${process.version}; median of ${ROUNDS} alternating rounds; MB/s of UTF-8, and links found\n`,
);
console.log(
  `| text | ${programs.map(([name]) => name).join(' | ')} |\n|---|${'---|'.repeat(programs.length)}`,
);
for (const [name, text] of texts) {
  const bytes = Buffer.byteLength(text);
  const cells = measure(text).map((time, at) => {
    const speed = bytes / 1000 / time;
    return `${speed < 10 ? speed.toFixed(1) : Math.round(speed)} (${programs[at][1](text)})`;
  });
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
