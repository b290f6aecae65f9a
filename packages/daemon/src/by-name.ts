/** Members of a list module, sorted by name: Node returns them in that order, but module transforms may not. */
export const byName = <T>(list: Readonly<Record<string, T>>): readonly T[] =>
  Object.entries(list)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, member]) => member);
