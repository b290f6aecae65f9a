import { HubError } from '@hubwatch/client';
import { expect, test } from 'vitest';
import { fakeClock } from '../../test/fake-clock.js';
import { nodeAddress, silentLogger, temporaryStore } from '../../test/parts.js';
import { createLedgerStore } from './ledger-store.js';
import { refillJob } from './refill.js';

test('refill: a failed search is retried; lost entries count as read when the search has finished', async () => {
  const ledger = createLedgerStore(temporaryStore());
  let isRefilling = true;
  let answers = false;
  const job = refillJob({
    store: { isRefilling: () => isRefilling, refilled: () => (isRefilling = false) },
    ledger,
    addresses: [nodeAddress],
    chainId: undefined,
    // Requests wait for their turn, which comes at once.
    clock: {
      ...fakeClock(),
      setTimeout(fn) {
        queueMicrotask(fn);
        return () => undefined;
      },
    },
    logger: silentLogger,
    sources: [
      {
        name: 'own',
        requestsPerSecond: 1e9,
        naming: () => Promise.resolve({ eventToWire: (name: string) => name } as never),
        rpc: {
          call: ((method: string) => {
            if (!answers)
              return Promise.reject(new HubError({ code: 'invalid_argument', message: 'no', transport: 'rpc' }));
            return Promise.resolve(
              method === 'status'
                ? { nodeInfo: { network: 'x' }, syncInfo: { earliestBlockHeight: 1n } }
                : { blocks: [], txs: [], totalCount: 0n },
            );
          }) as never,
        },
      },
    ],
  });
  const { signal } = new AbortController();
  await job.run(signal);
  expect(isRefilling).toBe(true);
  ledger.begin(100n);
  ledger.starts.watch([nodeAddress], 100n);
  await expect(job.run(signal)).rejects.toThrow('no endpoint can be searched');
  expect(isRefilling).toBe(true);
  answers = true;
  await job.run(signal);
  expect(isRefilling).toBe(false);
  expect(ledger.starts.all().get(nodeAddress)).toBe(1n);
});
