import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { goldenSmall } from './golden-small.js';
import { type ReadRow, readGroups, recordingsFolder } from './recordings.js';

const folder = mkdtempSync(join(tmpdir(), 'golden-small-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Rows of some of the recorded groups, each changed on its way. */
function fileOf(name: string, keep: (index: number, group: string) => boolean, change = (row: ReadRow) => row): string {
  const groups = ['reads', 'errors'].flatMap((file) => [...readGroups(join(recordingsFolder, `${file}.jsonl.gz`))]);
  const rows = groups
    .filter(([group], index) => keep(index, group))
    .flatMap(([, byTransport]) => Object.values(byTransport));
  const file = join(folder, `${name}.jsonl`);
  writeFileSync(file, rows.map((row) => JSON.stringify(change(row))).join('\n'));
  return file;
}

const run = (reads: string) => goldenSmall.run({ seed: 1, reads, log: () => undefined });

describe('golden-small', () => {
  it('recorded answers and refusals, every seventh group: as the full client reads them', async () => {
    const { passed, total, counterExample, figures } = await run(fileOf('sample', (index) => index % 7 === 0));
    expect(counterExample).toBeUndefined();
    expect(passed).toBe(total);
    expect(total).toBeGreaterThan(1500);
    expect(Object.keys(figures ?? {})).toHaveLength(8);
  });

  const group = 'hub.node.v3.QueryService/QueryNodes#status-0@903290';

  it('what was asked for in another way than recorded: a counter-example', async () => {
    const other = (row: ReadRow): ReadRow => ({
      ...row,
      sent: { ...row.sent, ...(row.sent.target === undefined ? {} : { target: `${row.sent.target}&status=9` }) },
    });
    const { passed, total, counterExample } = await run(fileOf('asked', (_, name) => name === group, other));
    expect([passed, total]).toEqual([3, 4]);
    expect(counterExample).toContain(`rest ${group}, request is as recorded`);
  });
});
