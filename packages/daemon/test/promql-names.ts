import type { PromqlToken } from '../src/prometheus/promql-text.js';

/** Names of metrics and labels in an expression. */
export interface PromqlNames {
  /** Metrics, each with the labels that its selectors match. */
  readonly metrics: readonly { readonly name: string; readonly labels: readonly string[] }[];
  /** Labels used for grouping or matching series. */
  readonly grouped: readonly string[];
  /** Labels that the expression creates. */
  readonly made: readonly string[];
}

const groupings: ReadonlySet<string> = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);
const words: ReadonlySet<string> = new Set(['and', 'or', 'unless', 'offset', 'bool', 'inf', 'nan']);
/** Functions with a first or second string argument that is the label to create. */
const makers: ReadonlySet<string> = new Set(['count_values', 'label_replace']);

/** Collects the names in an expression from its tokens. promtool checks the syntax. */
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

/** In `sum without (…) (…)` the name before a grouping is not a metric. */
const isAggregation = (tokens: readonly PromqlToken[], at: number): boolean =>
  ['by', 'without'].includes(tokens[at + 1]?.text ?? '');
