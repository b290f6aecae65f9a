/** Maximum number of separate labels per sum; further labels are combined, so that no list can fill the memory. */
const labelLimit = 256;

/** Label of the combined rest. No denomination or status has this name. */
export const beyond = '*';

/** Named sums by label. */
export type SumTable = ReadonlyMap<string, ReadonlyMap<string, bigint>>;

/** Accumulates sums while the pages of a list arrive; its size is bounded regardless of the list. */
export interface Sums {
  /** @throws SyntaxError if a string is not an integer */
  add(name: string, label: string, amount: bigint | string): void;
  /** Adds one. Avoids a bigint operation per record, because lists have millions of records. */
  count(name: string, label: string): void;
  table(): SumTable;
}

interface Sum {
  amount: bigint;
  /** Amount not yet added to the bigint, below `smallLimit`. */
  small: number;
}

/** A sum of small numbers that reaches this value is added to the bigint; one more small number still fits. */
const smallLimit = 2 ** 52;
const smallDigits = 15;

/** Number for a string with few enough digits to be exact; `undefined` for any other. */
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

/** Serializes a table; amounts have any size. */
export const writeSums = (table: SumTable): string =>
  JSON.stringify([...table].map(([name, byLabel]) => [name, [...byLabel].map(([label, sum]) => [label, String(sum)])]));

/** Parses a serialized table. @throws SyntaxError if it is invalid */
export const readSums = (text: string): SumTable =>
  new Map(
    (JSON.parse(text) as [string, [string, string][]][]).map(([name, byLabel]) => [
      name,
      new Map(byLabel.map(([label, sum]) => [label, BigInt(sum)])),
    ]),
  );
