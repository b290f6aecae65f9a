import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { goldenReads, proveReads } from './golden-reads.js';
import { type ReadRow, readRows, recordingsFolder } from './recordings.js';

const quiet = { seed: 1, log: () => undefined };
const folder = mkdtempSync(join(tmpdir(), 'golden-reads-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('golden-reads', () => {
  it('recorded reads: every group with a gRPC and a REST row decodes to one object', async () => {
    const { passed, total, counterExample, figures } = await goldenReads.run(quiet);
    expect(counterExample).toBeUndefined();
    expect(passed).toBe(total);
    expect(total).toBe(2301);
    expect(figures).toEqual({
      'methods known': '2806 of 2806',
      'bytes written again equal those of gRPC': '2806 of 2806',
      'equal to what ts-proto reads': '2806 of 2806',
      'equal by the table walk of browsers': '2806 of 2806',
      'equal over abci_query': '2777 of 2777',
      'equal over REST by the table walk of browsers': '2301 of 2301',
      'equal answered height': '2301 of 2301',
      'text printed again equals that of REST': '2301 of 2301',
      'messages of Any fields are of a known type': '3583 of 3583',
      'grpc request as recorded': '2979 of 2979',
      'rest request as recorded': '2472 of 2472',
      'abci request as recorded': '2973 of 2973',
    });
  });

  const group = 'hub.node.v3.QueryService/QueryNodes#status-0@903290';

  /** Writes a file with the rows of one group, with the body of one transport modified. */
  function fileOf(change: (body: string) => string, transport = 'rest'): string {
    const rows = [...readRows<ReadRow>(join(recordingsFolder, 'reads.jsonl.gz'))].filter((row) => row.group === group);
    const changed = rows.map((row) =>
      row.transport === transport ? { ...row, got: { ...row.got, body: change(row.got.body ?? '') } } : row,
    );
    const file = join(folder, 'reads.jsonl');
    writeFileSync(file, changed.map((row) => JSON.stringify(row)).join('\n'));
    return file;
  }
  const altered = (body: string): string => body.replace('"20836"', '"20837"');
  const listed = [{ group, reason: 'known to differ' }];

  it('one altered character of one REST body: reported as the counter-example', async () => {
    const { passed, total, counterExample } = await goldenReads.run({ ...quiet, reads: fileOf(altered) });
    expect([passed, total]).toEqual([0, 1]);
    expect(counterExample).toContain(group);
  });

  it('an altered response of abci_query: also a counter-example, although gRPC and REST agree', async () => {
    const other = (body: string): string => body.replace(/"value":"[^"]{8}/, '"value":"AAAAAAAA');
    const { passed, total, counterExample } = await goldenReads.run({ ...quiet, reads: fileOf(other, 'abci') });
    expect([passed, total]).toEqual([0, 1]);
    expect(counterExample).toContain(group);
  });

  it('a group listed with its reason: passes and is counted', async () => {
    const { passed, total, figures } = await proveReads({ ...quiet, reads: fileOf(altered) }, listed);
    expect([passed, total]).toEqual([1, 1]);
    expect(figures).toMatchObject({ 'unequal, listed with a reason': '1 of 1' });
  });

  it('a listed group that is equal: must be removed from the list', async () => {
    const { passed, total, counterExample } = await proveReads({ ...quiet, reads: fileOf((body) => body) }, listed);
    expect([passed, total]).toEqual([0, 1]);
    expect(counterExample).toContain('strike it from unequal-reads.ts');
  });
});
