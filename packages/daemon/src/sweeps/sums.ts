/** Labels of one sum that are kept apart; what comes beyond them is kept together, so that no list can fill the memory. */
const labelLimit = 256;

/** Label of what came beyond the limit. No denomination and no status is called so. */
export const beyond = '*';

/** Named sums by label. */
export type SumTable = ReadonlyMap<string, ReadonlyMap<string, bigint>>;

/** What is added up while the pages of a list come in: of a bounded size whatever the list holds. */
export interface Sums {
  readonly table: SumTable;
  add(name: string, label: string, amount: bigint): void;
}

export const createSums = (): Sums => {
  const table = new Map<string, Map<string, bigint>>();
  return {
    table,
    add(name, label, amount) {
      const byLabel = table.get(name) ?? new Map<string, bigint>();
      if (byLabel.size === 0) table.set(name, byLabel);
      const known = byLabel.get(label);
      if (known !== undefined || byLabel.size < labelLimit) byLabel.set(label, (known ?? 0n) + amount);
      else byLabel.set(beyond, (byLabel.get(beyond) ?? 0n) + amount);
    },
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
