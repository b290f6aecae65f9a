import { join } from 'node:path';
import { type Instant, parseInstant } from './instant.js';
import { JsonLines } from './json-lines.js';

export interface RecordedEvent {
  readonly type: string;
  /** Type name on the wire, if it differs from the neutral name. */
  readonly wire_type?: string;
  readonly attributes: readonly (readonly [key: string, value: string])[];
}

export interface RecordedTx {
  readonly hash: string;
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly gas_wanted: string;
  readonly gas_used: string;
  /** base64; empty where the node returned none. */
  readonly data: string | null;
  readonly events: readonly RecordedEvent[];
  /** Messages with neutral names. */
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  /** base64 of the raw bytes. */
  readonly tx: string;
}

export interface RecordedBlock {
  readonly height: number;
  readonly time: string;
  readonly hash: string;
  readonly app_hash: string;
  readonly proposer: string;
  readonly last_results_hash: string;
  readonly begin_block: readonly RecordedEvent[];
  readonly txs: readonly RecordedTx[];
  readonly end_block: readonly RecordedEvent[];
  readonly validator_updates: readonly { readonly pub_key: unknown; readonly power?: string }[];
}

/** The requested block is not in the recording. */
export class NotRecordedError extends Error {}

/** Maximum number of parsed blocks in the cache; other blocks are parsed again when requested. */
const keptBlocks = 128;
const headPattern = /^\{"height":\s*(\d+),\s*"time":\s*"([^"]+)"/;

/** The blocks of a recorded chain by height, without gaps. */
export class BlockStream {
  readonly first: number;
  readonly last: number;
  readonly #lines: JsonLines;
  readonly #times: Instant[] = [];
  readonly #kept = new Map<number, RecordedBlock>();
  readonly #firstWith = new Map<string, number | undefined>();

  constructor(folder: string) {
    const file = join(folder, 'blocks.jsonl.gz');
    this.#lines = new JsonLines(file);
    let height = 0;
    for (let line = 0; line < this.#lines.length; line++) {
      const match = headPattern.exec(this.#lines.prefix(line, 96));
      if (match === null) throw new Error(`${file}, line ${line + 1}: a row begins with its height and time`);
      const next = Number(match[1]);
      if (line > 0 && next !== height + 1) {
        throw new Error(`${file}, line ${line + 1}: height ${next} follows ${height}; heights may have no gap`);
      }
      height = next;
      this.#times.push(parseInstant(match[2] as string));
    }
    if (height === 0) throw new Error(`${file} holds no block`);
    this.last = height;
    this.first = height - this.#lines.length + 1;
  }

  has(height: number): boolean {
    return height >= this.first && height <= this.last;
  }

  time(height: number): Instant {
    const time = this.#times[height - this.first];
    if (time === undefined) throw this.#missing(height);
    return time;
  }

  block(height: number): RecordedBlock {
    const kept = this.#kept.get(height);
    if (kept !== undefined) return kept;
    if (!this.has(height)) throw this.#missing(height);
    const block = this.#lines.parse<RecordedBlock>(height - this.first);
    if (this.#kept.size >= keptBlocks) this.#kept.delete(this.#kept.keys().next().value as number);
    this.#kept.set(height, block);
    return block;
  }

  /** Changes of the validator's voting power with the height of the block that contains each. */
  *powerUpdates(): Generator<{ height: number; power: bigint }> {
    for (const line of this.#lines.linesWith('"validator_updates":[{')) {
      for (const update of this.block(this.first + line).validator_updates) {
        yield { height: this.first + line, power: BigInt(update.power ?? '0') };
      }
    }
  }

  /** Height of the first block whose recorded text contains `text` verbatim. */
  firstWith(text: string): number | undefined {
    if (!this.#firstWith.has(text)) {
      const [line] = this.#lines.linesWith(text);
      this.#firstWith.set(text, line === undefined ? undefined : this.first + line);
    }
    return this.#firstWith.get(text);
  }

  /** Height of the block with this hash (upper-case hex). */
  heightOfHash(hash: string): number | undefined {
    for (const line of this.#lines.linesWith(`"hash":"${hash}","app_hash"`)) return this.first + line;
    return undefined;
  }

  #missing(height: number): NotRecordedError {
    return new NotRecordedError(`block ${height} is not recorded: the recording has ${this.first} to ${this.last}`);
  }

  /** Finds a successful transaction by the neutral type URL of its first message. */
  firstOutcome(kind: string): RecordedTx | undefined {
    for (const line of this.#lines.linesWith(`"messages":[{"@type":"${kind}"`)) {
      const found = this.block(this.first + line).txs.find(
        ({ code, messages }) => code === 0 && messages[0]?.['@type'] === kind,
      );
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Finds the height and index of a transaction by its hash (upper-case hex). */
  findTx(hash: string): { height: number; index: number } | undefined {
    for (const line of this.#lines.linesWith(`"hash":"${hash}"`)) {
      const height = this.first + line;
      const index = this.block(height).txs.findIndex((tx) => tx.hash === hash);
      if (index !== -1) return { height, index };
    }
    return undefined;
  }
}
