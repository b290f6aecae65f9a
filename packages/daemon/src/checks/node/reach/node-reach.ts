import { queryNode } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import type { Check } from '../../check.js';
import { gauge, type Sample, sample } from '../../family.js';
import { unlessAbsent } from '../../unless-absent.js';
import { type NodeTarget, nodeTargets } from '../watched-nodes.js';
import { probeAddress, type ReachOutcome } from './probe-address.js';

/** The chain accepts at most four addresses. */
const mostAddresses = 4;

export interface ProbedAddress {
  readonly address: string;
  readonly outcome: ReachOutcome;
}

export interface ReachReading {
  /** In the order of the record. */
  readonly addresses: readonly ProbedAddress[];
  readonly height: bigint | undefined;
}

const labels = ['node', 'address_index'];
const reachable = gauge(
  'hub_node_reachable',
  labels,
  '1 if the published address answers over TLS, 0 if it does not; absent if it was not tried',
);
const notAfter = gauge(
  'hub_node_tls_not_after_timestamp_seconds',
  ['node'],
  'When the first certificate of its addresses expires; only certificates signed by an authority',
);
const identity = gauge(
  'hub_node_identity_matches',
  labels,
  '1 if the answer has the address of this node, 0 if it has another one; absent without an address',
);
const speed = gauge(
  'hub_node_speed_test_plausible',
  ['node'],
  '0 if the node reports a speed of 0, which means a failed speed test and not a slow line',
);

/** Whether a node with another address responded; `undefined` if the response contains no address. */
export const isOtherNode = (node: string, outcome: ReachOutcome): boolean | undefined => {
  const address = outcome.state === 'reached' ? outcome.info?.address : undefined;
  return address === undefined ? undefined : address !== node;
};

const metrics = ({ key }: NodeTarget, { addresses }: ReachReading): readonly Sample[] => {
  const samples: Sample[] = [];
  for (const [index, { outcome }] of addresses.entries()) {
    const isTried = outcome.state === 'reached' || (outcome.reason !== 'private' && outcome.reason !== 'invalid');
    if (isTried) samples.push(sample(reachable, [key, String(index)], outcome.state === 'reached' ? 1 : 0));
    const isOther = isOtherNode(key, outcome);
    if (isOther !== undefined) samples.push(sample(identity, [key, String(index)], isOther ? 0 : 1));
  }
  const reached = addresses.flatMap(({ outcome }) => (outcome.state === 'reached' ? [outcome] : []));
  const expiries = reached.flatMap(({ notAfterMs }) => notAfterMs ?? []);
  if (expiries.length > 0) samples.push(sample(notAfter, [key], Math.min(...expiries) / 1_000));
  const zeros = reached.flatMap(({ info }) => info?.isSpeedZero ?? []);
  if (zeros.length > 0) samples.push(sample(speed, [key], zeros.some((isZero) => isZero) ? 0 : 1));
  return samples;
};

/**
 * Whether watched nodes are reachable at their published addresses, and which node responds there. Off unless configured,
 * because it is the only check that connects to hosts other than the endpoints.
 */
export const nodeReach: Check<NodeTarget, ReachReading> = {
  name: 'reach',
  families: [reachable, notAfter, identity, speed],
  everyMs: (config) => config.watch.reach.every,
  targets: (config) => (config.watch.reach.enabled ? nodeTargets(config) : []),
  lanes: 2,
  async collect({ key }, { pool, config, signal }) {
    const { remoteAddrs, height } = await pool.read(`addresses of ${key}`, signal, async (source) => {
      const answer = await unlessAbsent(source.call(queryNode, { address: key }));
      return { remoteAddrs: answer?.message.node.remoteAddrs ?? [], height: answer?.height };
    });
    const { timeout, private: allowPrivate } = config.watch.reach;
    const addresses: ProbedAddress[] = [];
    for (const address of remoteAddrs.slice(0, mostAddresses)) {
      const outcome = await probeAddress(address, { timeoutMs: timeout, allowPrivate, signal });
      addresses.push({ address, outcome });
    }
    return { addresses, height };
  },
  metrics,
};
