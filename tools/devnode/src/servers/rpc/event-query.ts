// The query language of subscriptions and searches: conditions joined by AND.

export type Operator = '=' | '<' | '<=' | '>' | '>=' | 'CONTAINS' | 'EXISTS';

export interface Condition {
  readonly key: string;
  readonly operator: Operator;
  /** Text of a quoted operand, otherwise a number or an instant (ms); undefined for EXISTS. */
  readonly operand: string | number | undefined;
  readonly kind: 'text' | 'number' | 'time' | 'none';
}

export const maxQueryLength = 512;

const conditionPattern =
  /^([^\s='"<>()]+)\s*(?:(EXISTS)(?=\s|$)|(CONTAINS)\s+'([^']*)'|(<=|>=|=|<|>)\s*(?:'([^']*)'|(TIME|DATE)\s+(\S+)|(-?\d+(?:\.\d+)?)))\s*/i;

/** @throws Error with the parser's text; the reported position is accurate only at the end of the text */
export function parseQuery(text: string): Condition[] {
  const conditions: Condition[] = [];
  let rest = text;
  for (;;) {
    const match = conditionPattern.exec(rest);
    if (match === null) throw new Error(parseError(text, rest));
    conditions.push(toCondition(match));
    rest = rest.slice(match[0].length);
    if (rest === '') return conditions;
    const and = /^AND\s+/i.exec(rest);
    if (and === null) throw new Error(parseError(text, rest));
    rest = rest.slice(and[0].length);
  }
}

function toCondition(match: RegExpExecArray): Condition {
  const [, key = '', exists, contains, containsText, operator, text, instantKind, instant, number] = match;
  if (exists !== undefined) return { key, operator: 'EXISTS', operand: undefined, kind: 'none' };
  if (contains !== undefined) return { key, operator: 'CONTAINS', operand: containsText ?? '', kind: 'text' };
  const op = operator as Operator;
  if (text !== undefined) return { key, operator: op, operand: text, kind: 'text' };
  if (instantKind !== undefined) return { key, operator: op, operand: Date.parse(instant as string), kind: 'time' };
  return { key, operator: op, operand: Number(number), kind: 'number' };
}

function parseError(text: string, rest: string): string {
  const from = text.length - rest.length + 1;
  return `\nparse error near Unknown (line 1 symbol ${from} - line 1 symbol ${from}):\n${JSON.stringify(rest.slice(0, 1))}\n`;
}

function compares(left: number, operator: Operator, right: number): boolean {
  if (operator === '=') return left === right;
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}

/** How a numeric condition reads a value: subscriptions use the first number in it, searches require a whole number. */
export type NumberReading = 'first' | 'whole';

const numberPatterns: Readonly<Record<NumberReading, RegExp>> = { first: /\d+(?:\.\d+)?/, whole: /^\d+$/ };

function holds(condition: Condition, value: string, reading: NumberReading): boolean {
  const { operator, operand, kind } = condition;
  if (operator === 'EXISTS') return true;
  if (operator === 'CONTAINS') return value.includes(operand as string);
  if (kind === 'text') return operator === '=' && value === operand;
  if (kind === 'time') return compares(Date.parse(value), operator, operand as number);
  const number = numberPatterns[reading].exec(value)?.[0];
  return number !== undefined && compares(Number(number), operator, operand as number);
}

/** Whether events (values by `type.attribute`) satisfy every condition. */
export function matches(
  conditions: readonly Condition[],
  events: ReadonlyMap<string, readonly string[]>,
  reading: NumberReading = 'first',
): boolean {
  return conditions.every((condition) => {
    if (condition.operator === 'EXISTS' && !condition.key.includes('.')) {
      return [...events.keys()].some((key) => key.startsWith(`${condition.key}.`));
    }
    return (events.get(condition.key) ?? []).some((value) => holds(condition, value, reading));
  });
}
