// The bytes of the module in Node: a file beside this one.
import { readFileSync } from 'node:fs';

export const wasmBytes = () => readFileSync(new URL('./urigrep.wasm', import.meta.url));
