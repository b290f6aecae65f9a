import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { chainFolder } from '@hubwatch/devnode';

interface Row {
  readonly height: number;
  readonly time: string;
}

interface BlockRow extends Row {
  readonly app_hash: string;
  readonly proposer: string;
  readonly last_results_hash: string;
}

/** A recorded chain with additional blocks. */
export interface DenseChain {
  /** Height of a recorded block in this chain. */
  readonly heightOf: (recorded: number) => number;
  /** Block times in milliseconds by height. */
  readonly times: ReadonlyMap<number, number>;
}

/**
 * Writes the recorded day up to a height into a folder, with empty blocks between the recorded ones. As a result,
 * blocks are as frequent as on the live network. Events and their times stay as recorded; only heights differ.
 */
export function writeDenseChain(folder: string, intervalMs: number, lastRecorded: number): DenseChain {
  const from = chainFolder('day');
  const heights = new Map<number, number>();
  const times = new Map<number, number>();
  const blocks: object[] = [];
  let before: BlockRow | undefined;
  let height = 0;
  for (const row of rows<BlockRow>(join(from, 'blocks.jsonl.gz'))) {
    if (row.height > lastRecorded) break;
    const endMs = Date.parse(row.time);
    if (before === undefined) height = row.height - 1;
    else {
      const startMs = Date.parse(before.time);
      const steps = Math.max(1, Math.round((endMs - startMs) / intervalMs));
      for (let step = 1; step < steps; step++) {
        height++;
        const timeMs = Math.round(startMs + ((endMs - startMs) * step) / steps);
        blocks.push(emptyBlock(before, height, timeMs));
        times.set(height, timeMs);
      }
    }
    height++;
    blocks.push({ ...row, height });
    heights.set(row.height, height);
    times.set(height, endMs);
    before = row;
  }
  const states = rows<Row>(join(from, 'states.jsonl.gz')).flatMap((row) => {
    const dense = heights.get(row.height);
    return dense === undefined ? [] : [{ ...row, height: dense }];
  });
  writeRows(join(folder, 'blocks.jsonl.gz'), blocks);
  writeRows(join(folder, 'states.jsonl.gz'), states);
  copyFileSync(join(from, 'genesis-hub.json'), join(folder, 'genesis-hub.json'));
  return {
    times,
    heightOf(recorded) {
      const dense = heights.get(recorded);
      if (dense === undefined) throw new Error(`block ${recorded} is not among those up to ${lastRecorded}`);
      return dense;
    },
  };
}

function emptyBlock({ app_hash, proposer, last_results_hash }: BlockRow, height: number, timeMs: number): object {
  const hash = createHash('sha256').update(`empty ${height}`).digest('hex').toUpperCase();
  const time = new Date(timeMs).toISOString();
  const results = { begin_block: [], txs: [], end_block: [], validator_updates: [] };
  return { height, time, hash, app_hash, proposer, last_results_hash, ...results };
}

const rows = <T>(file: string): T[] =>
  gunzipSync(readFileSync(file))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

const writeRows = (file: string, all: readonly object[]): void =>
  writeFileSync(file, gzipSync(all.map((row) => `${JSON.stringify(row)}\n`).join(''), { level: 1 }));
