import { accountOfNode } from '../../checks/account/account-targets.js';
import { feeGrants } from '../../checks/account/fee-grants.js';
import { type FeePayer, heartbeatFees, type NodeFee, runwayMs } from '../../checks/account/heartbeat-fees.js';
import { nodeTargets } from '../../checks/node/watched-nodes.js';
import type { Verdict } from '../../checks/verdict.js';
import { networkName } from '../../config/network-name.js';
import { amountText, counted, span } from '../../words.js';
import type { Rule, RuleView } from '../rule.js';

/** Days of heartbeats below which somebody should act. */
const shortMs = 3 * 86_400_000;

/** What is left for the heartbeats of a node, and how long it lasts. */
interface Means {
  readonly leftMs: number;
  readonly text: string;
}

/**
 * The account that pays a node's heartbeats will not be able to before long: by its balance, or by what is left of its grant.
 * When it cannot, heartbeats fail, the node becomes inactive and every lease on it ends.
 */
export const balanceRunway: Rule = {
  name: 'HubBalanceRunway',
  severity: 'warning',
  forMs: 0,
  time: 'clock',
  evaluate(view) {
    const outcome = view.observations.outcome(heartbeatFees, networkName(view.config));
    return nodeTargets(view.config).map(({ key, title }): Verdict => {
      const base = { subject: key, term: '' };
      const fee = outcome?.state === 'known' ? outcome.reading.nodes.get(key) : undefined;
      const payer = outcome?.state === 'known' && fee ? outcome.reading.payers.get(fee.payer) : undefined;
      if (fee === undefined || payer === undefined)
        return { ...base, state: 'unknown', title: `${title}: what its heartbeats cost is not known`, text: '' };
      const [shortest] = [ofBalance(fee, payer), ofGrant(key, fee, view)]
        .flatMap((one) => one ?? [])
        .toSorted((a, b) => a.leftMs - b.leftMs);
      if (shortest === undefined || shortest.leftMs >= shortMs) {
        const lasts = shortest === undefined ? 'cost nothing' : `are paid for about ${span(shortest.leftMs)}`;
        return { ...base, state: 'ok', title: `${title}: its heartbeats ${lasts}`, text: shortest?.text ?? '' };
      }
      return {
        ...base,
        state: 'firing',
        dueMs: view.clockMs + shortest.leftMs,
        title: `${title}: money for heartbeats lasts about ${span(shortest.leftMs)}`,
        text: [
          shortest.text,
          `A heartbeat costs ${amountText(fee.amount, fee.denom)}${fee.from === 'balance' ? ', as far as the balance tells' : ''}.`,
          '',
          'When it is used up heartbeats fail, the node becomes inactive and its leases end.',
          `Node: ${key}`,
        ].join('\n'),
      };
    });
  },
};

const ofBalance = (fee: NodeFee, payer: FeePayer): Means | undefined => {
  if (payer.runwayMs === undefined) return undefined;
  const nodes = payer.nodes.length > 1 ? ` of ${counted(payer.nodes.length, 'node')}` : '';
  const beats = Math.round(payer.nodes.length > 1 ? payer.perDay / Math.max(1, Number(fee.amount)) : fee.beatsPerDay);
  return {
    leftMs: payer.runwayMs,
    text: `${fee.payer} holds ${amountText(payer.balance, payer.denom)}: lasts about ${span(payer.runwayMs)} at ${beats} heartbeats a day${nodes}.`,
  };
};

/** Somebody else pays: what is left of that grant, all of it or until it expires. */
const ofGrant = (node: string, fee: NodeFee, { observations, head }: RuleView): Means | undefined => {
  const account = accountOfNode(node);
  if (fee.payer === account) return undefined;
  const outcome = observations.outcome(feeGrants, account);
  if (outcome?.state !== 'known') return undefined;
  const grant = outcome.reading.grants.find(({ granter }) => granter === fee.payer);
  if (grant === undefined)
    return { leftMs: 0, text: `${fee.payer} paid the last heartbeats, and its grant to ${account} is gone.` };
  const left = grant.left?.find(({ denom }) => denom === fee.denom)?.amount;
  const limit =
    grant.left === undefined ? undefined : runwayMs(BigInt(left ?? '0'), Number(fee.amount) * fee.beatsPerDay);
  const expires =
    grant.expiresMs === undefined || head === undefined ? undefined : Math.max(0, grant.expiresMs - head.timeMs);
  const leftMs = Math.min(limit ?? Number.POSITIVE_INFINITY, expires ?? Number.POSITIVE_INFINITY);
  if (leftMs === Number.POSITIVE_INFINITY) return undefined;
  const why =
    leftMs === expires
      ? `expires in ${span(leftMs)}`
      : `has ${amountText(left ?? '0', fee.denom)} left, for about ${span(leftMs)}`;
  return { leftMs, text: `The grant of ${fee.payer}, which pays the heartbeats, ${why}.` };
};
