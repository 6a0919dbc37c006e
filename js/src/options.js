// Checks of what the functions of the package are given; every error names what is wrong.

export function checked(text) {
  if (typeof text !== 'string') throw new TypeError('urigrep: the text must be a string');
  return text;
}

/** Options are an object, and not a list, whose places would be taken for options. */
export function checkedOptions(options) {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError('urigrep: the options must be an object');
  return options;
}

export function boolean(name, value) {
  if (value === undefined || typeof value === 'boolean') return value === true;
  throw new TypeError(`urigrep: option ${name} must be true or false`);
}

export function word(name, value) {
  if (typeof value === 'string' && /^[\w.+-]+$/.test(value)) return value;
  throw new TypeError(`urigrep: option ${name} must be a word`);
}

export function words(name, values) {
  if (!Array.isArray(values)) throw new TypeError(`urigrep: option ${name} must be an array of words`);
  return values.map((value) => word(name, value));
}

/** Throws if there is an option that nobody has read. */
export function refuse(unknown) {
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw new TypeError(`urigrep: there is no option ${name}`);
}
