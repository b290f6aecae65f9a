import { convertAddress } from '@hubwatch/client/address';
import type { Config } from '../../config/schema.js';
import type { Target } from '../check.js';

/** Denomination of fees and most payments. */
export const nativeDenom = 'udvpn';

export interface AccountTarget extends Target {
  /** Display name. */
  readonly title: string;
  readonly alias: string;
  /** Required minimum balances by denomination. */
  readonly minimum: ReadonlyMap<string, bigint>;
  /** Denominations whose balances are read. */
  readonly denoms: readonly string[];
}

/** Account that signs and pays for a watched node: the node's key under the account prefix. */
export const accountOfNode = (node: string): string => convertAddress(node, 'account');

/** Cache per configuration: the targets never change, and converting addresses is expensive. */
const known = new WeakMap<Config, readonly AccountTarget[]>();

/** Watched accounts: first the configured ones, then the accounts of watched nodes that are not configured. */
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
