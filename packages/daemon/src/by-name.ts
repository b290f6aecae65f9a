/** Members of a list module in the order of their names: Node gives them so, what transforms modules may not. */
export const byName = <T>(list: Readonly<Record<string, T>>): readonly T[] =>
  Object.entries(list)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, member]) => member);
