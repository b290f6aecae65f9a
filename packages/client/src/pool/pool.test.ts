import { pause } from '../clock.js';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../test/seeded-random.js';
import { VirtualClock } from '../../test/virtual-clock.js';
import { type ErrorCode, HubError } from '../error.js';
import { freshestFirst } from './freshest-first.js';
import { OlderAnswerError } from './older-answer.js';
import { EndpointPool } from './pool.js';
import type { PoolEvent } from './pool-event.js';
import type { PoolMember, PoolOptions } from './pool-options.js';

/** An endpoint as a list of results: heights or failures. The last one repeats. */
interface Fake {
  readonly answers: (bigint | ErrorCode | { code: ErrorCode; retryAfterMs: number })[];
  readonly ms?: number;
  asked: number;
}

const fake = (answers: Fake['answers'], ms = 10): Fake => ({ answers, ms, asked: 0 });

function makePool(
  fakes: Record<string, Fake>,
  options: PoolOptions<Fake> & { rate?: number; probed?: Record<string, bigint> } = {},
) {
  const clock = new VirtualClock();
  const events: PoolEvent[] = [];
  const members = Object.entries(fakes).map(
    ([name, client]): PoolMember<Fake> => ({ name, client, requestsPerSecond: options.rate }),
  );
  const pool = new EndpointPool(members, {
    clock,
    random: seededRandom(1),
    onEvent: (event) => events.push(event),
    ...(options.probed && { probe: (client) => probe(client) }),
    ...options,
  });
  const probe = async (client: Fake): Promise<bigint | undefined> => {
    await pause(clock, client.ms ?? 0);
    return options.probed?.[nameOf(client)];
  };
  const nameOf = (client: Fake): string => members.find((member) => member.client === client)?.name ?? '';
  const answer = async (client: Fake): Promise<bigint> => {
    await pause(clock, client.ms ?? 0);
    const answers = client.answers;
    const next = answers[Math.min(client.asked++, answers.length - 1)] as Fake['answers'][number];
    if (typeof next === 'bigint') return next;
    const { code, ...raw } = typeof next === 'string' ? { code: next } : next;
    throw new HubError({ code, message: code, raw });
  };
  const read = (height?: bigint, subject?: string): Promise<string> =>
    clock.run(
      pool.read(
        async (client) => {
          const found = await answer(client);
          return { value: `${nameOf(client)} ${found}`, height: found };
        },
        { method: 'm', height, subject },
      ),
    );
  return { pool, clock, events, read, answer };
}

describe('pool', () => {
  it('fast stale endpoint: never used before a slow fresh one', async () => {
    const fakes = { fast: fake([900_000n], 20), slow: fake([902_000n], 300) };
    const { pool, read } = makePool(fakes, { probed: { fast: 900_000n, slow: 902_000n } });
    for (let i = 0; i < 5; i++) expect(await read()).toBe('slow 902000');
    expect(pool.order()).toEqual(['slow', 'fast']);
    expect(fakes.fast.asked).toBe(0);
  });

  it('equally fresh endpoints: the faster one is used; one that is behind comes last, regardless of its speed', async () => {
    const fakes = { a: fake([100n], 200), b: fake([99n], 50), c: fake([90n], 1) };
    const { pool, read } = makePool(fakes, { probed: { a: 100n, b: 99n, c: 90n } });
    expect(await read()).toBe('b 99');
    expect(pool.order()).toEqual(['b', 'a', 'c']);
  });

  it('different backends behind one name: an older response is not used, and the request is repeated', async () => {
    const { read, events } = makePool({ one: fake([100n, 98n, 101n, 97n, 97n, 101n]) });
    expect([await read(), await read(), await read()]).toEqual(['one 100', 'one 101', 'one 101']);
    const stale = events.filter((event) => event.kind === 'attempt' && event.outcome === 'stale');
    expect(stale.map((event) => event.kind === 'attempt' && event.height)).toEqual([98n, 97n, 97n]);
    expect(events.some(({ kind }) => kind === 'blocked')).toBe(false);
  });

  it('only older responses: fails with unavailable instead of returning an old value', async () => {
    const { read } = makePool({ a: fake([100n, 90n]), b: fake([91n]) });
    expect(await read()).toBe('a 100');
    await expect(read()).rejects.toMatchObject({ code: 'unavailable', height: 90n });
  });

  it('pruned state: read from the archive endpoint; not retried if no endpoint has it', async () => {
    const fakes = { near: fake(['height_not_retained']), archive: fake([901_900n, 'height_not_retained']) };
    const { read, events } = makePool(fakes);
    expect(await read(901_900n)).toBe('archive 901900');
    await expect(read(901_900n)).rejects.toMatchObject({ code: 'height_not_retained' });
    expect([fakes.near.asked, fakes.archive.asked]).toEqual([2, 2]);
    expect(events.some(({ kind }) => kind === 'blocked')).toBe(false);
  });

  it('pruned state while the archive is down: retryable', async () => {
    const { read } = makePool({ near: fake(['height_not_retained']), archive: fake(['refused']) });
    await expect(read(901_900n)).rejects.toMatchObject({ code: 'refused' });
  });

  it('route that one endpoint does not serve: the other responds, and the first stays in use for other routes', async () => {
    const fakes = { a: fake(['unimplemented', 100n]), b: fake([100n], 50) };
    const { read, pool } = makePool(fakes, { probed: { a: 100n, b: 100n } });
    expect([await read(), pool.order()[0]]).toEqual(['b 100', 'a']);
    expect(await read()).toBe('a 100');
  });

  it.each(['invalid_argument', 'height_never_existed', 'not_served'] as const)(
    '%s: the same result from all endpoints',
    async (code) => {
      const fakes = { a: fake([code]), b: fake([100n]) };
      await expect(makePool(fakes).read()).rejects.toMatchObject({ code });
      expect(fakes.b.asked).toBe(0);
    },
  );

  it('429 with Retry-After: not queried before that time, and every other read uses another endpoint', async () => {
    const fakes = { a: fake([{ code: 'rate_limited', retryAfterMs: 60_000 }, 100n]), b: fake([100n], 500) };
    const { read, clock, events } = makePool(fakes, { probed: { a: 100n, b: 100n } });
    for (let i = 0; i < 20; i++) expect(await read()).toBe('b 100');
    expect(fakes.a.asked).toBe(1);
    expect(events.find(({ kind }) => kind === 'blocked')).toMatchObject({ endpoint: 'a', forMs: 60_000 });
    await clock.run(pause(clock, 60_000));
    await read();
    expect(await read()).toBe('a 100');
    expect(events.find(({ kind }) => kind === 'recovered')).toMatchObject({ endpoint: 'a' });
  });

  it('429 without Retry-After, from the only endpoint: retried with a growing pause, within the timeout', async () => {
    const { read, clock, events } = makePool({ a: fake(['rate_limited', 'rate_limited', 100n]) });
    expect(await read()).toBe('a 100');
    const [first, second] = events.filter(({ kind }) => kind === 'blocked') as { forMs: number }[];
    expect(first?.forMs).toBeGreaterThanOrEqual(250);
    expect(second?.forMs).toBeGreaterThanOrEqual(500);
    expect(clock.monotonicMs()).toBeLessThan(2_000);
  });

  it('an endpoint that never responds: leaves half of the time to the next', async () => {
    const { pool, clock } = makePool({ mute: fake([1n]), b: fake([2n]) });
    const given: number[] = [];
    const value = await clock.run(
      pool.read(
        async (_, { timeoutMs }) => {
          given.push(timeoutMs);
          if (given.length > 1) return { value: 'ok', height: undefined };
          await pause(clock, timeoutMs);
          throw new HubError({ code: 'timeout', message: 'mute' });
        },
        { method: 'm', timeoutMs: 8_000 },
      ),
    );
    expect([value, given]).toEqual(['ok', [4_000, 4_000]]);
  });

  it('slow history: old states have a separate latency; live reads keep theirs and their budget', async () => {
    const fakes = { a: fake(['timeout', 100n, 100n, 100n, 100n, 100n], 50), b: fake([100n], 100) };
    const { read, pool, events } = makePool(fakes);
    expect(await read(50n)).toBe('b 100');
    expect(events.find(({ kind }) => kind === 'blocked')).toMatchObject({ endpoint: 'a', lane: 'history' });
    expect([pool.order('live')[0], pool.order('history')[0]]).toEqual(['a', 'b']);
    expect(await read()).toBe('a 100');
    const budget = makePool({ a: fake([100n], 0) }, { rate: 2 });
    await budget.read(50n);
    expect(await budget.read()).toBe('a 100');
    expect(budget.clock.monotonicMs()).toBe(0);
    await budget.read(50n);
    expect(budget.clock.monotonicMs()).toBeGreaterThan(900);
  });

  it('a budget: never exceeded; further requests use the next endpoint or wait', async () => {
    const fakes = { a: fake([100n], 0), b: fake([100n], 0) };
    const { read, clock, events } = makePool(fakes, { rate: 2, rounds: 1 });
    for (let i = 0; i < 12; i++) await read();
    // A burst of two and two per second each: 12 requests need 2 s.
    expect(Math.round(clock.monotonicMs())).toBe(2_000);
    expect([fakes.a.asked, fakes.b.asked]).toEqual([6, 6]);
    expect(events.find(({ kind }) => kind === 'waiting')).toMatchObject({ reason: 'budget' });
  });

  it('cancelled: immediately, also while it waits', async () => {
    const { pool, clock } = makePool({ a: fake(['refused']) });
    const controller = new AbortController();
    void pause(clock, 100).then(() => controller.abort());
    const read = pool.read(() => Promise.reject(new HubError({ code: 'refused', message: 'no' })), {
      method: 'm',
      signal: controller.signal,
    });
    await expect(clock.run(read)).rejects.toMatchObject({ code: 'cancelled' });
    expect(clock.monotonicMs()).toBeLessThanOrEqual(100);
  });

  it.each<[ErrorCode, number]>([
    ['refused', 2],
    ['tls', 2],
    ['timeout', 1],
    ['unavailable', 1],
    ['rate_limited', 1],
    ['internal', 1],
    ['http', 1],
  ])('a broadcast that failed with %s: sent to %i endpoints', async (code, count) => {
    const fakes = { a: fake([code]), b: fake([code]) };
    const { pool, clock, answer } = makePool(fakes);
    await expect(clock.run(pool.send((client) => answer(client), { method: 'broadcast' }))).rejects.toMatchObject({
      code,
    });
    expect(fakes.a.asked + fakes.b.asked).toBe(count);
  });

  it('a strategy: its order is used, a member that it omits is not queried, and one in backoff is queried in its turn', async () => {
    const fakes = { a: fake([100n]), b: fake(['refused', 100n]), c: fake(['refused', 100n]) };
    const resting: string[] = [];
    const { read, clock } = makePool(fakes, {
      rounds: 1,
      strategy: {
        asksResting: true,
        order: (seen) => {
          const members = seen.filter(({ member }) => member.name !== 'a');
          resting.push(members.map(({ isResting }) => (isResting ? 'rests' : 'free')).join(' '));
          return members.map(({ member }) => member).toReversed();
        },
      },
    });
    await expect(read()).rejects.toMatchObject({ code: 'refused' });
    expect(await read()).toBe('c 100');
    expect(await read()).toBe('c 100');
    expect([fakes.a.asked, fakes.b.asked, fakes.c.asked, clock.monotonicMs()]).toEqual([0, 1, 3, 40]);
    expect([resting.at(0), resting.at(-1)]).toEqual(['free free', 'rests free']);
  });

  it('a strategy: a failure that it declares final is returned', async () => {
    const fakes = { a: fake(['not_found']), b: fake([100n]) };
    expect(await makePool(fakes).read()).toBe('b 100');
    const isFinal = ({ code }: HubError): boolean => code === 'not_found';
    const all = freshestFirst<Fake>(2n);
    const strict = { a: fake(['not_found']), b: fake([100n]) };
    await expect(makePool(strict, { strategy: { ...all, isFinal } }).read()).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(strict.b.asked).toBe(0);
  });

  it('a rolled-back chain: the newest older response is used if the strategy allows it, and every subject starts again', async () => {
    const { read } = makePool(
      { a: fake([100n, 90n, 40n]), b: fake([95n, 39n]) },
      {
        rounds: 1,
        strategy: { ...freshestFirst<Fake>(2n), takesOlder: ({ given, olderHeight }) => given - olderHeight > 50n },
      },
    );
    expect(await read()).toBe('a 100');
    await expect(read()).rejects.toBeInstanceOf(OlderAnswerError);
    expect(await read()).toBe('a 40');
    expect(await read()).toBe('a 40');
  });

  it('subjects: a response is compared only with those of its own subject', async () => {
    const { read } = makePool({ a: fake([100n, 90n, 90n]) }, { rounds: 1 });
    expect(await read(undefined, 'x')).toBe('a 100');
    expect(await read(undefined, 'y')).toBe('a 90');
    await expect(read(undefined, 'x')).rejects.toMatchObject({ code: 'unavailable', height: 90n });
  });

  it('no endpoint, or two with the same name: refused', () => {
    expect(() => new EndpointPool([])).toThrow('at least one');
    const client = fake([]);
    expect(
      () =>
        new EndpointPool([
          { name: 'a', client },
          { name: 'a', client },
        ]),
    ).toThrow('its own name');
  });
});
