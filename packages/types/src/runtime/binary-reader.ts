import { CodecError } from './codec-error.js';
import { maxDepth } from './limits.js';

const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });

/** Wire types of protobuf. */
export const wire = { varint: 0, bits64: 1, bytes: 2, start: 3, end: 4, bits32: 5 } as const;

/** Cursor over protobuf bytes that validates every step. */
export class BinaryReader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  pos = 0;
  end: number;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.length;
  }

  /** Low 32 bits of a varint, as a signed number. */
  varint32(): number {
    const first = this.bytes[this.pos] as number;
    if (first < 128 && this.pos < this.end) {
      this.pos++;
      return first;
    }
    return Number(BigInt.asIntN(32, this.varint64()));
  }

  /** A varint as an unsigned 64-bit number. */
  varint64(): bigint {
    const start = this.pos;
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.pos >= this.end) throw new CodecError('the bytes end inside a number', '', start);
      const byte = this.bytes[this.pos++] as number;
      const part = byte & 0x7f;
      // Two halves of 28 and 42 bits: a number represents both exactly, and a bigint per byte would be slow.
      if (shift < 28) low |= part << shift;
      else high += part * 2 ** (shift - 28);
      if (byte < 128) {
        if (shift === 63 && part > 1) throw new CodecError('a number is larger than 64 bits', '', start);
        return high === 0 ? BigInt(low) : (BigInt(high) << 28n) | BigInt(low);
      }
    }
    throw new CodecError('a number is longer than 10 bytes', '', start);
  }

  fixed32(): number {
    return this.view.getUint32(this.take(4), true);
  }

  fixed64(): bigint {
    return this.view.getBigUint64(this.take(8), true);
  }

  float(): number {
    return this.view.getFloat32(this.take(4), true);
  }

  double(): number {
    return this.view.getFloat64(this.take(8), true);
  }

  /** Reads the length prefix of a block; returns the position after the block. */
  blockEnd(): number {
    const start = this.pos;
    const length = this.varint64();
    if (length > BigInt(this.end - this.pos)) {
      throw new CodecError(`a block of ${length} bytes is announced where ${this.end - this.pos} are left`, '', start);
    }
    return this.pos + Number(length);
  }

  /** Copies a block, so that a small field does not keep a large response in memory. */
  block(): Uint8Array {
    const end = this.blockEnd();
    const block = Uint8Array.prototype.slice.call(this.bytes, this.pos, end);
    this.pos = end;
    // A Buffer slices into a Buffer; the form contains plain arrays over every transport.
    return block.constructor === Uint8Array ? block : new Uint8Array(block);
  }

  /** Text; invalid UTF-8 becomes U+FFFD, as in the node's JSON. */
  text(): string {
    const end = this.blockEnd();
    const start = this.pos;
    this.pos = end;
    if (end - start > 48) return utf8.decode(this.bytes.subarray(start, end));
    let text = '';
    for (let i = start; i < end; i++) {
      const byte = this.bytes[i] as number;
      if (byte > 127) return utf8.decode(this.bytes.subarray(start, end));
      text += String.fromCharCode(byte);
    }
    return text;
  }

  /** Skips the value of a field that the table does not know. */
  skip(wireType: number, no: number, depth = 0): void {
    const start = this.pos;
    switch (wireType) {
      case wire.varint:
        this.varint64();
        return;
      case wire.bits64:
        this.take(8);
        return;
      case wire.bytes:
        this.pos = this.blockEnd();
        return;
      case wire.bits32:
        this.take(4);
        return;
      case wire.start:
        if (depth >= maxDepth) throw new CodecError(`groups are nested deeper than ${maxDepth}`, '', start);
        for (;;) {
          const tag = this.tag();
          if ((tag & 7) === wire.end) {
            if (tag >>> 3 !== no) throw new CodecError(`group ${no} is closed as ${tag >>> 3}`, '', start);
            return;
          }
          this.skip(tag & 7, tag >>> 3, depth + 1);
        }
      default:
        throw new CodecError(`wire type ${wireType} does not exist here`, '', start);
    }
  }

  /** Field number and wire type, as an unsigned 32-bit number. */
  tag(): number {
    const start = this.pos;
    const tag = this.varint32() >>> 0;
    if (tag >>> 3 === 0) throw new CodecError('field number 0 does not exist', '', start);
    return tag;
  }

  private take(count: number): number {
    const start = this.pos;
    if (start + count > this.end) throw new CodecError('the bytes end inside a number', '', start);
    this.pos = start + count;
    return start;
  }
}
