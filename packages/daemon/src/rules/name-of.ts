import type { RuleView } from './rule.js';

/** Name that people know an address by: the alias, or the address. */
export const nameOf = ({ config }: Pick<RuleView, 'config'>, address: string): string =>
  [...config.watch.nodes, ...config.watch.providers].find((one) => one.address === address)?.alias ?? address;
