import { pause } from '../clock.js';
import { expect, it } from 'vitest';
import { seededRandom } from '../../test/seeded-random.js';
import { VirtualClock } from '../../test/virtual-clock.js';
import { type ErrorCode, HubError } from '../error.js';
import { EndpointPool } from './pool.js';

const blockMs = 6_000;
const faults: readonly ErrorCode[] = ['unavailable', 'timeout', 'http', 'decode', 'refused', 'internal'];

/** A node of the simulated chain. It records its budget and `Retry-After` to detect clients that violate them. */
class SimulatedNode {
  asked: number[] = [];
  sent = 0;
  private readonly clock: VirtualClock;
  private readonly random: () => number;
  readonly lag: () => number;
  readonly latencyMs: number;
  private readonly faultRate: number;
  private closedUntilMs = 0;
  broken: string | undefined;

  constructor(clock: VirtualClock, random: () => number, faultRate: number, latencyMs: number, lag: () => number) {
    this.clock = clock;
    this.random = random;
    this.faultRate = faultRate;
    this.latencyMs = latencyMs;
    this.lag = lag;
  }

  async answer(): Promise<bigint> {
    const nowMs = this.clock.monotonicMs();
    this.asked.push(nowMs);
    if (nowMs < this.closedUntilMs) this.broken = `asked at ${nowMs}, Retry-After was ${this.closedUntilMs}`;
    await pause(this.clock, this.latencyMs * (0.5 + this.random()));
    if (this.random() < this.faultRate) {
      if (this.random() < 0.3) {
        const retryAfterMs = Math.floor(this.random() * 20) * 1_000;
        this.closedUntilMs = this.clock.monotonicMs() + retryAfterMs;
        throw new HubError({ code: 'rate_limited', message: '429', raw: { retryAfterMs } });
      }
      const code = faults[Math.floor(this.random() * faults.length)] as ErrorCode;
      throw new HubError({ code, message: code });
    }
    return BigInt(Math.max(1, Math.floor(this.clock.monotonicMs() / blockMs) + 1_000 - this.lag()));
  }
}

/**
 * Ten minutes of a chain with four nodes: one fast and frozen, one slow, one that fails often, one with three backends.
 */
async function simulate(seed: number) {
  const random = seededRandom(seed);
  const clock = new VirtualClock();
  const frozen = 100 + Math.floor(random() * 50);
  const frozenHead = (): number => Math.floor(clock.monotonicMs() / blockMs) + frozen;
  const nodes: Record<string, SimulatedNode> = {
    frozen: new SimulatedNode(clock, random, 0, 5, frozenHead),
    slow: new SimulatedNode(clock, random, 0.02, 300, () => 0),
    flaky: new SimulatedNode(clock, random, 0.5, 60, () => 0),
    backends: new SimulatedNode(clock, random, 0.05, 80, () => Math.floor(random() * 4)),
  };
  const perSecond = 3;
  const pool = new EndpointPool(
    Object.entries(nodes).map(([name, client]) => ({ name, client, requestsPerSecond: perSecond, burst: 4 })),
    { clock, random, probe: (client) => client.answer() },
  );
  const given: bigint[] = [];
  let failed = 0;
  const reader = async (): Promise<void> => {
    while (clock.monotonicMs() < 600_000) {
      await pause(clock, random() * 2_000);
      const floor = given.at(-1) ?? 0n;
      try {
        const height = await pool.read(
          async (node) => {
            const found = await node.answer();
            return { value: found, height: found };
          },
          { method: 'm' },
        );
        if (height < floor) throw new Error(`${height} after ${floor}`);
        given.push(height);
      } catch (error) {
        if (!(error instanceof HubError)) throw error;
        failed++;
      }
    }
  };
  await clock.run(reader());
  return { nodes, given, failed, perSecond };
}

it('100 simulated chains: no older state, no exceeded budget, no ignored Retry-After, no read from the frozen node', async () => {
  let reads = 0;
  let failures = 0;
  for (let seed = 1; seed <= 100; seed++) {
    const { nodes, given, failed, perSecond } = await simulate(seed);
    reads += given.length;
    failures += failed;
    for (const [name, { asked, broken }] of Object.entries(nodes)) {
      expect([seed, name, broken]).toEqual([seed, name, undefined]);
      for (let i = 5; i < asked.length; i++) {
        // With a burst of four, each window of six consecutive requests must last at least as long as two refills.
        const tookMs = (asked[i] as number) - (asked[i - 5] as number);
        expect([seed, name, tookMs >= (2 / perSecond) * 1_000 - 1]).toEqual([seed, name, true]);
      }
    }
    // Only the probes query its height, every 30 s.
    expect([seed, (nodes['frozen'] as SimulatedNode).asked.length <= 22]).toEqual([seed, true]);
  }
  expect(reads).toBeGreaterThan(40_000);
  // The one good node requests up to 19 s of pause in 0.6 % of its responses, and a read has 10 s.
  expect(failures / reads).toBeLessThan(0.01);
});
