import type { Family } from '../checks/family.js';
import { type Sample, sample } from '../checks/family.js';
import type { BlockHead } from '../endpoints/head.js';
import type { LedgerView } from '../ledger/ledger.js';
import type { Observations } from '../observations/observations.js';
import type { OwnMetrics } from '../own-metrics.js';
import type { Store } from '../store/store.js';
import type { SweepsView } from '../sweeps/sweeps.js';
import { turn } from '../turn.js';
import { expose, seriesLimit } from './exposition.js';
import { headFamilies } from './families.js';
import { ledgerSamples } from './ledger-families.js';

export interface MetricsParts {
  readonly families: readonly Family[];
  readonly observations: Pick<Observations, 'snapshots'>;
  readonly head: () => BlockHead | undefined;
  readonly sweeps: Pick<SweepsView, 'samples'>;
  readonly transferred: () => readonly Sample[];
  readonly ledger: Pick<LedgerView, 'totals' | 'position'>;
  readonly own: OwnMetrics;
  readonly store: Pick<Store, 'bytes'>;
  readonly silences: () => number;
}

/**
 * Generates the text of `/metrics`: the chain from snapshots, the daemon's own metrics from its registry. Queries no
 * endpoint.
 */
export const metricsPage = (parts: MetricsParts) => {
  const { families, observations, head, ledger, sweeps, transferred, own, store, silences } = parts;
  own.seriesLimit.set(seriesLimit);
  /** Runs one part of the page; if it throws, it is left out and counted, and the others are still exported. */
  const part = <T>(name: string, work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch {
      own.scrapeErrors.inc({ part: name });
      return otherwise;
    }
  };
  const samplesOf = (name: string, work: () => readonly Sample[]) => ({ samples: part(name, work, []) });
  const gauges: Readonly<Record<string, () => void>> = {
    position() {
      const [newest, read] = [head()?.height, ledger.position()];
      if (newest === undefined || read === undefined) own.unprocessedBlocks.remove();
      else own.unprocessedBlocks.set(Number(newest > read ? newest - read : 0n));
    },
    silences: () => own.silences.set({ state: 'active' }, silences()),
    store: () => own.storeBytes.set(store.bytes()),
  };
  return async (): Promise<string> => {
    const snapshots = [
      samplesOf('head', () => headSamples(head())),
      ...part('observations', () => observations.snapshots(), []),
      samplesOf('sweeps', () => sweeps.samples()),
      samplesOf('ledger', () => ledgerSamples(ledger.totals)),
      samplesOf('transferred', transferred),
    ];
    const chain = part('exposition', () => expose(families, snapshots), {
      text: '',
      seriesByGroup: new Map<string, number>(),
      dropped: 0,
    });
    own.series.reset();
    for (const [family, series] of chain.seriesByGroup) own.series.set({ family }, series);
    if (chain.dropped > 0) own.seriesDropped.inc({ reason: 'limit' }, chain.dropped);
    for (const [name, set] of Object.entries(gauges)) part(name, set, undefined);
    await turn();
    const texts: string[] = [];
    let length = 0;
    for (const { name } of own.registry.getMetricsAsArray()) {
      const text = await ownText(own, name);
      texts.push(text);
      length += text.length;
      if (length < turnLength) continue;
      length = 0;
      await turn();
    }
    return `${chain.text}${texts.filter((text) => text !== '').join('\n\n')}\n`;
  };
};

/**
 * Number of characters of the daemon's own metrics written per event loop turn: with many endpoints they are some 200
 * kB.
 */
const turnLength = 32_768;

const ownText = async (own: OwnMetrics, name: string): Promise<string> => {
  try {
    return await own.registry.getSingleMetricAsString(name);
  } catch {
    own.scrapeErrors.inc({ part: 'self' });
    return '';
  }
};

const headSamples = (head: BlockHead | undefined): readonly Sample[] =>
  head === undefined
    ? []
    : [
        sample(headFamilies.headHeight, [], Number(head.height)),
        sample(headFamilies.headTime, [], head.timeMs / 1_000),
      ];
