import { AuthInfo, TxBody, TxRaw } from '@hubwatch/types/gen/forms/stack/tx/v1beta1/tx';
import { publicProfile } from '@hubwatch/types/gen/naming/public';
import { encodeBinary } from '@hubwatch/types/runtime/binary';
import { createNaming } from '@hubwatch/types/runtime/naming-profile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Devnode, startDevnode } from '../start.js';

const naming = createNaming(publicProfile);
let node: Devnode;
beforeAll(async () => {
  node = await startDevnode({ mode: 'moving', chain: 'chain', from: 901_900, speed: 'manual', shiftTo: 'none' });
});
afterAll(() => node.close());

interface Answer {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly data: string };
}

async function call(method: string, params: object): Promise<Answer> {
  const response = await fetch(`${node.rpc}/`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as Answer;
}

const send = (tx: Uint8Array): Promise<Answer> => call('broadcast_tx_sync', { tx: Buffer.from(tx).toString('base64') });

function txOf(messages: TxBody['messages'], memo: string, signatures = 1): Uint8Array {
  const fee = { amount: [], gasLimit: 200_000n, payer: '', granter: '' };
  return encodeBinary(TxRaw, {
    bodyBytes: encodeBinary(TxBody, { messages, memo }, naming),
    authInfoBytes: encodeBinary(AuthInfo, { signerInfos: [], fee, tip: undefined }, naming),
    signatures: Array.from({ length: signatures }, () => new Uint8Array(64)),
  });
}

const heartbeat = {
  typeUrl: '/hub.node.v3.MsgUpdateNodeStatusRequest' as const,
  value: { from: 'sentnode1', status: 1 },
};

describe('mempool', () => {
  it.each<[string, Uint8Array, number]>([
    ['no byte', new Uint8Array(0), 18],
    ['bytes that are no transaction', Uint8Array.of(0xff, 0xff), 2],
    ['no message', txOf([], 'empty'), 18],
    ['no signature', txOf([heartbeat], 'unsigned', 0), 15],
    ['a message of an unknown type', txOf([{ typeUrl: '/other.v1.Msg', raw: Uint8Array.of(8, 1) }], 'other'), 2],
  ])('%s: refused by the admission test', async (_, tx, code) => {
    expect((await send(tx)).result?.['code']).toBe(code);
  });

  it('a transaction: in the next block, with the recorded outcome of its kind, and refused when it comes again', async () => {
    const tx = txOf([heartbeat], 'well');
    const { hash } = (await send(tx)).result as { hash: string };
    expect((await send(tx)).error?.data).toBe('tx already exists in cache');
    const look = (): Promise<Answer> => call('tx', { hash: Buffer.from(hash, 'hex').toString('base64') });
    expect((await look()).error?.data).toBe(`tx (${hash}) not found`);
    expect((await call('num_unconfirmed_txs', {})).result?.['n_txs']).toBe('1');
    await node.advanceTo(901_901);
    const found = (await look()).result as { height: string; tx_result: { code: number; events: { type: string }[] } };
    expect([found.height, found.tx_result.code]).toEqual(['901901', 0]);
    expect(found.tx_result.events.map(({ type }) => type)).toContain(
      naming.typeToWire('hub.node.v3.EventUpdateStatus'),
    );
    expect((await send(tx)).error?.data).toBe('tx already exists in cache');
    expect(node.received.get(hash)).toBe(3);
  });
});
