import { HubError } from '@hubwatch/client';
import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import type { Endpoint, QueryTransport } from './endpoint.js';
import type { StateProbe } from './state-search.js';

/** A handler that failed after its state was opened: the module's store is younger than the requested state. */
const isOpenedState = (error: HubError): boolean =>
  error.code === 'not_found' ||
  (error.code === 'internal' && /nil pointer|runtime error|panic/.test(error.raw.text ?? ''));

/**
 * Queries the cheapest state of the hub's oldest module at a height. Only an explicit refusal means that the state is
 * not available. Rate limits, time-outs, a starting node, and a backend that has not reached the height prove nothing.
 */
export const probeState = async (
  endpoint: Endpoint,
  transport: QueryTransport,
  height: bigint,
  signal: AbortSignal,
): Promise<StateProbe> => {
  try {
    const answer = await endpoint.query(transport, queryParams, {}, { height, signal });
    // A proxy that drops the header responds from the latest state.
    return answer.height === undefined || answer.height === height ? 'held' : 'unclear';
  } catch (error) {
    if (signal.aborted || !(error instanceof HubError)) throw error;
    if (error.code === 'height_not_retained' || error.code === 'height_never_existed') return 'not_held';
    return isOpenedState(error) ? 'held' : 'unclear';
  }
};
