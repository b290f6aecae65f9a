import type { Config } from '../config/schema.js';
import type { LedgerView } from '../ledger/ledger.js';
import type { LedgerTotals } from '../ledger/totals.js';
import { cut } from '../words.js';

/** Maximum number of sums shown per subject; third parties choose the denominations. */
const sumsShown = 20;

/** Label of each sum, by its name in the ledger. */
const sums = {
  node: [
    ['nodeReceived', 'got'],
    ['nodeRefunded', 'refunded'],
  ],
  provider: [
    ['providerReceived', 'got'],
    ['providerPaid', 'paid'],
    ['providerRefunded', 'got back'],
  ],
  account: [
    ['accountPaid', 'paid'],
    ['accountRefunded', 'got back'],
    ['accountSwapped', 'swapped in'],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [Exclude<keyof LedgerTotals, 'add'>, string])[]>>;

/** Income and expenses of all watched subjects since the ledger began. `undefined` if nothing is stored. */
export const ledgerView = (
  { isKept, isCurrent, position, totals }: Pick<LedgerView, 'isKept' | 'isCurrent' | 'position' | 'totals'>,
  { watch }: Pick<Config, 'watch'>,
) => {
  const height = position();
  if (!isKept || height === undefined) return undefined;
  const subjects = (['node', 'provider', 'account'] as const).flatMap((kind) => {
    const bySubject = groupedSums(totals, sums[kind]);
    return watch[`${kind}s`].flatMap(({ address, alias }) => {
      const found = bySubject.get(address);
      return found === undefined ? [] : [{ kind, address, alias, sums: found.slice(0, sumsShown) }];
    });
  });
  return { position: String(height), isCurrent: isCurrent(), subjects };
};

export interface ShownSum {
  /** `got`, `paid` */
  readonly what: string;
  readonly amount: string;
  readonly denom: string;
  /** `lease`, `session` or `subscription`, if the sum is stored by source. */
  readonly source: string | undefined;
}

/** Groups sums by their keys: subject, denomination and, for some sums, the source. */
const groupedSums = (
  totals: LedgerTotals,
  names: readonly (readonly [Exclude<keyof LedgerTotals, 'add'>, string])[],
): ReadonlyMap<string, readonly ShownSum[]> => {
  const bySubject = new Map<string, ShownSum[]>();
  for (const [name, what] of names) {
    for (const [key, amount] of totals[name]) {
      const [subject = '', denom = '', source] = key.split(' ');
      const one = { what, amount: String(amount), denom: cut(denom, 128), source };
      bySubject.set(subject, [...(bySubject.get(subject) ?? []), one]);
    }
  }
  return bySubject;
};
