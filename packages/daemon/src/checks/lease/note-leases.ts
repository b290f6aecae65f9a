import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { RenewalPricePolicyTable } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import { shortText } from '../../enum-text.js';
import { wholeMs } from '../../whole-ms.js';
import type { CollectContext } from '../check.js';

/** A longer term has no practical end, and a number cannot represent it. */
const mostHours = 10n ** 12n;

/** Stores the terms of leases that were read, so that an early end can be distinguished from the planned one. */
export const noteLeases = (
  { leaseRecords }: Pick<CollectContext, 'leaseRecords'>,
  leases: readonly Lease[],
  height: bigint | undefined,
): void => {
  if (leaseRecords === undefined || height === undefined) return;
  leaseRecords.note(
    leases.flatMap(({ id, startAt, maxHours, renewalPricePolicy }) =>
      startAt === undefined || maxHours > mostHours
        ? []
        : [
            {
              id,
              height,
              policy: shortText(RenewalPricePolicyTable, renewalPricePolicy),
              startMs: wholeMs(startAt),
              hours: Number(maxHours),
            },
          ],
    ),
  );
};
