import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/** Folder of the recordings that devnode replays. */
export const recordingsFolder = fileURLToPath(new URL('../../devnode/recordings', import.meta.url));

/** Rows of a JSON lines file, gzipped or plain. */
export function* readRows<T>(file: string): Generator<T> {
  const bytes = readFileSync(file);
  const text = file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf(10, start);
    const stop = end === -1 ? text.length : end;
    if (stop > start) yield JSON.parse(text.toString('utf8', start, stop)) as T;
    start = stop + 1;
  }
}

export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** A row of recorded reads; the folder's README describes the format. */
export interface ReadRow {
  readonly group: string;
  readonly transport: 'grpc' | 'rest' | 'abci';
  readonly height: string | null;
  readonly neutral_method: string;
  readonly request: unknown;
  readonly unpinned?: true;
  readonly sent: {
    readonly path?: string;
    readonly metadata?: HeaderPairs;
    readonly message?: string;
    readonly method?: string;
    readonly target?: string;
    readonly headers?: HeaderPairs;
    readonly body?: string;
  };
  readonly got: {
    readonly code?: number;
    readonly message?: string;
    readonly status?: number;
    readonly body?: string | null;
    readonly initial?: HeaderPairs | null;
    readonly headers?: HeaderPairs;
  };
}

/** The rows of one read, by transport. */
export type ReadGroup = Partial<Record<ReadRow['transport'], ReadRow>>;

export function readGroups(file = join(recordingsFolder, 'reads.jsonl.gz')): Map<string, ReadGroup> {
  const groups = new Map<string, ReadGroup>();
  for (const row of readRows<ReadRow>(file)) {
    const group = groups.get(row.group) ?? {};
    group[row.transport] = row;
    groups.set(row.group, group);
  }
  return groups;
}

/** Result of the JSON-RPC response in an abci row; `undefined` if it is an error. */
export function abciResult(row: ReadRow | undefined): { readonly response?: { readonly code?: unknown } } | undefined {
  if (row === undefined) return undefined;
  return (JSON.parse(row.got.body ?? '{}') as { result?: { response?: { code?: unknown } } }).result;
}

/** Value of a header, case-insensitive. */
export function headerOf(pairs: HeaderPairs | null | undefined, name: string): string | undefined {
  return pairs?.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

export interface RecordedEvent {
  /** Neutral type name. */
  readonly type: string;
  readonly attributes: readonly (readonly [key: string, value: string])[];
}

export interface RecordedTx {
  readonly hash: string;
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly events: readonly RecordedEvent[];
  /** base64 of the raw bytes. */
  readonly tx: string;
  /** base64 of the message responses; `null` if the transaction failed. */
  readonly data: string | null;
}

/** A row of a recorded chain. */
export interface RecordedBlock {
  readonly height: number;
  readonly begin_block: readonly RecordedEvent[];
  readonly txs: readonly RecordedTx[];
  readonly end_block: readonly RecordedEvent[];
}

/** Reads the blocks of a recorded chain from its folder. */
export function readBlocks(folder: string): Generator<RecordedBlock> {
  return readRows<RecordedBlock>(join(folder, 'blocks.jsonl.gz'));
}
