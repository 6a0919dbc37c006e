// A drop-in for linkify-it 6 and 5, above all for `md.linkify` of markdown-it: the same methods and match objects, with
// the spans of urigrep. What urigrep does not look for (`//host`, bare IP addresses, unknown top-level domains, schemas
// with a function of their own) starts at a place that a pattern here finds; where it ends is again decided by urigrep.

import { Finder } from 'urigrep';

const BUILT_IN = ['http:', 'https:', 'ftp:', '//', 'mailto:'];

const DEFAULTS = {
  fuzzyLink: false,
  fuzzyEmail: true,
  fuzzyIP: false,
  '---': false,
  urlAuth: false,
  maxLength: 10000,
  tlds: undefined,
};

/** Nothing before a candidate may be a letter, a digit, or a part of another URI. */
const BEFORE = '(?<![\\p{L}\\p{N}_:/@.\\\\-])';
const RELATIVE = new RegExp(`${BEFORE}//(?=[\\p{L}\\p{N}\\[])`, 'gu');
/** A number of an address in a URI (RFC 3986 section 3.2.2, dec-octet). */
const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const ADDRESS = new RegExp(`${BEFORE}(?:${OCTET}\\.){3}${OCTET}(?![\\w-]|\\.\\w)`, 'gu');
/** A host that looks like an address. */
const NUMBERS = /^(?:\d{1,3}\.){3}\d{1,3}(?![\w.-])/;
const LABELS = '(?:[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?\\.){1,10}';

/** Places in one word that are tried in vain; see `#starts`. */
const MAX_FAILURES_PER_WORD = 16;

export class Match {
  constructor(text, schema, index, lastIndex) {
    this.schema = schema.toLowerCase();
    this.index = index;
    this.lastIndex = lastIndex;
    this.raw = text.slice(index, lastIndex);
    this.text = this.raw;
    this.url = this.raw;
  }
}

export class LinkifyIt {
  #schemas = new Map(BUILT_IN.map((name) => [name, null]));
  #options;
  #finder;
  #web;
  #custom;
  #withTld;

  /** Version 5 has custom schemas before the options. */
  constructor(schemas, options) {
    const first = schemas ?? {};
    const isOptions = options === undefined && Object.keys(first).every((name) => name in DEFAULTS);
    const { rebuilder, ...given } = (isOptions ? first : options) ?? {};
    if (rebuilder) throw new TypeError('urigrep/linkify-it: there are no regular expressions to rebuild');
    this.#options = { ...DEFAULTS };
    this.set(given);
    if (!isOptions) for (const [name, definition] of Object.entries(first)) this.add(name, definition);
  }

  add(schema, definition = null) {
    if (definition === null) this.#schemas.delete(schema);
    else this.#schemas.set(schema, definitionOf(schema, definition));
    return this.#changed();
  }

  set(options = {}) {
    const { tlds, ...others } = options;
    this.#options = { ...this.#options, ...others };
    return tlds ? this.tlds(tlds) : this.#changed();
  }

  tlds(list, keepOld = false) {
    const added = (Array.isArray(list) ? list : [list]).map((name) => name.toLowerCase());
    const kept = keepOld ? this.#options.tlds : { only: true, names: [] };
    this.#options.tlds = { only: kept?.only ?? false, names: [...(kept?.names ?? []), ...added] };
    return this.#changed();
  }

  /** True if `match` may find something; cheap. */
  pretest(text) {
    return /[:@./]/.test(text) || [...this.#customNames()].some((name) => text.includes(name));
  }

  test(text) {
    return this.match(text) !== null;
  }

  testSchemaAt(text, schema, pos) {
    const name = schema.toLowerCase();
    if (!this.#schemas.has(name)) return 0;
    const definition = this.#schemas.get(name);
    if (definition) return definition.validate(text.slice(0, pos + this.#options.maxLength), pos, this);
    const start = pos - schema.length;
    const found =
      name === '//'
        ? this.#relativeAt(text, start)
        : this.#found(text.slice(start, this.#limit(text, pos)), meant).find((m) => m.index === 0);
    return found ? found.lastIndex - (name === '//' ? pos : schema.length) : 0;
  }

  match(text) {
    return this.#matches(text, meant);
  }

  /** Like `match`; `urlOf` says what the `url` of a match with a scheme is. */
  #matches(text, urlOf) {
    const found = this.#found(text, urlOf);
    const others = [...this.#customMatches(text)];
    if (this.#schemas.has('//') && text.includes('//'))
      others.push(...this.#starts(text, RELATIVE, this.#relativeAt));
    if (this.#options.fuzzyLink && this.#schemas.has('http:')) {
      if (this.#options.fuzzyIP) others.push(...this.#starts(text, ADDRESS, this.#fuzzyAt));
      if (this.#withTld) others.push(...this.#starts(text, this.#withTld, this.#fuzzyAt));
    }
    const all = others.length === 0 ? found : inOrder([...found, ...others]);
    return all.length === 0 ? null : all;
  }

  matchAtStart(text) {
    const end = this.#limit(text, 0);
    // One more character, because what follows a URI may decide where it ends.
    const first = this.#matches(text.slice(0, end + 1), asLongAsItsSource)?.[0];
    return first?.index === 0 && first.schema !== '' && !isFuzzyMail(first) ? first : null;
  }

  normalize(match) {
    if (!match.schema) match.url = `http://${match.url}`;
    if (match.schema === 'mailto:' && !/^mailto:/i.test(match.url)) match.url = `mailto:${match.url}`;
  }

  #changed() {
    this.#finder = undefined;
    this.#custom = undefined;
    const names = this.#options.tlds?.names ?? [];
    const listed = names
      .map(escaped)
      .sort((a, b) => b.length - a.length)
      .join('|');
    this.#withTld = listed
      ? new RegExp(`${BEFORE}${LABELS}(?:${listed})(?![\\p{L}\\p{N}_-])`, 'giu')
      : undefined;
    return this;
  }

  /** The matches of urigrep's own rules. */
  #found(text, urlOf) {
    const { fuzzyLink, fuzzyEmail, tlds } = this.#options;
    const hasMail = this.#schemas.has('mailto:');
    const hasWeb = this.#schemas.has('http:');
    this.#finder ??= new Finder({
      schemes: [...this.#schemas]
        .filter(([name, own]) => !own && name.endsWith(':'))
        .map(([name]) => name.slice(0, -1)),
      rejoin: 'never',
      assumeScheme: 'http',
      abbreviated: fuzzyLink && hasWeb,
      email: fuzzyEmail && hasMail,
    });
    const matches = this.#finder._records(text, (found) => this.#matchOf(text, found, urlOf));
    return matches.filter(
      (match) => match && (match.schema !== '' || !tlds?.only || hasTld(match, tlds.names)),
    );
  }

  #matchOf(text, found, urlOf) {
    const { start, end, kind, scheme } = found;
    if (end - start > this.#options.maxLength) return undefined;
    // linkify-it knows no repositories, and numbers only by `fuzzyIP`, which `match` looks for itself.
    if (kind === 'abbreviated' && (scheme === 'ssh' || NUMBERS.test(text.slice(start, end))))
      return undefined;
    const isWritten = kind !== 'abbreviated' && kind !== 'email';
    const match = new Match(text, isWritten || scheme === 'mailto' ? `${scheme}:` : '', start, end);
    if (isWritten) match.url = urlOf(found);
    this.normalize(match);
    return match;
  }

  *#customMatches(text) {
    const names = [...this.#customNames()];
    if (names.length === 0) return;
    this.#custom ??= new RegExp(`(?<![\\p{L}\\p{N}_])(?:${names.map(escaped).join('|')})`, 'giu');
    for (const { 0: name, index } of text.matchAll(this.#custom)) {
      const pos = index + name.length;
      const length = this.testSchemaAt(text, name, pos);
      if (!length) continue;
      const match = new Match(text, name, index, pos + length);
      const { normalize } = this.#schemas.get(name.toLowerCase());
      if (normalize) normalize(match, this);
      else this.normalize(match);
      yield match;
    }
  }

  *#customNames() {
    for (const [name, definition] of this.#schemas) if (definition) yield name;
  }

  /**
   * Reads a match at each place of a pattern. A word may hold thousands of such places, and each reads up to the end of
   * the word; so after some that are no matches, the rest of the word is skipped.
   */
  *#starts(text, pattern, read) {
    let failed = 0;
    let end = 0;
    for (const { index } of text.matchAll(pattern)) {
      if (index >= end) {
        end = this.#limit(text, index);
        failed = 0;
      }
      if (failed >= MAX_FAILURES_PER_WORD) continue;
      const match = read.call(this, text, index);
      if (match) yield match;
      else failed++;
    }
  }

  /** `//host/path` at a place. */
  #relativeAt(text, index) {
    const end = this.#webEnd(text, index, 'http:');
    const host = end && /^\/\/(?:localhost\b|\[|[^/?#]*\.)/.test(text.slice(index, end));
    return host ? new Match(text, '//', index, end) : undefined;
  }

  /** `host/path` at a place. */
  #fuzzyAt(text, index) {
    const end = this.#webEnd(text, index, 'http://');
    if (!end) return undefined;
    const match = new Match(text, '', index, end);
    this.normalize(match);
    return match;
  }

  /** Where the URI ends that starts at `index` if `prefix` is written before it; 0 if none does. */
  #webEnd(text, index, prefix) {
    this.#web ??= new Finder({ schemes: ['http'], rejoin: 'never' });
    const [first] = this.#web.find(prefix + text.slice(index, this.#limit(text, index) + 1));
    return first?.start === 0 ? index + first.end - prefix.length : 0;
  }

  /** The next white space after `from`, which no URI holds, or the longest URI. */
  #limit(text, from) {
    const space = /\s/g;
    space.lastIndex = from;
    const end = space.exec(text)?.index ?? text.length;
    return Math.min(end, from + this.#options.maxLength);
  }
}

export function linkifyit(...options) {
  return new LinkifyIt(...options);
}

/** A plugin of markdown-it: `md.use(markdownIt, { fuzzyLink: true })`. */
export function markdownIt(md, options) {
  md.linkify = new LinkifyIt(options);
}

/** Version 5 is called with and without `new`. */
function callable(...options) {
  return new LinkifyIt(...options);
}
callable.prototype = LinkifyIt.prototype;

export default callable;

/** Version 5 also takes the name of another schema, and a regular expression. */
function definitionOf(schema, definition) {
  if (typeof definition === 'string') return null;
  const { validate, normalize } = definition;
  if (validate instanceof RegExp) {
    return { normalize, validate: (text, pos) => text.slice(pos).match(validate)?.[0].length ?? 0 };
  }
  if (typeof validate !== 'function')
    throw new TypeError(`urigrep/linkify-it: schema ${schema} has no function validate`);
  return { normalize, validate };
}

/** The `url` of `match`. Markdown-it encodes what is not ASCII, and shows it decoded; so it is as written where it can. */
function meant({ text, uri, iri, kind, flags }) {
  return kind === 'lax' || flags.includes('decoded') ? (iri ?? uri) : text;
}

/**
 * The `url` of `matchAtStart`. Its one caller, the rule of markdown-it that reads links in Markdown, goes on behind the
 * link by the length of `url`: any other length would lose text or double it. So what needs repair stays as written, and
 * markdown-it encodes it. Without its escapes a URL is shorter, and is filled up with spaces, which markdown-it drops; they
 * stand before it, since at the end they would hide the `*` of emphasis.
 */
function asLongAsItsSource({ text, uri, iri, flags }) {
  if (!flags.includes('decoded')) return text;
  const unescaped = text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
  // What is no escape in Markdown (CommonMark section 2.4) is one of a string, such as `\u00e9`. But where troff has a
  // break that is nothing, as in `\:`, Markdown has a character.
  const read = unescaped.includes('\\') && !/\\[:&%|]/.test(text) ? (iri ?? uri) : unescaped;
  return read.length > text.length ? text : read.padStart(text.length);
}

/** Sorts matches by their start, and drops those inside or across earlier ones; of two at one place the longer stays. */
function inOrder(matches) {
  matches.sort((a, b) => a.index - b.index || b.lastIndex - a.lastIndex);
  let end = 0;
  return matches.filter((match) => {
    if (match.index < end) return false;
    end = match.lastIndex;
    return true;
  });
}

function hasTld(match, names) {
  const host = match.raw.match(/^[^/?#:]*/)[0].toLowerCase();
  return names.includes(host.slice(host.lastIndexOf('.') + 1));
}

function isFuzzyMail(match) {
  return match.schema === 'mailto:' && !/^mailto:/i.test(match.raw);
}

function escaped(text) {
  return text.replace(/[.?*+^$[\]\\(){}|/-]/g, '\\$&');
}
