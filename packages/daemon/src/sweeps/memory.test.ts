import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { fakeEndpoint } from '../../test/fake-endpoint.js';
import { testParts } from '../../test/parts.js';
import { emptyPopulation, servePopulation } from '../../test/population.js';
import { createSweepStore } from './sweep-store.js';
import { createSweeps } from './sweeps.js';

const mebibyte = 1_048_576;

/** Heap in use after garbage collection. */
const usedHeap = (): number => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
};

test('sweeps: a list of 150,000 subscriptions keeps only a few pages in memory', async () => {
  const own = fakeEndpoint();
  const count = 150_000;
  const size = 500;
  const record = (no: number) => ({
    id: BigInt(no),
    accAddress: `sent1${no}`.padEnd(43, '0'),
    status: no % 3 === 0 ? 2 : 1,
  });
  servePopulation(own, () => emptyPopulation);
  let [most, pages] = [0, 0];
  own.queries['hub.subscription.v3.QueryService/QuerySubscriptions'] = ({
    pagination,
  }: {
    readonly pagination: { readonly key?: Uint8Array };
  }) => {
    pages += 1;
    if (pages % 50 === 0) most = Math.max(most, usedHeap());
    const from = Number(Buffer.from(pagination.key ?? []).toString() || '0');
    const next = from + size < count ? Buffer.from(String(from + size)) : new Uint8Array();
    const subscriptions = Array.from({ length: size }, (_, index) => record(from + index));
    return { subscriptions, pagination: { nextKey: next, total: 0n } };
  };
  const parts = testParts({ own }, { roles: { own: 'own' } });
  parts.pool.report('own', { height: 100n, timeMs: parts.clock.nowMs(), chainId: 'hub-test', catchingUp: false });
  const sweeps = createSweeps({ ...parts, store: createSweepStore(parts.store) }, () => undefined);
  const before = usedHeap();
  await sweeps.job?.run(parts.signal);
  expect(sweeps.view.samples().map(({ family, labels, value }) => [family.name, ...labels, value])).toEqual(
    expect.arrayContaining([
      ['hub_subscriptions', 'active', 100_000],
      ['hub_subscriptions', 'inactive_pending', 50_000],
    ]),
  );
  expect(pages).toBe(300);
  // All records would need more than 25 MiB; a page needs less than a tenth of a MiB.
  expect((most - before) / mebibyte).toBeLessThan(4);
});
