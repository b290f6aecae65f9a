import type {
  AnyMethod,
  ItemOf,
  List,
  RequestOf,
  ResponseOf,
  Service,
  TransportKind,
} from '@hubwatch/types/runtime/method';
import { collect, type Collected } from './pages/collect.js';
import { onePage, type OnePage } from './pages/one-page.js';
import { type ListMethod, type ListRequestOf, pages, type PagesOptions, type Sweep } from './pages/sweep.js';
import type { Answer, CallOptions, Transport } from './transport.js';

/** Calls of a service over one transport, by the names of its method constants. */
export type ServiceClient<S extends Service, K extends TransportKind> = {
  readonly [N in keyof S['methods']]: MethodCall<S['methods'][N], K>;
};

/**
 * A method call; for a list method it can also read all pages. A call that the node does not serve does not compile.
 */
export type MethodCall<M, K extends TransportKind> =
  RequestOf<M, K> extends string
    ? UnservedCall<RequestOf<M, K>, M extends List ? keyof WholeList<M, K> : never>
    : M extends List
      ? UnaryCall<M, K> & WholeList<M, K>
      : UnaryCall<M, K>;

/** Sends one request. An omitted member has its default value; an omitted request has all defaults. */
export type UnaryCall<M, K extends TransportKind> = (
  request?: RequestOf<M, K>,
  options?: CallOptions,
) => Promise<Answer<ResponseOf<M>>>;

/** Further calls of a list method. */
export interface WholeList<M, K extends TransportKind> {
  /** Reads the whole list into memory, at one height; see {@link collect}. */
  collect(request?: ListRequestOf<M, K>, options?: PagesOptions): Promise<Collected<ItemOf<M>>>;
  /** Reads the whole list page by page, at one height; see {@link pages}. */
  pages(request?: ListRequestOf<M, K>, options?: PagesOptions): Sweep<ItemOf<M>>;
  /** Reads one page selected by a PageRequest of the caller; see {@link onePage}. */
  onePage(request?: RequestOf<M, K>, options?: CallOptions): Promise<OnePage<ItemOf<M>>>;
}

/**
 * `Reason` states why the node does not serve the call. As the type of `this`, it is on the first line of the compiler
 * error.
 */
export type UnservedCall<Reason, N extends string> = ((
  this: Reason,
  request?: Reason,
  options?: CallOptions,
) => Promise<never>) & { readonly [P in N]: (this: Reason, request?: Reason, options?: PagesOptions) => never };

/**
 * Typed calls of a service over a transport: `createClient(NodeQuery, hub.grpc)`. No request is made before the first
 * call. Returns `undefined` for a transport whose address was not given to `connect`.
 *
 * A client includes all methods of its service. A bundle that needs few of them is smaller with `transport.call` and
 * their constants.
 */
export function createClient<S extends Service, K extends TransportKind>(
  service: S,
  transport: Transport<K>,
): ServiceClient<S, K>;
export function createClient<S extends Service, K extends TransportKind>(
  service: S,
  transport: Transport<K> | undefined,
): ServiceClient<S, K> | undefined;
export function createClient(service: Service, transport: Transport | undefined): object | undefined {
  if (transport === undefined) return undefined;
  const methods = Object.entries(service.methods as Readonly<Record<string, AnyMethod & Partial<List>>>);
  return Object.fromEntries(methods.map(([name, method]) => [name, callOf(method, transport)]));
}

function callOf(method: AnyMethod & Partial<List>, transport: Transport): UnaryCall<AnyMethod, TransportKind> {
  const call: UnaryCall<AnyMethod, TransportKind> = (request = {}, options) => transport.call(method, request, options);
  return isList(method) ? Object.assign(call, wholeList(method, transport)) : call;
}

function wholeList(method: ListMethod, transport: Transport): WholeList<ListMethod, TransportKind> {
  return {
    collect: (request = {}, options) => collect(transport, method, request, options),
    pages: (request = {}, options) => pages(transport, method, request, options),
    onePage: (request = {}, options) => onePage(transport, method, request, options),
  };
}

function isList(method: AnyMethod & Partial<List>): method is ListMethod {
  return method.list !== undefined;
}
