import { publicNaming } from '@hubwatch/client';
import { followChain } from '@hubwatch/client/follow';
import { startDevnode } from '@hubwatch/devnode';
import { startFaultProxy } from '@hubwatch/devnode/faults';
import { playWorld } from './followed-world.js';
import type { Proof, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';

/** Number of blocks in one world. */
const worldBlocks = 300;

/** A follower receives exactly the chain's blocks, regardless of connection faults. */
export const websocketFaults: Proof = {
  name: 'websocket-faults',
  about:
    'Through 10 000 faults of websocket and HTTP a followed chain equals the chain by height: nothing lost, nothing twice.',
  defaultRuns: 100,
  run: async ({ seed, runs = 10_000, log }) => {
    const random = new RandomSource(seed);
    const outcome = { passed: 0, total: 0, pushed: 0, faults: 0, kinds: new Map<string, number>() };
    // With a small number of runs the worlds are small too, so that `npm test` stays short.
    const blocks = Math.min(worldBlocks, Math.max(20, Math.ceil(runs / 6)));
    let counterExample: string | undefined;
    let limits = 1;
    for (let world = 0; outcome.faults < runs && counterExample === undefined; world++) {
      const worldSeed = random.below(2 ** 31);
      let played = await playWorld(worldSeed, blocks, limits);
      if (played.stoodStill) {
        // A machine too busy for the limits looks like a stopped stream, but a stream that really stopped stops again.
        log(`world ${world} stood still with time-outs of ${played.timeoutMs} ms: played again with four times that`);
        played = await playWorld(worldSeed, blocks, limits * 4);
      }
      outcome.passed += played.equal;
      outcome.total += played.total;
      outcome.pushed += played.pushed;
      outcome.faults += played.faults;
      for (const [kind, times] of played.kinds) outcome.kinds.set(kind, (outcome.kinds.get(kind) ?? 0) + times);
      counterExample = played.wrong;
      limits = played.nextLimits;
      log(`world ${world}: ${outcome.faults} faults, ${outcome.passed} of ${outcome.total} blocks equal`);
    }
    const cut = await cutScenario(runs >= 1_000 ? 3_000 : 600);
    log(`a cut of ${cut.cutMs} ms: ${cut.passed} of ${cut.total} headers`);
    const figures = {
      faults: outcome.faults,
      'blocks taken from the websocket': outcome.pushed,
      'headers through a cut': `${cut.passed} of ${cut.total}`,
      ...Object.fromEntries(outcome.kinds),
    };
    return {
      passed: outcome.passed + cut.passed,
      total: outcome.total + cut.total,
      counterExample: counterExample ?? cut.counterExample,
      figures,
    } satisfies ProofOutcome;
  },
};

/** The measured case in which the best published clients lost 13 to 40 of 47 headers. */
async function cutScenario(cutMs: number): Promise<ProofOutcome & { readonly cutMs: number }> {
  const from = 901_900;
  const total = 48;
  const blockMs = cutMs / 24;
  const node = await startDevnode({ mode: 'moving', chain: 'chain', speed: 'manual', shiftTo: 'none', from });
  const proxy = await startFaultProxy({ target: node.rpc, mode: 'http' });
  let connected: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (connected = resolve));
  const chain = followChain({
    rpc: proxy.url,
    naming: publicNaming,
    onEvent: ({ kind }) => {
      if (kind === 'connected') connected();
    },
  });
  const seen: bigint[] = [];
  const reading = (async () => {
    for await (const item of chain.headers({ from: BigInt(from + 1) })) {
      if (item.kind === 'header') seen.push(item.height);
      if (seen.length === total) break;
    }
  })();
  await ready;
  for (let block = 1; block <= total; block++) {
    await node.advanceTo(from + block);
    if (block === 12) {
      await proxy.down();
      setTimeout(() => void proxy.up(), cutMs);
    }
    await new Promise((resolve) => setTimeout(resolve, blockMs));
  }
  await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, 30_000).unref())]);
  chain.close();
  await proxy.close();
  await node.close();
  const passed = seen.filter((height, index) => height === BigInt(from + 1 + index)).length;
  const counterExample = passed === total ? undefined : `a cut of ${cutMs} ms: the headers were ${seen.join(', ')}`;
  return { passed, total, counterExample, cutMs };
}
