import { CodecError } from './codec-error.js';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = /* @__PURE__ */ valueByCode();

function valueByCode(): Int8Array {
  const byCode = new Int8Array(128).fill(-1);
  for (let i = 0; i < 64; i++) byCode[alphabet.charCodeAt(i)] = i;
  byCode['-'.charCodeAt(0)] = 62;
  byCode['_'.charCodeAt(0)] = 63;
  return byCode;
}

/** Decodes base64 text: standard or URL alphabet, padding optional. */
export function fromBase64(text: string): Uint8Array {
  let length = text.length;
  while (length > 0 && text.length - length < 2 && text.charCodeAt(length - 1) === 61) length--;
  if (length % 4 === 1) throw new CodecError(`base64 text of ${text.length} characters is cut`);
  const bytes = new Uint8Array((length * 3) >> 2);
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let i = 0; i < length; i++) {
    const value = values[text.charCodeAt(i)] ?? -1;
    if (value < 0) throw new CodecError(`character ${i} of the base64 text is none of its alphabet`);
    held = (held << 6) | value;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (held >> bits) & 0xff;
    }
  }
  return bytes;
}

/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const rest = bytes.length - i;
    const held = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    text += alphabet[held >> 18] as string;
    text += alphabet[(held >> 12) & 63] as string;
    text += rest > 1 ? (alphabet[(held >> 6) & 63] as string) : '=';
    text += rest > 2 ? (alphabet[held & 63] as string) : '=';
  }
  return text;
}

/** Decodes hex text in either case. */
export function fromHex(text: string): Uint8Array {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) {
    throw new CodecError(`${JSON.stringify(text.slice(0, 60))} is not hex, two digits 0-9 a-f A-F for each byte`);
  }
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

const digits = '0123456789ABCDEF';

/** Upper-case hex. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += `${digits[byte >> 4]}${digits[byte & 15]}`;
  return text;
}
