import type { Method, Served, Unserved } from '@hubwatch/types/runtime/method';
import type { MessageTable } from '@hubwatch/types/runtime/table';

export interface ThingRequest {
  readonly id: bigint;
  readonly names: readonly string[];
  readonly key: Uint8Array;
  readonly status: number;
  readonly page: { readonly limit: bigint; readonly reverse: boolean } | undefined;
}

export interface Thing {
  readonly id: bigint;
  readonly at: { readonly seconds: bigint; readonly nanos: number } | undefined;
}

const Page: MessageTable = {
  name: 'hub.test.v1.Page',
  fields: [
    { no: 1, name: 'limit', prop: 'limit', kind: 'uint64' },
    { no: 2, name: 'reverse', prop: 'reverse', kind: 'bool' },
  ],
};

const thingRequest: MessageTable<ThingRequest> = {
  name: 'hub.test.v1.ThingRequest',
  fields: [
    { no: 1, name: 'id', prop: 'id', kind: 'uint64' },
    { no: 2, name: 'names', prop: 'names', kind: 'string', repeated: true },
    { no: 3, name: 'key', prop: 'key', kind: 'bytes' },
    {
      no: 4,
      name: 'status',
      prop: 'status',
      kind: 'enum',
      enum: () => ({ name: 'hub.test.v1.Status', values: { STATUS_UNSPECIFIED: 0, STATUS_ACTIVE: 1 } }),
    },
    { no: 5, name: 'page', prop: 'page', kind: 'message', message: () => Page },
  ],
};

const thing: MessageTable<Thing> = {
  name: 'hub.test.v1.Thing',
  fields: [
    { no: 1, name: 'id', prop: 'id', kind: 'uint64' },
    { no: 2, name: 'at', prop: 'at', kind: 'timestamp' },
  ],
};

const served: Served = { served: true };

/** A method that is served on every transport. */
export const getThing: Method<ThingRequest, Thing, { grpc: Served; rest: Served; abci: Served }> = {
  service: 'hub.test.v1.QueryService',
  name: 'GetThing',
  request: thingRequest,
  response: thing,
  rest: { verb: 'GET', path: '/hub/test/v1/things/{id}' },
  availability: { grpc: served, rest: served, abci: served },
};

type Reason = 'no node serves it; call GetThing instead';

/** A method that is served on no transport. */
export const getNothing: Method<
  ThingRequest,
  Thing,
  { grpc: Unserved<Reason>; rest: Unserved<Reason>; abci: Unserved<Reason> }
> = {
  ...getThing,
  name: 'GetNothing',
  availability: {
    grpc: { served: false, reason: 'no node serves it; call GetThing instead' },
    rest: { served: false, reason: 'no node serves it; call GetThing instead' },
    abci: { served: false, reason: 'no node serves it; call GetThing instead' },
  },
};
