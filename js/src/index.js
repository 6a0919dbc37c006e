export { Finder } from './explaining-finder.js';
export { UriError, normalize, parse, redact, resolve } from './uri.js';
export { setModule } from './engine.js';
