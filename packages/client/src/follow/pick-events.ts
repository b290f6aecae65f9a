import type { Naming } from '@hubwatch/types/runtime/naming';
import type { Event, TxResult } from '../rpc/results.js';
import { type Condition, type EventQuery, valueToWire } from '../websocket/event-query.js';
import type { FollowedBlock } from './block-source.js';

export interface FollowedTx {
  readonly kind: 'tx';
  readonly height: bigint;
  /** Place in the block, 0-based. */
  readonly index: number;
  readonly tx: Uint8Array;
  readonly result: TxResult;
}

export interface FollowedEvent {
  readonly kind: 'event';
  readonly height: bigint;
  /** Where in the block it came about; engine 0.38 has `finalize_block` for begin and end. */
  readonly origin: 'begin_block' | 'tx' | 'end_block' | 'finalize_block';
  /** Place of the transaction in the block, 0-based; for the origin `tx` only. */
  readonly txIndex: number | undefined;
  readonly event: Event;
}

/** Transactions of a block that a query picks out. */
export function txsOf(block: FollowedBlock, query: EventQuery | undefined, naming: Naming): FollowedTx[] {
  return block.block.txs.flatMap((tx, index): FollowedTx[] => {
    const result = block.results.txsResults[index] as TxResult;
    const picked = query === undefined || matches(query.conditions, result.events, block.height, naming);
    return picked ? [{ kind: 'tx', height: block.height, index, tx, result }] : [];
  });
}

/**
 * Events that a query picks out, in the order in which the block ran. As on a node the conditions may be met by different
 * events of one transaction, or of the block; given are those events whose type a condition names, or all of them.
 */
export function eventsOf(block: FollowedBlock, query: EventQuery, naming: Naming): FollowedEvent[] {
  const { height, results } = block;
  const types = new Set(query.conditions.map(({ key }) => key.slice(0, key.lastIndexOf('.'))));
  types.delete('tx');
  const give = (origin: FollowedEvent['origin'], events: readonly Event[], txIndex?: number): FollowedEvent[] =>
    events
      .filter(({ type }) => types.size === 0 || types.has(type))
      .map((event) => ({ kind: 'event', height, origin, txIndex, event }));
  if (query.kind === 'Tx') {
    return txsOf(block, query, naming).flatMap(({ index, result }) => give('tx', result.events, index));
  }
  const { beginBlockEvents, endBlockEvents, finalizeBlockEvents } = results;
  const all = [...beginBlockEvents, ...endBlockEvents, ...finalizeBlockEvents];
  if (!matches(query.conditions, all, height, naming)) return [];
  return [
    ...give('begin_block', beginBlockEvents),
    ...give('end_block', endBlockEvents),
    ...give('finalize_block', finalizeBlockEvents),
  ];
}

/** @source consensus rpc §4.2: a key with several values matches when one of them does */
function matches(conditions: readonly Condition[], events: readonly Event[], height: bigint, naming: Naming): boolean {
  return conditions.every((condition) => {
    if ('height' in condition) return compares(height, condition.operator, condition.height);
    const dot = condition.key.lastIndexOf('.');
    const [type, name] = [condition.key.slice(0, dot), condition.key.slice(dot + 1)];
    const values = events
      .filter((event) => event.type === type)
      .flatMap(({ attributes }) => attributes.filter(({ key }) => key === name).map(({ value }) => value));
    if (condition.operator === 'EXISTS') return values.length > 0;
    const wanted = valueToWire(condition, naming);
    return values.some((value) => (condition.operator === '=' ? value === wanted : value.includes(wanted)));
  });
}

function compares(left: bigint, operator: '=' | '<' | '<=' | '>' | '>=', right: bigint): boolean {
  if (operator === '=') return left === right;
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}
