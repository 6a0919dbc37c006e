// `Finder`: finds URIs in strings, as `urigrep/lite` has it.

import { engine } from './engine.js';
import { boolean, checked, checkedOptions, refuse, string, word, words } from './options.js';

/** Numbers per match, and the number for "no place"; see `wasm/src/find.rs`. */
const WORDS = 11;
const NOWHERE = 0xffffffff;

const FLAGS = ['strict', 'ascii', 'embedded', 'refang', 'unwrap', 'abbreviated', 'email', 'uts58'];
const WORDS_OF = ['rejoin', 'assumeScheme', 'grammar'];

/** Schemes that `linkify` makes links of by default. */
const LINKED = ['http', 'https', 'mailto'];

const handles = new FinalizationRegistry(({ at, handle }) => {
  const engine = at.deref();
  // An error here would end the program.
  if (engine?.isCurrent()) engine.call('finder_free', handle);
});

export class Finder {
  #options;
  #needsColon = false;
  #engine;
  #handle;

  constructor(options = {}) {
    this.#options = lines(options);
    // Unknown names and values are errors here, not in the first search.
    this.#attach();
  }

  /** Returns the engine that has this finder; a new one has none. */
  #attach() {
    const now = engine();
    if (this.#engine?.deref() !== now) {
      const [length] = now.write([this.#options]);
      const handle = now.call('finder_new', length);
      if (handle < 0) throw new RangeError(`urigrep: option ${now.output()}`);
      this.#engine = new WeakRef(now);
      this.#handle = handle;
      this.#needsColon = now.call('finder_needs_colon', handle) === 1;
      handles.unregister(this);
      handles.register(this, { at: this.#engine, handle }, this);
    }
    return now;
  }

  find(text) {
    return this._records(text, toMatch);
  }

  test(text) {
    if (this.#cannotMatch(text)) return false;
    const now = this.#attach();
    const length = now.writeText(text);
    const found = now.call('test', this.#handle, length) === 1;
    now.release();
    return found;
  }

  linkify(text, options = {}) {
    const { rel = 'nofollow noopener', schemes = LINKED, ...unknown } = checkedOptions(options);
    refuse(unknown);
    const now = this.#attach();
    const ends = now.write([string('rel', rel), words('schemes', schemes).join(), checked(text)]);
    now.call('linkify', this.#handle, ends[0], ends[1] - ends[0], ends[2]);
    const html = now.output();
    now.release();
    return html;
  }

  /** Calls a function of the module on a text, and returns the text that it left. */
  _output(name, text) {
    const now = this.#attach();
    const length = now.writeText(checked(text));
    now.call(name, this.#handle, length);
    const output = now.output();
    now.release();
    return output;
  }

  #cannotMatch(text) {
    return this.#needsColon && !checked(text).includes(':');
  }

  /**
   * Calls `read` for each match; used by `find` and the plugins of this package. It may search itself, which overwrites
   * the records, so all are read before.
   */
  _records(text, read) {
    if (this.#cannotMatch(text)) return [];
    const now = this.#attach();
    const length = now.writeText(checked(text));
    const count = now.call('find', this.#handle, length);
    const found = new Array(count);
    if (count > 0) {
      const derived = now.output();
      const numbers = now.records(count * WORDS);
      for (let at = 0; at < count; at++) found[at] = new Found(text, derived, numbers, at * WORDS, now);
    }
    now.release();
    return found.map((match) => read(match));
  }
}

/** One match in the records of a search, while they are read. */
class Found {
  constructor(text, derived, numbers, at, names) {
    this.start = numbers[at];
    this.end = numbers[at + 1];
    this.text = text.slice(this.start, this.end);
    this.kind = names.kinds[numbers[at + 2]];
    this.flags = flagNames(numbers[at + 3], names.flags);
    const part = (start, length) =>
      numbers[start] === NOWHERE
        ? undefined
        : derived.slice(numbers[start], numbers[start] + numbers[length]);
    this.uri = part(at + 4, at + 5) ?? this.text;
    this.iri = part(at + 6, at + 7) ?? (this.kind === 'iri' ? this.text : undefined);
    this.scheme = this.uri.slice(0, numbers[at + 8]).toLowerCase();
    const host = numbers[at + 9];
    this.host = host === NOWHERE ? null : this.uri.slice(host, host + numbers[at + 10]);
  }
}

function toMatch({ start, end, uri, text, kind, scheme, host, flags }) {
  return { start, end, uri, text, kind, scheme, host, flags };
}

function flagNames(bits, names) {
  const flags = [];
  for (let at = 0; bits >>> at !== 0; at++) {
    if ((bits >>> at) & 1) flags.push(names[at]);
  }
  return flags;
}

/** Returns the options as lines; see `wasm/src/options.rs`. */
function lines(options) {
  const { schemes, identifiers, maxUri, ...rest } = checkedOptions(options);
  const all = [];
  if (typeof schemes === 'string') all.push(`schemes=${word('schemes', schemes)}`);
  else if (schemes !== undefined) all.push(`onlySchemes=${words('schemes', schemes).join()}`);
  for (const name of FLAGS) {
    if (boolean(name, rest[name])) all.push(name);
    delete rest[name];
  }
  for (const name of WORDS_OF) {
    if (rest[name] !== undefined) all.push(`${name}=${word(name, rest[name])}`);
    delete rest[name];
  }
  if (identifiers === 'doi') all.push('identifiers=doi');
  else if (boolean('identifiers', identifiers)) all.push('identifiers');
  if (maxUri !== undefined) {
    if (!Number.isSafeInteger(maxUri) || maxUri < 1)
      throw new RangeError('urigrep: maxUri must be a number of bytes');
    all.push(`maxUri=${Math.min(maxUri, 0x7fffffff)}`);
  }
  refuse(rest);
  return all.join('\n');
}
