import type { AlertStore } from '../alerts/alert-store.js';
import type { Changes } from '../alerts/changes.js';
import type { Journal } from '../store/journal.js';
import type { Outbox } from './outbox.js';

export interface CommitParts {
  readonly alertStore: Pick<AlertStore, 'write'>;
  readonly outbox: Outbox;
  readonly journal: Journal;
}

/** Stores the changes of alerts and their notices in one commit, and passes the notices to the senders. */
export const createCommit =
  ({ alertStore, outbox, journal }: CommitParts) =>
  (changes: Changes): void => {
    const batch = outbox.prepare(changes.notices);
    journal.write(() => {
      alertStore.write(changes);
      outbox.write(batch);
    });
    outbox.add(batch);
  };
