export { Finder } from './finder.js';
export { setModule } from './engine.js';
