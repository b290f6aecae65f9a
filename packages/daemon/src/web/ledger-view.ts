import type { Config } from '../config/schema.js';
import type { LedgerView } from '../ledger/ledger.js';
import type { LedgerTotals } from '../ledger/totals.js';
import { cut } from '../words.js';

/** Sums of one subject that are shown; denominations are what others chose. */
const sumsShown = 20;

/** What a sum is of, by the name that the ledger gives it. */
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

/** What came in and went out of everything watched since the ledger began. `undefined` where nothing is kept. */
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
  /** `lease`, `session` or `subscription`, where a sum is kept by it. */
  readonly source: string | undefined;
}

/** Keys of a sum are subject, denomination and, for some, the source. */
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
