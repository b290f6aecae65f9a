import { type ListMethod } from '@hubwatch/client';
import {
  byStatus,
  type Entry,
  idKey,
  lengthKey,
  on,
  paginate,
  paginateDefective,
  type QueryHandler,
  statusHit,
  withStatusKey,
} from '@hubwatch/devnode';
import { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { Node } from '@hubwatch/types/gen/forms/hub/node/v3/node';
import { Session } from '@hubwatch/types/gen/forms/hub/node/v3/session';
import { Plan } from '@hubwatch/types/gen/forms/hub/plan/v3/plan';
import { queryLeases } from '@hubwatch/types/gen/methods/hub/lease/v1/query-service';
import { queryNodes, queryNodesForPlan } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { queryPlansForProvider } from '@hubwatch/types/gen/methods/hub/plan/v3/query-service';
import { querySessions } from '@hubwatch/types/gen/methods/hub/session/v3/query-service';
import { allBalances } from '@hubwatch/types/gen/methods/stack/bank/v1beta1/query';
import { decodeBinary } from '@hubwatch/types/runtime/binary';
import type { RandomSource } from './random-source.js';

/** A list record with the properties that affect lists. `version` distinguishes two of its states. */
export interface Record {
  readonly no: number;
  readonly status: number;
  readonly version: number;
}

/** A list on a node: how to request it, its order and its name. */
export interface Kind {
  readonly name: string;
  readonly method: ListMethod;
  readonly request: object;
  /** Whether the request has a status filter. */
  readonly filters: boolean;
  readonly overRest: boolean;
  /** Order in the list; records of one status come first if the list is not filtered. */
  compare(a: Record, b: Record): number;
  /** Number and version of an item. */
  read(item: unknown): string;
}

const blank = new Uint8Array(0);
const node = decodeBinary(Node, blank);
const plan = decodeBinary(Plan, blank);
const lease = decodeBinary(Lease, blank);
const session = decodeBinary(Session, blank);

const addressOf = ({ no }: Record): string => `node${String(no).padStart(6, '0')}`;
const bytesOf = (address: string): Buffer => Buffer.from(address.slice(4));
const nodeOf = (record: Record): Node => ({
  ...node,
  address: addressOf(record),
  status: record.status,
  remoteAddrs: [String(record.version)],
});
const planOf = (record: Record): Plan => ({
  ...plan,
  id: BigInt(record.no),
  status: record.status,
  duration: { seconds: BigInt(record.version), nanos: 0 },
});
const nodeKey = ({ address }: Node): Buffer => lengthKey(bytesOf(address));
const planKey = ({ id }: Plan): Buffer => idKey(id);
const byNumber = (a: Record, b: Record): number => a.no - b.no;
/** Active records come first. */
const byGroup = (a: Record, b: Record): number => Number(a.status !== 1) - Number(b.status !== 1) || byNumber(a, b);
const readNode = (item: unknown): string =>
  `${Number((item as Node).address.slice(4))}@${(item as Node).remoteAddrs[0]}`;

function entries<T>(
  records: readonly Record[],
  key: (record: Record) => Buffer,
  value: (record: Record) => T,
): Entry<T>[] {
  return [...records].sort(byNumber).map((record) => ({ key: key(record), value: value(record) }));
}

export const kinds: readonly Kind[] = [
  { name: 'nodes', method: queryNodes, request: {}, filters: true, overRest: true, compare: byGroup, read: readNode },
  {
    name: 'nodes of a plan',
    method: queryNodesForPlan,
    request: { id: 1n },
    filters: true,
    overRest: true,
    compare: byNumber,
    read: readNode,
  },
  {
    name: 'plans of a provider',
    method: queryPlansForProvider,
    request: { address: 'prov' },
    filters: true,
    overRest: false,
    compare: byNumber,
    read: (item) => `${(item as Plan).id}@${(item as Plan).duration.seconds}`,
  },
  {
    name: 'leases',
    method: queryLeases,
    request: {},
    filters: false,
    overRest: true,
    compare: byNumber,
    read: (item) => `${(item as Lease).id}@${(item as Lease).hours}`,
  },
  {
    name: 'sessions',
    method: querySessions,
    request: {},
    filters: false,
    overRest: true,
    compare: byNumber,
    read: (item) => {
      const { baseSession } = (item as { value: Session }).value;
      return `${baseSession?.id}@${baseSession?.maxBytes}`;
    },
  },
  {
    name: 'balances',
    method: allBalances,
    request: { address: 'sent' },
    filters: false,
    overRest: true,
    compare: byNumber,
    read: (item) => {
      const { denom, amount } = item as { denom: string; amount: string };
      return `${Number(denom.slice(1))}@${amount}`;
    },
  },
];

/** Handlers of a node whose lists contain the records that `at` returns for a height. */
export function answersOf(at: (height: number) => readonly Record[]): QueryHandler[] {
  return [
    on(queryNodes, ({ status, pagination }, { height }) => {
      const page = paginate(byStatus(at(height).map(nodeOf), status, nodeKey), pagination);
      return { nodes: page.items, pagination: page.pagination };
    }),
    on(queryNodesForPlan, ({ status, pagination }, { height }) => {
      const all = withStatusKey(at(height).map(nodeOf), nodeKey, false);
      const page = paginateDefective(all, pagination, statusHit(status));
      return { nodes: page.items, pagination: page.pagination };
    }),
    on(queryPlansForProvider, ({ status, pagination }, { height }) => {
      const all = withStatusKey(at(height).map(planOf), planKey, false);
      const page = paginateDefective(all, pagination, statusHit(status));
      return { plans: page.items, pagination: page.pagination };
    }),
    on(queryLeases, ({ pagination }, { height }) => {
      const all = entries(
        at(height),
        ({ no }) => idKey(BigInt(no)),
        ({ no, version }) => ({ ...lease, id: BigInt(no), hours: BigInt(version) }),
      );
      const page = paginate(all, pagination);
      return { leases: page.items, pagination: page.pagination };
    }),
    on(querySessions, ({ pagination }, { height }) => {
      const base = session.baseSession;
      const all = entries(
        at(height),
        ({ no }) => idKey(BigInt(no)),
        ({ no, version }) => ({
          typeUrl: '/hub.node.v3.Session' as const,
          value: { ...session, baseSession: { ...base, id: BigInt(no), maxBytes: String(version) } } as Session,
        }),
      );
      const page = paginate(all, pagination);
      return { sessions: page.items, pagination: page.pagination };
    }),
    on(allBalances, ({ pagination }, { height }) => {
      const all = entries(
        at(height),
        ({ no }) => Buffer.from(`d${String(no).padStart(6, '0')}`),
        ({ no, version }) => ({ denom: `d${String(no).padStart(6, '0')}`, amount: String(version) }),
      );
      const page = paginate(all, pagination, { code: 3, prefix: 'paginate: ' });
      return { balances: page.items, pagination: page.pagination };
    }),
  ];
}

const statuses = [1, 1, 1, 3, 3, 2] as const;

export function randomRecords(random: RandomSource): Record[] {
  const count = random.chance(0.1) ? random.below(3) : random.below(120);
  const numbers = new Set(Array.from({ length: count }, () => 1 + random.below(900)));
  return [...numbers].map((no) => ({ no, status: random.pick(statuses), version: 1 }));
}

/** The next state of a list: some records removed, some added, some changed. */
export function changed(random: RandomSource, records: readonly Record[]): Record[] {
  const next = new Map(records.map((record) => [record.no, record]));
  for (let change = 1 + random.below(6); change > 0; change--) {
    const no = 1 + random.below(900);
    const known = records.length === 0 ? undefined : random.pick(records);
    if (known !== undefined && random.chance(0.4)) next.delete(known.no);
    else if (known !== undefined && random.chance(0.5)) {
      next.set(known.no, { ...known, status: random.pick(statuses), version: known.version + 1 });
    } else if (!next.has(no)) next.set(no, { no, status: random.pick(statuses), version: 1 });
  }
  return [...next.values()];
}
