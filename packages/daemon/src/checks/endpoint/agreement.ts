import { speedOf } from '../../clock.js';
import { HubError } from '@hubwatch/client';
import { type HashComparison, compareBlocks } from '../../endpoints/block-hash.js';
import type { Endpoint } from '../../endpoints/endpoint.js';
import {
  type ChainState,
  chainStates,
  type EndpointFacts,
  type EndpointVerdict,
  endpointVerdicts,
  judgeEndpoints,
  stillMs,
} from '../../endpoints/judgement.js';
import { type Movement, stillFor } from '../../endpoints/movement.js';
import type { TrustedPool } from '../../endpoints/pool.js';
import { isBehind } from '../../endpoints/standing.js';
import { planOf, type UpgradePlan } from '../../endpoints/upgrade-plan.js';
import { cachedRead } from '../cached-read.js';
import { type Check, type CollectContext, StarvedError, type Target } from '../check.js';
import { gauge, type Sample, sample, stateSamples, stateset } from '../family.js';

/** State of the chain according to a comparison of all endpoints. */
export interface AgreementReading {
  readonly chain: ChainState;
  readonly endpoints: ReadonlyMap<string, EndpointVerdict>;
  readonly facts: readonly EndpointFacts[];
  readonly compared: ReadonlyMap<string, HashComparison>;
  readonly chainIds: ReadonlyMap<string, string>;
  readonly expectedChainId: string | undefined;
  /** The planned upgrade; `undefined` if there is none or it could not be read. */
  readonly plan: UpgradePlan | undefined;
}

const verdict = stateset(
  'hub_endpoint_verdict',
  ['endpoint', 'verdict'],
  'Verdict about the endpoint compared with the others; 1 for exactly one verdict',
);
const chain = stateset('hub_chain_state', ['state'], 'State of the chain according to its endpoints');
const mismatch = gauge(
  'hub_endpoint_consensus_mismatch',
  ['endpoint', 'field'],
  '1 if the hash of the block or of the application at the compared height differs from that of most endpoints',
);
const comparedHeight = gauge(
  'hub_endpoint_consensus_compared_height',
  ['endpoint'],
  'Height at which hashes were compared',
);

/** The only target of checks about the whole network. */
export const networkTarget: Target = { key: 'network' };

/** Whether the consensus of an endpoint responds. An endpoint with hanging consensus can still report a normal status. */
export const consensusOf = async (endpoint: Endpoint, signal: AbortSignal): Promise<EndpointFacts['consensus']> => {
  if (!endpoint.has.rpc) return undefined;
  try {
    await endpoint.rpc('consensus_state', {}, { signal });
    return 'answers';
  } catch (error) {
    if (signal.aborted) throw error;
    // A proxy that does not forward the method gives no information about the consensus behind it.
    return error instanceof HubError && error.code === 'timeout' ? 'hangs' : undefined;
  }
};

const stateHeightOf = async (endpoint: Endpoint, pool: TrustedPool, isStill: boolean, signal: AbortSignal) => {
  const told = [...pool.states(endpoint.name).values()];
  if (told.length > 0) return told.reduce((low, height) => (height < low ? height : low));
  if (!isStill || !endpoint.has.rpc) return undefined;
  try {
    return (await endpoint.rpc('abci_info', {}, { signal })).lastBlockHeight;
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
};

/** Number of polls at the same height before an endpoint with an upgrade block is queried whether it waits for the upgrade. */
const looksAtPlan = 3;

/** How long the height of an endpoint has not changed; `undefined` until it was seen to change or was observed long enough. */
const stillOf = (movement: Movement | undefined, nowMs: number): number | undefined => {
  if (movement === undefined) return undefined;
  const still = stillFor(movement, nowMs);
  return movement.hasMoved || still >= stillMs ? still : undefined;
};

/** Throws if no transport responds, so that a failure is not stored as a result. */
const surePlanOf = async (endpoint: Endpoint, signal: AbortSignal): Promise<UpgradePlan | 'none'> => {
  const plan = await planOf(endpoint, signal);
  if (plan === undefined) throw new Error(`${endpoint.name} does not report its upgrade plan`);
  return plan;
};

const planned = (plan: UpgradePlan | 'none' | undefined): UpgradePlan | undefined =>
  plan === 'none' ? undefined : plan;

const hashOf = (compared: HashComparison | undefined): EndpointFacts['hash'] => {
  if (compared === undefined) return undefined;
  const both = [compared.block, compared.app];
  return both.includes('differs') ? 'differs' : both.includes('disputed') ? 'disputed' : 'agrees';
};

const collect = async (_target: Target, context: CollectContext): Promise<AgreementReading> => {
  const { pool, config, signal } = context;
  const nowMs = pool.awakeMs();
  const speed = speedOf(context.clock);
  const seldom = <T>(what: string, read: () => Promise<T>): Promise<T> =>
    cachedRead(context, what, config.poll.other, read);
  if (pool.endpoints.some(({ name }) => pool.isObsolete(name))) throw new StarvedError();
  const head = pool.head();
  const expectedChainId = pool.chainId();
  const told = pool.endpoints.flatMap((endpoint) => {
    const known = pool.told(endpoint.name);
    return known === undefined ? [] : { endpoint, ...known };
  });
  const comparable = told.filter(({ chainId }) => chainId === expectedChainId);
  const [best] = pool.usable();
  const plan = best && (await seldom('upgrade plan', () => surePlanOf(best, signal)).catch(() => undefined));
  if (signal.aborted) throw new Error('given up');
  const chainIds = new Map<string, string>();
  const [compared, facts] = await Promise.all([
    seldom('compared blocks', () =>
      compareBlocks(
        comparable.filter((one) => !isBehind(one, head)),
        comparable.filter((one) => isBehind(one, head)),
        signal,
      ),
    ),
    Promise.all(
      pool.endpoints.map(async (endpoint): Promise<Omit<EndpointFacts, 'hash'>> => {
        const { name } = endpoint;
        const height = pool.told(name)?.height;
        const movement = height === undefined ? undefined : pool.movement(name);
        const still = stillOf(movement, nowMs);
        const isStill = still !== undefined && still >= stillMs;
        const isAtPlan =
          movement !== undefined && movement.looks >= looksAtPlan && planned(plan)?.height === movement.head.height;
        const [stateHeight, ownPlan, consensus] = await Promise.all([
          stateHeightOf(endpoint, pool, isStill || isAtPlan, signal),
          isStill || isAtPlan ? planOf(endpoint, signal) : undefined,
          isStill ? consensusOf(endpoint, signal) : undefined,
        ]);
        const standing = pool.standing(name);
        // Read at the same time, because the first report of the endpoint may have arrived meanwhile.
        const chainId = pool.told(name)?.chainId;
        if (chainId !== undefined) chainIds.set(name, chainId);
        const planHeight = planned(ownPlan)?.height;
        return { name, standing, height, stateHeight, stillMs: still, consensus, planHeight, speed };
      }),
    ),
  ]);
  const all = facts.map((one): EndpointFacts => ({ ...one, hash: hashOf(compared.get(one.name)) }));
  if (context.isStarved?.() === true) throw new StarvedError();
  const judged = judgeEndpoints(all);
  pool.setForked(new Set([...judged.endpoints].flatMap(([name, found]) => (found === 'forked' ? name : []))));
  return { ...judged, facts: all, compared, chainIds, expectedChainId, plan: planned(plan) };
};

const metrics = (_target: Target, reading: AgreementReading): readonly Sample[] => [
  ...[...reading.endpoints].flatMap(([name, found]) => stateSamples(verdict, [name], endpointVerdicts, found)),
  ...stateSamples(chain, [], chainStates, reading.chain),
  ...[...reading.compared].flatMap(([name, { height, block, app }]) => [
    sample(mismatch, [name, 'block'], block === 'differs' ? 1 : 0),
    sample(mismatch, [name, 'app'], app === 'differs' ? 1 : 0),
    sample(comparedHeight, [name], Number(height)),
  ]),
];

/** Compares all endpoints: hashes at a common height, which of them do not advance and why, and the state of the chain. */
export const agreement: Check<Target, AgreementReading> = {
  name: 'agreement',
  families: [verdict, chain, mismatch, comparedHeight],
  // Polled as often as the endpoints; values that need requests are read less often.
  everyMs: (config) => config.poll.endpoints,
  targets: () => [networkTarget],
  collect,
  metrics,
};
