import type { FinderOptions, LinkifyOptions, Match } from './index.js';

export type { Flag, Kind, LinkifyOptions, Match } from './index.js';

/** The options whose code `urigrep/lite` has; the others are errors. */
export type LiteOptions = Omit<FinderOptions, 'refang' | 'unwrap' | 'identifiers' | 'uts58' | 'grammar'>;

/** Finds URIs and URNs in strings, as the `Finder` of `urigrep` does with the same options. */
export declare class Finder {
  /** @throws {RangeError} if an option is unknown, or not part of `urigrep/lite`. */
  constructor(options?: LiteOptions);
  find(text: string): Match[];
  test(text: string): boolean;
  linkify(text: string, options?: LinkifyOptions): string;
}

/** Sets the compiled module, `urigrep/urigrep-lite.wasm`, where a page may not compile WebAssembly itself. */
export declare function setModule(compiled: WebAssembly.Module): void;
