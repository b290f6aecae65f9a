import type { AnyMethod, RequestOf, TransportKind } from '../method.js';
import type { SmallKind } from './table.js';

/**
 * A query method for the small client, with no more than it needs. What it takes and answers, and where it is served, are
 * those of `M`, the constant of the same name in `gen/methods`.
 *
 * @typeParam Left transport over which the node serves it and the small client does not
 */
export interface SmallMethod<M = AnyMethod, Left extends TransportKind = never> {
  /** Path of `abci_query`, where it is served there: `/hub.node.v3.QueryService/QueryNode`. */
  readonly path?: string;
  /** Route of the gateway, where it is served there: `/hub/node/v3/nodes/{address}`. */
  readonly route?: string;
  readonly request: SmallKind;
  readonly response: SmallKind;
  /** Types only; never present at run time. */
  readonly of?: M;
  readonly left?: Left;
}

/** Why a method does not compile that the node serves and the small client leaves out. */
export type LeftOut =
  'The small client sends neither bodies over REST nor transactions; call it over another transport of @hubwatch/client.';

/** What a caller must pass as the request over transport `K`; for a pair that is not served, the sentence that says why. */
export type SmallRequestOf<M, Left, K extends TransportKind> = K extends Left ? LeftOut : RequestOf<M, K>;
