import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type HubError, publicNaming } from '@hubwatch/client';
import { startDevnode } from '@hubwatch/devnode';
import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { afterAll, describe, expect, it } from 'vitest';
import { goldenErrors } from './golden-errors.js';
import { type ReadRow, readRows, recordingsFolder } from './recordings.js';

const quiet = { seed: 1, log: () => undefined };
const folder = mkdtempSync(join(tmpdir(), 'golden-errors-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('golden-errors', () => {
  it('recorded refusals: the code expected for the case, with and without its text', async () => {
    const lines: string[] = [];
    const outcome = await goldenErrors.run({ seed: 1, log: (line) => lines.push(line) });
    expect(outcome.counterExample).toBeUndefined();
    expect(outcome.passed).toBe(outcome.total);
    expect(outcome.total).toBeGreaterThan(4_000);
    expect(outcome.figures).toMatchObject({
      'grpc height_not_retained': '77 of 77',
      'rpc height_never_existed': '40 of 40',
      'rows whose text is lost': 20,
      'sockets, grpc height_not_retained': '73 of 73',
      'sockets, rest not_found': '86 of 86',
    });
    expect(lines.filter((line) => line.includes('lost inside'))).toHaveLength(20);
  });

  it('the recorded node halted for its upgrade: the error of the call itself reports it, over every transport', async () => {
    const node = await startDevnode({ mode: 'recorded', node: 'archive', repeats: 'last' });
    const hub = connect({ grpc: node.grpc, rest: node.rest, rpc: node.rpc, naming: publicNaming });
    const codes: string[] = [];
    const met = (call: Promise<unknown>): Promise<number> =>
      call.then(
        () => codes.push('ok'),
        (error: unknown) => codes.push((error as HubError).code),
      );
    try {
      for (const over of [hub.rest, hub.grpc, hub.abci] as const) {
        await met((over as typeof hub.grpc).call(queryParams, {}, { height: 905_000n }));
      }
      await met(hub.rpc.call('block_results', { height: 905_000n }));
      await met(hub.rpc.call('block', { height: 905_001n }));
      await met(hub.rpc.call('block_results', { height: 904_999n }));
    } finally {
      await hub.close();
      await node.close();
    }
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 'stopped_for_upgrade'), 'ok']);
  });

  it('an error that contradicts its case: the counter-example', async () => {
    const pruned = [...readRows<ReadRow>(join(recordingsFolder, 'errors.jsonl.gz'))].find(
      ({ group, transport }) => group.endsWith('QueryParams#height-second-B') && transport === 'rest',
    ) as ReadRow;
    const body = (pruned.got.body ?? '').replace(/failed to load state[^"]*/, 'cannot query with height in the future');
    const file = join(folder, 'errors.jsonl');
    writeFileSync(file, JSON.stringify({ ...pruned, got: { ...pruned.got, body } }));
    const { passed, total, counterExample } = await goldenErrors.run({ ...quiet, reads: file });
    expect([passed, total]).toEqual([0, 1]);
    expect(counterExample).toContain('height_in_future where height_not_retained is right');
  });
});
