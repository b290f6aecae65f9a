import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { goldenChainTypes } from './golden-chain-types.js';
import { type RecordedBlock, readBlocks, recordingsFolder } from './recordings.js';

const quiet = { seed: 1, log: () => undefined };
const folder = mkdtempSync(join(tmpdir(), 'golden-chain-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A chain that consists of the first recorded block with a transaction, modified. */
function chainOf(change: (block: RecordedBlock) => unknown): string {
  const [block] = [...readBlocks(join(recordingsFolder, 'chain'))].filter(({ txs }) => txs.length > 0);
  writeFileSync(join(folder, 'blocks.jsonl.gz'), gzipSync(JSON.stringify(change(block as RecordedBlock))));
  return folder;
}

describe('golden-chain-types', () => {
  it('recorded chains: every transaction and typed event decodes and encodes to the original', async () => {
    const { passed, total, counterExample, figures } = await goldenChainTypes.run(quiet);
    expect(counterExample).toBeUndefined();
    expect(passed).toBe(total);
    expect(figures).toEqual({
      transactions: '7501 of 7501',
      'messages of a transaction printed as the node does': '7501 of 7501',
      results: '6134 of 6134',
      'typed events': '16104 of 16104',
    });
  });

  it('an attribute without a matching field: reported as the counter-example', async () => {
    const chain = chainOf((block) => ({
      ...block,
      begin_block: [{ type: 'hub.lease.v1.EventEnd', attributes: [['colour', '"red"']] }],
    }));
    const { counterExample } = await goldenChainTypes.run({ ...quiet, chain });
    expect(counterExample).toContain('attribute colour is no field');
  });

  it('a response of a type that the field is not known to contain: reported as the counter-example', async () => {
    const chain = chainOf((block) => ({
      ...block,
      txs: block.txs.map((tx) => ({ ...tx, data: Buffer.from('\x12\x04\x0a\x02/x').toString('base64') })),
    }));
    const { counterExample } = await goldenChainTypes.run({ ...quiet, chain });
    expect(counterExample).toContain('/x is none of the messages that stack.base.abci.v1beta1.TxMsgData.msg_responses');
  });

  it('a transaction with a field that is missing in the types: its bytes differ', async () => {
    const chain = chainOf((block) => ({
      ...block,
      txs: block.txs.map((tx) => ({
        ...tx,
        tx: Buffer.concat([Buffer.from(tx.tx, 'base64'), Buffer.from([0x20, 1])]).toString('base64'),
      })),
    }));
    const { counterExample } = await goldenChainTypes.run({ ...quiet, chain });
    expect(counterExample).toContain('the bytes written again differ');
  });
});
