/** Labels of one sum that are kept apart; what comes beyond them is kept together, so that no list can fill the memory. */
const labelLimit = 256;

/** Label of what came beyond the limit. No denomination and no status is called so. */
export const beyond = '*';

/** Named sums by label. */
export type SumTable = ReadonlyMap<string, ReadonlyMap<string, bigint>>;

/** What is added up while the pages of a list come in: of a bounded size whatever the list holds. */
export interface Sums {
  add(name: string, label: string, amount: bigint): void;
  /** Adds one: what millions of records do costs no big number each. */
  count(name: string, label: string): void;
  table(): SumTable;
}

interface Sum {
  amount: bigint;
  ones: number;
}

export const createSums = (): Sums => {
  const sums = new Map<string, Map<string, Sum>>();
  const sumOf = (name: string, label: string): Sum => {
    const byLabel = sums.get(name) ?? new Map<string, Sum>();
    if (byLabel.size === 0) sums.set(name, byLabel);
    const key = byLabel.has(label) || byLabel.size < labelLimit ? label : beyond;
    const known = byLabel.get(key);
    if (known !== undefined) return known;
    const sum = { amount: 0n, ones: 0 };
    byLabel.set(key, sum);
    return sum;
  };
  return {
    add(name, label, amount) {
      sumOf(name, label).amount += amount;
    },
    count(name, label) {
      sumOf(name, label).ones += 1;
    },
    table: () =>
      new Map(
        [...sums].map(([name, byLabel]) => [
          name,
          new Map([...byLabel].map(([label, { amount, ones }]) => [label, amount + BigInt(ones)])),
        ]),
      ),
  };
};

const none: ReadonlyMap<string, bigint> = new Map();

export const sumsOf = (table: SumTable, name: string): ReadonlyMap<string, bigint> => table.get(name) ?? none;

/** The text of a table; amounts have any size. */
export const writeSums = (table: SumTable): string =>
  JSON.stringify([...table].map(([name, byLabel]) => [name, [...byLabel].map(([label, sum]) => [label, String(sum)])]));

/** The table of such a text. @throws SyntaxError when it is none. */
export const readSums = (text: string): SumTable =>
  new Map(
    (JSON.parse(text) as [string, [string, string][]][]).map(([name, byLabel]) => [
      name,
      new Map(byLabel.map(([label, sum]) => [label, BigInt(sum)])),
    ]),
  );
