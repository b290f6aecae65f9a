import { convertAddress } from '@hubwatch/client/address';
import type { Config } from '../../config/schema.js';
import type { Target } from '../check.js';

/** Denomination that fees and most payments are in. */
export const nativeDenom = 'udvpn';

export interface AccountTarget extends Target {
  /** Name that people know it by. */
  readonly title: string;
  readonly alias: string;
  /** What it should hold at least, by denomination. */
  readonly minimum: ReadonlyMap<string, bigint>;
  /** Denominations of which the balance is read. */
  readonly denoms: readonly string[];
}

/** The account that signs and pays for a watched node: the same key under another prefix. */
export const accountOfNode = (node: string): string => convertAddress(node, 'account');

/** By configuration: it never changes, and addresses are dear to write in another form. */
const known = new WeakMap<Config, readonly AccountTarget[]>();

/** Accounts that are watched: those configured, then those of watched nodes that are not among them. */
export const accountTargets = (config: Config): readonly AccountTarget[] => {
  const targets = known.get(config) ?? targetsOf(config);
  known.set(config, targets);
  return targets;
};

const targetsOf = ({ watch }: Config): readonly AccountTarget[] => {
  const configured = watch.accounts.map(({ address, alias, minimum = {} }): AccountTarget => {
    const least = new Map(Object.entries(minimum));
    return {
      key: address,
      title: alias ?? address,
      alias: alias ?? '',
      minimum: least,
      denoms: [...new Set([nativeDenom, ...least.keys()])],
    };
  });
  const taken = new Set(configured.map(({ key }) => key));
  const ofNodes = watch.nodes.flatMap(({ address, alias }): AccountTarget[] => {
    const key = accountOfNode(address);
    if (taken.has(key)) return [];
    taken.add(key);
    const title = `account of ${alias ?? address}`;
    return [{ key, title, alias: alias ?? '', minimum: new Map(), denoms: [nativeDenom] }];
  });
  return [...configured, ...ofNodes];
};
