import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { goldenRefusals } from './golden-refusals.js';
import { type ReadRow, readRows, recordingsFolder } from './recordings.js';

const quiet = { seed: 1, log: () => undefined };
const folder = mkdtempSync(join(tmpdir(), 'golden-refusals-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('golden-refusals', () => {
  it('recorded refusals: the same code over every transport', async () => {
    const { passed, total, counterExample } = await goldenRefusals.run(quiet);
    expect(counterExample).toBeUndefined();
    expect([passed, total]).toEqual([822, 822]);
  });

  it('a refusal with a different code over one transport: reported as the counter-example', async () => {
    const rows = [...readRows<ReadRow>(join(recordingsFolder, 'errors.jsonl.gz'))];
    const refused = rows.find((row) => row.transport === 'grpc' && row.got.code === 5)?.group;
    const altered = rows
      .filter((row) => row.group === refused)
      .map((row) => (row.transport === 'grpc' ? { ...row, got: { ...row.got, code: 3 } } : row));
    const file = join(folder, 'errors.jsonl');
    writeFileSync(file, altered.map((row) => JSON.stringify(row)).join('\n'));
    const { passed, total, counterExample } = await goldenRefusals.run({ ...quiet, reads: file });
    expect([passed, total]).toEqual([0, 1]);
    expect(counterExample).toContain(refused);
  });
});
