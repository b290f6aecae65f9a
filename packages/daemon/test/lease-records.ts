import { HubError } from '@hubwatch/client';
import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { page, type Replies, time } from './fake-endpoint.js';
import { nodeAddress, providerAddress } from './parts.js';

const zero = '0.000000000000000000';
export const hourMs = 3_600_000;

export const priceOf = (quoteValue: string | number, denom = 'udvpn', baseValue = zero) => ({
  denom,
  baseValue,
  quoteValue: String(quoteValue),
});

/** A lease of the watched provider on the watched node: 24 hours at 100 from the beginning of 1970, one of them paid. */
export const leaseOf = (changes: Partial<Lease> = {}): Lease => ({
  id: 4n,
  provAddress: providerAddress,
  nodeAddress,
  price: priceOf(100),
  hours: 1n,
  maxHours: 24n,
  renewalPricePolicy: 7,
  startAt: time(0),
  ...changes,
});

export interface LeaseWorld {
  readonly leases: readonly Lease[];
  /** Hourly prices of nodes by address; `undefined` if the node is inactive. */
  readonly prices?: Readonly<Record<string, number | undefined>>;
  /** Balances of every account. */
  readonly balances?: Readonly<Record<string, number>>;
  readonly deposit?: number;
  readonly providerStatus?: number;
  /** Nodes that do not exist on the chain. */
  readonly missing?: readonly string[];
  /** Subscriptions to the only plan of every provider, which costs 1000 for four hours. */
  readonly subscriptions?: readonly object[];
  /** Balances of accounts that are queried individually. */
  readonly subscribers?: Readonly<Record<string, number>>;
}

/** A subscription whose policy is to renew. */
export const subscriptionOf = (accAddress: string, endMs: number) => ({
  accAddress,
  planId: 1n,
  status: 1,
  renewalPricePolicy: 7,
  price: priceOf(1_000),
  inactiveAt: time(endMs),
});

/** Replies of a small chain with leases; `asked` receives the name of every method that is called. */
export const leaseReplies = (
  {
    leases,
    prices = {},
    balances = {},
    deposit = 0,
    providerStatus = 1,
    missing = [],
    subscriptions,
    subscribers = {},
  }: LeaseWorld,
  asked: (method: string, request: Readonly<Record<string, unknown>>, height: bigint | undefined) => void = () =>
    undefined,
): Replies => {
  const replies: Readonly<Record<string, (request: Readonly<Record<string, string>>) => unknown>> = {
    'hub.lease.v1.QueryService/QueryParams': () => ({
      params: { minHours: 1n, maxHours: 720n, stakingShare: '0.200000000000000000' },
    }),
    'hub.oracle.v1.QueryService/QueryAssets': () => page('assets', []),
    'hub.lease.v1.QueryService/QueryLeasesForNode': ({ address }) =>
      page(
        'leases',
        leases.filter((lease) => lease.nodeAddress === address),
      ),
    'hub.lease.v1.QueryService/QueryLeasesForProvider': ({ address }) =>
      page(
        'leases',
        leases.filter((lease) => lease.provAddress === address),
      ),
    'hub.provider.v2.QueryService/QueryProvider': () => ({
      provider: { address: providerAddress, name: 'prov', status: providerStatus },
    }),
    'hub.deposit.v1.QueryService/QueryDeposit': () => ({
      deposit: { coins: [{ denom: 'udvpn', amount: String(deposit) }] },
    }),
    'stack.bank.v1beta1.Query/SpendableBalances': () =>
      page(
        'balances',
        Object.entries(balances).map(([denom, amount]) => ({ denom, amount: String(amount) })),
      ),
    'hub.subscription.v3.QueryService/QueryParams': () => ({ params: { stakingShare: '0.200000000000000000' } }),
    'hub.plan.v3.QueryService/QueryPlansForProvider': () =>
      page(
        'plans',
        subscriptions === undefined
          ? []
          : [{ id: 1n, status: 1, prices: [priceOf(1_000)], duration: { seconds: 14_400n, nanos: 0 } }],
      ),
    'hub.subscription.v3.QueryService/QuerySubscriptionsForPlan': () => page('subscriptions', subscriptions ?? []),
    'stack.bank.v1beta1.Query/Balance': ({ address = '' }) => ({
      balance: { denom: 'udvpn', amount: String(subscribers[address] ?? 0) },
    }),
    'hub.node.v3.QueryService/QueryNode': ({ address = '' }) => {
      if (missing.includes(address)) return new HubError({ code: 'not_found', message: `no node ${address}` });
      const price = address in prices ? prices[address] : 100;
      return {
        node: {
          address,
          status: price === undefined ? 3 : 1,
          gigabytePrices: [],
          hourlyPrices: [priceOf(price ?? 100)],
          remoteAddrs: [],
        },
      };
    },
  };
  return Object.fromEntries(
    Object.entries(replies).map(([method, reply]) => [
      method,
      (request: Readonly<Record<string, string>>, height: bigint | undefined) => {
        asked(method.replace(/^.*\//, ''), request, height);
        return reply(request);
      },
    ]),
  );
};
