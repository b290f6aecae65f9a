import type { Client } from '@grpc/grpc-js';
import { expect, it } from 'vitest';
import { HubError } from '../error.js';
import { RenewedChannel } from './renewed-channel.js';

function world() {
  const opened: { isClosed: boolean }[] = [];
  let nowMs = 0;
  const channel = new RenewedChannel(
    () => {
      const client = { isClosed: false, close: () => (client.isClosed = true) };
      opened.push(client);
      return client as unknown as Client;
    },
    () => nowMs,
  );
  const at = (client: Client): number => opened.indexOf(client as never);
  return {
    opened,
    channel,
    later: (ms: number) => (nowMs += ms),
    /** Number of the client that a call is made on, and what becomes of it. */
    call: (code?: HubError['code']) =>
      channel
        .call((client) =>
          code === undefined
            ? Promise.resolve(at(client))
            : Promise.reject(new HubError({ code, message: String(at(client)) })),
        )
        .catch((error: unknown) => Number((error as Error).message)),
  };
}

it('renewed channel: three time-outs in a row open another one, with an answer between them they do not', async () => {
  const { call, opened } = world();
  for (const code of [
    'timeout',
    'timeout',
    undefined,
    'timeout',
    'not_found',
    'timeout',
    'cancelled',
    'timeout',
  ] as const) {
    expect(await call(code)).toBe(0);
  }
  expect(await call('timeout')).toBe(0);
  expect(await call()).toBe(1);
  expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false]);
});

it('renewed channel: one that is ten minutes old is closed when its last call has ended', async () => {
  const { channel, call, later, opened } = world();
  let end: () => void = () => undefined;
  const slow = channel.call(() => new Promise<void>((resolve) => (end = resolve)));
  later(599_999);
  expect(await call()).toBe(0);
  later(1);
  expect(await call()).toBe(1);
  expect(opened.map(({ isClosed }) => isClosed)).toEqual([false, false]);
  end();
  await slow;
  expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false]);
});

it('renewed channel: closed, it opens no other', async () => {
  const { channel, call, later, opened } = world();
  channel.close();
  later(600_000);
  await call();
  expect(opened).toHaveLength(1);
});
