import type { KnownSeries } from './known-series.js';

/** A selector of a series in a PromQL expression. */
export interface Selector {
  readonly name: string;
  /** Matchers within the braces; empty if there are none. */
  readonly matchers: string;
}

/** Matches strings and ranges, in order to skip them. Braces belong to the name before them. */
const tokens = /"(?:[^"\\]|\\.)*"|\[[^\]]*\]|([a-zA-Z_:][\w:]*)(\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\})?/g;

/** Prefixes that only series names have, so that an unknown name is an error. */
const ofSeries = /^(?:hub|hubwatch|nodejs|process)_/;

/** Rewrites each selector in an expression. @throws Error for a name with the prefix of a series that does not exist */
export function rewriteSelectors(expr: string, known: KnownSeries, rewrite: (selector: Selector) => string): string {
  return expr.replace(tokens, (token: string, name?: string, braces?: string) => {
    if (name === undefined) return token;
    if (known.has(name)) return rewrite({ name, matchers: braces?.slice(1, -1) ?? '' });
    if (ofSeries.test(name) || braces !== undefined) throw new Error(`no declared series: ${token} in ${expr}`);
    return token;
  });
}

/** Selectors in an expression, in order. */
export function selectorsOf(expr: string, known: KnownSeries): readonly Selector[] {
  const found: Selector[] = [];
  rewriteSelectors(expr, known, (selector) => {
    found.push(selector);
    return '';
  });
  return found;
}

/** Adds matchers for template variables to every selector, limited to the labels that its series has. */
export function scopeQuery(expr: string, known: KnownSeries, variables: readonly string[]): string {
  return rewriteSelectors(expr, known, ({ name, matchers }) => {
    const labels = known.get(name) ?? new Set();
    const scope = variables.filter((variable) => labels.has(variable)).map((variable) => `${variable}=~"$${variable}"`);
    const all = [...scope, ...(matchers === '' ? [] : [matchers])];
    return all.length === 0 ? name : `${name}{${all.join(',')}}`;
  });
}
