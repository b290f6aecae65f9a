import { CodecError } from './codec-error.js';
import type { Dec, Int } from './values.js';

const scale = 18;

export const zeroInt: Int = '0';
export const zeroDec: Dec = '0.000000000000000000';

/** Checks base-10 integer text of any size; empty text is 0. */
export function readInt(text: string): Int {
  if (text === '') return zeroInt;
  if (!/^-?[0-9]+$/.test(text)) throw new CodecError(`${quoted(text)} is not an integer`);
  return text;
}

/** Converts the protobuf text scaled by 10^18 to a decimal: `50000000000000000` → `0.050000000000000000`. */
export function decFromScaled(text: string): Dec {
  if (text === '' || text === '0') return zeroDec;
  if (!/^-?[0-9]+$/.test(text)) throw new CodecError(`${quoted(text)} is not a scaled decimal`);
  const minus = text.startsWith('-');
  const digits = (minus ? text.slice(1) : text).replace(/^0+/, '').padStart(scale + 1, '0');
  const value = `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return minus && value !== zeroDec ? `-${value}` : value;
}

/** Converts a decimal to text scaled by 10^18: `0.05` → `50000000000000000`. */
export function decToScaled(text: string): string {
  const dec = readDec(text);
  const minus = dec.startsWith('-') ? '-' : '';
  return minus + (dec.replace('-', '').replace('.', '').replace(/^0+/, '') || '0');
}

/** Normalises decimal text with up to 18 fraction digits to exactly 18; empty text is 0. */
export function readDec(text: string): Dec {
  if (text === '') return zeroDec;
  const parts = /^(-?)([0-9]+)(?:\.([0-9]{1,18}))?$/.exec(text);
  if (parts === null) throw new CodecError(`${quoted(text)} is not a decimal of at most 18 fraction digits`);
  const value = `${(parts[2] as string).replace(/^0+(?=.)/, '')}.${(parts[3] ?? '').padEnd(scale, '0')}`;
  return parts[1] === '-' && value !== zeroDec ? `-${value}` : value;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
