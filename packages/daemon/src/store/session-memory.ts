import { createSessionCounts, type SessionCounts } from './session-counts.js';
import { createSessionHistory, type SessionHistory } from './session-history.js';
import type { Store } from './store.js';

/** Session data of watched nodes stored between polls. */
export interface SessionMemory {
  readonly history: SessionHistory;
  readonly counts: SessionCounts;
}

export const createSessionMemory = (store: Store): SessionMemory => ({
  history: createSessionHistory(store),
  counts: createSessionCounts(store),
});
