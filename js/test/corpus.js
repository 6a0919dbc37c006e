// The labelled texts of corpus/, and its tables.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';

const root = fileURLToPath(new URL('../../corpus/', import.meta.url));

/** Options of cases, in the words of the package; the others have its own names in another case. */
const NAMES = {
  'assume-scheme': 'assumeScheme',
  'known-schemes': ['schemes', 'known'],
  'max-uri': 'maxUri',
  doi: ['identifiers', 'doi'],
};

/** Every case: its name, its text without marks, the spans of the marks, its options, and its labels. */
export function cases() {
  const files = readdirSync(root, { recursive: true })
    .filter((name) => name.endsWith('.toml'))
    .sort();
  return files.flatMap((file) => {
    const all = parse(readFileSync(join(root, file), 'utf8')).case ?? [];
    // A text in another encoding is no string of JavaScript.
    const texts = all.filter((each) => 'text' in each && 'rule' in each && !('encoding' in each));
    return texts.map((labels) => ({
      name: `${file}:${labels.name}`,
      ...marked(labels.text),
      options: options(labels),
      labels,
    }));
  });
}

function marked(source) {
  const spans = [];
  const open = [];
  let text = '';
  for (const character of source) {
    if (character === '⟦') {
      open.push(spans.length);
      spans.push([text.length]);
    } else if (character === '⟧') {
      spans[open.pop()].push(text.length);
    } else {
      text += character;
    }
  }
  return { text, spans };
}

function options({ options: words = [] }) {
  return Object.fromEntries(
    words.map((entry) => {
      const [name, value] = entry.split('=');
      const known = NAMES[name] ?? name;
      if (Array.isArray(known)) return known;
      return [known, value === undefined ? true : known === 'maxUri' ? Number(value) : value];
    }),
  );
}

/** The rows of a table, each an object by the names in its first row. */
export function table(file) {
  const lines = readFileSync(join(root, file), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));
  const names = lines[0].split('\t');
  return lines
    .slice(1)
    .map((line) => Object.fromEntries(line.split('\t').map((value, at) => [names[at], value])));
}
