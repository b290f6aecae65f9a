import type { Family } from '../checks/family.js';
import { type Sample, sample } from '../checks/family.js';
import type { Head } from '../endpoints/head.js';
import type { LedgerView } from '../ledger/ledger.js';
import type { Observations } from '../observations/observations.js';
import type { OwnMetrics } from '../own-metrics.js';
import type { Store } from '../store/store.js';
import type { SweepsView } from '../sweeps/sweeps.js';
import { expose, seriesLimit } from './exposition.js';
import { headFamilies } from './families.js';
import { ledgerSamples } from './ledger-families.js';

export interface MetricsParts {
  readonly families: readonly Family[];
  readonly observations: Pick<Observations, 'snapshots'>;
  readonly head: () => Head | undefined;
  readonly sweeps: Pick<SweepsView, 'samples'>;
  readonly transferred: () => readonly Sample[];
  readonly ledger: Pick<LedgerView, 'totals' | 'position'>;
  readonly own: OwnMetrics;
  readonly store: Pick<Store, 'bytes'>;
  readonly silences: () => number;
}

/** Makes the text of `/metrics`: the chain from snapshots, the daemon's own figures from its registry. Asks no endpoint. */
export const metricsPage = (parts: MetricsParts) => {
  const { families, observations, head, ledger, sweeps, transferred, own, store, silences } = parts;
  own.seriesLimit.set(seriesLimit);
  return async (): Promise<string> => {
    const chain = expose(families, [
      headSnapshot(head()),
      ...observations.snapshots(),
      { samples: sweeps.samples() },
      { samples: [...ledgerSamples(ledger.totals), ...transferred()] },
    ]);
    const [newest, read] = [head()?.height, ledger.position()];
    if (newest === undefined || read === undefined) own.unprocessedBlocks.remove();
    else own.unprocessedBlocks.set(Number(newest > read ? newest - read : 0n));
    own.series.reset();
    for (const [family, series] of chain.seriesByGroup) own.series.set({ family }, series);
    if (chain.dropped > 0) own.seriesDropped.inc({ reason: 'limit' }, chain.dropped);
    own.silences.set({ state: 'active' }, silences());
    own.storeBytes.set(store.bytes());
    return `${chain.text}${await own.registry.metrics()}`;
  };
};

const headSnapshot = (head: Head | undefined) => ({
  samples:
    head === undefined
      ? []
      : [
          sample(headFamilies.headHeight, [], Number(head.height)),
          sample(headFamilies.headTime, [], head.timeMs / 1_000),
        ],
});
