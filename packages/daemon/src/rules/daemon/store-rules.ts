import { hasBegunOrIncreased } from '../../checks/prometheus.js';
import { utc } from '../../words.js';
import type { Rule } from '../rule.js';

/** Minimum time for which a new store is reported; longer while the ledger is read again. */
const reportedMs = 3_600_000;

/** The store cannot be used: the daemon keeps its state in memory. */
export const storeFailing: Rule = {
  name: 'HubwatchStoreFailing',
  severity: 'critical',
  forMs: 0,
  time: 'clock',
  prometheus: {
    expr: 'hubwatch_store_healthy == 0',
    labels: [],
    summary: 'The daemon cannot write its store',
    description:
      'Alerts, notices and the ledger are kept in memory only, and a restart would lose them. Check the disk; the status page and the log show the reason.',
  },
  evaluate({ store }) {
    if (store === undefined) return [];
    const fault = store.fault();
    if (fault === undefined)
      return [{ subject: 'store', term: '', state: 'ok', title: 'store: everything is kept on disk again', text: '' }];
    return [
      {
        subject: 'store',
        term: '',
        state: 'firing',
        title: `store: not written since ${utc(fault.sinceMs)}: ${fault.text}`,
        text: `Alerts, notices and the ledger continue from memory. A restart of the daemon would lose them.\n${fault.todo}`,
      },
    ];
  },
};

/** The store was lost or damaged and was created again. */
export const storeRebuilt: Rule = {
  name: 'HubwatchStoreRebuilt',
  severity: 'warning',
  forMs: 0,
  time: 'clock',
  prometheus: {
    expr: hasBegunOrIncreased('hubwatch_store_rebuilds_total', ['reason'], reportedMs),
    labels: ['reason'],
    summary: 'The store was {{ $labels.reason }}, and the daemon created a new one',
    description:
      'Some data may be lost. The daemon reads the ledger from the chain again, as far as endpoints still have the blocks. The status page shows the lost data and the path of the old file.',
    difference:
      'In Prometheus it ends after an hour, or after ten minutes for the first rebuild since the start. In the daemon it also fires while the ledger is read again.',
  },
  evaluate({ store, clockMs }) {
    if (store === undefined) return [];
    const rebuilt = store.rebuilt();
    const isRecent = rebuilt !== undefined && clockMs - rebuilt.atMs < reportedMs;
    if (!isRecent && !store.isRefilling())
      return [{ subject: 'store', term: '', state: 'ok', title: 'store: complete', text: '' }];
    const { atMs = clockMs, reason = '', movedTo, lost = [] } = rebuilt ?? {};
    return [
      {
        subject: 'store',
        term: '',
        state: 'firing',
        title: `store: ${reason === 'damaged' ? 'was damaged' : 'was deleted or replaced'}, written new at ${utc(atMs)}`,
        text: [
          movedTo === undefined ? '' : `The old file is kept as ${movedTo}.`,
          lost.length === 0 ? 'Everything in it was kept.' : `Lost: ${lost.join(', ')}.`,
          lost.includes('ledger') ? 'The ledger is read again from the chain as far as endpoints hold its blocks.' : '',
        ]
          .filter((line) => line !== '')
          .join('\n'),
      },
    ];
  },
};
