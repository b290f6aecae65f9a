import { anyMember, anyUrl } from './any.js';
import { zeroDec } from './dec.js';
import type { Naming } from './naming.js';
import { signed, unsigned, words } from './scratch-words.js';
import type { Field, FieldOf, MessageTable } from './table.js';
import { timestampOf } from './time.js';
import type { AnyUnknown, Duration, Timestamp } from './values.js';

/** A decoder of one message, from the reader's position to `end`. */
export type FastDecoder = (reader: FastReader, end: number, depth: number) => unknown;

/** Thrown for input that the fast reader does not handle. The caller then decodes again with the table walk. */
export const unusual = /* @__PURE__ */ new Error('not the usual case');

/** Node's Buffer with the methods behind its `toString`. Declared without Node types, so that browser projects compile. */
interface SliceableBuffer extends Uint8Array {
  utf8Slice(start: number, end: number): string;
  latin1Slice(start: number, end: number): string;
}

/** Longest substring that V8 copies. A longer one would reference the whole text and retain it in memory. */
const maxCopied = 12;

const shorts: string[] = /* @__PURE__ */ Array.from({ length: 256 }, () => '');

/** Prefixes of decimals below 1, by number of digits that follow. */
const decStarts: readonly string[] = /* @__PURE__ */ Array.from(
  { length: 19 },
  (_, digits) => `0.${'0'.repeat(18 - digits)}`,
);

/** A type URL that was read: position and length of its block, and the table that it selects in its field. */
interface MetAny {
  readonly field: Field | undefined;
  readonly from: number;
  readonly length: number;
  /** Neutral type URL. */
  readonly typeUrl: string;
  readonly table: MessageTable | undefined;
}

const untyped: MetAny = { field: undefined, from: 0, length: 0, typeUrl: '', table: undefined };

/** Cursor over a Buffer for decoders compiled from a table. Throws `unusual` for input that the table walk must decode. */
export class FastReader {
  readonly bytes: SliceableBuffer;
  readonly naming: Naming;
  readonly decoderOf: (table: MessageTable) => FastDecoder;
  /** All bytes as one string, because a substring is the fastest way to create a short string. */
  private readonly latin1: string;
  pos = 0;
  /** Type URL of the last `Any` that was read. */
  private lastAny: MetAny | undefined;

  constructor(bytes: Uint8Array, naming: Naming, decoderOf: (table: MessageTable) => FastDecoder) {
    this.bytes = bytes as SliceableBuffer;
    this.latin1 = this.bytes.latin1Slice(0, bytes.length);
    this.naming = naming;
    this.decoderOf = decoderOf;
  }

  /** Reads a varint below 2^53: tags, lengths and most numbers. */
  number(): number {
    const { bytes } = this;
    let byte = bytes[this.pos++] as number;
    if (byte < 128) return byte;
    let value = byte & 0x7f;
    for (let scale = 128; scale <= 2 ** 42; scale *= 128) {
      byte = bytes[this.pos++] as number;
      value += (byte & 0x7f) * scale;
      if (byte < 128) return value;
    }
    // Too long, or past the end, where `byte` is undefined.
    throw unusual;
  }

  /** Reads the length of the block at the current position and returns its end. */
  block(end: number): number {
    const first = this.bytes[this.pos] as number;
    const blockEnd = first < 128 ? ++this.pos + first : this.number() + this.pos;
    if (blockEnd > end) throw unusual;
    return blockEnd;
  }

  int32(): number {
    const start = this.pos;
    const byte = this.bytes[start] as number;
    if (byte < 128) {
      this.pos = start + 1;
      return byte;
    }
    return this.long32();
  }

  private long32(): number {
    this.varint();
    return (words[0] as number) | 0;
  }

  uint64(): bigint {
    this.varint();
    return unsigned[0] as bigint;
  }

  int64(): bigint {
    this.varint();
    return signed[0] as bigint;
  }

  /** Reads a varint into the scratch words. A bigint read from them is cheaper than one converted from a number. */
  private varint(): void {
    const { bytes } = this;
    let low = 0;
    let byte: number;
    for (let shift = 0; shift < 28; shift += 7) {
      byte = bytes[this.pos++] as number;
      low |= (byte & 0x7f) << shift;
      if (byte < 128) {
        words[0] = low;
        words[1] = 0;
        return;
      }
    }
    byte = bytes[this.pos++] as number;
    low |= (byte & 0x0f) << 28;
    let high = (byte & 0x70) >> 4;
    for (let shift = 3; byte > 127; shift += 7) {
      byte = bytes[this.pos++] as number;
      // The tenth byte contains only bit 63.
      if (shift === 31 && byte > 1) throw unusual;
      high |= (byte & 0x7f) << shift;
    }
    if (this.pos > bytes.length) throw unusual;
    words[0] = low;
    words[1] = high;
  }

  text(end: number): string {
    const stop = this.block(end);
    const start = this.pos;
    this.pos = stop;
    const length = stop - start;
    if (length > maxCopied) return this.bytes.utf8Slice(start, stop);
    return length === 0 ? '' : this.short(start, length);
  }

  /** Reads a short text. The records of a list repeat a few of them, such as denominations, so they are cached. */
  private short(start: number, length: number): string {
    const { bytes } = this;
    const slot = ((bytes[start] as number) * 7 + (bytes[start + length - 1] as number) * 31 + length) & 255;
    const met = shorts[slot] as string;
    if (met.length === length) {
      let i = 0;
      while (i < length && met.charCodeAt(i) === bytes[start + i]) i++;
      if (i === length) return met;
    }
    for (let i = 0; i < length; i++) {
      if ((bytes[start + i] as number) > 127) return bytes.utf8Slice(start, start + length);
    }
    return (shorts[slot] = this.latin1.substring(start, start + length));
  }

  /** Reads bytes that are known to be ASCII. */
  private plain(start: number, stop: number): string {
    const length = stop - start;
    if (length <= maxCopied) return this.latin1.substring(start, stop);
    if (length > 2 * maxCopied) return this.bytes.latin1Slice(start, stop);
    const middle = start + maxCopied;
    return this.latin1.substring(start, middle) + this.latin1.substring(middle, stop);
  }

  /** Reads a base-10 text that consists of digits only. A sign is unusual. */
  private digits(end: number): string {
    const { bytes } = this;
    const stop = this.block(end);
    const start = this.pos;
    for (let i = start; i < stop; i++) {
      const byte = bytes[i] as number;
      if (byte < 48 || byte > 57) throw unusual;
    }
    this.pos = stop;
    return this.plain(start, stop);
  }

  int(end: number): string {
    const text = this.digits(end);
    return text === '' ? '0' : text;
  }

  dec(end: number): string {
    const { bytes, pos } = this;
    if (bytes[pos] === 1 && bytes[pos + 1] === 48 && pos + 2 <= end) {
      this.pos = pos + 2;
      return zeroDec;
    }
    const text = this.digits(end);
    const { length } = text;
    if (length <= 18) return (decStarts[length] as string) + text;
    if (text.charCodeAt(0) === 48) throw unusual;
    return `${text.slice(0, length - 18)}.${text.slice(length - 18)}`;
  }

  copy(end: number): Uint8Array {
    const stop = this.block(end);
    const bytes = Uint8Array.prototype.slice.call(this.bytes, this.pos, stop);
    this.pos = stop;
    // Slicing a Buffer creates a Buffer, but the form contains plain arrays with every transport.
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  duration(end: number): Duration {
    const stop = this.block(end);
    let seconds = 0n;
    let nanos = 0;
    while (this.pos < stop) {
      const tag = this.bytes[this.pos++];
      if (tag === 8) seconds = this.int64();
      else if (tag === 16) nanos = this.int32();
      else throw unusual;
    }
    if (this.pos !== stop) throw unusual;
    return { seconds, nanos };
  }

  timestamp(end: number): Timestamp | undefined {
    const span = this.duration(end);
    // Checks the range, and returns `undefined` for the zero time.
    return timestampOf(span.seconds, span.nanos);
  }

  any(field: FieldOf<'any'>, end: number, depth: number): unknown {
    const stop = this.block(end);
    let met = untyped;
    let start = stop;
    let valueEnd = stop;
    while (this.pos < stop) {
      const tag = this.bytes[this.pos++];
      if (tag === 10) met = this.anyType(field, stop);
      else if (tag === 18) {
        valueEnd = this.block(stop);
        start = this.pos;
        this.pos = valueEnd;
      } else throw unusual;
    }
    const { typeUrl, table } = met;
    if (table === undefined) {
      return { typeUrl, raw: Uint8Array.from(this.bytes.subarray(start, valueEnd)) } satisfies AnyUnknown<string>;
    }
    this.pos = start;
    const value = this.decoderOf(table)(this, valueEnd, depth + 1);
    this.pos = stop;
    return { typeUrl, value };
  }

  /** Reads a type URL. Records of a list usually repeat the previous one, so its bytes are compared first. */
  private anyType(field: FieldOf<'any'>, end: number): MetAny {
    const { bytes, lastAny } = this;
    const start = this.pos;
    if (lastAny?.field === field) {
      const { from, length } = lastAny;
      let i = 0;
      while (i < length && bytes[start + i] === bytes[from + i]) i++;
      if (i === length && start + length <= end) {
        this.pos = start + length;
        return lastAny;
      }
    }
    const typeUrl = anyUrl(field, this.text(end), this.naming);
    return (this.lastAny = {
      field,
      from: start,
      length: this.pos - start,
      typeUrl,
      table: anyMember(field, typeUrl),
    });
  }

  /** Skips a field that is not in the table. */
  skip(wireType: number, end: number): void {
    if (wireType === 0) this.uint64();
    else if (wireType === 2) this.pos = this.block(end);
    else throw unusual;
  }
}
