/** An unsigned number; `cursor` moves on. */
export function varint(bytes: Uint8Array, cursor: { at: number }): bigint {
  const byte = bytes[cursor.at++] as number;
  // Where the bytes end there is no number to make a bigint of.
  return byte > 127 ? BigInt(byte & 127) + (varint(bytes, cursor) << 7n) : BigInt(byte);
}
