import { describe, expect, it } from 'vitest';
import { HubError } from '../error.js';
import type { RpcClient } from '../rpc/client.js';
import { txHash } from '../tx/build-tx.js';
import type { Subscription, TxEvent } from '../websocket/subscription.js';
import { broadcastAndConfirm, type EventSource } from './broadcast.js';

type Answers = Readonly<Record<string, () => unknown>>;

/** A consensus RPC that is a function for each method. */
function rpcOf(answers: Answers): RpcClient & { readonly calls: string[] } {
  const calls: string[] = [];
  const call = (method: string): Promise<unknown> => {
    calls.push(method);
    return new Promise((resolve) => {
      resolve(answers[method]?.());
    });
  };
  return {
    kind: 'rpc',
    address: 'test',
    call: call as RpcClient['call'],
    batch: () => Promise.reject(new Error('none')),
    close: () => Promise.resolve(),
    calls,
  };
}

const refuse = (code: HubError['code'], text: string = code, raw: HubError['raw'] = { text }): never => {
  throw new HubError({ code, message: text, raw });
};
const tx = Uint8Array.of(1, 2, 3);
const hash = txHash(tx);
const quick = { confirmMs: 60, everyMs: 5 };
const result = {
  code: 0,
  codespace: '',
  log: '[]',
  info: '',
  data: new Uint8Array(0),
  gasWanted: 9n,
  gasUsed: 8n,
  events: [],
};
const inBlock = { height: 5n, code: 0, codespace: '', log: '[]', gasWanted: 9n, gasUsed: 8n };
const admitted = () => ({ code: 0, codespace: '', log: '', hash });

describe('broadcastAndConfirm', () => {
  it('C39 not found at first: looked for again until it is in a block', async () => {
    let looks = 0;
    const rpc = rpcOf({
      broadcast_tx_sync: admitted,
      tx: () => (++looks < 3 ? refuse('not_found') : { height: 5n, result }),
    });
    expect(await broadcastAndConfirm(rpc, tx, quick)).toEqual({ hash, kind: 'included', tx: inBlock });
    expect(rpc.calls.filter((name) => name.startsWith('broadcast'))).toHaveLength(1);
  });

  it('C39 never found: the outcome is unknown, with the hash and without a second hand-over', async () => {
    const rpc = rpcOf({ broadcast_tx_sync: admitted, tx: () => refuse('not_found') });
    expect(await broadcastAndConfirm(rpc, tx, quick)).toEqual({
      hash,
      kind: 'accepted, outcome unknown',
      isAdmitted: true,
      error: undefined,
    });
    expect(rpc.calls.filter((name) => name.startsWith('broadcast'))).toHaveLength(1);
  });

  it('C39 a test that says no: its code and text, and nothing is looked for', async () => {
    const rpc = rpcOf({ broadcast_tx_sync: () => ({ code: 32, codespace: 'sdk', log: 'sequence', hash }) });
    expect(await broadcastAndConfirm(rpc, tx, quick)).toEqual({
      hash,
      kind: 'rejected by CheckTx',
      reason: 'wrong_sequence',
      code: 32,
      codespace: 'sdk',
      log: 'sequence',
    });
    expect(rpc.calls).toEqual(['broadcast_tx_sync']);
  });

  it('C39 a commit that ends before the block: looked for by the hash', async () => {
    const rpc = rpcOf({
      broadcast_tx_commit: () => refuse('timeout', 'timed out waiting for tx'),
      tx: () => ({ height: 5n, result }),
    });
    expect((await broadcastAndConfirm(rpc, tx, { ...quick, mode: 'commit' })).kind).toBe('included');
  });

  it.each([
    [0, 0, 'included'],
    [0, 5, 'included and failed'],
    [13, 0, 'rejected by CheckTx'],
  ])('a commit with test %i and execution %i: %s', async (check, execution, kind) => {
    const rpc = rpcOf({
      broadcast_tx_commit: () => ({
        checkTx: { ...result, code: check },
        txResult: { ...result, code: execution },
        hash,
        height: 5n,
      }),
    });
    expect((await broadcastAndConfirm(rpc, tx, { ...quick, mode: 'commit' })).kind).toBe(kind);
    expect(rpc.calls).toEqual(['broadcast_tx_commit']);
  });

  it.each<[string, () => never, string, number?]>([
    ['a transaction in the cache', () => refuse('already_known'), 'already known'],
    ['a full mempool', () => refuse('rate_limited', 'mempool is full: number of txs 2'), 'rejected by CheckTx', 20],
    [
      'a transaction that is too large',
      () => refuse('invalid_argument', 'Tx too large. Max size is 9, but got 10'),
      'rejected by CheckTx',
      21,
    ],
    ['nobody at the address', () => refuse('refused'), 'refused before sending'],
    [
      'a proxy that wants less',
      () => refuse('rate_limited', 'slow down', { httpStatus: 429 }),
      'refused before sending',
    ],
    ['a certificate that does not fit', () => refuse('tls', 'self-signed certificate'), 'refused before sending'],
    ['TLS that breaks', () => refuse('tls', 'bad record mac'), 'accepted, outcome unknown'],
    ['an answer that is lost', () => refuse('unavailable'), 'accepted, outcome unknown'],
    ['an answer that is late', () => refuse('timeout'), 'accepted, outcome unknown'],
    ['an answer that cannot be read', () => refuse('decode'), 'accepted, outcome unknown'],
    ['a page of a proxy', () => refuse('http'), 'accepted, outcome unknown'],
  ])('%s, and no block with it: %s', async (_, answer, kind, code) => {
    const rpc = rpcOf({ broadcast_tx_sync: answer, tx: () => refuse('not_found') });
    const outcome = await broadcastAndConfirm(rpc, tx, quick);
    expect([outcome.hash, outcome.kind]).toEqual([hash, kind]);
    if (outcome.kind === 'rejected by CheckTx') expect(outcome.code).toBe(code);
    if (outcome.kind === 'accepted, outcome unknown')
      expect([outcome.isAdmitted, outcome.error?.code]).toEqual([false, expect.any(String)]);
    expect(rpc.calls.filter((name) => name.startsWith('broadcast'))).toHaveLength(1);
  });

  it('a node without an index of transactions: no look is repeated, and said why', async () => {
    const rpc = rpcOf({
      broadcast_tx_sync: admitted,
      tx: () => refuse('unimplemented', 'transaction indexing is disabled'),
    });
    const outcome = await broadcastAndConfirm(rpc, tx, { ...quick, confirmMs: 60_000 });
    expect(outcome).toMatchObject({
      kind: 'accepted, outcome unknown',
      isAdmitted: true,
      error: { code: 'unimplemented' },
    });
  });

  it('an event: told before the looks find anything, and subscribed to before the hand-over', async () => {
    const order: string[] = [];
    let tell: (event: TxEvent) => void = () => undefined;
    const told = new Promise<TxEvent>((resolve) => {
      tell = resolve;
    });
    const events: EventSource = {
      subscribe: (query) => {
        order.push(
          `subscribe ${query.conditions.map((condition) => ('text' in condition ? condition.text : '')).join()}`,
        );
        const subscription: Subscription<TxEvent> = {
          query: '',
          close: () => {
            order.push('close');
            return Promise.resolve();
          },
          async *[Symbol.asyncIterator]() {
            yield await told;
          },
        };
        return Promise.resolve(subscription);
      },
    };
    const rpc = rpcOf({
      broadcast_tx_sync: () => {
        order.push('broadcast');
        setTimeout(() => tell({ kind: 'Tx', height: 6n, index: 0, tx, result: { ...result, code: 7 } }), 5);
        return admitted();
      },
      tx: () => refuse('unimplemented'),
    });
    const outcome = await broadcastAndConfirm(rpc, tx, { confirmMs: 60_000, everyMs: 30_000, events });
    expect(outcome).toMatchObject({ kind: 'included and failed', tx: { height: 6n, code: 7 } });
    expect(order).toEqual([`subscribe ${hash}`, 'broadcast', 'close']);
  });

  it('the signal of the caller: nothing is sent before, and the search ends after', async () => {
    const rpc = rpcOf({ broadcast_tx_sync: admitted, tx: () => refuse('not_found') });
    const before = await broadcastAndConfirm(rpc, tx, { signal: AbortSignal.abort() });
    expect([before.kind, rpc.calls]).toEqual(['refused before sending', []]);
    const after = new AbortController();
    setTimeout(() => after.abort(), 20);
    const outcome = await broadcastAndConfirm(rpc, tx, { everyMs: 5, signal: after.signal });
    expect(outcome.kind).toBe('accepted, outcome unknown');
  });

  it('no byte, and a mode that a route does not have: refused', async () => {
    const rpc = rpcOf({});
    await expect(broadcastAndConfirm(rpc, new Uint8Array(0))).rejects.toMatchObject({ code: 'invalid_argument' });
    const outcome = await broadcastAndConfirm({ ...rpc, kind: 'grpc' } as never, tx, { mode: 'commit' });
    expect(outcome).toMatchObject({ kind: 'refused before sending', error: { code: 'not_served' } });
  });
});
