import {
  type Collected,
  collect,
  type Connection,
  findLowestState,
  findTx,
  type HubError,
  onePage,
  readHead,
  type Transport,
  writeAddress,
} from '@hubwatch/client';
import type { HubState } from '@hubwatch/devnode';
import {
  queryLease,
  queryLeases,
  queryParams as leaseParams,
} from '@hubwatch/types/gen/methods/hub/lease/v1/query-service';
import {
  queryNode,
  queryNodes,
  queryNodesForPlan,
  queryParams,
} from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { queryAsset } from '@hubwatch/types/gen/methods/hub/oracle/v1/query-service';
import { queryPlansForProvider } from '@hubwatch/types/gen/methods/hub/plan/v3/query-service';
import { queryProvider } from '@hubwatch/types/gen/methods/hub/provider/v2/query-service';
import { querySession, querySessions } from '@hubwatch/types/gen/methods/hub/session/v3/query-service';
import { queryDeposits } from '@hubwatch/types/gen/methods/hub/deposit/v1/query-service';
import { balance } from '@hubwatch/types/gen/methods/stack/bank/v1beta1/query';
import { getBlockByHeight } from '@hubwatch/types/gen/methods/stack/base/bft/v1beta1/service';
import { printTimestamp } from '@hubwatch/types/runtime/time';

/** Input of a question: a transport to the node, and the recorded true state. */
export interface Asking {
  readonly transport: Transport<'grpc'>;
  readonly hub: Connection<{ grpc: string; rest: string; rpc: string }>;
  readonly height: bigint;
  readonly state: HubState;
  /** Hash, height and code of a recorded transaction. */
  readonly tx: { readonly hash: string; readonly height: string; readonly code: string };
}

export interface Question {
  readonly asks: string;
  /** `query` runs over gRPC, REST and abci_query; `rpc` runs over the consensus RPC as POST and as URI. */
  readonly over: 'query' | 'rpc';
  /** Retention state of the node during the question. */
  readonly node?: 'pruned' | 'starting' | 'stopped';
  /** Returns the answer as text, or the error code. */
  answer(asking: Asking): Promise<unknown>;
  /** Returns the true answer, or the correct `code` of a refusal. */
  truth(asking: Asking): unknown;
  /** Correct code over REST, if REST cannot express the question. */
  readonly rest?: string;
}

type Rec = Readonly<Record<string, unknown>>;
const nodes = (state: HubState): readonly (Rec & { address: string; status: string })[] => state.nodes as never;
const planId = (state: HubState): string =>
  Object.entries(state.plan_nodes).sort((a, b) => b[1].length - a[1].length)[0]?.[0] ?? '';
const leases = (
  state: HubState,
): readonly { id: string; hours: string; price: { base_value: string; quote_value: string }; start_at: string }[] =>
  state.leases as never;
const sessions = (
  state: HubState,
): readonly { '@type': string; base_session: { id: string; download_bytes: string } }[] => state.sessions as never;
const firstNode = (state: HubState): string => nodes(state)[0]?.address ?? '';
const named = (items: readonly { readonly address: string }[]): string =>
  items
    .map(({ address }) => address)
    .sort()
    .join();
const counted = ({ items, extent }: Collected<unknown>): string => `${items.length}, ${extent.kind}`;
const nobody = (prefix: string): string => writeAddress({ prefix, bytes: new Uint8Array(20).fill(0xab) });
const other = 'sentnode1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq';

/** Kinds of questions that users ask a node and that clients have answered wrongly without an error. */
export const questions: readonly Question[] = [
  {
    asks: 'the number of nodes, read in pages of two',
    over: 'query',
    answer: async ({ transport, height }) => counted(await collect(transport, queryNodes, {}, { height, pageSize: 2 })),
    truth: ({ state }) => `${state.nodes.length}, complete`,
  },
  {
    asks: 'the active nodes',
    over: 'query',
    answer: async ({ transport, height }) =>
      named((await collect(transport, queryNodes, { status: 1 }, { height })).items),
    truth: ({ state }) => named(nodes(state).filter(({ status }) => status === 'active')),
  },
  {
    asks: 'the nodes with a status that the filter does not support',
    over: 'query',
    answer: async ({ transport, height }) =>
      (await collect(transport, queryNodes, { status: 2 }, { height })).items.length,
    truth: ({ state }) => nodes(state).filter(({ status }) => status === 'inactive_pending').length,
  },
  {
    asks: 'the nodes of a plan, read in pages of one, from a list without next keys',
    over: 'query',
    answer: async ({ transport, height, state }) =>
      named(
        (await collect(transport, queryNodesForPlan, { id: BigInt(planId(state)) }, { height, pageSize: 1 })).items,
      ),
    truth: ({ state }) => [...(state.plan_nodes[planId(state)] ?? [])].sort().join(),
  },
  {
    asks: 'the number of nodes of a plan, from the total of a page of one',
    over: 'query',
    answer: async ({ transport, height, state }) => {
      const request = { id: BigInt(planId(state)), pagination: { limit: 1n, countTotal: true } };
      return (await onePage(transport, queryNodesForPlan, request, { height })).total;
    },
    truth: () => undefined,
  },
  {
    asks: 'the total of a page that was not counted',
    over: 'query',
    answer: async ({ transport, height }) =>
      (await onePage(transport, queryNodes, { pagination: { limit: 1n } }, { height })).total,
    truth: () => undefined,
  },
  {
    asks: 'the total of a page that was counted',
    over: 'query',
    answer: async ({ transport, height }) =>
      (await onePage(transport, queryNodes, { pagination: { limit: 1n, countTotal: true } }, { height })).total,
    truth: ({ state }) => BigInt(state.nodes.length),
  },
  {
    asks: 'the plans of a provider',
    over: 'query',
    rest: 'not_served',
    answer: async ({ transport, height, state }) => {
      const address = String((state.plans[0] as Rec)['prov_address']);
      return (await collect(transport, queryPlansForProvider, { address }, { height, pageSize: 1 })).items
        .map(({ id }) => id)
        .join();
    },
    truth: ({ state }) => {
      const plans = state.plans as readonly { id: string; prov_address: string }[];
      const own = plans.filter((plan) => plan.prov_address === plans[0]?.prov_address);
      return own
        .map(({ id }) => BigInt(id))
        .sort((a, b) => Number(a - b))
        .join();
    },
  },
  {
    asks: 'an empty list',
    over: 'query',
    answer: async ({ transport }) => counted(await collect(transport, queryDeposits, {}, { height: 901_801n })),
    truth: () => '0, complete',
  },
  {
    asks: 'a price with its decimals',
    over: 'query',
    answer: async ({ transport, height, state }) => {
      const { message } = await transport.call(queryLease, { id: BigInt(leases(state)[0]?.id ?? 0) }, { height });
      return `${message.lease.price.baseValue}:${message.lease.price.quoteValue}`;
    },
    truth: ({ state }) => {
      const price = leases(state)[0]?.price;
      return `${price?.base_value}:${price?.quote_value}`;
    },
  },
  {
    asks: 'a share, which is scaled on the wire',
    over: 'query',
    answer: async ({ transport, height }) =>
      (await transport.call(leaseParams, {}, { height })).message.params.stakingShare,
    truth: ({ state }) => (state.params['lease/v1'] as Rec)['staking_share'],
  },
  {
    asks: 'a lease by an id above 2^53',
    over: 'query',
    answer: async ({ transport, height }) =>
      (await transport.call(queryLease, { id: 9007199254740993n }, { height })).message.lease.id,
    truth: () => 9007199254740993n,
  },
  {
    asks: 'an amount above 2^53',
    over: 'query',
    answer: async ({ transport, height }) =>
      (await transport.call(queryLease, { id: 9007199254740993n }, { height })).message.lease.maxHours,
    truth: () => 9007199254740995n,
  },
  {
    asks: 'a time to the nanosecond',
    over: 'query',
    answer: async ({ transport, height, state }) => {
      const { message } = await transport.call(queryLease, { id: BigInt(leases(state)[0]?.id ?? 0) }, { height });
      return message.lease.startAt === undefined ? undefined : printTimestamp(message.lease.startAt);
    },
    truth: ({ state }) => leases(state)[0]?.start_at,
  },
  {
    asks: 'a time that is not set',
    over: 'query',
    answer: async ({ transport }) => {
      const { items } = await collect(transport, queryNodes, { status: 3 }, { height: 901_905n });
      return `${items.length > 0}, ${items[0]?.inactiveAt === undefined}`;
    },
    truth: () => 'true, true',
  },
  {
    asks: 'a duration',
    over: 'query',
    answer: async ({ transport, height }) =>
      (await transport.call(queryParams, {}, { height })).message.params.statusTimeout.seconds,
    truth: ({ state }) => BigInt(String((state.params['node/v3'] as Rec)['status_timeout']).slice(0, -1)),
  },
  {
    asks: 'a status, which each interface spells differently',
    over: 'query',
    answer: async ({ transport, height, state }) =>
      (await transport.call(queryNode, { address: firstNode(state) }, { height })).message.node.status,
    truth: ({ state }) => ({ active: 1, inactive_pending: 2, inactive: 3 })[nodes(state)[0]?.status ?? ''],
  },
  {
    asks: 'the kinds of all sessions',
    over: 'query',
    answer: async ({ transport, height }) =>
      (await collect(transport, querySessions, {}, { height, pageSize: 7 })).items
        .map(({ typeUrl }) => typeUrl)
        .sort()
        .join(),
    truth: ({ state }) =>
      sessions(state)
        .map((session) => session['@type'])
        .sort()
        .join(),
  },
  {
    asks: 'the traffic of a session',
    over: 'query',
    answer: async ({ transport, height, state }) => {
      const { message } = await transport.call(
        querySession,
        { id: BigInt(sessions(state)[0]?.base_session.id ?? 0) },
        { height },
      );
      return (message.session?.value as { baseSession?: { downloadBytes?: string } } | undefined)?.baseSession
        ?.downloadBytes;
    },
    truth: ({ state }) => sessions(state)[0]?.base_session.download_bytes,
  },
  {
    asks: 'the balance of an account',
    over: 'query',
    answer: async ({ transport, height, state }) => {
      const [address = ''] = Object.keys(state.balances);
      return (await transport.call(balance, { address, denom: 'udvpn' }, { height })).message.balance?.amount;
    },
    truth: ({ state }) => Object.values(state.balances)[0],
  },
  {
    asks: 'the number of leases at the first height',
    over: 'query',
    answer: async ({ transport }) => counted(await collect(transport, queryLeases, {}, { height: 901_801n })),
    truth: () => '0, complete',
  },
  {
    asks: 'the height of an answer',
    over: 'query',
    answer: async ({ transport, height }) => (await transport.call(queryParams, {}, { height })).height,
    truth: ({ height }) => height,
  },
  refusal('a node that does not exist', 'not_found', ({ transport, height }) =>
    transport.call(queryNode, { address: nobody('sentnode') }, { height }),
  ),
  refusal('an address with a typing error', 'invalid_argument', ({ transport, height }) =>
    transport.call(queryNode, { address: other }, { height }),
  ),
  // No route can carry it: for REST, the connection uses another transport.
  refusal('an asset whose name contains a slash', 'not_found', ({ transport, height }) =>
    transport.call(queryAsset, { denom: 'ibc/NONE' }, { height }),
  ),
  refusal('a provider that does not exist', 'not_found', ({ transport, height }) =>
    transport.call(queryProvider, { address: nobody('sentprov') }, { height }),
  ),
  refusal('a height below the first', 'height_never_existed', ({ transport }) =>
    transport.call(queryParams, {}, { height: 901_800n }),
  ),
  refusal('a height in the future', 'height_in_future', ({ transport }) =>
    transport.call(queryParams, {}, { height: 99_999_999n }),
  ),
  refusal('a block below the first', 'height_never_existed', ({ transport }) =>
    transport.call(getBlockByHeight, { height: 5n }),
  ),
  refusal('a block in the future', 'height_in_future', ({ transport }) =>
    transport.call(getBlockByHeight, { height: 99_999_999n }),
  ),
  {
    ...refusal('a state that was pruned', 'height_not_retained', ({ transport }) =>
      transport.call(queryParams, {}, { height: 901_900n }),
    ),
    node: 'pruned',
  },
  {
    asks: 'the lowest state that a node retains',
    over: 'query',
    node: 'pruned',
    answer: ({ transport }) => findLowestState(transport),
    truth: () => 902_500n,
  },
  {
    asks: 'the lowest block, from a refusal',
    over: 'query',
    node: 'pruned',
    answer: async ({ transport }) =>
      transport.call(getBlockByHeight, { height: 901_900n }).then(
        () => 'an answer',
        (error: unknown) => `${(error as HubError).code}, ${(error as HubError).lowestHeight}`,
      ),
    truth: () => 'height_not_retained, 902100',
  },
  {
    ...refusal('a node without a block', 'starting', ({ transport }) => transport.call(queryParams, {})),
    node: 'starting',
  },
  {
    ...refusal('a height that will not come before an upgrade', 'stopped_for_upgrade', ({ transport }) =>
      transport.call(queryParams, {}, { height: 904_500n }),
    ),
    node: 'stopped',
  },
  {
    asks: 'the newest block and the newest state of a stopped chain',
    over: 'query',
    node: 'stopped',
    answer: async ({ transport }) => {
      const { block, state, stoppedFor } = await readHead(transport);
      return `${block}, ${state}, ${stoppedFor?.name}`;
    },
    truth: () => '904400, 904399, v13',
  },
  {
    asks: 'the outcome of a transaction',
    over: 'query',
    answer: async ({ transport, tx }) => {
      const found = await findTx(transport, tx.hash);
      return `${found?.height} ${found?.code}`;
    },
    truth: ({ tx }) => `${tx.height} ${tx.code}`,
  },
  {
    asks: 'a transaction that is in no block',
    over: 'query',
    answer: ({ transport }) => findTx(transport, 'AB'.repeat(32)),
    truth: () => undefined,
  },
  {
    asks: 'the outcome of a transaction',
    over: 'rpc',
    answer: async ({ hub, tx }) => {
      const found = await findTx(hub.rpc, tx.hash);
      return `${found?.height} ${found?.code}`;
    },
    truth: ({ tx }) => `${tx.height} ${tx.code}`,
  },
  {
    asks: 'a transaction that is in no block',
    over: 'rpc',
    answer: ({ hub }) => findTx(hub.rpc, 'AB'.repeat(32)),
    truth: () => undefined,
  },
  {
    asks: 'a search without a match',
    over: 'rpc',
    answer: async ({ hub }) => (await hub.rpc.call('tx_search', { query: "message.sender='nobody'" })).txs.length,
    truth: () => 0,
  },
  {
    asks: 'a block without validator updates and transactions',
    over: 'rpc',
    answer: async ({ hub }) => {
      const { txsResults, validatorUpdates } = await hub.rpc.call('block_results', { height: 901_801n });
      return `${txsResults.length}, ${validatorUpdates.length}`;
    },
    truth: () => '0, 0',
  },
  rpcRefusal('a block below the first', 'height_never_existed', 5n),
  rpcRefusal('a block in the future', 'height_in_future', 99_999_999n),
  { ...rpcRefusal('a block that was pruned', 'height_not_retained', 901_900n), node: 'pruned' },
  {
    asks: 'the time of a block to the nanosecond',
    over: 'rpc',
    answer: async ({ hub }) => {
      const { header } = await hub.rpc.call('header', { height: 901_801n });
      return header?.time === undefined ? undefined : printTimestamp(header.time);
    },
    truth: () => '2026-11-27T22:08:03.510213299Z',
  },
];

/** A question whose correct answer is a refusal. */
function refusal(asks: string, code: string, ask: (asking: Asking) => Promise<unknown>): Question {
  return { asks, over: 'query', answer: ask, truth: () => `refused: ${code}` };
}

function rpcRefusal(asks: string, code: string, height: bigint): Question {
  return { asks, over: 'rpc', answer: ({ hub }) => hub.rpc.call('block', { height }), truth: () => `refused: ${code}` };
}
