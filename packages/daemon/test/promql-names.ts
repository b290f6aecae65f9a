import type { PromqlToken } from '../src/prometheus/promql-text.js';

/** Metrics and labels that an expression names. */
export interface PromqlNames {
  /** Metrics with the labels that their selectors match. */
  readonly metrics: readonly { readonly name: string; readonly labels: readonly string[] }[];
  /** Labels by which it groups or matches series. */
  readonly grouped: readonly string[];
  /** Labels that it makes. */
  readonly made: readonly string[];
}

const groupings: ReadonlySet<string> = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);
const words: ReadonlySet<string> = new Set(['and', 'or', 'unless', 'offset', 'bool', 'inf', 'nan']);
/** Functions whose first or second text is a label that they make. */
const makers: ReadonlySet<string> = new Set(['count_values', 'label_replace']);

/** Collects the names in an expression from its tokens; PromQL is parsed by promtool. */
export const promqlNames = (tokens: readonly PromqlToken[]): PromqlNames => {
  const metrics: { name: string; labels: string[] }[] = [];
  const grouped: string[] = [];
  const made: string[] = [];
  let inside: 'nothing' | 'selector' | 'grouping' = 'nothing';
  let maker = false;
  for (const [at, { kind, text }] of tokens.entries()) {
    const next = tokens[at + 1]?.text;
    if (text === '{') inside = 'selector';
    else if (inside === 'grouping' && text === '(') continue;
    else if ((inside === 'selector' && text === '}') || (inside === 'grouping' && text === ')')) inside = 'nothing';
    else if (inside === 'selector' && kind === 'name') metrics.at(-1)?.labels.push(text);
    else if (inside === 'grouping' && kind === 'name') grouped.push(text);
    else if (kind === 'name' && groupings.has(text)) inside = 'grouping';
    else if (kind === 'name' && makers.has(text)) maker = true;
    else if (kind === 'name' && !words.has(text) && next !== '(' && !isAggregation(tokens, at))
      metrics.push({ name: text, labels: [] });
    else if (kind === 'string' && maker && next === ',') {
      made.push(text.slice(1, -1));
      maker = false;
    }
  }
  return { metrics, grouped, made };
};

/** `sum without (…) (…)`: the name before a grouping is no metric. */
const isAggregation = (tokens: readonly PromqlToken[], at: number): boolean =>
  ['by', 'without'].includes(tokens[at + 1]?.text ?? '');
