import { queries } from '@hubwatch/types/gen/events/names';
import type { Naming } from '@hubwatch/types/runtime/naming';
import { HubError } from '../error.js';

/** Kinds of events that can be subscribed to. */
export type EventKind = 'NewBlock' | 'NewBlockHeader' | 'Tx';

const kinds: readonly EventKind[] = ['NewBlock', 'NewBlockHeader', 'Tx'];

export type Comparison = '=' | '<' | '<=' | '>' | '>=';

/** One condition; a key is an event type, a dot and an attribute, in neutral names. */
export type Condition =
  | { readonly key: string; readonly operator: '=' | 'CONTAINS'; readonly text: string }
  | { readonly key: string; readonly operator: 'EXISTS' }
  | { readonly key: 'tx.height'; readonly operator: Comparison; readonly height: bigint };

const maxQueryBytes = 512;
/** Keys that both engines accept: 0.38 allows fewer characters than 0.37. */
const keyPattern = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$/;

const allowed =
  "a subscription is tm.event='NewBlock', 'NewBlockHeader' or 'Tx', then any of AND key='text', AND key CONTAINS 'text', " +
  'AND key EXISTS, and for Tx comparisons of tx.height with a number; other comparisons can stop a node for good';

/**
 * Conditions of a subscription, restricted to those that cannot harm a node. On some engines, a numeric or time
 * comparison that meets an attribute of another kind halts the node permanently. Such a query cannot be expressed here.
 *
 * @source proto/spec/limits.yaml, websocket_query_bytes
 */
export class EventQuery<K extends EventKind = EventKind> {
  readonly kind: K;
  readonly conditions: readonly Condition[];

  constructor(kind: K, conditions: readonly Condition[] = []) {
    if (!kinds.includes(kind)) throw refused(kind);
    this.kind = kind;
    this.conditions = conditions;
  }

  /**
   * The attribute equals this text; for typed events, whose values are JSON, see `field`.
   *
   * @param key event type, dot, attribute, in neutral names: `message.sender`
   * @throws HubError `invalid_argument` for an invalid key, and for a text with a single quote or a line break
   */
  is(key: string, text: string): EventQuery<K> {
    return this.and({ key: checkedKey(key), operator: '=', text: checkedText(text) });
  }

  /**
   * A field of a typed event equals this value.
   *
   * @param event neutral name, `hub.node.v3.EventUpdateStatus`
   * @throws HubError `invalid_argument` for an invalid name, and for a value with a single quote or a line break
   */
  field(event: string, name: string, value: string | bigint | boolean): EventQuery<K> {
    // 64-bit numbers are strings in the JSON of typed events.
    return this.is(`${event}.${name}`, JSON.stringify(typeof value === 'bigint' ? value.toString() : value));
  }

  /** The attribute contains this text. @throws HubError as `is` */
  contains(key: string, text: string): EventQuery<K> {
    return this.and({ key: checkedKey(key), operator: 'CONTAINS', text: checkedText(text) });
  }

  /** The attribute is present. @throws HubError as `is` */
  exists(key: string): EventQuery<K> {
    return this.and({ key: checkedKey(key), operator: 'EXISTS' });
  }

  /**
   * The transaction's height, the only number that may be compared. @throws HubError `invalid_argument` below 0, and
   * for blocks
   */
  height(this: EventQuery<'Tx'>, operator: Comparison, height: bigint): EventQuery<'Tx'> {
    if ((this.kind as EventKind) !== 'Tx' || height < 0n)
      throw refused(`tx.height ${operator} ${height} of ${this.kind}`);
    return this.and({ key: 'tx.height', operator, height });
  }

  /** The query in the syntax and names of the node. @throws HubError `limit` above 512 bytes */
  toWire(naming: Naming): string {
    const query = queries.toWire(this.toString(), naming);
    const size = new TextEncoder().encode(query).length;
    if (size <= maxQueryBytes) return query;
    throw new HubError({
      code: 'limit',
      message: `a subscription has ${size} bytes, at most ${maxQueryBytes} are allowed`,
    });
  }

  /** The query in neutral names. */
  toString(): string {
    return [`tm.event='${this.kind}'`, ...this.conditions.map(textOf)].join(' AND ');
  }

  private and(condition: Condition): EventQuery<K> {
    return new EventQuery(this.kind, [...this.conditions, condition]);
  }
}

/**
 * A query for all events of a kind; its methods add conditions. @throws HubError `invalid_argument` for another kind
 */
export function eventQuery<K extends EventKind>(kind: K): EventQuery<K> {
  return new EventQuery(kind);
}

const conditionPattern =
  /^([^\s'"=<>()\\]+)\s*(?:(EXISTS)(?=\s|$)|(=|CONTAINS)\s*'([^'\r\n]*)'|(=|<=|>=|<|>)\s*(0|[1-9]\d{0,18}))(?=\s|$)/;

/**
 * Parses a query in neutral names, and rejects unsafe ones.
 *
 * @throws HubError `invalid_argument` with the allowed forms
 */
export function parseEventQuery(text: string): EventQuery {
  let query: EventQuery | undefined;
  const conditions: Condition[] = [];
  for (let rest = text; rest !== ''; ) {
    const match = conditionPattern.exec(rest);
    if (match === null) throw refused(rest);
    const [whole, key = '', exists, equals, value = '', comparison, number] = match;
    if (key === 'tm.event') {
      if (equals !== '=' || query !== undefined || !kinds.includes(value as EventKind)) throw refused(whole);
      query = new EventQuery(value as EventKind);
    } else if (exists !== undefined) conditions.push({ key: checkedKey(key), operator: 'EXISTS' });
    else if (equals !== undefined) {
      conditions.push({ key: checkedKey(key), operator: equals as '=' | 'CONTAINS', text: checkedText(value) });
    } else if (key === 'tx.height') {
      conditions.push({ key, operator: comparison as Comparison, height: BigInt(number ?? '') });
    } else throw refused(whole);
    rest = rest.slice(whole.length);
    const and = /^ +AND +(?=\S)/.exec(rest);
    if (rest !== '' && and === null) throw refused(rest);
    rest = rest.slice(and?.[0].length ?? 0);
  }
  if (query === undefined) throw refused(text);
  if (query.kind !== 'Tx' && conditions.some(({ key }) => key === 'tx.height')) throw refused(text);
  return new EventQuery(query.kind, conditions);
}

/** The conditions of a search as text in neutral names: one text per condition. */
export function searchConditions({ conditions }: EventQuery): string[] {
  return conditions.map(textOf);
}

/**
 * The query of a search as one text. @throws HubError `invalid_argument` without a condition, which a search requires
 */
export function searchText(query: EventQuery): string {
  if (query.conditions.length > 0) return searchConditions(query).join(' AND ');
  throw new HubError({ code: 'invalid_argument', message: 'query: a search needs at least one condition' });
}

function textOf(condition: Condition): string {
  const { key } = condition;
  if (condition.operator === 'EXISTS') return `${key} EXISTS`;
  if ('height' in condition) return `${key} ${condition.operator} ${condition.height}`;
  return `${key} ${condition.operator} '${condition.text}'`;
}

function checkedKey(key: string): string {
  if (keyPattern.test(key) && key !== 'tm.event') return key;
  throw refused(key);
}

function checkedText(text: string): string {
  // The query language has no escape, and a line break ends the query.
  if (!/['\p{Cc}]/u.test(text)) return text;
  throw refused(text);
}

function refused(what: string): HubError {
  return new HubError({
    code: 'invalid_argument',
    message: `query: ${JSON.stringify(what.slice(0, 80))} is not allowed; ${allowed}`,
  });
}
