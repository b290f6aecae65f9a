import { HubError } from '@hubwatch/client';
import type { WebSocketClient } from '@hubwatch/client/websocket';
import { expect, test } from 'vitest';
import { time } from '../../test/fake-endpoint.js';
import { fakeClock } from '../../test/fake-clock.js';
import { testParts } from '../../test/parts.js';
import type { FailureLog } from '../log.js';
import { startHeaderFeed } from './header-feed.js';

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
};

/** A websocket with one subscription that the test feeds. */
const socket = () => {
  const waiting: unknown[] = [];
  let end: { readonly error: Error | undefined } | undefined;
  let wake: () => void = () => undefined;
  let kind: string | undefined;
  async function* events() {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift();
      if (end?.error !== undefined) throw end.error;
      if (end !== undefined) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  const finish = (error?: Error): void => {
    end ??= { error };
    wake();
  };
  const client = {
    address: 'a',
    closed: Promise.resolve(undefined),
    subscribe: (asked: string) => {
      kind = asked;
      return Promise.resolve({ query: asked, close: () => Promise.resolve(), [Symbol.asyncIterator]: events });
    },
    close: () => Promise.resolve(finish()),
  } as unknown as WebSocketClient;
  const push = (height: bigint, ms = Number(height) * 6_000): void => {
    waiting.push({ kind: 'NewBlockHeader', height, header: { chainId: 'hub-test', height, time: time(ms) } });
    wake();
  };
  return { client, push, finish, subscribed: () => kind };
};

const feedOn = (answers: readonly (ReturnType<typeof socket> | Error)[]) => {
  const parts = testParts();
  const clock = fakeClock();
  const log: string[] = [];
  const failures: FailureLog = {
    request: () => undefined,
    failed: (key, text) => log.push(`${key}: ${text}`),
    worked: (key) => log.push(`${key} works`),
  };
  let opened = 0;
  let looks = 0;
  let returns = 0;
  const feed = startHeaderFeed(
    {
      name: 'own',
      openWebSocket: () => {
        const next = answers[Math.min(opened++, answers.length - 1)] as (typeof answers)[number];
        return next instanceof Error ? Promise.reject(next) : Promise.resolve(next.client);
      },
    },
    {
      pool: parts.pool,
      clock,
      own: parts.own,
      failures,
      onBlock: () => (looks += 1),
      onReturn: () => (returns += 1),
      random: () => 1,
    },
  );
  const series = async (): Promise<string[]> =>
    (await parts.own.registry.metrics()).split('\n').filter((line) => /^hubwatch_websocket_\w+\{/.test(line));
  return { parts, clock, log, feed, series, opened: () => opened, looks: () => looks, returns: () => returns };
};

const tell = ({ pool }: ReturnType<typeof testParts>, height: bigint): void =>
  pool.report('own', { height, timeMs: Number(height) * 6_000, chainId: 'hub-test', catchingUp: false }, new Set());

test('header feed: a header updates the head at once and triggers the ledger; a repeated header does not', async () => {
  const ws = socket();
  const { parts, feed, series, looks } = feedOn([ws]);
  tell(parts, 100n);
  await settle();
  expect(ws.subscribed()).toBe('NewBlockHeader');
  expect(looks()).toBe(0);
  ws.push(101n);
  ws.push(101n);
  ws.push(99n);
  ws.push(102n);
  await settle();
  expect(looks()).toBe(2);
  expect(parts.pool.head()).toEqual({ height: 102n, timeMs: 612_000 });
  expect(await series()).toEqual([
    'hubwatch_websocket_connected{endpoint="own"} 1',
    'hubwatch_websocket_events_total{endpoint="own",type="NewBlockHeader"} 4',
    'hubwatch_websocket_events_dropped_total{endpoint="own",reason="duplicate"} 2',
    'hubwatch_websocket_last_message_timestamp_seconds{endpoint="own"} 1800000000',
  ]);
  await feed?.stop();
  expect(await series()).toContain('hubwatch_websocket_connected{endpoint="own"} 0');
});

test('header feed: an endpoint that does not report its head gets none from the websocket', async () => {
  const ws = socket();
  const { parts, feed, looks } = feedOn([ws]);
  await settle();
  ws.push(101n);
  await settle();
  expect(parts.pool.told('own')).toBeUndefined();
  expect(looks()).toBe(1);
  await feed?.stop();
});

test('header feed: a closed connection is reopened with exponential backoff, and missed blocks are fetched', async () => {
  const [cut, again] = [socket(), socket()];
  const refused = new HubError({ code: 'refused', message: 'no websocket here', transport: 'websocket' });
  const { clock, feed, log, returns, opened, series } = feedOn([cut, refused, refused, again]);
  await settle();
  cut.push(101n);
  cut.finish(new HubError({ code: 'unavailable', message: 'cut', transport: 'websocket' }));
  await settle();
  expect(opened()).toBe(1);
  for (const ms of [500, 1_000, 2_000]) {
    clock.advance(ms - 1);
    await settle();
    const before = opened();
    clock.advance(1);
    await settle();
    expect(opened()).toBe(before + 1);
  }
  expect(returns()).toBe(1);
  expect(log).toEqual([
    'websocket of own works',
    'websocket of own: cut; new blocks are looked for at the usual intervals meanwhile',
    ...Array<string>(2).fill(
      'websocket of own: no websocket here; new blocks are looked for at the usual intervals meanwhile',
    ),
    'websocket of own works',
  ]);
  expect(await series()).toContain('hubwatch_websocket_reconnects_total{endpoint="own",reason="refused"} 3');
  await feed?.stop();
  expect(clock.pending()).toBe(0);
});

test('header feed: the websocket state is reported when it changes', async () => {
  const [first, again] = [socket(), socket()];
  const refused = new HubError({ code: 'refused', message: 'no websocket here', transport: 'websocket' });
  const { parts, clock, feed } = feedOn([first, refused, again]);
  const told = () => parts.pool.listening('own');
  expect(told()).toBeUndefined();
  await settle();
  expect(told()).toEqual({ isOn: true });
  first.finish();
  await settle();
  expect(told()).toEqual({ isOn: false, reason: 'refused', text: 'the connection was closed', failures: 0 });
  clock.advance(500);
  await settle();
  expect(told()).toEqual({ isOn: false, reason: 'refused', text: 'no websocket here', failures: 0 });
  clock.advance(1_000);
  await settle();
  expect(told()).toEqual({ isOn: true });
  await feed?.stop();
});

test('header feed: failed attempts since the last header count while the endpoint responds', async () => {
  const [first, again] = [socket(), socket()];
  const refused = new HubError({ code: 'refused', message: 'no websocket here', transport: 'websocket' });
  const { parts, clock, feed } = feedOn([first, refused, refused, again]);
  const failures = () => {
    const told = parts.pool.listening('own');
    return told?.isOn === false ? told.failures : undefined;
  };
  tell(parts, 100n);
  await settle();
  first.push(101n);
  await settle();
  first.finish();
  await settle();
  expect(failures()).toBe(0);
  clock.advance(500);
  await settle();
  expect(failures()).toBe(1);
  // While the endpoint itself is unreachable, its websocket state has no meaning.
  parts.pool.report('own', undefined, new Set());
  clock.advance(1_000);
  await settle();
  expect(failures()).toBe(0);
  await feed?.stop();
});

test('header feed: an open connection without events while the chain continues is closed', async () => {
  const [mute, again] = [socket(), socket()];
  const { parts, clock, feed, opened, series } = feedOn([mute, again]);
  tell(parts, 100n);
  await settle();
  mute.push(100n);
  await settle();
  // A stalled chain is not a failure of the websocket.
  clock.advance(30_000);
  await settle();
  tell(parts, 105n);
  clock.advance(30_000);
  await settle();
  expect(opened()).toBe(1);
  tell(parts, 110n);
  clock.advance(30_000);
  await settle();
  clock.advance(500);
  await settle();
  expect(opened()).toBe(2);
  expect(await series()).toContain('hubwatch_websocket_reconnects_total{endpoint="own",reason="mute"} 1');
  await feed?.stop();
});

test('header feed: an endpoint without a websocket has none', () => {
  const { pool, clock, own, failures } = testParts();
  const feed = startHeaderFeed(
    { name: 'own', openWebSocket: undefined },
    { pool, clock, own, failures, onBlock() {}, onReturn() {} },
  );
  expect(feed).toBeUndefined();
});
