// The bytes of the module in Node: a file beside this one, whose name the build puts here.
import { readFileSync } from 'node:fs';

export const wasmBytes = () => readFileSync(new URL(WASM_NAME, import.meta.url));
