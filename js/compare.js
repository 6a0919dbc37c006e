// Renders Markdown with markdown-it twice, with linkify-it and with urigrep in its place, and prints the links that differ.
//
// usage: node compare.js FILE...

import { readFileSync } from 'node:fs';
import { LinkifyIt as Original } from 'linkify-it';
import MarkdownIt from 'markdown-it';
import { LinkifyIt } from 'urigrep/linkify-it';

const programs = [Original, LinkifyIt].map((Linkify) => {
  const markdown = new MarkdownIt({ linkify: true });
  markdown.linkify = new Linkify({ fuzzyLink: true });
  return { markdown, milliseconds: 0 };
});

/** How often each address is linked to. */
function links(program, text) {
  const started = performance.now();
  const html = program.markdown.render(text);
  program.milliseconds += performance.now() - started;
  const counts = new Map();
  for (const [, href] of html.matchAll(/<a href="([^"]*)"/g)) counts.set(href, (counts.get(href) ?? 0) + 1);
  return counts;
}

let same = 0;
let total = 0;
const files = process.argv.slice(2);
for (const file of files) {
  const [theirs, ours] = programs.map((program) => links(program, readFileSync(file, 'utf8')));
  for (const count of theirs.values()) total += count;
  const differing = [...new Set([...theirs.keys(), ...ours.keys()])].filter(
    (href) => theirs.get(href) !== ours.get(href),
  );
  for (const href of differing)
    console.log(`${theirs.get(href) ?? 0} ${ours.get(href) ?? 0} ${href} ${file}`);
  if (differing.length === 0) same++;
}
const times = programs.map(({ milliseconds }) => `${Math.round(milliseconds)} ms`);
console.error(
  `${files.length} files, ${same} the same; ${total} links of linkify-it; ${times.join(' and ')}`,
);
