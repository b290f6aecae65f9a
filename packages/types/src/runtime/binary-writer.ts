import { CodecError } from './codec-error.js';

const utf8 = /* @__PURE__ */ new TextEncoder();

/** Growing buffer of protobuf bytes. */
export class BinaryWriter {
  private bytes = new Uint8Array(256);
  private view = new DataView(this.bytes.buffer);
  private pos = 0;

  finish(): Uint8Array {
    return this.bytes.slice(0, this.pos);
  }

  get length(): number {
    return this.pos;
  }

  /** Removes the bytes written since `length` was read. */
  rewind(length: number): void {
    this.pos = length;
  }

  tag(no: number, wireType: number): void {
    this.varint32(((no << 3) | wireType) >>> 0);
  }

  /** An unsigned number below 2^32. */
  varint32(value: number): void {
    this.reserve(5);
    let rest = value;
    while (rest > 127) {
      this.bytes[this.pos++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.pos++] = rest;
  }

  /** A signed number; negative ones use ten bytes. */
  int32(value: number): void {
    if (value >= 0) this.varint32(value);
    else this.varint64(BigInt(value));
  }

  varint64(value: bigint): void {
    this.reserve(10);
    let rest = BigInt.asUintN(64, value);
    while (rest > 127n) {
      this.bytes[this.pos++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.bytes[this.pos++] = Number(rest);
  }

  fixed32(value: number): void {
    this.reserve(4);
    this.view.setUint32(this.pos, value, true);
    this.pos += 4;
  }

  fixed64(value: bigint): void {
    this.reserve(8);
    this.view.setBigUint64(this.pos, BigInt.asUintN(64, value), true);
    this.pos += 8;
  }

  float(value: number): void {
    this.reserve(4);
    this.view.setFloat32(this.pos, value, true);
    this.pos += 4;
  }

  double(value: number): void {
    this.reserve(8);
    this.view.setFloat64(this.pos, value, true);
    this.pos += 8;
  }

  block(bytes: Uint8Array): void {
    this.varint32(bytes.length);
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.pos);
    this.pos += bytes.length;
  }

  text(text: string): void {
    this.block(utf8.encode(text));
  }

  /** Runs `write` and inserts the length of its output before it. */
  nested(write: () => void): void {
    const start = this.pos;
    this.reserve(1);
    this.pos = start + 1;
    write();
    const length = this.pos - start - 1;
    if (length > 0x7fffffff) throw new CodecError('a message is larger than 2 GiB');
    let extra = 0;
    for (let rest = length >>> 7; rest > 0; rest >>>= 7) extra++;
    this.reserve(extra);
    if (extra > 0) this.bytes.copyWithin(start + 1 + extra, start + 1, this.pos);
    const end = this.pos + extra;
    this.pos = start;
    this.varint32(length);
    this.pos = end;
  }

  private reserve(count: number): void {
    if (this.pos + count <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.pos + count));
    larger.set(this.bytes.subarray(0, this.pos));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }
}
