import { endpointStatus } from '../checks/endpoint-status.js';
import type { Config } from '../config/schema.js';
import type { Observations } from './observations.js';

/** Why the daemon is not ready yet: the endpoints it has not asked. Empty when it has asked all of them. */
export const missingReadings = (config: Config, observations: Pick<Observations, 'outcome'>): string => {
  const names = config.endpoints
    .map(({ name }) => name)
    .filter((name) => observations.outcome(endpointStatus, name) === undefined);
  return names.length === 0 ? '' : `not asked yet: ${names.join(', ')}`;
};
