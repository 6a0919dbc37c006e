import type { Finder } from 'urigrep';

export interface Options {
  /** The finder; by default one for URIs with a scheme. */
  finder?: Finder;
  /** Schemes that become links; `http`, `https`, and `mailto` by default. */
  schemes?: readonly string[];
}

/** A plugin for remark: URIs in the text of Markdown become links. */
export default function remarkUrigrep(options?: Options): (tree: any) => void;
