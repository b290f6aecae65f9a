import { queries } from '@hubwatch/types/gen/events/names';
import { getTxsEvent } from '@hubwatch/types/gen/methods/stack/tx/v1beta1/service';
import type { GetTxsEventResponse } from '@hubwatch/types/gen/forms/stack/tx/v1beta1/service';
import type { Field } from '@hubwatch/types/runtime/table';
import { type EventQuery, searchConditions } from '../websocket/event-query.js';
import type { Answer, CallOptions, Transport } from '../transport.js';

export interface SearchOptions extends CallOptions {
  /** 1-based page number; the first page by default. */
  readonly page?: bigint;
  /** Transactions per page; the node's own limit, 100, by default. */
  readonly limit?: bigint;
  /** Orders by descending height; ascending by default. */
  readonly newestFirst?: boolean;
}

type AnyTransport = Transport<'grpc'> | Transport<'rest'> | Transport<'abci'>;

const [ascending, descending] = [1, 2];

/** The parameter since framework 0.50, with its field number there; descriptors of older nodes do not have it. */
const query: Field = { no: 6, name: 'query', prop: 'query', kind: 'string', carries: () => queries };

/**
 * Searches transactions by their events.
 *
 * The framework renamed the parameter. Nodes before 0.50 read `events` and do not know `query`. Later ones read
 * `query`, ignore `events`, and return "query cannot be empty" if only `events` is sent. Both are sent, so that the
 * same call works on either.
 *
 * @param search a query, `eventQuery('Tx').is('message.sender', '…')`, or conditions as text that must all be met, each
 * `type.attribute='value'`; names of events and messages are neutral in both
 * @throws HubError as any call; `invalid_argument` for a condition that the node cannot parse
 */
export async function searchTxs(
  transport: AnyTransport,
  search: EventQuery<'Tx'> | readonly string[],
  { page = 0n, limit = 0n, newestFirst = false, ...options }: SearchOptions = {},
): Promise<Answer<GetTxsEventResponse>> {
  const conditions = 'conditions' in search ? searchConditions(search) : search;
  const form = {
    events: conditions,
    query: conditions.join(' AND '),
    page,
    limit,
    orderBy: newestFirst ? descending : ascending,
  };
  return (transport as Transport<'grpc'>).call(withBoth(), form, options);
}

let method: typeof getTxsEvent | undefined;

/** The method with both parameters. Created on the first call, because the fields of a table are read on first use. */
function withBoth(): typeof getTxsEvent {
  if (method !== undefined) return method;
  const { request } = getTxsEvent;
  const isThere = request.fields.some(({ name }) => name === query.name);
  const fields = isThere ? request.fields : [...request.fields, query];
  return (method = { ...getTxsEvent, request: { ...request, fields } });
}
