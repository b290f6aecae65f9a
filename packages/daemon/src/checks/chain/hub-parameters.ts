import type { Params as LeaseParams } from '@hubwatch/types/gen/forms/hub/lease/v1/params';
import type { Params as NodeParams } from '@hubwatch/types/gen/forms/hub/node/v3/params';
import type { Params as OracleParams } from '@hubwatch/types/gen/forms/hub/oracle/v1/params';
import type { Params as ProviderParams } from '@hubwatch/types/gen/forms/hub/provider/v3/params';
import type { Params as SessionParams } from '@hubwatch/types/gen/forms/hub/session/v3/params';
import type { Params as SubscriptionParams } from '@hubwatch/types/gen/forms/hub/subscription/v3/params';
import type { Params as SwapParams } from '@hubwatch/types/gen/forms/hub/swap/v1/params';
import type { Coin } from '@hubwatch/types/gen/forms/stack/base/v1beta1/coin';
import type { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import { asOften, numberOf, type ParameterUnit, printDuration, valueWords } from './parameter-unit.js';

/** Parameters of every hub module that has parameters. The plan and deposit modules have none. */
export interface HubParams {
  readonly node: NodeParams;
  readonly session: SessionParams;
  readonly subscription: SubscriptionParams;
  readonly lease: LeaseParams;
  readonly provider: ProviderParams;
  readonly oracle: OracleParams;
  readonly swap: SwapParams;
}
export type HubModule = keyof HubParams;
export const hubModules = ['node', 'session', 'subscription', 'lease', 'provider', 'oracle', 'swap'] as const;

/** One parameter: how it is read, and what a change means for operators of nodes and plans. */
interface Parameter<P> {
  readonly unit: ParameterUnit;
  readonly is: string;
  /** Exact text of the value. @see ParameterUnit */
  readonly text: (params: P) => string;
  readonly means: (before: string, after: string) => string;
}

const grew = (before: string, after: string): boolean => numberOf(after) > numberOf(before);
const coin = ({ amount, denom }: Coin): string => `${amount}${denom}`;
/** Sorted, so that a list in another order does not count as a change. */
const prices = (all: readonly Price[]): string =>
  all
    .map(({ denom, baseValue, quoteValue }) => `${denom}:${baseValue},${quoteValue}`)
    .toSorted()
    .join(';');

const minimum = (what: string) => (_before: string, after: string) =>
  after === ''
    ? `From now on every registration and every price update that names a price by the ${what} is refused; existing prices are kept.`
    : `Existing prices are kept. The next registration or price update is refused where its price by the ${what} is below, or in another denom.`;
const fewerOf = (share: string): string => valueWords('share', String(Math.round((1 - Number(share)) * 1e12) / 1e12));
const keeps = (who: string, of: string) => (before: string, after: string) =>
  `${who} keeps ${fewerOf(after)} of ${of}, and not ${fewerOf(before)}; what runs already is paid so too.`;
const newSessions = () => 'It holds for sessions that are started from now on; those that run are not touched.';
const registered = (who: string) => () => `${who} that are registered already pay nothing.`;

const node: Record<string, Parameter<NodeParams>> = {
  status_timeout: {
    unit: 'duration',
    is: 'how long a heartbeat keeps a node active',
    text: ({ statusTimeout }) => printDuration(statusTimeout),
    means: (before, after) =>
      grew(before, after)
        ? 'Heartbeats may come further apart from the next one on; the usual interval is still sufficient.'
        : `Heartbeats must come ${asOften(before, after)}. A node that continues as before becomes inactive between two of them and loses every lease. Existing deadlines are kept: it begins with each node's next heartbeat, so set the interval of your nodes now.`,
  },
  min_gigabyte_prices: {
    unit: 'prices',
    is: 'the denoms and least prices by the gigabyte that a node may ask',
    text: ({ minGigabytePrices }) => prices(minGigabytePrices),
    means: minimum('gigabyte'),
  },
  min_hourly_prices: {
    unit: 'prices',
    is: 'the denoms and least prices by the hour that a node may ask',
    text: ({ minHourlyPrices }) => prices(minHourlyPrices),
    means: minimum('hour'),
  },
  deposit: {
    unit: 'coin',
    is: 'what the registration of a node costs',
    text: ({ deposit }) => coin(deposit),
    means: registered('Nodes'),
  },
};

const lease: Record<string, Parameter<LeaseParams>> = {
  max_hours: {
    unit: 'hours',
    is: 'the longest term of a lease',
    text: ({ maxHours }) => String(maxHours),
    means: (before, after) =>
      grew(before, after)
        ? 'Longer leases can be started; those that run are not touched.'
        : 'Leases with a longer term run on to its end, and then are not renewed, regardless of their policy, and the chain sends no event about it. Start them again with a shorter term.',
  },
  min_hours: {
    unit: 'hours',
    is: 'the shortest term of a lease',
    text: ({ minHours }) => String(minHours),
    means: (before, after) =>
      grew(before, after)
        ? 'Leases with a shorter term run on to its end, and then are not renewed, regardless of their policy, and the chain sends no event about it.'
        : 'Shorter leases can be started; those that run are not touched.',
  },
  staking_share: {
    unit: 'share',
    is: 'the part of each paid lease hour that goes to stakers',
    text: ({ stakingShare }) => stakingShare,
    means: keeps('A node', 'each lease hour'),
  },
};

const session: Record<string, Parameter<SessionParams>> = {
  status_timeout: {
    unit: 'duration',
    is: 'how long a session stays without a usage report, and then how long until it is settled',
    text: ({ statusTimeout }) => printDuration(statusTimeout),
    means: (before, after) =>
      grew(before, after)
        ? 'Sessions are settled later: payments for ended ones come that much later from now on.'
        : `Usage must be reported ${asOften(before, after)}, or sessions end under their users; payments for ended ones come sooner.`,
  },
  max_gigabytes: {
    unit: 'gigabytes',
    is: 'the most traffic that a session is bought for',
    text: ({ maxGigabytes }) => String(maxGigabytes),
    means: newSessions,
  },
  min_gigabytes: {
    unit: 'gigabytes',
    is: 'the least traffic that a session is bought for',
    text: ({ minGigabytes }) => String(minGigabytes),
    means: newSessions,
  },
  max_hours: {
    unit: 'hours',
    is: 'the most hours that a session is bought for',
    text: ({ maxHours }) => String(maxHours),
    means: newSessions,
  },
  min_hours: {
    unit: 'hours',
    is: 'the fewest hours that a session is bought for',
    text: ({ minHours }) => String(minHours),
    means: newSessions,
  },
  proof_verification_enabled: {
    unit: 'flag',
    is: 'whether a usage report needs the signature of the user',
    text: ({ proofVerificationEnabled }) => String(proofVerificationEnabled),
    means: (_before, after) =>
      after === 'true'
        ? 'Usage reports that the user did not sign are refused: a node whose program does not collect them is paid nothing for traffic.'
        : 'Usage reports are taken without a signature of the user.',
  },
  staking_share: {
    unit: 'share',
    is: 'the part of each session payment that goes to stakers',
    text: ({ stakingShare }) => stakingShare,
    means: keeps('A node', 'each session payment'),
  },
};

const subscription: Record<string, Parameter<SubscriptionParams>> = {
  status_timeout: {
    unit: 'duration',
    is: 'how long an ended or cancelled subscription stays until it is deleted',
    text: ({ statusTimeout }) => printDuration(statusTimeout),
    means: () => 'It holds for subscriptions that end from now on; no payment hangs on it.',
  },
  max_allocations: {
    unit: 'count',
    is: 'the most accounts that share a subscription',
    text: ({ maxAllocations }) => String(maxAllocations),
    means: (before, after) =>
      grew(before, after)
        ? 'More accounts can share a subscription.'
        : 'Subscriptions with that many accounts or more take no change of their shares any more, not even for accounts that are in already.',
  },
  staking_share: {
    unit: 'share',
    is: 'the part of each subscription payment that goes to stakers',
    text: ({ stakingShare }) => stakingShare,
    means: keeps('A provider', 'each subscription payment'),
  },
};

const provider: Record<string, Parameter<ProviderParams>> = {
  deposit: {
    unit: 'coin',
    is: 'what the registration of a provider costs',
    text: ({ deposit }) => coin(deposit),
    means: registered('Providers'),
  },
};

const oracle: Record<string, Parameter<OracleParams>> = {
  block_interval: {
    unit: 'blocks',
    is: 'how often prices are asked for',
    text: ({ blockInterval }) => String(blockInterval),
    means: (before, after) => `Prices are asked for ${asOften(before, after)}.`,
  },
  channel_id: {
    unit: 'text',
    is: 'the channel over which prices are asked for',
    text: ({ channelId }) => channelId,
    means: (_before, after) =>
      after === ''
        ? 'No prices are asked for: those that are known stay as they are.'
        : 'Once prices come over it, a price with a base value is charged by them and no longer by the amount that it quotes: look at the base values of your prices.',
  },
  timeout: {
    unit: 'duration',
    is: 'how long an answer about prices is waited for',
    text: ({ timeout }) => printDuration(timeout),
    means: () => 'It matters to the asking of prices only.',
  },
};

const swap: Record<string, Parameter<SwapParams>> = {
  swap_enabled: {
    unit: 'flag',
    is: 'whether tokens of the older chain are swapped',
    text: ({ swapEnabled }) => String(swapEnabled),
    means: (_before, after) => (after === 'true' ? 'Swaps are taken.' : 'Swaps are refused.'),
  },
  swap_denom: { unit: 'text', is: 'what a swap mints', text: ({ swapDenom }) => swapDenom, means: () => '' },
  approve_by: { unit: 'text', is: 'the account that may swap', text: ({ approveBy }) => approveBy, means: () => '' },
};

type Table = { readonly [M in HubModule]: Readonly<Record<string, Parameter<HubParams[M]>>> };
const table: Table = { node, session, subscription, lease, provider, oracle, swap };

/** Exact text of every parameter of a module, by its field name on the chain. */
export const parameterTexts = <M extends HubModule>(
  module: M,
  params: HubParams[M],
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(table[module]).map(([field, { text }]) => [field, text(params)]));

/** Description of a parameter for notices. */
export interface ParameterWords {
  /** `node.status_timeout` */
  readonly name: string;
  readonly is: string;
  readonly value: string;
}

export const parameterWords = (module: HubModule, field: string, text: string): ParameterWords => {
  const known = (table[module] as Readonly<Record<string, Parameter<never> | undefined>>)[field];
  return { name: `${module}.${field}`, is: known?.is ?? '', value: valueWords(known?.unit ?? 'text', text) };
};

/** Describes a change, for example `node.status_timeout: 1 h → 30 min (how long …)`, and its consequence. */
export const changeWords = (module: HubModule, field: string, before: string, after: string): string => {
  const known = (table[module] as Readonly<Record<string, Parameter<never> | undefined>>)[field];
  const { name, is } = parameterWords(module, field, after);
  const unit = known?.unit ?? 'text';
  const means = known?.means(before, after) ?? '';
  const what = is === '' ? '' : ` (${is})`;
  return `${name}: ${valueWords(unit, before)} → ${valueWords(unit, after)}${what}.${means === '' ? '' : `\n  ${means}`}`;
};
