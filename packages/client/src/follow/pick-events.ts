// Loaded only when events are followed: the decoder and the tables would be a fifth of a bundle.
import { typedEvents, type TypedEvents } from '@hubwatch/types/gen/events/typed';
import { attributeText, readEvent } from '@hubwatch/types/runtime/event';
import type { MessageTable } from '@hubwatch/types/runtime/table';
import type { Event, EventAttribute } from '../rpc/results.js';
import type { EventQuery } from '../websocket/event-query.js';
import type { FollowedBlock } from './block-source.js';
import { matches, txsOf } from './pick-txs.js';

// An enum is the only string type that TypeScript does not compare with a literal. It exists for the compiler only.
declare enum Untyped {
  type = '',
}

/** Type of an event that has no message, such as `transfer`: any text at run time, assignable to `string`. */
export type UntypedEventType = Untyped.type;

interface FollowedEventOf<Type extends string, Value> {
  readonly kind: 'event';
  readonly height: bigint;
  /** Phase of the block that emitted it; engine 0.38 has `finalize_block` for begin and end. */
  readonly origin: 'begin_block' | 'tx' | 'end_block' | 'finalize_block';
  /** Position of the transaction in the block, 0-based; for the origin `tx` only. */
  readonly txIndex: number | undefined;
  /** Neutral type name. */
  readonly type: Type;
  /** Decoded message of the event, in the same form as in query results; `undefined` if the event has no message. */
  readonly value: Value;
  /** Attributes in the order of the node. Values of typed events are without the quotes that they have on the wire. */
  readonly attributes: readonly EventAttribute[];
  /** Errors of attributes of a typed event that could not be decoded; their members of `value` have the default. */
  readonly faults: readonly Error[];
}

/** An event of a block. A `switch` over `type` narrows `value`. */
export type FollowedEvent =
  | { readonly [T in keyof TypedEvents]: FollowedEventOf<T, TypedEvents[T]> }[keyof TypedEvents]
  | FollowedEventOf<UntypedEventType, undefined>;

/** Tables of typed events, by type. */
const tables: Readonly<Record<string, () => MessageTable>> = typedEvents;

/**
 * Events that a query selects, in the order of execution. As on a node, the conditions may be met by different events
 * of one transaction or block. Returned are the events whose type a condition names, or all of them.
 */
export function eventsOf(block: FollowedBlock, query: EventQuery): FollowedEvent[] {
  const { height, results } = block;
  const types = new Set(query.conditions.map(({ key }) => key.slice(0, key.lastIndexOf('.'))));
  types.delete('tx');
  const give = (origin: FollowedEvent['origin'], events: readonly Event[], txIndex?: number): FollowedEvent[] =>
    events
      .filter(({ type }) => types.size === 0 || types.has(type))
      // Types that are not in the tables have the type `UntypedEventType`, which is not comparable with a literal.
      .map((event): unknown => ({
        kind: 'event',
        height,
        origin,
        txIndex,
        ...typedEvent(event),
      })) as FollowedEvent[];
  if (query.kind === 'Tx') {
    return txsOf(block, query).flatMap(({ index, result }) => give('tx', result.events, index));
  }
  const { beginBlockEvents, endBlockEvents, finalizeBlockEvents } = results;
  const all = [...beginBlockEvents, ...endBlockEvents, ...finalizeBlockEvents];
  if (!matches(query.conditions, all, height)) return [];
  return [
    ...give('begin_block', beginBlockEvents),
    ...give('end_block', endBlockEvents),
    ...give('finalize_block', finalizeBlockEvents),
  ];
}

function typedEvent({ type, attributes }: Event) {
  const table = Object.hasOwn(tables, type) ? tables[type]?.() : undefined;
  if (table === undefined) return { type, value: undefined, attributes, faults: [] };
  return {
    type,
    ...readEvent(table, attributes),
    attributes: attributes.map((attribute) => ({ ...attribute, value: attributeText(attribute.value) })),
  };
}
