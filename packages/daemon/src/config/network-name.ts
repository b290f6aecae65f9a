import type { Config } from './schema.js';

/** Subject of alerts about the whole network. */
export const networkName = ({ network }: Pick<Config, 'network'>): string =>
  network.name ?? network.chain_id ?? 'chain';
