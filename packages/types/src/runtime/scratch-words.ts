/** Two words that can be read as one 64-bit number: a bigint from here is cheaper than one converted from a number. */
export const words = /* @__PURE__ */ new Uint32Array(2);
export const unsigned = /* @__PURE__ */ unsignedOf(words);
export const signed = /* @__PURE__ */ signedOf(words);

/** The words are read in the byte order of the machine: usable only if the low word is first. */
export const isLittleEndian = /* @__PURE__ */ hasLowByteFirst();

function unsignedOf({ buffer }: Uint32Array): BigUint64Array {
  return new BigUint64Array(buffer);
}

function signedOf({ buffer }: Uint32Array): BigInt64Array {
  return new BigInt64Array(buffer);
}

function hasLowByteFirst(): boolean {
  return new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
}
