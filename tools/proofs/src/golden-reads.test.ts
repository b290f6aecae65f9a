import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { goldenReads } from './golden-reads.js';
import { type ReadRow, readRows, recordingsFolder } from './recordings.js';
import { unequalReads } from './unequal-reads.js';

const quiet = { seed: 1, log: () => undefined };
const folder = mkdtempSync(join(tmpdir(), 'golden-reads-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('golden-reads', () => {
  it('recorded reads: every group with a gRPC and a REST row is one object, or listed with a reason', async () => {
    const { passed, total, counterExample, figures } = await goldenReads.run(quiet);
    expect(counterExample).toBeUndefined();
    expect(passed).toBe(total);
    expect(total).toBe(2301);
    expect(unequalReads.length).toBeLessThanOrEqual(20);
    expect(figures).toMatchObject({
      'bytes written again equal those of gRPC': '2832 of 2832',
      'equal to what ts-proto reads': '2832 of 2832',
      'equal over abci_query': '2777 of 2777',
      'grpc request as recorded': '2979 of 2979',
      'rest request as recorded': '2472 of 2472',
      'abci request as recorded': '2973 of 2973',
    });
  });

  it('one altered character of one REST body: named as the counter-example', async () => {
    const group = 'hub.node.v3.QueryService/QueryNodes#status-0@903290';
    const rows = [...readRows<ReadRow>(join(recordingsFolder, 'reads.jsonl.gz'))].filter((row) => row.group === group);
    const altered = rows.map((row) =>
      row.transport === 'rest'
        ? { ...row, got: { ...row.got, body: row.got.body?.replace('"20836"', '"20837"') } }
        : row,
    );
    const file = join(folder, 'reads.jsonl');
    writeFileSync(file, altered.map((row) => JSON.stringify(row)).join('\n'));
    const { passed, total, counterExample } = await goldenReads.run({ ...quiet, reads: file });
    expect([passed, total]).toEqual([0, 1]);
    expect(counterExample).toContain(group);
  });
});
