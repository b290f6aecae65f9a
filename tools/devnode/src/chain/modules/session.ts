import { Params } from '@hubwatch/types/gen/forms/hub/session/v3/params';
import { QuerySessionResponse } from '@hubwatch/types/gen/forms/hub/session/v3/querier';
import type { Session as NodeSession } from '@hubwatch/types/gen/forms/hub/node/v3/session';
import type { Session as SubscriptionSession } from '@hubwatch/types/gen/forms/hub/subscription/v3/session';
import type { AnySessionI } from '@hubwatch/types/gen/any/hub/session/v3/session-i';
import {
  queryParams,
  querySession,
  querySessions,
  querySessionsForAccount,
  querySessionsForAllocation,
  querySessionsForNode,
  querySessionsForSubscription,
} from '@hubwatch/types/gen/methods/hub/session/v3/query-service';
import { accountPrefix, nodePrefix, readAddress } from '../address.js';
import { entriesOf, idKey, type Page, paginate } from '../paging.js';
import { notFound } from '../query-error.js';
import { on, type QueryContext, type QueryHandler } from '../query-handler.js';
import type { PageRequest } from '@hubwatch/types/gen/forms/stack/base/query/v1beta1/pagination';
import type { StateRecord } from '../state-history.js';

interface Known {
  readonly any: AnySessionI;
  readonly id: bigint;
  readonly account: string;
  readonly node: string;
  /** Present for a session that belongs to a subscription. */
  readonly subscription: bigint | undefined;
}

/** Records store a session in the gateway's `Any` format; the response's own table decodes it. */
const wrapped = new WeakMap<StateRecord, StateRecord>();

function sessionsOf({ state, forms }: QueryContext): Known[] {
  return state.sessions.map((record) => {
    let wrap = wrapped.get(record);
    if (wrap === undefined) wrapped.set(record, (wrap = { session: record }));
    const any = forms.of(QuerySessionResponse, wrap).session as AnySessionI;
    const session = any.value as NodeSession | SubscriptionSession;
    const base = session.baseSession as NonNullable<NodeSession['baseSession']>;
    const subscription = 'subscriptionId' in session ? session.subscriptionId : undefined;
    return { any, id: base.id, account: base.accAddress, node: base.nodeAddress, subscription };
  });
}

function page(
  sessions: readonly Known[],
  request: PageRequest | undefined,
): { sessions: AnySessionI[] } & Pick<Page<Known>, 'pagination'> {
  const { items, pagination } = paginate(
    entriesOf(
      sessions,
      ({ id }) => idKey(id),
      (session) => session,
    ),
    request,
  );
  return { sessions: items.map(({ any }) => any), pagination };
}

export const sessionHandlers: readonly QueryHandler[] = [
  on(querySessions, (request, context) => page(sessionsOf(context), request.pagination)),
  on(querySessionsForAccount, (request, context) => {
    const { text } = readAddress(request.address, accountPrefix);
    return page(
      sessionsOf(context).filter(({ account }) => account === text),
      request.pagination,
    );
  }),
  on(querySessionsForNode, (request, context) => {
    const { text } = readAddress(request.address, nodePrefix);
    return page(
      sessionsOf(context).filter(({ node }) => node === text),
      request.pagination,
    );
  }),
  on(querySessionsForSubscription, (request, context) =>
    page(
      sessionsOf(context).filter(({ subscription }) => subscription === request.id),
      request.pagination,
    ),
  ),
  on(querySessionsForAllocation, (request, context) => {
    const { text } = readAddress(request.address, accountPrefix);
    return page(
      sessionsOf(context).filter(({ subscription, account }) => subscription === request.id && account === text),
      request.pagination,
    );
  }),
  on(querySession, (request, context) => {
    const session = sessionsOf(context).find(({ id }) => id === request.id);
    if (session === undefined) throw notFound(`session does not exist for id ${request.id}`);
    return { session: session.any };
  }),
  on(queryParams, (_request, { state, forms }) => ({ params: forms.of(Params, state.params['session/v3'] ?? {}) })),
];
