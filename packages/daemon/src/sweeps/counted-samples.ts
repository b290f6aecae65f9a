import { type Family, type Sample, sample } from '../checks/family.js';
import { beyond, type SumTable, sumsOf } from './sums.js';

/** One series per label; series for `known` labels exist even if their count is 0. */
export const countedSamples = (
  family: Family,
  sums: SumTable,
  name: string,
  known: readonly string[],
): readonly Sample[] => {
  const byLabel = sumsOf(sums, name);
  return [...new Set([...known, ...byLabel.keys()])].map((label) =>
    sample(family, partsOf(label, family), Number(byLabel.get(label) ?? 0n)),
  );
};

/**
 * Label values of a family; with two labels the second is the text after the first space, regardless of its content.
 */
const partsOf = (label: string, { labels }: Family): readonly string[] => {
  if (label === beyond || labels.length === 1) return labels.map(() => label);
  const at = label.indexOf(' ');
  return [label.slice(0, at), label.slice(at + 1)];
};

/** One series for each denomination that has its own by configuration; the others are summed as `other`. */
export const amountSamples = (
  family: Family,
  sums: SumTable,
  name: string,
  denoms: readonly string[],
): readonly Sample[] => {
  const byDenom = sumsOf(sums, name);
  const others = [...byDenom].filter(([denom]) => !denoms.includes(denom));
  return [
    ...denoms.map((denom) => sample(family, [denom], Number(byDenom.get(denom) ?? 0n))),
    ...(others.length === 0 ? [] : [sample(family, ['other'], Number(others.reduce((sum, [, one]) => sum + one, 0n)))]),
  ];
};
