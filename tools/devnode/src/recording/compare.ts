// Sends every recorded row of a node to a running devnode and reports which answers differ.
import type { Devnode } from '../start.js';
import { recordingsFolder } from '../recordings-folder.js';
import { GrpcWalker } from './compare-grpc.js';
import { compareQueryHttp, compareRpc, HttpLanes } from './compare-http.js';
import type { RowCheck } from './row-check.js';
import { type NodeName, rowFiles, type RowFile, rowsOf } from './rows.js';

export { type KnownDifference, knownDifferences } from './known-differences.js';

/** A row whose answer differs from the recorded one. */
export interface Difference {
  readonly file: RowFile;
  /** Group or id of the row, with its transport. */
  readonly row: string;
  /** Description of the difference, with the expected and actual values. */
  readonly what: string;
}

export interface FileCount {
  readonly file: RowFile;
  readonly equal: number;
  readonly total: number;
}

export interface Comparison {
  readonly node: NodeName;
  readonly files: readonly FileCount[];
  readonly differences: readonly Difference[];
}

export interface CompareOptions {
  /** Node whose rows are checked; devnode must replay the same node. */
  readonly node: NodeName;
  /** Folder with the row files. */
  readonly rows?: string;
  /** Files to check, all by default. */
  readonly files?: readonly RowFile[];
}

function checksOf(file: RowFile, folder: string, node: NodeName, grpc: GrpcWalker, lanes: HttpLanes): RowCheck[] {
  if (file === 'rpc' || file === 'halted') {
    return rowsOf(folder, file, node).map((row) => compareRpc(row, lanes));
  }
  return rowsOf(folder, file, node).map((row) =>
    row.transport === 'grpc' ? grpc.check(row) : compareQueryHttp(row, lanes),
  );
}

/** Sends every row in recorded order. Rows with the same request stay in order; others run concurrently. */
export async function compareRecorded(devnode: Devnode, options: CompareOptions): Promise<Comparison> {
  const folder = options.rows ?? recordingsFolder;
  const grpc = new GrpcWalker(devnode.grpc);
  const lanes = new HttpLanes(devnode);
  const files: FileCount[] = [];
  const differences: Difference[] = [];
  try {
    for (const file of options.files ?? rowFiles) {
      lanes.close();
      const checks = checksOf(file, folder, options.node, grpc, lanes);
      const byLane = new Map<string, RowCheck[]>();
      for (const check of checks) {
        const lane = byLane.get(check.lane);
        if (lane === undefined) byLane.set(check.lane, [check]);
        else lane.push(check);
      }
      let equal = 0;
      const walk = async (lane: readonly RowCheck[]): Promise<void> => {
        for (const check of lane) {
          const what = await check.run().catch((error: unknown) => `no answer: ${String(error)}`);
          if (what === undefined) equal++;
          else differences.push({ file, row: check.row, what });
        }
      };
      await Promise.all([...byLane.values()].map(walk));
      files.push({ file, equal, total: checks.length });
    }
  } finally {
    grpc.close();
    lanes.close();
  }
  return { node: options.node, files, differences };
}
