const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

function polymod(values: readonly number[]): number {
  let checksum = 1;
  for (const value of values) {
    const top = checksum >>> 25;
    checksum = ((checksum & 0x1ffffff) << 5) ^ value;
    for (let i = 0; i < 5; i++) if ((top >>> i) & 1) checksum ^= generator[i] as number;
  }
  return checksum >>> 0;
}

function expanded(prefix: string): number[] {
  const codes = [...Buffer.from(prefix, 'latin1')];
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}

function regroup(values: readonly number[], from: number, to: number, pad: boolean): number[] | undefined {
  let buffer = 0;
  let bits = 0;
  const out: number[] = [];
  for (const value of values) {
    buffer = (buffer << from) | value;
    bits += from;
    while (bits >= to) {
      bits -= to;
      out.push((buffer >> bits) & ((1 << to) - 1));
    }
    buffer &= (1 << bits) - 1;
  }
  if (pad) return bits > 0 ? [...out, (buffer << (to - bits)) & ((1 << to) - 1)] : out;
  return bits >= from || buffer !== 0 ? undefined : out;
}

/** Bytes of a bech32 address, or undefined if it is malformed or has another prefix. Upper case is allowed. */
export function decodeBech32(address: string, prefix: string): Buffer | undefined {
  const text = address.toLowerCase();
  if (text !== address && address.toUpperCase() !== address) return undefined;
  const at = text.lastIndexOf('1');
  if (at < 1 || text.slice(0, at) !== prefix) return undefined;
  const values = Array.from(text.slice(at + 1), (char) => alphabet.indexOf(char));
  if (values.length < 6 || values.includes(-1)) return undefined;
  if (polymod([...expanded(prefix), ...values]) !== 1) return undefined;
  const bytes = regroup(values.slice(0, -6), 5, 8, false);
  return bytes === undefined ? undefined : Buffer.from(bytes);
}

export function encodeBech32(prefix: string, bytes: Uint8Array): string {
  const values = regroup([...bytes], 8, 5, true) as number[];
  const checksum = polymod([...expanded(prefix), ...values, 0, 0, 0, 0, 0, 0]) ^ 1;
  const tail = [0, 1, 2, 3, 4, 5].map((i) => (checksum >>> (5 * (5 - i))) & 31);
  return `${prefix}1${[...values, ...tail].map((value) => alphabet[value]).join('')}`;
}
