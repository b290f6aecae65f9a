import { balance as queryBalance } from '@hubwatch/types/gen/methods/stack/bank/v1beta1/query';
import type { Check, CollectContext, Target } from '../check.js';
import { gauge, info, type Sample, sample } from '../family.js';
import { chainTargets } from '../chain/chain-target.js';
import { assumedIntervalMs, learnedIntervalMs } from '../node/heartbeat-interval.js';
import { nodeTimeoutMs } from '../node/node-parameters.js';
import { nodeTargets } from '../node/watched-nodes.js';
import { accountOfNode, nativeDenom } from './account-targets.js';
import { feeOfSteps, type HeartbeatFee, readHeartbeatFee } from './heartbeat-fee.js';
import { balanceKind } from './watched-accounts.js';

const kind = 'heartbeat fee';
const dayMs = 86_400_000;
/** How long a fee that was read stays valid. */
const freshMs = 6 * 3_600_000;
/** Maximum number of nodes whose fee is read in one round. Each takes about six small requests. */
const mostReads = 10;

/** Heartbeat cost of one node. */
export interface NodeFee extends HeartbeatFee {
  /** Heartbeats per day at the node's usual interval. */
  readonly beatsPerDay: number;
  /** Source: the transaction of a heartbeat, or an estimate from the decreases of the balance. */
  readonly from: 'transaction' | 'balance';
}

/** Costs that an account pays and how long its balance lasts. */
export interface FeePayer {
  readonly balance: bigint;
  readonly denom: string;
  readonly nodes: readonly string[];
  /** Cost per day in the base unit; 0 if heartbeats are free. */
  readonly perDay: number;
  /** Heartbeats per day of all nodes that the account pays for. */
  readonly beatsPerDay: number;
  /**
   * Number of whole heartbeats that the balance covers; 0 if it is below the fee of one of the nodes. `undefined` if the
   * account pays nothing.
   */
  readonly beats: bigint | undefined;
  /** How long these heartbeats last. */
  readonly runwayMs: number | undefined;
  /** When the balance was read, by the daemon's clock. */
  readonly readMs: number;
}

export interface FeesReading {
  /** By node; has no entry while the fee of the node is unknown. */
  readonly nodes: ReadonlyMap<string, NodeFee>;
  /** By account. */
  readonly payers: ReadonlyMap<string, FeePayer>;
  readonly height: bigint | undefined;
}

const feeAmount = gauge(
  'hub_node_heartbeat_fee_amount',
  ['node', 'denom'],
  'Cost of a heartbeat of the node, in the base unit of the denomination',
  'slow',
);
const payerInfo = info(
  'hub_node_fee_payer_info',
  ['node', 'account'],
  'Account that pays the heartbeats; always 1',
  'slow',
);
const runway = gauge(
  'hub_account_runway_seconds',
  ['account', 'denom'],
  'How long the balance of the account lasts for the heartbeats that it pays, at the current rate of their nodes',
  'slow',
);

/** Stored form of a fee: `100000 udvpn sent1… 1795828567000`. */
const written = ({ amount, denom, payer }: HeartbeatFee, beatMs: number): string =>
  `${amount} ${denom} ${payer} ${beatMs}`;

const readWritten = (text: string | undefined): (HeartbeatFee & { readonly beatMs: number }) | undefined => {
  const [amount, denom, payer, beatMs] = text?.split(' ') ?? [];
  if (amount === undefined || denom === undefined || payer === undefined) return undefined;
  return { amount: BigInt(amount), denom, payer, beatMs: Number(beatMs) };
};

/** Fee of a node's latest heartbeat. Read again when it is outdated and the limit of this round allows it. */
const feeOf = async (
  node: string,
  context: CollectContext,
  room: { left: number },
): Promise<HeartbeatFee | undefined> => {
  const { pool, history, changes, clock, signal } = context;
  const kept = readWritten(changes.known(kind, node, 'fee')?.value);
  const beatMs = history.times(node).at(-1);
  const head = pool.head();
  const isDue = beatMs !== undefined && (kept === undefined || beatMs - kept.beatMs > freshMs);
  if (!isDue || head === undefined || room.left === 0) return kept;
  room.left -= 1;
  const found = await readHeartbeatFee(pool.usable(), head, node, beatMs, signal);
  if (found === undefined) return kept;
  changes.note({
    kind,
    subject: node,
    fields: { fee: written(found, beatMs) },
    height: undefined,
    atMs: clock.nowMs(),
  });
  return found;
};

/** Estimate from the balance, if no transaction could be read and the account is polled often enough. */
const feeOfBalance = (
  node: string,
  { changes, config }: CollectContext,
  intervalMs: number,
): HeartbeatFee | undefined => {
  if (config.poll.accounts > intervalMs / 2) return undefined;
  const payer = accountOfNode(node);
  const steps = changes.changes(balanceKind, payer).filter(({ field }) => field === nativeDenom);
  const amount = feeOfSteps(steps);
  return amount === undefined ? undefined : { amount, denom: nativeDenom, payer };
};

const intervalOf = (node: string, { history }: CollectContext, timeoutMs: number): number =>
  learnedIntervalMs(history.times(node), timeoutMs) ?? assumedIntervalMs(timeoutMs);

const collect = async (_target: Target, context: CollectContext): Promise<FeesReading> => {
  const { pool, config, signal, only } = context;
  const previous = context.previous as FeesReading | undefined;
  // Events reported which accounts changed. The heartbeat cost is already known.
  if (only !== undefined && previous !== undefined) {
    const concerned = [...sharesOf(previous.nodes)].filter(([payer]) => only.has(payer));
    const { payers, height } = await readPayers(context, concerned);
    return { ...previous, payers: new Map([...previous.payers, ...payers]), height: height ?? previous.height };
  }
  const room = { left: mostReads };
  const { timeoutMs } = await pool.read('node parameters', signal, async (source) => ({
    height: undefined,
    timeoutMs: await nodeTimeoutMs(context, source),
  }));
  const nodes = new Map<string, NodeFee>();
  for (const { key } of nodeTargets(config)) {
    const intervalMs = intervalOf(key, context, timeoutMs);
    const read = await feeOf(key, context, room);
    const fee = read ?? feeOfBalance(key, context, intervalMs);
    if (fee === undefined) continue;
    nodes.set(key, { ...fee, beatsPerDay: dayMs / intervalMs, from: read === undefined ? 'balance' : 'transaction' });
  }
  return { nodes, ...(await readPayers(context, [...sharesOf(nodes)])) };
};

/** Reads the balances of payers, all at one height. */
const readPayers = async (
  { pool, clock, signal }: CollectContext,
  shares: readonly (readonly [string, Share])[],
): Promise<Pick<FeesReading, 'payers' | 'height'>> => {
  if (shares.length === 0) return { payers: new Map(), height: undefined };
  return pool.read('fee payers', signal, async (source) => {
    const payers = new Map<string, FeePayer>();
    let at: bigint | undefined;
    for (const [payer, share] of shares) {
      const { message, height: of } = await source.call(queryBalance, { address: payer, denom: share.denom }, at);
      at ??= of;
      payers.set(payer, payerOf(share, BigInt(message.balance?.amount ?? '0'), clock.nowMs()));
    }
    return { payers, height: at };
  });
};

/** Costs assigned to one payer. */
interface Share {
  readonly denom: string;
  readonly nodes: readonly string[];
  readonly perDay: number;
  readonly beatsPerDay: number;
  /** Highest and lowest fee of its nodes. */
  readonly highest: bigint;
  readonly lowest: bigint;
}

/** Counts whole heartbeats only: a remainder below the fee does not pay for a heartbeat. */
export const payerOf = ({ highest, lowest, ...share }: Share, balance: bigint, readMs: number): FeePayer => {
  const base = { ...share, balance, readMs };
  if (highest === 0n) return { ...base, beats: undefined, runwayMs: undefined };
  const average = share.perDay / share.beatsPerDay;
  const pays = highest === lowest ? balance / highest : BigInt(Math.floor(Number(balance) / average));
  const beats = balance < highest ? 0n : pays;
  return { ...base, beats, runwayMs: beatsMs(beats, share.beatsPerDay) };
};

/** How long a number of heartbeats lasts at a daily rate. */
export const beatsMs = (beats: bigint, perDay: number): number => (Number(beats) / perDay) * dayMs;

/** Payers with the sum of their fees. For a payer of fees in several denominations only the first denomination is reported. */
const sharesOf = (nodes: ReadonlyMap<string, NodeFee>): ReadonlyMap<string, Share> => {
  const all = new Map<string, Share>();
  for (const [node, { payer, denom, amount, beatsPerDay }] of nodes) {
    const share = all.get(payer) ?? { denom, nodes: [], perDay: 0, beatsPerDay: 0, highest: amount, lowest: amount };
    if (share.denom !== denom) continue;
    all.set(payer, {
      denom,
      nodes: [...share.nodes, node],
      perDay: share.perDay + Number(amount) * beatsPerDay,
      beatsPerDay: share.beatsPerDay + beatsPerDay,
      highest: amount > share.highest ? amount : share.highest,
      lowest: amount < share.lowest ? amount : share.lowest,
    });
  }
  return all;
};

const metrics = (_target: Target, { nodes, payers }: FeesReading): readonly Sample[] => [
  ...[...nodes].flatMap(([node, { amount, denom, payer }]) => [
    sample(feeAmount, [node, denom], Number(amount)),
    sample(payerInfo, [node, payer], 1),
  ]),
  ...[...payers].flatMap(([account, { denom, runwayMs: ms }]) =>
    ms === undefined ? [] : [sample(runway, [account, denom], ms / 1_000)],
  ),
];

/** Cost of the heartbeats of watched nodes, the accounts that pay for them, and how long the balances last. */
export const heartbeatFees: Check<Target, FeesReading> = {
  name: 'fees',
  families: [feeAmount, payerInfo, runway],
  everyMs: (config) => config.poll.accounts,
  targets: chainTargets,
  collect,
  metrics,
};
