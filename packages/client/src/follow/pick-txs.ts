import type { Event, TxResult } from '../rpc/results.js';
import type { Condition, EventQuery } from '../websocket/event-query.js';
import type { FollowedBlock } from './block-source.js';

export interface FollowedTx {
  readonly kind: 'tx';
  readonly height: bigint;
  /** Position in the block, 0-based. */
  readonly index: number;
  readonly tx: Uint8Array;
  readonly result: TxResult;
}

/** Transactions of a block that match a query. */
export function txsOf(block: FollowedBlock, query: EventQuery | undefined): FollowedTx[] {
  return block.block.txs.flatMap((tx, index): FollowedTx[] => {
    const result = block.results.txsResults[index] as TxResult;
    const picked = query === undefined || matches(query.conditions, result.events, block.height);
    return picked ? [{ kind: 'tx', height: block.height, index, tx, result }] : [];
  });
}

/** As in the node's query language, a key with several values matches if any of its values matches. */
export function matches(conditions: readonly Condition[], events: readonly Event[], height: bigint): boolean {
  return conditions.every((condition) => {
    if ('height' in condition) return compares(height, condition.operator, condition.height);
    const dot = condition.key.lastIndexOf('.');
    const [type, name] = [condition.key.slice(0, dot), condition.key.slice(dot + 1)];
    const values = events
      .filter((event) => event.type === type)
      .flatMap(({ attributes }) => attributes.filter(({ key }) => key === name).map(({ value }) => value));
    if (condition.operator === 'EXISTS') return values.length > 0;
    const { operator, text } = condition;
    return values.some((value) => (operator === '=' ? value === text : value.includes(text)));
  });
}

function compares(left: bigint, operator: '=' | '<' | '<=' | '>' | '>=', right: bigint): boolean {
  if (operator === '=') return left === right;
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}
