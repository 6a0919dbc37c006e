/** A URI in a text. Offsets count UTF-16 code units: `text.slice(start, end) === match.text`. */
export interface Match {
  start: number;
  end: number;
  /** The URI: rejoined, decoded, and repaired. It is always valid under RFC 3986. */
  uri: string;
  /** The source, as it stands in the text. */
  text: string;
  kind: Kind;
  /** In lower case. */
  scheme: string;
  /** The host as written, or `null` if the URI has none. `new URL(match.uri).host` is its name in the DNS. */
  host: string | null;
  flags: Flag[];
}

export type Kind = 'uri' | 'iri' | 'urn' | 'lax' | 'abbreviated' | 'email';

export type Flag =
  | 'rejoined'
  | 'decoded'
  | 'elided'
  | 'refanged'
  | 'unwrapped'
  | 'embedded'
  | 'template'
  | 'trimmed-percent'
  | 'maybe-wrapped'
  | 'has-credentials'
  | 'percent-nul'
  | 'escaped-delimiter'
  | 'misleading-userinfo'
  | 'rare-ip'
  | 'port-out-of-range'
  | 'mixed-script-host'
  | 'urn-nss-invalid'
  | 'bidi'
  | 'redacted'
  | 'idna-symbol'
  | 'maybe-cut';

export interface FinderOptions {
  /** Schemes that are reported: all that are plausible (the default), only known ones, or a list. */
  schemes?: 'any' | 'known' | readonly string[];
  /** Reject URIs with characters that no RFC allows, instead of repairing them. */
  strict?: boolean;
  /** End a URI at every character beyond ASCII. */
  ascii?: boolean;
  /** Also report URIs inside other URIs. */
  embedded?: boolean;
  /** Read URIs that were made unclickable: `hxxp`, `[.]`. */
  refang?: boolean;
  /** Replace redirectors by their targets. */
  unwrap?: boolean;
  /** Line breaks inside a URI that are removed; `wrapped` by default. */
  rejoin?: 'never' | 'wrapped' | 'hyphen' | 'always';
  /** Also find URIs without a scheme: `www.example.com`, `example.com/a`. */
  abbreviated?: boolean;
  /** The scheme of those; `https` by default. */
  assumeScheme?: 'https' | 'http';
  /** Also find mail addresses without `mailto:`. */
  email?: boolean;
  /** Also find identifiers as people write them, such as `ISBN 0-306-40615-2`; or only DOIs. */
  identifiers?: boolean | 'doi';
  /** Find links by the rules of Unicode UTS #58. */
  uts58?: boolean;
  /** The standard that decides what is valid. */
  grammar?:
    'rfc3986' | 'rfc8141' | 'rfc2396bis-01' | 'url-syntax-05' | 'url-1993' | 'rfc2141bis-01' | 'rfc2141';
  /** The longest URI in bytes of UTF-8; 1 MiB by default. */
  maxUri?: number;
}

export interface LinkifyOptions {
  /** The attribute `rel` of each link; `nofollow noopener` by default, none if empty. */
  rel?: string;
  /** Schemes that become links; `http`, `https`, and `mailto` by default. Schemes that run something never do. */
  schemes?: readonly string[];
}

/** A rule that decided something, and the text that it acted on. */
export interface Step {
  /** Its number in the delimiting rules, such as `D4.2`, or the name of a flag or a fault. */
  rule: string;
  what: string;
  start: number;
  end: number;
  text: string;
}

export interface ExplainedMatch {
  start: number;
  end: number;
  text: string;
  uri: string;
  kind: Kind;
  wrapper: 'angle' | 'quote' | 'paren' | 'bracket' | 'brace' | 'emphasis' | 'backtick' | 'prefix' | 'none';
  flags: Flag[];
  /** What the URI identifies, in one spelling: `doi:10.1000/182`. */
  identifier: string | null;
  steps: Step[];
  reason?: undefined;
}

/** Text that looks like a URI and is none. */
export interface Rejected {
  start: number;
  end: number;
  text: string;
  /** A fixed word, such as `defanged`. */
  reason: string;
  /** The reason in words. */
  message: string;
  /** Where the fault is, in the searched text. */
  at: number;
  steps: Step[];
  uri?: undefined;
}

/** Finds URIs and URNs in strings. It takes no resources until it is made, and frees them when it is collected. */
export class Finder {
  /**
   * @throws {TypeError} if there is no such option, or its value has another type
   * @throws {RangeError} if an option has no such value
   */
  constructor(options?: FinderOptions);
  /** Returns the URIs of a text, in order and, unless `embedded` is set, without overlap. */
  find(text: string): Match[];
  /** True if the text has a match. */
  test(text: string): boolean;
  /** Returns the text as HTML with links. The result is safe to insert into a page, whatever the text is. */
  linkify(text: string, options?: LinkifyOptions): string;
  /** Returns matches and rejected candidates, each with the rules that decided it. */
  explain(text: string): (ExplainedMatch | Rejected)[];
}

/** The components of a URI reference; `null` if absent (RFC 3986 section 3). */
export interface Components {
  kind: 'uri' | 'iri' | 'urn' | 'relative-ref';
  scheme: string | null;
  authority: string | null;
  userinfo: string | null;
  host: string | null;
  port: string | null;
  path: string;
  query: string | null;
  fragment: string | null;
  /** The namespace identifier of a URN (RFC 8141 section 2.1). */
  nid: string | null;
  /** The namespace specific string of a URN (RFC 8141 section 2.2). */
  nss: string | null;
  flags: Flag[];
  identifier: Identifier | null;
}

export interface Identifier {
  kind:
    | 'doi'
    | 'isbn'
    | 'issn'
    | 'ark'
    | 'nbn'
    | 'handle'
    | 'orcid'
    | 'arxiv'
    | 'pmid'
    | 'pmcid'
    | 'swhid'
    | 'urn';
  value: string;
  canonical: string;
}

/** A text that is not a URI reference. */
export class UriError extends SyntaxError {
  input: string;
  /** A fixed word, such as `percent-triplet`. */
  reason: string;
  /** Where the fault is in `input`. */
  at: number;
}

/**
 * Takes a URI, an IRI, a URN, or a relative reference apart.
 * @throws {UriError}
 */
export function parse(text: string): Components;

/**
 * Returns the normal form of a URI (RFC 3986 sections 6.2.2 and 6.2.3).
 * @throws {UriError}
 */
export function normalize(uri: string): string;

/**
 * Returns what a reference means in a document with this URI (RFC 3986 section 5.2).
 * @throws {UriError}
 */
export function resolve(base: string, reference: string): string;

/** Returns a text with `REDACTED` in place of passwords and tokens in its URIs. */
export function redact(text: string): string;

/**
 * Sets the compiled `urigrep/urigrep.wasm`, for places where a program may not compile WebAssembly, such as Cloudflare
 * Workers. Everywhere else nothing needs to be set.
 */
export function setModule(module: WebAssembly.Module): void;
