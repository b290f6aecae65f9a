import { once } from 'node:events';
import { AuthInfo, TxBody, TxRaw } from '@hubwatch/types/gen/forms/stack/tx/v1beta1/tx';
import { publicProfile } from '@hubwatch/types/gen/naming/public';
import { encodeBinary } from '@hubwatch/types/runtime/binary';
import { createNaming } from '@hubwatch/types/runtime/naming-profile';
import type { UnknownTypeUrl } from '@hubwatch/types/runtime/values';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { broadcastMethods } from '../servers/rpc/broadcast-methods.js';
import { type Devnode, startDevnode } from '../start.js';
import type { BlockView } from './block-view.js';

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
    [
      'a message of an unknown type',
      txOf([{ typeUrl: '/other.v1.Msg' as string as UnknownTypeUrl, raw: Uint8Array.of(8, 1) }], 'other'),
      2,
    ],
  ])('%s: rejected by CheckTx', async (_, tx, code) => {
    expect((await send(tx)).result?.['code']).toBe(code);
  });

  it('a transaction: included in the next block with the recorded outcome of its kind, and rejected when it is sent again', async () => {
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

  it('broadcast_tx_commit: answered with the including block over HTTP and websocket, before any later calls', async () => {
    const [first, second] = ['commit', 'commit over websocket'].map((memo) =>
      Buffer.from(txOf([heartbeat], memo)).toString('base64'),
    );
    const socket = new WebSocket(node.websocket);
    const frames: string[] = [];
    socket.on('message', (data) => frames.push((data as Buffer).toString()));
    await once(socket, 'open');
    const params = { tx: second };
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'broadcast_tx_commit', params }));
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'health', params: {} }));
    const committed = call('broadcast_tx_commit', { tx: first });
    await expect.poll(async () => (await call('num_unconfirmed_txs', {})).result?.['n_txs']).toBe('2');
    expect(frames).toEqual([]);
    const height = node.position().height + 1;
    await node.advanceTo(height);
    const { result } = await committed;
    expect(result).toMatchObject({
      check_tx: { code: 0, gas_wanted: '200000' },
      deliver_tx: { code: 0, gas_wanted: '200000' },
      height: String(height),
    });
    expect((result?.['deliver_tx'] as { events: unknown[] }).events.length).toBeGreaterThan(0);
    await expect.poll(() => frames.length).toBe(2);
    expect(frames.map((frame) => (JSON.parse(frame) as { id: number }).id)).toEqual([1, 2]);
    expect(frames[0]).toContain(`"height":"${height}"`);
    socket.close();
  });

  it('broadcast_tx_commit: times out if no block comes in time, and answers immediately if CheckTx rejects', async () => {
    const other = await startDevnode({
      mode: 'moving',
      chain: 'chain',
      from: 901_900,
      speed: 'manual',
      shiftTo: 'none',
    });
    const refused = await fetch(`${other.rpc}/broadcast_tx_commit?tx=0xffff`).then((answer) => answer.json());
    expect(refused).toMatchObject({ result: { check_tx: { code: 2 }, deliver_tx: { code: 0 }, height: '0' } });
    await other.close();
    const waits = { included: () => Promise.resolve(undefined) };
    const admitted = { kind: 'checked', hash: 'AB', verdict: { code: 0, codespace: '', log: '' }, gasWanted: 1n };
    const view = { mempool: { ...waits, add: () => admitted } } as unknown as BlockView;
    const commit = broadcastMethods(view, 20).find(({ name }) => name === 'broadcast_tx_commit');
    await expect(commit?.run({ tx: Buffer.of(1) })).rejects.toMatchObject({
      data: 'timed out waiting for tx to be included in a block',
    });
  });
});
