import { HubError, type Transport } from '@hubwatch/client';
import { messageByName } from '@hubwatch/types/gen/registry';
import { decodeBinary, encodeBinary } from '@hubwatch/types/runtime/binary';
import { decodeBinary as decodeFast } from '@hubwatch/types/runtime/decode';
import type { MessageTable } from '@hubwatch/types/runtime/table';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fakeClock } from '../../test/fake-clock.js';
import { fakeEndpoint } from '../../test/fake-endpoint.js';
import { emptyPopulation, lease, nodeSession, type Population, servePopulation } from '../../test/population.js';
import { createEndpoint } from '../endpoints/endpoint.js';
import { createFailureLog } from '../log.js';
import { createOwnMetrics } from '../own-metrics.js';
import { silentLogger } from '../../test/parts.js';
import { depositConservation } from './deposit-conservation.js';
import { allSweeps } from './index.js';
import { createNodePace } from './node-pace.js';
import type { ListCount } from './read-list.js';
import { sweepRound } from './sweep-round.js';
import { sumsOf } from './sums.js';

const hour = 3_600_000;
const chainMs = 1_800_000_000_000;
const denom = fc.constantFrom('udvpn', 'ibc/A', 'ibc/B');
const quote = fc.bigInt({ min: 0n, max: 10n ** 24n }).map(String);

const leaseFacts = fc.record({
  policy: fc.integer({ min: 0, max: 7 }),
  hours: fc.bigInt({ min: 0n, max: 24n }),
  maxHours: fc.constant(24n),
  quote,
  denom,
  startMs: fc.integer({ min: -200, max: 200 }).map((hours) => chainMs + hours * hour),
});
const sessionFacts = fc.record({
  status: fc.constantFrom(1, 2),
  gigabytes: fc.bigInt({ min: 1n, max: 1_000n }),
  quote,
  denom,
});

/** A population whose deposits equal those of its sessions and leases, as on the chain. */
const population: fc.Arbitrary<Population> = fc
  .record({
    statuses: fc.array(fc.constantFrom(1, 3), { maxLength: 40 }),
    leases: fc.array(leaseFacts, { maxLength: 25 }),
    sessions: fc.array(sessionFacts, { maxLength: 25 }),
  })
  .map(({ statuses, leases, sessions }) => ({
    ...emptyPopulation,
    nodes: statuses.map((status) => ({ status })),
    swaps: statuses.map(() => ({})),
    leases: leases.map((facts, id) => lease(id, facts)),
    sessions: sessions.map((facts, id) => nodeSession(id, facts)),
    deposits: [
      ...leases.map((one) => ({ denom: one.denom, amount: String((one.maxHours - one.hours) * BigInt(one.quote)) })),
      ...sessions.map((one) => ({ denom: one.denom, amount: String(one.gigabytes * BigInt(one.quote)) })),
    ].map((coin) => ({ coins: [coin] })),
  }));

const addedUp = (entries: readonly (readonly [string, bigint])[]): Record<string, bigint> => {
  const sums: Record<string, bigint> = {};
  for (const [label, amount] of entries) sums[label] = (sums[label] ?? 0n) + amount;
  return sums;
};

/** Expected counts, computed independently of the sweep. */
const truthOf = ({ nodes, leases, deposits, sessions, swaps }: Population) => {
  const typed = {
    leases: leases as readonly ReturnType<typeof lease>[],
    sessions: sessions as readonly ReturnType<typeof nodeSession>[],
  };
  return {
    nodes: addedUp(nodes.map(({ status }) => [status === 1 ? 'active' : 'inactive', 1n])),
    swaps: addedUp(swaps.map(() => ['', 1n])),
    deposits: addedUp(deposits.flatMap(({ coins }) => coins.map((coin) => [coin.denom, BigInt(coin.amount)] as const))),
    committed: addedUp(
      typed.leases.map((one) => [one.price.denom, (one.maxHours - one.hours) * BigInt(one.price.quoteValue)]),
    ),
    bytes: addedUp(
      typed.sessions.flatMap(({ value: { baseSession: base } }) => [
        ['node download', BigInt(base.downloadBytes)] as const,
        ['node upload', BigInt(base.uploadBytes)] as const,
      ]),
    ),
  };
};

/** Encodes each response as a complete message, from which the sweep decodes the fields it needs. */
const overTheWire = (transport: Transport<'grpc'>, decode: typeof decodeBinary): Transport<'grpc'> => ({
  ...transport,
  async call(method, request, options) {
    const answer = await transport.call(method, request, options);
    const whole = messageByName(method.response.name) as MessageTable;
    const message = decode(method.response, encodeBinary(whole, answer.message as object));
    return { ...answer, message: message as never };
  },
});

test('sweeps: regardless of changes between pages, the counts are those of the population at one height', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(population, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 0, max: 3 }),
      fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 3 }),
      fc.constantFrom(decodeBinary, decodeFast),
      async (populations, pageSize, blocksPerPage, failures, decode) => {
        const fake = fakeEndpoint();
        const at = (height: bigint): Population => populations[Number(height) % populations.length] as Population;
        let pages = 0;
        servePopulation(fake, at, () => {
          fake.height += BigInt(blocksPerPage);
          pages += 1;
          return failures.includes(pages) ? new HubError({ code: 'unavailable', message: 'cut' }) : undefined;
        });
        const clock = { ...fakeClock(), setTimeout: (run: () => void) => (setImmediate(run), () => undefined) };
        const failureLog = createFailureLog(silentLogger);
        const endpoint = createEndpoint(
          { name: 'own', role: 'own' },
          { ...fake.connection, grpc: overTheWire(fake.connection.grpc as Transport<'grpc'>, decode) },
          1_000,
          clock,
          createOwnMetrics(),
          failureLog,
        );
        const counts = new Map<string, ListCount>();
        const lost = await sweepRound({
          sweeps: allSweeps,
          endpoint,
          head: { height: fake.height, timeMs: chainMs },
          pace: createNodePace(),
          pageSize,
          clock,
          signal: new AbortController().signal,
          onPage: () => undefined,
          onPause: () => undefined,
          onCounted: ({ collection }, count) => counts.set(collection, count),
          onFailed: (_sweep, _reason, text) => expect.unreachable(text),
        });
        expect(lost).toBeUndefined();
        const heights = new Set([...counts.values()].map(({ height }) => height));
        expect(heights.size).toBe(1);
        const [height = 0n] = heights;
        const truth = truthOf(at(height));
        const sum = (list: string, name: string) =>
          Object.fromEntries(sumsOf(counts.get(list)?.sums ?? new Map(), name));
        expect({
          nodes: sum('nodes', 'nodes'),
          swaps: sum('swaps', 'swaps'),
          deposits: sum('deposits', 'deposits'),
          committed: sum('leases', 'committed'),
          bytes: sum('sessions', 'bytes'),
        }).toEqual(truth);
        const lists = [...counts].map(([collection, count]) => ({
          ...count,
          collection,
          endpoint: 'own',
          completedMs: 0,
        }));
        const balances = depositConservation(lists)?.balances;
        expect(balances?.filter(({ difference }) => difference !== 0n)).toEqual([]);
      },
    ),
    { numRuns: 100 },
  );
});
