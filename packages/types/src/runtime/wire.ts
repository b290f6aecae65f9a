/**
 * Reader and writer that the wire types in gen/messages are written for: the part of the interface of
 * `@bufbuild/protobuf/wire` that they call, so that this package has no dependency. 64-bit numbers are `bigint`.
 */

const encoder = /* @__PURE__ */ new TextEncoder();
const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });

const VARINT_MAX_BYTES = 10;

export class BinaryReader {
  pos = 0;
  readonly len: number;
  /** Depth of nesting, kept here by the generated decoders; set at once, so that all readers have one shape. */
  __tsProtoDecodeDepth: number | undefined = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.len = bytes.length;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  uint32(): number {
    let value = 0;
    for (let shift = 0; shift < 7 * VARINT_MAX_BYTES; shift += 7) {
      const byte = this.#byte();
      // Bits beyond the 32nd are read and dropped: a negative int32 has ten bytes.
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new RangeError(`invalid varint at byte ${this.pos}: longer than ${VARINT_MAX_BYTES} bytes`);
  }

  int32(): number {
    return this.uint32() | 0;
  }

  sint32(): number {
    const value = this.uint32();
    return (value >>> 1) ^ -(value & 1);
  }

  uint64(): bigint {
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt(low);
    }
    let value = BigInt(low);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new RangeError(`invalid varint at byte ${this.pos}: longer than ${VARINT_MAX_BYTES} bytes`);
  }

  int64(): bigint {
    return BigInt.asIntN(64, this.uint64());
  }

  sint64(): bigint {
    const value = this.uint64();
    return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
  }

  bool(): boolean {
    return this.uint64() !== 0n;
  }

  fixed32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  sfixed32(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  fixed64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  sfixed64(): bigint {
    return this.#view.getBigInt64(this.#take(8), true);
  }

  float(): number {
    return this.#view.getFloat32(this.#take(4), true);
  }

  double(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  bytes(): Uint8Array {
    const length = this.uint32();
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  string(): string {
    return decoder.decode(this.bytes());
  }

  /** Skips a value and gives its bytes. `fieldNo` is needed for groups only. */
  skip(wireType: number, fieldNo?: number): Uint8Array {
    const start = this.pos;
    switch (wireType) {
      case 0:
        this.uint64();
        break;
      case 1:
        this.#take(8);
        break;
      case 2:
        this.#take(this.uint32());
        break;
      case 3:
        this.#skipGroup(fieldNo);
        break;
      case 5:
        this.#take(4);
        break;
      default:
        throw new RangeError(`invalid wire type ${wireType} at byte ${start}: known are 0, 1, 2, 3 and 5`);
    }
    return this.#bytes.subarray(start, this.pos);
  }

  #skipGroup(fieldNo: number | undefined): void {
    for (;;) {
      const tag = this.uint32();
      if ((tag & 7) !== 4) this.skip(tag & 7, tag >>> 3);
      else if (fieldNo === undefined || tag >>> 3 === fieldNo) return;
      else throw new RangeError(`invalid end of group ${tag >>> 3} at byte ${this.pos}: open is group ${fieldNo}`);
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.pos];
    if (byte === undefined) throw new RangeError(`message ends early at byte ${this.pos}`);
    this.pos++;
    return byte;
  }

  #take(length: number): number {
    const start = this.pos;
    if (start + length > this.len) throw new RangeError(`message ends early: ${length} bytes wanted at byte ${start}`);
    this.pos = start + length;
    return start;
  }
}

export class BinaryWriter {
  #bytes = new Uint8Array(128);
  #view = new DataView(this.#bytes.buffer);
  #pos = 0;
  readonly #forks: number[] = [];

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#pos);
  }

  /** Opens a length-delimited block; `join` closes it and writes its length before it. */
  fork(): this {
    this.#forks.push(this.#pos);
    return this;
  }

  join(): this {
    const start = this.#forks.pop();
    if (start === undefined) throw new RangeError('join without fork');
    const block = this.#bytes.slice(start, this.#pos);
    this.#pos = start;
    return this.bytes(block);
  }

  tag(fieldNo: number, wireType: number): this {
    return this.uint32(((fieldNo << 3) | wireType) >>> 0);
  }

  raw(bytes: Uint8Array): this {
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
    return this;
  }

  uint32(value: number): this {
    checkRange('uint32', value, 0, 0xffff_ffff);
    let rest = value >>> 0;
    for (; rest > 0x7f; rest >>>= 7) this.#byte((rest & 0x7f) | 0x80);
    return this.#byte(rest);
  }

  int32(value: number): this {
    checkRange('int32', value, -0x8000_0000, 0x7fff_ffff);
    return value < 0 ? this.uint64(BigInt(value)) : this.uint32(value);
  }

  sint32(value: number): this {
    checkRange('sint32', value, -0x8000_0000, 0x7fff_ffff);
    return this.uint32(((value << 1) ^ (value >> 31)) >>> 0);
  }

  uint64(value: bigint): this {
    let rest = BigInt.asUintN(64, value);
    for (; rest > 0x7fn; rest >>= 7n) this.#byte(Number(rest & 0x7fn) | 0x80);
    return this.#byte(Number(rest));
  }

  int64(value: bigint): this {
    return this.uint64(value);
  }

  sint64(value: bigint): this {
    return this.uint64((value << 1n) ^ (value >> 63n));
  }

  bool(value: boolean): this {
    return this.uint32(value ? 1 : 0);
  }

  fixed32(value: number): this {
    checkRange('fixed32', value, 0, 0xffff_ffff);
    const at = this.#reserve(4);
    this.#view.setUint32(at, value, true);
    return this;
  }

  sfixed32(value: number): this {
    checkRange('sfixed32', value, -0x8000_0000, 0x7fff_ffff);
    const at = this.#reserve(4);
    this.#view.setInt32(at, value, true);
    return this;
  }

  fixed64(value: bigint): this {
    const at = this.#reserve(8);
    this.#view.setBigUint64(at, value, true);
    return this;
  }

  sfixed64(value: bigint): this {
    const at = this.#reserve(8);
    this.#view.setBigInt64(at, value, true);
    return this;
  }

  float(value: number): this {
    const at = this.#reserve(4);
    this.#view.setFloat32(at, value, true);
    return this;
  }

  double(value: number): this {
    const at = this.#reserve(8);
    this.#view.setFloat64(at, value, true);
    return this;
  }

  bytes(value: Uint8Array): this {
    return this.uint32(value.length).raw(value);
  }

  string(value: string): this {
    return this.bytes(encoder.encode(value));
  }

  #byte(byte: number): this {
    const at = this.#reserve(1);
    this.#bytes[at] = byte;
    return this;
  }

  /** Makes room for `count` bytes, moves on behind them and gives where they start. */
  #reserve(count: number): number {
    const start = this.#pos;
    if (start + count > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#bytes.length * 2, start + count));
      larger.set(this.#bytes.subarray(0, start));
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    this.#pos = start + count;
    return start;
  }
}

function checkRange(type: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${value} is no ${type}: allowed are integers from ${min} to ${max}`);
}
