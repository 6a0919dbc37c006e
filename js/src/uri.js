// Functions on one URI: `parse`, `normalize`, `resolve`, `redact`.

import { engine } from './engine.js';

/** A text that is not a URI reference. */
export class UriError extends SyntaxError {
  constructor({ input, reason, message, at }) {
    super(`${message} (at ${at} of ${JSON.stringify(input)})`);
    this.name = 'UriError';
    this.input = input;
    this.reason = reason;
    this.at = at;
  }
}

function answer(name, ...texts) {
  for (const text of texts) {
    if (typeof text !== 'string') throw new TypeError(`urigrep: ${name} takes strings`);
  }
  const now = engine();
  now.call(name, ...now.write(texts));
  const text = now.output();
  now.release();
  return text;
}

function json(name, ...texts) {
  const value = JSON.parse(answer(name, ...texts));
  if (value.reason !== undefined) throw new UriError(value);
  return value;
}

export function parse(text) {
  return json('parse', text);
}

export function normalize(uri) {
  return json('normalize', uri).uri;
}

export function resolve(base, reference) {
  return json('resolve', base, reference).uri;
}

export function redact(text) {
  return answer('redact', text);
}
