// The bytes of the module where no file can be read at once: a part of the program, which the build puts here.
import packed from 'urigrep:packed';
import { unpack } from './unpack.js';

export function wasmBytes() {
  return unpack(Uint8Array.from(atob(packed), (character) => character.charCodeAt(0)));
}
