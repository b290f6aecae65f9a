import type { HubError } from '@hubwatch/client';
import type { FakeEndpoint } from './fake-endpoint.js';
import { time } from './fake-endpoint.js';

/** Records of the whole network at one height, in the form of the lists. */
export interface Population {
  readonly nodes: readonly { readonly status: number }[];
  readonly providers: readonly { readonly status: number }[];
  readonly plans: readonly { readonly status: number }[];
  readonly subscriptions: readonly { readonly status: number }[];
  readonly swaps: readonly object[];
  readonly deposits: readonly { readonly coins: readonly { readonly denom: string; readonly amount: string }[] }[];
  readonly leases: readonly object[];
  readonly sessions: readonly object[];
}

export const emptyPopulation: Population = {
  nodes: [],
  providers: [],
  plans: [],
  subscriptions: [],
  swaps: [],
  deposits: [],
  leases: [],
  sessions: [],
};

/** Block time in milliseconds on the chain of a population. */
export const blockMs = (height: bigint): number => 1_800_000_000_000 + Number(height) * 6_000;

const methods: Readonly<Record<keyof Population, string>> = {
  nodes: 'hub.node.v3.QueryService/QueryNodes',
  providers: 'hub.provider.v2.QueryService/QueryProviders',
  plans: 'hub.plan.v3.QueryService/QueryPlans',
  subscriptions: 'hub.subscription.v3.QueryService/QuerySubscriptions',
  swaps: 'hub.swap.v1.QueryService/QuerySwaps',
  deposits: 'hub.deposit.v1.QueryService/QueryDeposits',
  leases: 'hub.lease.v1.QueryService/QueryLeases',
  sessions: 'hub.session.v3.QueryService/QuerySessions',
};

export interface AskedPage {
  readonly list: keyof Population;
  readonly height: bigint | undefined;
  readonly pagination: {
    readonly key?: Uint8Array;
    readonly limit: bigint;
    readonly offset?: bigint;
    readonly countTotal?: boolean;
    readonly reverse?: boolean;
  };
}

/**
 * Makes a fake endpoint serve the lists of a population by height, page by page. `onPage` runs before each page: it may change
 * the head, or return an error instead of the page. Keys are positions in the list at one height and are wrong at another
 * height.
 */
export const servePopulation = (
  fake: FakeEndpoint,
  at: (height: bigint) => Population,
  onPage: (page: AskedPage) => HubError | Promise<HubError | undefined> | undefined = () => undefined,
): AskedPage[] => {
  const asked: AskedPage[] = [];
  fake.queries['stack.base.bft.v1beta1.Service/GetBlockByHeight'] = ({ height }: { readonly height: bigint }) => ({
    sdkBlock: { header: { time: time(blockMs(height)) } },
  });
  for (const list of Object.keys(methods) as (keyof Population)[]) {
    fake.queries[methods[list]] = async (
      { pagination }: { readonly pagination: AskedPage['pagination'] },
      height: bigint | undefined,
    ) => {
      const page: AskedPage = { list, height, pagination };
      asked.push(page);
      const refusal = await onPage(page);
      if (refusal !== undefined) throw refusal;
      const all = at(height ?? fake.height)[list];
      const from = Number(Buffer.from(pagination.key ?? []).toString() || '0');
      const end = from + Number(pagination.limit);
      const nextKey = end < all.length ? Buffer.from(String(end)) : new Uint8Array();
      return { [list]: all.slice(from, end), pagination: { nextKey, total: 0n } };
    };
  }
  return asked;
};

/** A node session that is paid by gigabytes. */
export const nodeSession = (
  id: number,
  facts: { status?: number; gigabytes?: bigint; quote?: string; denom?: string },
) => ({
  typeUrl: '/hub.node.v3.Session',
  value: {
    baseSession: {
      id: BigInt(id),
      downloadBytes: String(1_000 + id),
      uploadBytes: String(10 + id),
      maxBytes: String((facts.gigabytes ?? 2n) * 1_000_000_000n),
      duration: { seconds: 0n, nanos: 0 },
      maxDuration: { seconds: 0n, nanos: 0 },
      status: facts.status ?? 1,
    },
    price: { denom: facts.denom ?? 'udvpn', baseValue: '0', quoteValue: facts.quote ?? '7' },
  },
});

export const subscriptionSession = (id: number, status = 1) => ({
  typeUrl: '/hub.subscription.v3.Session',
  value: {
    baseSession: { id: BigInt(id), downloadBytes: '5', uploadBytes: '3', maxBytes: '0', status },
    subscriptionId: 1n,
  },
});

export const lease = (
  id: number,
  facts: { policy?: number; hours?: bigint; maxHours?: bigint; quote?: string; denom?: string; startMs?: number } = {},
) => ({
  id: BigInt(id),
  hours: facts.hours ?? 3n,
  maxHours: facts.maxHours ?? 24n,
  renewalPricePolicy: facts.policy ?? 7,
  price: { denom: facts.denom ?? 'udvpn', baseValue: '0', quoteValue: facts.quote ?? '11' },
  startAt: facts.startMs === undefined ? undefined : time(facts.startMs),
});
