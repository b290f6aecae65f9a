import { convertAddress } from '@hubwatch/client/address';
import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import type { Coin } from '@hubwatch/types/gen/forms/stack/base/v1beta1/coin';
import { StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { queryDeposit } from '@hubwatch/types/gen/methods/hub/deposit/v1/query-service';
import { queryProvider } from '@hubwatch/types/gen/methods/hub/provider/v2/query-service';
import type { Config } from '../../config/schema.js';
import { heldForLease, sumAmounts } from '../../forecast/deposits.js';
import { nativeDenom } from '../account/account-targets.js';
import type { Check, CheckRule, Target } from '../check.js';
import { shortText, shortTexts } from '../../enum-text.js';
import { gauge, sample, stateSamples, stateset } from '../family.js';
import { leaseSamples } from '../lease/lease-series.js';
import { noteLeases } from '../lease/note-leases.js';
import { readLeases } from '../lease/read-leases.js';
import { type UnpaidHours, unpaidHours } from '../lease/unpaid-hours.js';
import { unlessAbsent } from '../unless-absent.js';

export interface ProviderTarget extends Target {
  /** Display name: the alias, or the address. */
  readonly title: string;
  readonly alias: string;
}

export interface ProviderReading {
  /** `undefined` if the chain has no such provider. */
  readonly status: string | undefined;
  readonly name: string;
  readonly leases: readonly Lease[];
  /** Leases that no check of a watched node exports. */
  readonly elsewhere: readonly Lease[];
  /** Deposit of the provider's account, for its leases and for its use as an account. */
  readonly deposit: readonly Coin[];
  readonly height: bigint | undefined;
  /** Hours that were due and are not paid. */
  readonly unpaid: UnpaidHours;
}

const status = stateset('hub_provider_status', ['provider', 'status'], 'Status on the chain');
const leaseCount = gauge('hub_provider_leases', ['provider'], 'Leases that the provider runs');
const unit = 'in the base unit of the denomination';
const deposit = gauge(
  'hub_provider_deposit_amount',
  ['provider', 'denom'],
  `Deposit held for the provider's account, ${unit}`,
);
const committed = gauge(
  'hub_provider_committed_amount',
  ['provider', 'denom'],
  `Unpaid hours of all its leases, which the deposit has to cover, ${unit}`,
);

/** Watched providers as targets, shared by the checks about them. */
export const providerTargets = (config: Config): readonly ProviderTarget[] =>
  config.watch.providers.map(({ address, alias }) => ({ key: address, title: alias ?? address, alias: alias ?? '' }));

/** Amount that the deposit must cover for leases, by denomination. */
export const committedOf = (leases: readonly Lease[]): ReadonlyMap<string, bigint> =>
  sumAmounts(leases.map(heldForLease));

const providerInactive: CheckRule<ProviderTarget, ProviderReading> = {
  name: 'HubProviderInactive',
  severity: 'critical',
  forMs: 0,
  time: 'chain',
  prometheus: {
    expr: 'max without (status) (hub_provider_status{status!="active"}) == 1',
    labels: ['provider'],
    summary: '{{ $labels.provider }}: the provider is inactive',
    description:
      'The chain ended its leases, refunded the unpaid amounts and made its plans inactive. Reactivating the provider does not restore them: after that, activate the plans and start the leases again.',
  },
  judge({ key, title }, reading) {
    const base = { subject: key, term: '' };
    const text = `Provider: ${key}`;
    if (reading.status === undefined) return { ...base, state: 'unknown', title: `${title}: not registered`, text };
    if (reading.status === 'active') {
      const back = 'Leases that ended and plans that went inactive do not come back with it.';
      return { ...base, state: 'ok', title: `${title}: active`, text: `${back}\n${text}` };
    }
    return {
      ...base,
      state: 'firing',
      title: `${title}: the provider is ${reading.status}`,
      text: `With its status the chain ended its leases, gave back what was not paid yet, and made its plans inactive. Coming back restores neither: plans have to be made active and leases started again.\n${text}`,
    };
  },
};

const depositShort: CheckRule<ProviderTarget, ProviderReading> = {
  name: 'HubLeaseDepositShort',
  severity: 'critical',
  forMs: 300_000,
  time: 'chain',
  prometheus: {
    expr: 'hub_provider_deposit_amount < hub_provider_committed_amount',
    labels: ['provider', 'denom'],
    summary:
      '{{ $labels.provider }}: the deposit of {{ $value | printf "%.0f" }} {{ $labels.denom }} does not cover the leases',
    description:
      'Payouts fail when the deposit is used up. The chain locks the amount for the whole term when a lease starts, so either the chain or the data from the endpoint is wrong. Compare with another endpoint.',
  },
  judge({ key, title }, { leases, deposit: coins }) {
    const base = { subject: key, term: '' };
    const held = (denom: string): bigint => BigInt(coins.find((coin) => coin.denom === denom)?.amount ?? '0');
    const short = [...committedOf(leases)].filter(([denom, amount]) => held(denom) < amount);
    if (short.length === 0)
      return { ...base, state: 'ok', title: `${title}: its deposit covers its leases`, text: `Provider: ${key}` };
    return {
      ...base,
      state: 'firing',
      title: `${title}: its deposit does not cover its leases`,
      text: [
        ...short.map(
          ([denom, amount]) => `- ${held(denom)}${denom} are held, ${amount}${denom} are still to be paid for hours`,
        ),
        'The chain locks a whole term when a lease starts, so this is a fault of the chain or of the data from the endpoint. Payouts fail when the deposit is used up.',
        `Provider: ${key}`,
      ].join('\n'),
    };
  },
};

/** Status, leases and deposit of every watched provider, all at one height. */
export const watchedProviders: Check<ProviderTarget, ProviderReading> = {
  name: 'providers',
  families: [status, leaseCount, deposit, committed],
  everyMs: (config) => config.poll.leases,
  targets: providerTargets,
  rules: [providerInactive, depositShort],
  collect({ key: address }, context) {
    const { pool, signal, config, moment, previous } = context;
    return pool.read(`provider ${address}`, signal, async (source) => {
      const { leases, height } = await readLeases(source, 'provider', address);
      noteLeases(context, leases, height);
      const provider = await unlessAbsent(source.call(queryProvider, { address }, height));
      const account = convertAddress(address, 'account');
      const held = await unlessAbsent(source.call(queryDeposit, { address: account }, height));
      const nodes = new Set(config.watch.nodes.map((node) => node.address));
      const before = (previous as ProviderReading | undefined)?.unpaid;
      return {
        status: provider && shortText(StatusTable, provider.message.provider.status),
        name: provider?.message.provider.name ?? '',
        leases,
        elsewhere: leases.filter(({ nodeAddress }) => !nodes.has(nodeAddress)),
        deposit: held?.message.deposit.coins ?? [],
        height,
        unpaid: unpaidHours(leases, height, moment.head?.timeMs, before),
      };
    });
  },
  metrics({ key }, reading) {
    const sums = committedOf(reading.leases);
    const coins = new Map(reading.deposit.map(({ denom, amount }) => [denom, amount]));
    // A missing deposit counts as 0: the series exists as long as the provider is watched.
    for (const denom of [nativeDenom, ...sums.keys()]) if (!coins.has(denom)) coins.set(denom, '0');
    return [
      ...(reading.status === undefined ? [] : stateSamples(status, [key], shortTexts(StatusTable), reading.status)),
      sample(leaseCount, [key], reading.leases.length),
      ...[...coins].map(([denom, amount]) => sample(deposit, [key, denom], Number(amount))),
      ...[...sums].map(([denom, amount]) => sample(committed, [key, denom], Number(amount))),
      ...reading.elsewhere.flatMap(leaseSamples),
    ];
  },
};
