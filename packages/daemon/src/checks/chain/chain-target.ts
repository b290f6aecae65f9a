import type { Config } from '../../config/schema.js';
import { networkName } from '../../config/network-name.js';
import type { Target } from '../check.js';

/** The one target of checks about the chain itself; its key is what alerts call the network. */
export const chainTargets = (config: Config): readonly Target[] => [{ key: networkName(config) }];
