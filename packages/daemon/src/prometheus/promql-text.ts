/** A token of a PromQL expression. */
export interface PromqlToken {
  readonly kind: 'string' | 'duration' | 'number' | 'name' | 'sign';
  readonly text: string;
}

const pieces: readonly (readonly [kind: PromqlToken['kind'], pattern: string])[] = [
  ['string', '"(?:[^"\\\\]|\\\\.)*"'],
  ['duration', '(?:\\d+(?:ms|[smhdwy]))+\\b'],
  ['number', '\\d[\\d.]*(?:e[+-]?\\d+)?'],
  ['name', '[A-Za-z_:][\\w:]*'],
  ['sign', '==|!=|<=|>=|=~|!~|[-+*/%^<>=(){}\\[\\],]'],
];
const pattern = new RegExp(`\\s*(?:${pieces.map(([kind, text]) => `(?<${kind}>${text})`).join('|')})`, 'y');

/** Splits an expression into tokens. @throws SyntaxError for text that is not PromQL */
export const promqlTokens = (expr: string): readonly PromqlToken[] => {
  const tokens: PromqlToken[] = [];
  const end = expr.trimEnd().length;
  let at = 0;
  while (at < end) {
    pattern.lastIndex = at;
    const match = pattern.exec(expr);
    if (match === null) throw new SyntaxError(`no PromQL at "${expr.slice(at, at + 40)}"`);
    const groups: Partial<Record<string, string>> = match.groups ?? {};
    const [kind] = pieces.find(([name]) => groups[name] !== undefined) ?? ['sign'];
    tokens.push({ kind, text: groups[kind] ?? '' });
    at = pattern.lastIndex;
  }
  return tokens;
};

/** Length above which an expression is broken into lines. */
const lineLength = 100;

/** Formats an expression: breaks it at set operators, then at comparisons, then within brackets. */
export const formatPromql = (expr: string): string => broken(oneLine(expr), 0).join('\n');

/** Replaces white space outside strings with one space, and removes it just inside brackets. */
const oneLine = (expr: string): string =>
  expr
    .trim()
    .replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, (_all, text: string | undefined) => text ?? ' ')
    .replaceAll(/("(?:[^"\\]|\\.)*")|\( | \)/g, (all, text: string | undefined) => text ?? all.trim());

const setOperators = /^ (?:and|or|unless) /;
const comparisons = /^ (?:==|!=|<=?|>=?) /;

const broken = (text: string, depth: number): readonly string[] => {
  const indent = '  '.repeat(depth);
  if (indent.length + text.length <= lineLength) return [indent + text];
  const parts = splitBefore(text, setOperators);
  if (parts.length > 1) return parts.flatMap((part) => broken(part, depth));
  const [left = '', ...right] = splitBefore(text, comparisons);
  if (right.length > 0 && left.length > lineLength / 2)
    return [...broken(left, depth), ...right.flatMap((part) => broken(part, depth + 1))];
  const group = longestGroup(text);
  if (group === undefined) return [indent + text];
  const [from, to] = group;
  return [
    `${indent}${text.slice(0, from + 1)}`,
    ...broken(text.slice(from + 1, to), depth + 1),
    `${indent}${text.slice(to)}`,
  ];
};

/** Splits a text before each operator that is outside all brackets. */
const splitBefore = (text: string, operator: RegExp): readonly string[] => {
  const parts: string[] = [];
  let start = 0;
  for (const { at, depth } of outsideStrings(text)) {
    if (depth > 0 || !operator.test(text.slice(at, at + 8))) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
};

/** A list of labels is not broken. */
const labelList = /\b(?:ignoring|on|without|by|group_left|group_right) $/;

/** Positions of the round brackets around the longest group; `undefined` if there is none. */
const longestGroup = (text: string): readonly [from: number, to: number] | undefined => {
  const open: number[] = [];
  let longest: readonly [number, number] | undefined;
  for (const { at } of outsideStrings(text)) {
    if (text[at] === '(') open.push(at);
    if (text[at] !== ')') continue;
    const from = open.pop() ?? 0;
    if (labelList.test(text.slice(0, from))) continue;
    if (longest === undefined || at - from > longest[1] - longest[0]) longest = [from, at];
  }
  return longest;
};

/** Yields each position outside strings, with its bracket depth. */
function* outsideStrings(text: string): Generator<{ readonly at: number; readonly depth: number }, void> {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '"' && text[at - 1] !== '\\') isString = !isString;
    if (isString) continue;
    if ('({['.includes(char)) depth += 1;
    if (')}]'.includes(char)) depth -= 1;
    yield { at, depth };
  }
}
