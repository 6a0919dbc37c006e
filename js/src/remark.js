// A plugin for remark: URIs in the text of Markdown become links.

import { Finder } from 'urigrep';
import { checkedOptions, refuse, words } from './options.js';

const LINKED = ['http', 'https', 'mailto'];

/** Nodes whose text must not hold links. */
const CLOSED = new Set(['link', 'linkReference', 'definition']);

export default function remarkUrigrep(options = {}) {
  const { finder = new Finder(), schemes = LINKED, ...unknown } = checkedOptions(options);
  refuse(unknown);
  if (typeof finder?.find !== 'function') throw new TypeError('urigrep: option `finder` must be a Finder');
  const linked = new Set(words('schemes', schemes));
  return (tree) => {
    link(tree);
  };

  function link(node) {
    if (!node.children || CLOSED.has(node.type)) return;
    node.children = node.children.flatMap((child) => {
      if (child.type === 'text') return split(child);
      link(child);
      return [child];
    });
  }

  function split(node) {
    const text = node.value;
    const matches = finder.find(text).filter((match) => linked.has(match.scheme));
    if (matches.length === 0) return [node];
    const parts = [];
    let done = 0;
    for (const { start, end, uri, text: source } of matches) {
      if (start < done) continue;
      if (start > done) parts.push({ type: 'text', value: text.slice(done, start) });
      parts.push({ type: 'link', url: uri, title: null, children: [{ type: 'text', value: source }] });
      done = end;
    }
    if (done < text.length) parts.push({ type: 'text', value: text.slice(done) });
    return parts;
  }
}
