export interface LinkifyOptions {
  /** Recognize links without a scheme; false by default, as in linkify-it 6. */
  fuzzyLink?: boolean;
  /** Recognize mail addresses without `mailto:`; true by default. */
  fuzzyEmail?: boolean;
  /** Recognize IPv4 addresses without a scheme, with `fuzzyLink`; false by default. */
  fuzzyIP?: boolean;
  /** Accepted for compatibility, and ignored: urigrep decides by its own rules. */
  '---'?: boolean;
  /** Accepted for compatibility, and ignored. */
  urlAuth?: boolean;
  /** The longest link; 10,000 by default. */
  maxLength?: number;
  /** The only top-level domains of links without a scheme; by default, all that there are. */
  tlds?: string[];
}

export interface SchemaDefinition {
  /** Returns the length of the text after the prefix, or 0. */
  validate: RegExp | ((text: string, pos: number, self: LinkifyIt) => number);
  /** Sets `text` and `url` of a match. */
  normalize?: (match: Match, self: LinkifyIt) => void;
}

export type Schema = SchemaDefinition | string | null;

export class Match {
  schema: string;
  index: number;
  lastIndex: number;
  raw: string;
  text: string;
  url: string;
  constructor(text: string, schema: string, index: number, lastIndex: number);
}

/**
 * linkify-it with the spans of urigrep: `md.linkify = new LinkifyIt()`. In TypeScript, use the plugin {@link markdownIt}: the
 * type of `md.linkify` is a class with private members, which no other class can have.
 */
export class LinkifyIt {
  constructor(options?: LinkifyOptions);
  constructor(schemas: Record<string, Schema>, options?: LinkifyOptions);
  add(schema: string, definition?: Schema): this;
  set(options?: LinkifyOptions): this;
  tlds(list: string | string[], keepOld?: boolean): this;
  pretest(text: string): boolean;
  test(text: string): boolean;
  testSchemaAt(text: string, schema: string, pos: number): number;
  match(text: string): Match[] | null;
  /** For markdown-it: `url` is as long as the source, so it may be unrepaired, and have spaces before it. */
  matchAtStart(text: string): Match | null;
  normalize(match: Match): void;
}

export function linkifyit(options?: LinkifyOptions): LinkifyIt;

/** A plugin of markdown-it: `md.use(markdownIt, { fuzzyLink: true })`. */
export function markdownIt(md: { linkify: unknown }, options?: LinkifyOptions): void;

/** The class, which is also called without `new`, as that of linkify-it 5. */
declare const callable: typeof LinkifyIt & ((options?: LinkifyOptions) => LinkifyIt);
export default callable;
