import type { Config } from '../config/schema.js';
import type { RuleView } from './rule.js';

/** Cache per configuration, which never changes. */
const known = new WeakMap<Config, ReadonlyMap<string, string>>();

/** Display name of an address: the alias, or the address. */
export const nameOf = ({ config }: Pick<RuleView, 'config'>, address: string): string => {
  const names = known.get(config) ?? namesOf(config);
  known.set(config, names);
  return names.get(address) ?? address;
};

/** If an address is listed twice, the first name applies. */
const namesOf = ({ watch }: Config): ReadonlyMap<string, string> =>
  new Map(
    [...watch.nodes, ...watch.providers].toReversed().map(({ address, alias }) => [address, alias ?? address] as const),
  );
