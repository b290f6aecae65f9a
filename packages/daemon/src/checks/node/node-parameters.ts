import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import type { Source } from '../../endpoints/sources.js';
import { cachedRead, keepForOthers } from '../cached-read.js';
import type { CollectContext } from '../check.js';
import { msOf } from '../times.js';
import { usualTimeoutMs } from './heartbeat-interval.js';
import type { PriceMinimums } from './price-minimums.js';

/** Chain parameters that affect nodes. */
export interface NodeParameters {
  readonly minimums: PriceMinimums;
  /** Time after the last heartbeat until a node becomes inactive. */
  readonly timeoutMs: number | undefined;
}

const everyMs = 600_000;
/** How long after a failure they are not requested again. */
const retryMs = 60_000;
const timeoutName = 'node timeout';

/**
 * Reads the parameters once in ten minutes for all nodes. `undefined` if they are not available; the check of parameters
 * reports the failure.
 */
export const readNodeParameters = (
  context: Pick<CollectContext, 'memory' | 'clock'>,
  source: Source,
): Promise<NodeParameters | undefined> =>
  cachedRead(context, 'node parameters, tried', retryMs, async () => {
    try {
      return await cachedRead(context, 'node parameters', everyMs, async () => {
        const { params } = (await source.call(queryParams, {})).message;
        const { minHourlyPrices, minGigabytePrices } = params;
        const statusTimeout = params.statusTimeout as typeof params.statusTimeout | undefined;
        const timeoutMs = statusTimeout === undefined ? undefined : msOf(statusTimeout);
        if (timeoutMs !== undefined) keepForOthers(context, timeoutName, timeoutMs);
        return { minimums: { hour: minHourlyPrices, gigabyte: minGigabytePrices }, timeoutMs };
      });
    } catch {
      return undefined;
    }
  });

/** Latest known heartbeat timeout; that of the main network if it was never read. */
export const nodeTimeoutMs = async (
  context: Pick<CollectContext, 'memory' | 'clock'>,
  source: Source,
): Promise<number> => {
  const read = (await readNodeParameters(context, source))?.timeoutMs;
  return (
    read ?? (await cachedRead(context, timeoutName, Number.POSITIVE_INFINITY, () => Promise.resolve(usualTimeoutMs)))
  );
};
