import type { Config } from '../../config/schema.js';
import { networkName } from '../../config/network-name.js';
import type { Target } from '../check.js';

/** The only target of checks about the chain. Its key is the network name that alerts use. */
export const chainTargets = (config: Config): readonly Target[] => [{ key: networkName(config) }];
