/** Labels of one sum that are kept apart; what comes beyond them is kept together, so that no list can fill the memory. */
const labelLimit = 256;

/** Label of what came beyond the limit. No denomination and no status is called so. */
export const beyond = '*';

/** Named sums by label. */
export type SumTable = ReadonlyMap<string, ReadonlyMap<string, bigint>>;

/** What is added up while the pages of a list come in: of a bounded size whatever the list holds. */
export interface Sums {
  /** @throws SyntaxError when a text is no whole number */
  add(name: string, label: string, amount: bigint | string): void;
  /** Adds one: what millions of records do costs no big number each. */
  count(name: string, label: string): void;
  table(): SumTable;
}

interface Sum {
  amount: bigint;
  /** What is not in it yet, below `smallLimit`. */
  small: number;
}

/** From here a sum of small numbers goes into the big one; it leaves room for another of them. */
const smallLimit = 2 ** 52;
const smallDigits = 15;

/** Number of a text of so few digits that it has one exactly; `undefined` for any other. */
const smallNumber = (text: string): number | undefined => {
  if (text.length > smallDigits) return undefined;
  let number = 0;
  for (let at = 0; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return undefined;
    number = number * 10 + digit;
  }
  return number;
};

export const createSums = (): Sums => {
  const sums = new Map<string, Map<string, Sum>>();
  const sumOf = (name: string, label: string): Sum => {
    const byLabel = sums.get(name) ?? new Map<string, Sum>();
    if (byLabel.size === 0) sums.set(name, byLabel);
    const key = byLabel.has(label) || byLabel.size < labelLimit ? label : beyond;
    const known = byLabel.get(key);
    if (known !== undefined) return known;
    const sum = { amount: 0n, small: 0 };
    byLabel.set(key, sum);
    return sum;
  };
  const addSmall = (sum: Sum, number: number): void => {
    sum.small += number;
    if (sum.small < smallLimit) return;
    sum.amount += BigInt(sum.small);
    sum.small = 0;
  };
  return {
    add(name, label, amount) {
      const sum = sumOf(name, label);
      const small = typeof amount === 'string' ? smallNumber(amount) : undefined;
      if (small === undefined) sum.amount += BigInt(amount);
      else addSmall(sum, small);
    },
    count(name, label) {
      addSmall(sumOf(name, label), 1);
    },
    table: () =>
      new Map(
        [...sums].map(([name, byLabel]) => [
          name,
          new Map([...byLabel].map(([label, { amount, small }]) => [label, amount + BigInt(small)])),
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
