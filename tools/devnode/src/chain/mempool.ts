// Transactions broadcast by tests and demos. Each one is checked for decoding, waits for the next block and can then be
// found by its hash. Its outcome is the recorded outcome of a transaction of the same kind. These transactions are not
// part of the recorded blocks, so the block hashes do not cover them.
import { AuthInfo, TxBody, TxRaw } from '@hubwatch/types/gen/forms/stack/tx/v1beta1/tx';
import { decodeBinary } from '@hubwatch/types/runtime/binary';
import type { Naming } from '@hubwatch/types/runtime/naming';
import type { BlockStream, RecordedTx } from './block-stream.js';
import { sha256, upperHex } from './hashes.js';
import type { Playback } from './playback.js';

/** Code, codespace and log of CheckTx or of an execution. */
export interface TxVerdict {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
}

/** Fate of a transaction as scripted by a test; omitted members are as recorded. */
export interface TxScript {
  readonly check?: TxVerdict;
  readonly execute?: TxVerdict;
  /** Admitted, but never included in a block. */
  readonly isLost?: boolean;
  /** Number of blocks that the transaction waits beyond the next one. */
  readonly waits?: number;
}

/** A broadcast transaction as passed to the test's script. */
export interface SentTx {
  /** Transaction hash in upper-case hex. */
  readonly hash: string;
  readonly memo: string;
  readonly bytes: Uint8Array;
}

export interface IncludedTx {
  readonly height: number;
  readonly index: number;
  readonly tx: RecordedTx;
}

export type Admission = { readonly hash: string } & (
  | { readonly kind: 'known' }
  | { readonly kind: 'checked'; readonly verdict: TxVerdict; readonly gasWanted: bigint }
);

interface Waiting {
  readonly from: number;
  readonly tx: RecordedTx;
}

const admitted: TxVerdict = { code: 0, codespace: '', log: '[]' };

export class Mempool {
  readonly #playback: Playback;
  readonly #naming: Naming;
  readonly #script: (tx: SentTx) => TxScript;
  readonly #waiting = new Map<string, Waiting>();
  readonly #lost = new Set<string>();
  readonly #included = new Map<string, IncludedTx>();
  readonly #received = new Map<string, number>();
  readonly #awaited = new Map<string, Set<(tx: IncludedTx) => void>>();

  constructor(playback: Playback, naming: Naming, script: (tx: SentTx) => TxScript = () => ({})) {
    this.#playback = playback;
    this.#naming = naming;
    this.#script = script;
    playback.onBlock((height) => this.#include(height));
  }

  /** How often the bytes of each transaction were received, by hash. Tests use it to verify that nothing was sent twice. */
  get received(): ReadonlyMap<string, number> {
    return this.#received;
  }

  get waiting(): readonly Uint8Array[] {
    return [...this.#waiting.values()].map(({ tx }) => Buffer.from(tx.tx, 'base64'));
  }

  /** Number of transactions admitted so far. */
  get admitted(): number {
    return this.#waiting.size + this.#lost.size + this.#included.size;
  }

  find(hash: string): IncludedTx | undefined {
    return this.#included.get(hash);
  }

  /** Resolves with the transaction once a block includes it, or with `undefined` after the timeout. */
  included(hash: string, timeoutMs: number): Promise<IncludedTx | undefined> {
    const found = this.#included.get(hash);
    if (found !== undefined) return Promise.resolve(found);
    return new Promise((resolve) => {
      const told = (tx: IncludedTx | undefined): void => {
        clearTimeout(timer);
        this.#awaited.get(hash)?.delete(told);
        resolve(tx);
      };
      // The timer is unreferenced so that it does not keep a closed node's process alive.
      const timer = setTimeout(told, timeoutMs, undefined).unref();
      this.#awaited.set(hash, (this.#awaited.get(hash) ?? new Set()).add(told));
    });
  }

  at(height: number): IncludedTx[] {
    return [...this.#included.values()].filter((included) => included.height === height);
  }

  /** Runs only CheckTx. */
  check(bytes: Uint8Array): Extract<Admission, { kind: 'checked' }> {
    const hash = upperHex(sha256(bytes));
    const read = this.#read(bytes);
    if ('code' in read) return { kind: 'checked', hash, verdict: read, gasWanted: 0n };
    const verdict = this.#script({ hash, memo: read.memo, bytes }).check ?? admitted;
    return { kind: 'checked', hash, verdict, gasWanted: read.gasWanted };
  }

  /** Adds a transaction if CheckTx admits it. A rejected transaction is not added to the cache. */
  add(bytes: Uint8Array): Admission {
    const hash = upperHex(sha256(bytes));
    this.#received.set(hash, (this.#received.get(hash) ?? 0) + 1);
    if (this.#waiting.has(hash) || this.#included.has(hash) || this.#lost.has(hash)) return { kind: 'known', hash };
    const checked = this.check(bytes);
    const read = this.#read(bytes);
    if (checked.verdict.code !== 0 || 'code' in read) return checked;
    const { isLost = false, waits = 0, execute } = this.#script({ hash, memo: read.memo, bytes });
    if (isLost) this.#lost.add(hash);
    else {
      const outcome = { ...recordedOutcome(this.#playback.blocks, read.kind), ...execute };
      const tx = { ...outcome, hash, gas_wanted: String(read.gasWanted), tx: Buffer.from(bytes).toString('base64') };
      // A failed transaction has no message responses.
      this.#waiting.set(hash, {
        from: this.#playback.head + 1 + waits,
        tx: tx.code === 0 ? tx : { ...tx, data: null },
      });
    }
    return checked;
  }

  #include(height: number): void {
    let index = this.#playback.block(height).txs.length;
    for (const [hash, { from, tx }] of this.#waiting) {
      if (from > height) continue;
      this.#waiting.delete(hash);
      const included = { height, index: index++, tx };
      this.#included.set(hash, included);
      for (const told of this.#awaited.get(hash) ?? []) told(included);
      this.#awaited.delete(hash);
    }
  }

  /** Reads kind, memo and gas of a transaction. Returns the rejection if it does not decode. */
  #read(bytes: Uint8Array): { kind: string; memo: string; gasWanted: bigint } | TxVerdict {
    try {
      const raw = decodeBinary(TxRaw, bytes, this.#naming);
      const body = decodeBinary(TxBody, raw.bodyBytes, this.#naming);
      const { fee } = decodeBinary(AuthInfo, raw.authInfoBytes, this.#naming);
      const [first] = body.messages;
      if (first === undefined)
        return { code: 18, codespace: 'sdk', log: 'must contain at least one message: invalid request' };
      if (raw.signatures.length === 0) return { code: 15, codespace: 'sdk', log: 'no signatures supplied' };
      if ('raw' in first) {
        const url = this.#naming.typeToWire(first.typeUrl);
        return { code: 2, codespace: 'sdk', log: `unable to resolve type URL ${url}: tx parse error` };
      }
      return { kind: first.typeUrl, memo: body.memo, gasWanted: fee?.gasLimit ?? 0n };
    } catch (error) {
      return { code: 2, codespace: 'sdk', log: `${(error as Error).message}: tx parse error` };
    }
  }
}

type Outcome = Omit<RecordedTx, 'hash' | 'tx' | 'gas_wanted'>;
const outcomes = new WeakMap<BlockStream, Map<string, Outcome>>();

/** Outcome of the first recorded successful transaction of a kind. Falls back to an outcome without effects. */
function recordedOutcome(blocks: BlockStream, kind: string): Outcome {
  const known = outcomes.get(blocks) ?? new Map<string, Outcome>();
  outcomes.set(blocks, known);
  let found = known.get(kind);
  if (found === undefined) {
    found = blocks.firstOutcome(kind) ?? {
      code: 0,
      codespace: '',
      log: '[]',
      gas_used: '0',
      data: null,
      events: [],
      messages: [],
    };
    known.set(kind, found);
  }
  return found;
}
