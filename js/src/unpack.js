// Unpacks what `build.js` packed with LZMA, in the format of the `.lzma` files of LZMA Utils.
//
// The module is a fifth smaller this way than by deflate, and the decoders that pages have (`DecompressionStream`) answer
// later, while a finder is made at once. The names are those of the LZMA specification.

/** The bits of a probability, and how fast it follows what it is asked. */
const PROBABILITY_BITS = 11;
const MOVE_BITS = 5;

/** A range with fewer bits takes the next byte. */
const LEAST_RANGE = 1 << 24;

/** Where the probabilities of each kind start in their table. */
const IS_MATCH = 0;
const IS_REP0_LONG = IS_MATCH + 12 * 16;
const IS_REP = IS_REP0_LONG + 12 * 16;
const IS_REP_G0 = IS_REP + 12;
const IS_REP_G1 = IS_REP_G0 + 12;
const IS_REP_G2 = IS_REP_G1 + 12;
const SLOTS = IS_REP_G2 + 12;
const POSITIONS = SLOTS + 4 * 64;
const ALIGN = POSITIONS + 128;
const LENGTH = ALIGN + 16;
const REP_LENGTH = LENGTH + 514;
const LITERALS = REP_LENGTH + 514;

export function unpack(packed) {
  const lc = packed[0] % 9;
  const lp = Math.floor(packed[0] / 9) % 5;
  const pb = Math.floor(packed[0] / 45);
  const out = new Uint8Array(new DataView(packed.buffer, packed.byteOffset).getUint32(5, true));
  const probabilities = new Uint16Array(LITERALS + (0x300 << (lc + lp))).fill(1 << (PROBABILITY_BITS - 1));

  // The first byte after the header is 0, and the next four start the code.
  let next = 18;
  let range = 0xffffffff;
  let code = new DataView(packed.buffer, packed.byteOffset).getUint32(14);

  const fill = () => {
    if (range >= LEAST_RANGE) return;
    range = (range << 8) >>> 0;
    code = ((code << 8) | packed[next++]) >>> 0;
  };
  const bit = (at) => {
    const probability = probabilities[at];
    const bound = (range >>> PROBABILITY_BITS) * probability;
    const value = code < bound ? 0 : 1;
    if (value === 0) {
      range = bound;
      probabilities[at] += ((1 << PROBABILITY_BITS) - probability) >> MOVE_BITS;
    } else {
      range -= bound;
      code -= bound;
      probabilities[at] -= probability >> MOVE_BITS;
    }
    fill();
    return value;
  };
  const directBits = (count) => {
    let value = 0;
    for (; count > 0; count--) {
      range >>>= 1;
      const one = code >= range;
      if (one) code -= range;
      value = value * 2 + Number(one);
      fill();
    }
    return value;
  };
  const tree = (base, bits) => {
    let node = 1;
    for (let n = 0; n < bits; n++) node = node * 2 + bit(base + node);
    return node - (1 << bits);
  };
  const reverseTree = (base, bits) => {
    let node = 1;
    let value = 0;
    for (let n = 0; n < bits; n++) {
      const one = bit(base + node);
      node = node * 2 + one;
      value += one << n;
    }
    return value;
  };
  const length = (base, position) => {
    if (bit(base) === 0) return 2 + tree(base + 2 + 8 * position, 3);
    if (bit(base + 1) === 0) return 10 + tree(base + 130 + 8 * position, 3);
    return 18 + tree(base + 258, 8);
  };
  const distance = (length) => {
    const slot = tree(SLOTS + 64 * Math.min(length - 2, 3), 6);
    if (slot < 4) return slot + 1;
    const bits = (slot >> 1) - 1;
    const start = (2 + (slot & 1)) << bits;
    if (slot < 14) return start + reverseTree(POSITIONS + start - slot, bits) + 1;
    return start + directBits(bits - 4) * 16 + reverseTree(ALIGN, 4) + 1;
  };
  /** Which of the last distances comes again; undefined for one byte at the last of them. */
  const repeated = (state, position) => {
    if (bit(IS_REP_G0 + state) === 0) return bit(IS_REP0_LONG + 16 * state + position) === 0 ? undefined : 0;
    return bit(IS_REP_G1 + state) === 0 ? 1 : 2 + bit(IS_REP_G2 + state);
  };
  const literal = (at, state, last) => {
    const before = at > 0 ? out[at - 1] : 0;
    const base = LITERALS + 0x300 * (((at & ((1 << lp) - 1)) << lc) + (before >> (8 - lc)));
    let symbol = 1;
    if (state >= 7) {
      // As long as the bits are those of the byte at the last distance, that byte is a part of the context.
      let match = out[at - last];
      while (symbol < 0x100) {
        match *= 2;
        const expected = (match >> 8) & 1;
        const actual = bit(base + 0x100 * (1 + expected) + symbol);
        symbol = symbol * 2 + actual;
        if (actual !== expected) break;
      }
    }
    while (symbol < 0x100) symbol = symbol * 2 + bit(base + symbol);
    return symbol;
  };

  let state = 0;
  let rep = [1, 1, 1, 1];
  for (let at = 0; at < out.length;) {
    const position = at & ((1 << pb) - 1);
    if (bit(IS_MATCH + 16 * state + position) === 0) {
      out[at] = literal(at, state, rep[0]);
      at++;
      state = state < 4 ? 0 : state - (state < 10 ? 3 : 6);
      continue;
    }
    const isAfterLiteral = state < 7;
    let count;
    if (bit(IS_REP + state) === 0) {
      count = length(LENGTH, position);
      rep = [distance(count), rep[0], rep[1], rep[2]];
      state = isAfterLiteral ? 7 : 10;
    } else {
      const which = repeated(state, position);
      if (which !== undefined) rep.unshift(...rep.splice(which, 1));
      count = which === undefined ? 1 : length(REP_LENGTH, position);
      state = isAfterLiteral ? (which === undefined ? 9 : 8) : 11;
    }
    for (; count > 0; count--, at++) out[at] = out[at - rep[0]];
  }
  return out;
}
