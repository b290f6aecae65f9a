/** Bytes that are invalid in UTF-8, so that no reader can decode them as text. */
const noUtf8 = [0xff, 0xfe, 0xc0, 0xc1, 0xf5, 0xfa, 0xfd, 0xf8] as const;

/** Returns a copy in which eight bytes starting at `at` are noise. */
export function garble(bytes: Uint8Array, at: number): Buffer {
  const garbled = Buffer.from(bytes);
  for (const [index, byte] of noUtf8.entries()) {
    if (at + index < garbled.length) garbled[at + index] = byte;
  }
  return garbled;
}
