import { endpointStatus } from '../checks/endpoint/endpoint-status.js';
import type { Config } from '../config/schema.js';
import type { Observations } from './observations.js';

/**
 * Why the daemon is not ready yet: no endpoint has been asked. Empty from the first reading on, so that an endpoint that
 * takes its whole time-out does not hold up what the others tell.
 */
export const missingReadings = (config: Config, observations: Pick<Observations, 'outcome'>): string => {
  const names = config.endpoints
    .map(({ name }) => name)
    .filter((name) => observations.outcome(endpointStatus, name) === undefined);
  return names.length < config.endpoints.length ? '' : `not asked yet: ${names.join(', ')}`;
};
