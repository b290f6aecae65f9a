import { accountOfNode } from '../../checks/account/account-targets.js';
import { type FeeGrant, feeGrants } from '../../checks/account/fee-grants.js';
import { beatsMs, type FeePayer, heartbeatFees, type NodeFee } from '../../checks/account/heartbeat-fees.js';
import { networkName } from '../../config/network-name.js';
import { amountText, counted, utc } from '../../words.js';
import type { RuleView } from '../rule.js';

/** Remaining means for the heartbeats of a node. */
export interface Means {
  /** Number of whole heartbeats that can be paid; `undefined` if only the time is limited. */
  readonly beats: bigint | undefined;
  /** When the means are used up, by the daemon's clock, or when they expire, by block time. */
  readonly endMs: number;
  readonly text: string;
}

export interface HeartbeatMeans {
  readonly fee: NodeFee;
  /** The means that end first, balance or grant; `undefined` if neither ends. */
  readonly shortest: Means | undefined;
  /** Whether all means are known; false while the grant of another payer could not be read. */
  readonly isComplete: boolean;
}

type View = Pick<RuleView, 'config' | 'observations' | 'head'>;

/** Means that pay for the heartbeats of a node; `undefined` while the fee or its payer is not known. */
export const heartbeatMeans = (view: View, node: string): HeartbeatMeans | undefined => {
  const outcome = view.observations.outcome(heartbeatFees, networkName(view.config));
  const fee = outcome?.state === 'known' ? outcome.reading.nodes.get(node) : undefined;
  const payer = outcome?.state === 'known' && fee ? outcome.reading.payers.get(fee.payer) : undefined;
  if (fee === undefined || payer === undefined || payer.denom !== fee.denom) return undefined;
  const [shortest] = [ofBalance(fee, payer), ofGrant(node, fee, view)]
    .flatMap((one) => one ?? [])
    .toSorted((a, b) => a.endMs - b.endMs);
  const account = accountOfNode(node);
  const isComplete = fee.payer === account || view.observations.outcome(feeGrants, account)?.state === 'known';
  return { fee, shortest, isComplete };
};

const ofBalance = (fee: NodeFee, payer: FeePayer): Means | undefined => {
  if (payer.runwayMs === undefined || fee.amount === 0n) return undefined;
  const { readMs } = payer;
  const holds = `${fee.payer} holds ${amountText(payer.balance, payer.denom)}`;
  if (payer.balance < fee.amount) return { beats: 0n, endMs: readMs, text: `${holds}: less than one costs.` };
  const ofNodes = payer.nodes.length > 1 ? ` of ${counted(payer.nodes.length, 'node')}` : '';
  const perDay = Math.round(payer.beatsPerDay);
  const beats = payer.beats === undefined || payer.beats === 0n ? 1n : payer.beats;
  return {
    beats,
    endMs: readMs + payer.runwayMs,
    text: `${holds}: enough for ${beatsText(beats)}, at ${perDay} a day${ofNodes}.`,
  };
};

/** Remaining means of a grant from another payer: its total, its current period, or its expiry. */
const ofGrant = (node: string, fee: NodeFee, { observations, head }: View): Means | undefined => {
  const account = accountOfNode(node);
  if (fee.payer === account) return undefined;
  const outcome = observations.outcome(feeGrants, account);
  if (outcome?.state !== 'known') return undefined;
  const readMs = outcome.moment.clockMs;
  const grant = outcome.reading.grants.find(({ granter }) => granter === fee.payer);
  if (grant === undefined)
    return {
      beats: 0n,
      endMs: readMs,
      text: `${fee.payer} paid the last heartbeats, and its grant to ${account} is gone.`,
    };
  const [shortest] = [ofLimit(grant, fee, readMs), ofPeriod(grant, fee, readMs), ofExpiry(grant, head?.timeMs)]
    .flatMap((one) => one ?? [])
    .toSorted((a, b) => a.endMs - b.endMs);
  return shortest && { ...shortest, text: `The grant of ${fee.payer}, which pays the heartbeats, ${shortest.text}.` };
};

const leftOf = (coins: FeeGrant['left'], { denom }: NodeFee): bigint =>
  BigInt(coins?.find((coin) => coin.denom === denom)?.amount ?? '0');

const ofLimit = ({ left }: FeeGrant, fee: NodeFee, readMs: number): Means | undefined => {
  if (left === undefined || fee.amount === 0n) return undefined;
  const beats = leftOf(left, fee) / fee.amount;
  return {
    beats,
    endMs: readMs + beatsMs(beats, fee.beatsPerDay),
    text: `has ${amountText(leftOf(left, fee), fee.denom)} left, enough for ${beatsText(beats)}`,
  };
};

/** A period matters only if nothing of it is left, because the next one renews the limit. */
const ofPeriod = ({ period }: FeeGrant, fee: NodeFee, readMs: number): Means | undefined => {
  if (period === undefined || leftOf(period.left, fee) >= fee.amount) return undefined;
  // After the end of the period its limit is available in full again; the record shows this only after the next use.
  if (period.resetMs !== undefined && period.resetMs <= readMs) return undefined;
  const until = period.resetMs === undefined ? '' : ` until ${utc(period.resetMs)}`;
  return {
    beats: 0n,
    endMs: readMs,
    text: `has ${amountText(leftOf(period.left, fee), fee.denom)} left of its period${until}`,
  };
};

/** Grants expire by block time. */
const ofExpiry = ({ expiresMs }: FeeGrant, nowMs: number | undefined): Means | undefined =>
  expiresMs === undefined || nowMs === undefined
    ? undefined
    : { beats: expiresMs <= nowMs ? 0n : undefined, endMs: expiresMs, text: `expires at ${utc(expiresMs)}` };

const beatsText = (beats: bigint): string => `${beats} ${beats === 1n ? 'heartbeat' : 'heartbeats'}`;
