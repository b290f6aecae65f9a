import type { Config } from './schema.js';

/** What alerts about the whole network are about. */
export const networkName = ({ network }: Pick<Config, 'network'>): string =>
  network.name ?? network.chain_id ?? 'chain';
