import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** Lines of a `.jsonl.gz` file, stored as unpacked bytes. A line is parsed only when it is requested. */
export class JsonLines {
  readonly #bytes: Buffer;
  readonly #starts: number[] = [];

  constructor(file: string) {
    this.#bytes = gunzipSync(readFileSync(file));
    let start = 0;
    while (start < this.#bytes.length) {
      this.#starts.push(start);
      const end = this.#bytes.indexOf(10, start);
      start = end === -1 ? this.#bytes.length : end + 1;
    }
  }

  get length(): number {
    return this.#starts.length;
  }

  text(line: number): string {
    return this.#bytes.toString('utf8', this.#start(line), this.#end(line));
  }

  parse<T>(line: number): T {
    return JSON.parse(this.text(line)) as T;
  }

  /** Beginning of a line, enough to read its height and time without parsing the rest. */
  prefix(line: number, length: number): string {
    const start = this.#start(line);
    return this.#bytes.toString('latin1', start, Math.min(start + length, this.#end(line)));
  }

  /** Indexes of the lines that contain a text, in order. */
  *linesWith(text: string): Generator<number> {
    let line = 0;
    let at = this.#bytes.indexOf(text);
    while (at !== -1) {
      while (line + 1 < this.length && (this.#starts[line + 1] as number) <= at) line++;
      yield line;
      at = this.#bytes.indexOf(text, this.#end(line));
    }
  }

  #start(line: number): number {
    const start = this.#starts[line];
    if (start === undefined) throw new RangeError(`line ${line} of ${this.length}`);
    return start;
  }

  #end(line: number): number {
    const next = this.#starts[line + 1];
    return next === undefined ? this.#bytes.length : next - 1;
  }
}
