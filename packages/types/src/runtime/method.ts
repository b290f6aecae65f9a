import type { Naming } from './naming.js';
import type { MessageTable } from './table.js';
import type { AnyUnknown } from './values.js';

/** Transport of a method: gRPC, the REST gateway, or `abci_query` of the consensus RPC. */
export type TransportKind = 'grpc' | 'rest' | 'abci';

/** The node serves the method on this transport. */
export interface Served {
  readonly served: true;
}

/** The node does not serve the method on this transport. `reason` is a sentence with the cause and the alternative. */
export interface Unserved<Reason extends string = string> {
  readonly served: false;
  readonly reason: Reason;
}

export type Availability = { readonly [K in TransportKind]: Served | Unserved };

/** Route of the REST gateway: neutral path template, for example `/hub/node/v3/nodes/{address}`. */
export interface RestRule {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Content of the request body: the message itself (`*`), or the field of this name. */
  readonly body?: string;
  /** Writes the body. Present with `body`, so that a bundle without such a method has no JSON writer. */
  readonly writeBody?: BodyWriter;
}

/** Writes a form as JSON for the gateway, with wire names. */
export type BodyWriter = (table: MessageTable, form: object, naming: Naming) => string;

/**
 * A query method as a constant. It contains tables and facts, but no transport and, except for a route with
 * a body, no codec.
 * `I` is the decoded request, `O` the decoded response, `A` the availability per transport.
 */
export interface Method<I = unknown, O = unknown, A extends Availability = Availability> {
  /** Neutral service name, `hub.node.v3.QueryService`. */
  readonly service: string;
  /** Name in the proto file, `QueryNodes`. */
  readonly name: string;
  readonly request: MessageTable<I>;
  readonly response: MessageTable<O>;
  readonly rest: RestRule | undefined;
  readonly availability: A;
}

/** How to request the next page of a list: by the next key of the previous page, by offset, or by page number. */
export type Paging = 'key' | 'offset' | 'page';

export interface ListRule<Items extends string = string> {
  /** Member of the response that contains the records. */
  readonly items: Items;
  readonly paging: Paging;
  /**
   * The node returns a next key only for a request with a key: a first page without a key does not show whether more
   * follow.
   */
  readonly keyFirst?: true;
}

/** Additional members of a method that returns a list, see {@link Method}. */
export interface List<Items extends string = string> {
  readonly list: ListRule<Items>;
}

/** Record of a list, by the method constant. */
export type ItemOf<M> = M extends List<infer Items> & { readonly response: MessageTable<infer O> }
  ? Items extends keyof O
    ? O[Items] extends readonly (infer T)[]
      ? T
      : never
    : never
  : never;

/**
 * A form in which any member may be omitted: an absent one has the default of the message. An `Any` of an unknown type
 * accepts any type URL.
 */
export type PartialForm<T> = T extends AnyUnknown
  ? AnyUnknown<string>
  : T extends string | number | bigint | boolean | undefined | Uint8Array
    ? T
    : T extends { readonly $case: string } | { readonly typeUrl: string }
      ? T
      : T extends readonly (infer E)[]
        ? readonly PartialForm<E>[]
        : { readonly [K in keyof T]?: PartialForm<T[K]> | undefined };

/**
 * The request type of `M` over transport `K`. For an unserved pair it is the sentence with the reason, so that the
 * compiler error shows the reason and the replacement.
 */
export type RequestOf<M, K extends TransportKind> = M extends { readonly availability: infer A }
  ? A extends { readonly [P in K]: Unserved<infer Reason> }
    ? Reason
    : M extends { readonly request: MessageTable<infer I> }
      ? PartialForm<I>
      : never
  : never;

export type ResponseOf<M> = M extends { readonly response: MessageTable<infer O> } ? O : never;

/** Every method constant, regardless of its types. */
export type AnyMethod = {
  readonly service: string;
  readonly name: string;
  readonly request: MessageTable;
  readonly response: MessageTable;
  readonly rest: RestRule | undefined;
  readonly availability: Availability;
};

/**
 * A query service as an object: its method constants by name. Plain data, so that it works with any transport.
 * `createClient` of `@hubwatch/client` creates typed calls from it.
 */
export interface Service<Methods extends object = object> {
  /** Neutral full name, `hub.node.v3.QueryService`. */
  readonly name: string;
  readonly methods: Methods;
}
