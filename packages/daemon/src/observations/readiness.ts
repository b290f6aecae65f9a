import { endpointStatus } from '../checks/endpoint/endpoint-status.js';
import type { Config } from '../config/schema.js';
import type { Observations } from './observations.js';

/**
 * Reason why the daemon is not ready yet: no endpoint has been queried. Empty after the first reading, so that an endpoint that
 * times out does not delay data from the others.
 */
export const missingReadings = (config: Config, observations: Pick<Observations, 'outcome'>): string => {
  const names = config.endpoints
    .map(({ name }) => name)
    .filter((name) => observations.outcome(endpointStatus, name) === undefined);
  return names.length < config.endpoints.length ? '' : `not asked yet: ${names.join(', ')}`;
};
