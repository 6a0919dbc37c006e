// Checks of what the functions of the package are given; every error names what is wrong.

function must(holds, value, message) {
  if (holds) return value;
  throw new TypeError(`urigrep: ${message}`);
}

const option = (holds, name, value, what) => must(holds, value, `option \`${name}\` must be ${what}`);

export function checked(text) {
  return must(typeof text === 'string', text, 'the text must be a string');
}

/** Options are an object, and not a list, whose places would be taken for options. */
export function checkedOptions(options) {
  const holds = typeof options === 'object' && options !== null && !Array.isArray(options);
  return must(holds, options, 'the options must be an object');
}

export function string(name, value) {
  return option(typeof value === 'string', name, value, 'a string');
}

export function boolean(name, value) {
  return option(value === undefined || typeof value === 'boolean', name, value === true, 'true or false');
}

export function word(name, value) {
  return option(typeof value === 'string' && /^[\w.+-]+$/.test(value), name, value, 'a word');
}

export function words(name, values) {
  return option(Array.isArray(values), name, values, 'an array of words').map((value) => word(name, value));
}

/** Throws if there is an option that nobody has read. */
export function refuse(unknown) {
  const [name] = Object.keys(unknown);
  must(name === undefined, name, `there is no option \`${name}\``);
}
