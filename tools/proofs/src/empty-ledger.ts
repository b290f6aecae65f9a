import { createLedgerTotals, type RuleView } from '@hubwatch/daemon/parts';

/** A ledger without events: rules that depend on events from blocks know nothing. */
export const emptyLedger = (): RuleView['ledger'] => ({
  isKept: false,
  position: () => undefined,
  followed: () => undefined,
  isCurrent: () => true,
  lapse: () => undefined,
  recentEnds: () => [],
  lostToLapses: () => [],
  recentLapses: () => [],
  removedLinks: () => [],
  newestStatus: () => undefined,
  totals: createLedgerTotals(),
});
