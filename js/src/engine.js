// The other side of the border in `wasm/src/lib.rs`: compiles the module on first use, and moves texts in and out.
//
// An instance is dropped after a trap, because its state is unknown then, and when its memory has grown large, because
// WebAssembly cannot give memory back. So everything that belongs to an instance, above all the handles of finders, is
// kept per instance.

import { wasmBytes } from 'urigrep:wasm';

/** Memory above which an instance is dropped after a call. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** A surrogate without its other half. */
const HALF = /[\ud800-\udfff]/u;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

let wasmModule;
let current;

/**
 * Sets the compiled module, for places where a page may not compile WebAssembly itself, such as Cloudflare Workers.
 * Everywhere else the package compiles its own on first use.
 */
export function setModule(compiled) {
  if (!(compiled instanceof WebAssembly.Module)) {
    throw new TypeError('setModule takes a WebAssembly.Module');
  }
  wasmModule = compiled;
  current = undefined;
}

/** Returns the instance for the next call. */
export function engine() {
  current ??= new Engine();
  return current;
}

class Engine {
  #wasm;
  #bytes = new Uint8Array(0);
  /** Where the input is. */
  #start = 0;

  constructor() {
    wasmModule ??= new WebAssembly.Module(wasmBytes());
    this.#wasm = new WebAssembly.Instance(wasmModule).exports;
    this.#wasm.names();
    const { kinds, flags } = JSON.parse(this.output());
    this.kinds = kinds;
    this.flags = flags;
  }

  /** Writes texts to the input, one after the other; returns where each of them ends. */
  write(texts) {
    let units = 0;
    for (const text of texts) units += text.length;
    // As many bytes as there are code units hold any ASCII text; three per unit hold every other one.
    let capacity = units;
    let start = this.#reserve(capacity);
    let at = 0;
    const ends = [];
    for (const text of texts) {
      let { read, written } = encoder.encodeInto(text, this.#bytes.subarray(start + at, start + capacity));
      at += written;
      if (read < text.length) {
        capacity = at + 3 * (units - read);
        start = this.#reserve(capacity);
        written = encoder.encodeInto(
          text.slice(read),
          this.#bytes.subarray(start + at, start + capacity),
        ).written;
        at += written;
      }
      units -= text.length;
      ends.push(at);
    }
    return ends;
  }

  /**
   * Writes a text to search, and returns its length. Half a surrogate pair, which a cut text may end with, becomes three
   * bytes that are not UTF-8, as such a half is in a file: a URI ends there, and may be cut (D2.4).
   */
  writeText(text) {
    const ends = this.write(
      text
        .split(HALF)
        .flatMap((piece) => [piece, '\ufffd'])
        .slice(0, -1),
    );
    for (let at = 1; at < ends.length; at += 2)
      this.#bytes.set([0xed, 0xa0, 0x80], this.#start + ends[at] - 3);
    return ends.at(-1);
  }

  #reserve(capacity) {
    const start = this.call('input', capacity) >>> 0;
    this.#refresh();
    this.#start = start;
    return start;
  }

  /** A view of memory is lost when memory grows. */
  #refresh() {
    if (this.#bytes.buffer !== this.#wasm.memory.buffer)
      this.#bytes = new Uint8Array(this.#wasm.memory.buffer);
  }

  /** Calls an exported function. */
  call(name, ...values) {
    try {
      return this.#wasm[name](...values);
    } catch (cause) {
      if (current === this) current = undefined;
      throw new Error(`urigrep: ${name} failed; please report it`, { cause });
    }
  }

  /** The text that the last call left. */
  output() {
    const length = this.#wasm.output_length();
    const start = this.#wasm.output() >>> 0;
    this.#refresh();
    return length === 0 ? '' : decoder.decode(this.#bytes.subarray(start, start + length));
  }

  /** The numbers that the last call left; valid until the next call. */
  records(count) {
    return new Uint32Array(this.#wasm.memory.buffer, this.#wasm.records() >>> 0, count);
  }

  /** False for an instance that was dropped: its finders go with it, and after a trap no function can be called. */
  isCurrent() {
    return current === this;
  }

  /** Drops the instance if its memory is large. Call it after the results have been read. */
  release() {
    if (this.#wasm.memory.buffer.byteLength > KEPT_BYTES && current === this) current = undefined;
  }
}
