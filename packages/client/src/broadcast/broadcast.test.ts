import { describe, expect, it } from 'vitest';
import { HubError } from '../error.js';
import type { RpcClient } from '../rpc/client.js';
import { txHash } from '../tx/build-tx.js';
import type { Subscription, TxEvent } from '../websocket/subscription.js';
import { broadcastAndConfirm, type EventSource } from './broadcast.js';

type Answers = Readonly<Record<string, () => unknown>>;

/** A consensus RPC client with one function for each method. */
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
  it('broadcast: a transaction not found at first is queried again until it is in a block', async () => {
    let looks = 0;
    const rpc = rpcOf({
      broadcast_tx_sync: admitted,
      tx: () => (++looks < 3 ? refuse('not_found') : { height: 5n, result }),
    });
    expect(await broadcastAndConfirm(rpc, tx, quick)).toEqual({ hash, outcome: 'included', tx: inBlock });
    expect(rpc.calls.filter((name) => name.startsWith('broadcast'))).toHaveLength(1);
  });

  it('broadcast: a transaction that is never found has an unknown outcome with its hash, and is not sent twice', async () => {
    const rpc = rpcOf({ broadcast_tx_sync: admitted, tx: () => refuse('not_found') });
    expect(await broadcastAndConfirm(rpc, tx, quick)).toEqual({
      hash,
      outcome: 'accepted_unknown',
      isAdmitted: true,
      error: undefined,
    });
    expect(rpc.calls.filter((name) => name.startsWith('broadcast'))).toHaveLength(1);
  });

  it('broadcast: a rejection by CheckTx has its code and text, and nothing is queried', async () => {
    const rpc = rpcOf({ broadcast_tx_sync: () => ({ code: 32, codespace: 'sdk', log: 'sequence', hash }) });
    expect(await broadcastAndConfirm(rpc, tx, quick)).toEqual({
      hash,
      outcome: 'rejected_by_check_tx',
      reason: 'wrong_sequence',
      code: 32,
      codespace: 'sdk',
      log: 'sequence',
    });
    expect(rpc.calls).toEqual(['broadcast_tx_sync']);
  });

  it('broadcast: a commit that times out before the block is queried by the hash', async () => {
    const rpc = rpcOf({
      broadcast_tx_commit: () => refuse('timeout', 'timed out waiting for tx'),
      tx: () => ({ height: 5n, result }),
    });
    expect((await broadcastAndConfirm(rpc, tx, { ...quick, mode: 'commit' })).outcome).toBe('included');
  });

  it.each([
    [0, 0, 'included'],
    [0, 5, 'included_and_failed'],
    [13, 0, 'rejected_by_check_tx'],
  ])('a commit with test %i and execution %i: %s', async (check, execution, kind) => {
    const rpc = rpcOf({
      broadcast_tx_commit: () => ({
        checkTx: { ...result, code: check },
        txResult: { ...result, code: execution },
        hash,
        height: 5n,
      }),
    });
    expect((await broadcastAndConfirm(rpc, tx, { ...quick, mode: 'commit' })).outcome).toBe(kind);
    expect(rpc.calls).toEqual(['broadcast_tx_commit']);
  });

  it.each<[string, () => never, string, number?]>([
    ['a transaction in the cache', () => refuse('already_known'), 'already_known'],
    ['a full mempool', () => refuse('rate_limited', 'mempool is full: number of txs 2'), 'rejected_by_check_tx', 20],
    [
      'a transaction that is too large',
      () => refuse('invalid_argument', 'Tx too large. Max size is 9, but got 10'),
      'rejected_by_check_tx',
      21,
    ],
    ['nobody at the address', () => refuse('refused'), 'refused_before_sending'],
    [
      'a proxy that wants less',
      () => refuse('rate_limited', 'slow down', { httpStatus: 429 }),
      'refused_before_sending',
    ],
    ['a certificate that does not fit', () => refuse('tls', 'self-signed certificate'), 'refused_before_sending'],
    ['TLS that breaks', () => refuse('tls', 'bad record mac'), 'accepted_unknown'],
    ['an answer that is lost', () => refuse('unavailable'), 'accepted_unknown'],
    ['an answer that is late', () => refuse('timeout'), 'accepted_unknown'],
    ['an answer that cannot be read', () => refuse('decode'), 'accepted_unknown'],
    ['a page of a proxy', () => refuse('http'), 'accepted_unknown'],
  ])('%s, and no block includes it: %s', async (_, answer, kind, code) => {
    const rpc = rpcOf({ broadcast_tx_sync: answer, tx: () => refuse('not_found') });
    const outcome = await broadcastAndConfirm(rpc, tx, quick);
    expect([outcome.hash, outcome.outcome]).toEqual([hash, kind]);
    if (outcome.outcome === 'rejected_by_check_tx') expect(outcome.code).toBe(code);
    if (outcome.outcome === 'accepted_unknown')
      expect([outcome.isAdmitted, outcome.error?.code]).toEqual([false, expect.any(String)]);
    expect(rpc.calls.filter((name) => name.startsWith('broadcast'))).toHaveLength(1);
  });

  it('a node without a transaction index: the lookup is not repeated, and the reason is reported', async () => {
    const rpc = rpcOf({
      broadcast_tx_sync: admitted,
      tx: () => refuse('unimplemented', 'transaction indexing is disabled'),
    });
    const outcome = await broadcastAndConfirm(rpc, tx, { ...quick, confirmMs: 60_000 });
    expect(outcome).toMatchObject({
      outcome: 'accepted_unknown',
      isAdmitted: true,
      error: { code: 'unimplemented' },
    });
  });

  it('an event: reported before the lookups find anything; the subscription precedes the submission', async () => {
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
    expect(outcome).toMatchObject({ outcome: 'included_and_failed', tx: { height: 6n, code: 7 } });
    expect(order).toEqual([`subscribe ${hash}`, 'broadcast', 'close']);
  });

  it('the signal of the caller: prevents the submission if aborted before it, and ends the search if aborted after it', async () => {
    const rpc = rpcOf({ broadcast_tx_sync: admitted, tx: () => refuse('not_found') });
    const before = await broadcastAndConfirm(rpc, tx, { signal: AbortSignal.abort() });
    expect([before.outcome, rpc.calls]).toEqual(['refused_before_sending', []]);
    const after = new AbortController();
    setTimeout(() => after.abort(), 20);
    const outcome = await broadcastAndConfirm(rpc, tx, { everyMs: 5, signal: after.signal });
    expect(outcome.outcome).toBe('accepted_unknown');
  });

  it('an empty transaction, or a mode that a route does not support: refused', async () => {
    const rpc = rpcOf({});
    await expect(broadcastAndConfirm(rpc, new Uint8Array(0))).rejects.toMatchObject({ code: 'invalid_argument' });
    const outcome = await broadcastAndConfirm({ ...rpc, kind: 'grpc' } as never, tx, { mode: 'commit' });
    expect(outcome).toMatchObject({ outcome: 'refused_before_sending', error: { code: 'not_served' } });
  });
});
