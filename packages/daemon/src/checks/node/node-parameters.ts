import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import type { Source } from '../../endpoints/sources.js';
import { cachedRead, keepForOthers } from '../cached-read.js';
import type { CollectContext } from '../check.js';
import { msOf } from '../times.js';
import { usualTimeoutMs } from './heartbeat-interval.js';
import type { PriceMinimums } from './price-minimums.js';

/** Parameters of the chain that decide about nodes. */
export interface NodeParameters {
  readonly minimums: PriceMinimums;
  /** How long after its last heartbeat a node goes inactive. */
  readonly timeoutMs: number | undefined;
}

const everyMs = 600_000;
/** Time after a failure in which they are not asked for again. */
const retryMs = 60_000;
const timeoutName = 'node timeout';

/** Read once in ten minutes for all nodes. `undefined`: they cannot be had; the check of parameters reports the failure. */
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

/** The timeout of heartbeats as it was read last; that of the main network where it never was. */
export const nodeTimeoutMs = async (
  context: Pick<CollectContext, 'memory' | 'clock'>,
  source: Source,
): Promise<number> => {
  const read = (await readNodeParameters(context, source))?.timeoutMs;
  return (
    read ?? (await cachedRead(context, timeoutName, Number.POSITIVE_INFINITY, () => Promise.resolve(usualTimeoutMs)))
  );
};
