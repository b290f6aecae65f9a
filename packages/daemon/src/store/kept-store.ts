import type { Clock } from '@hubwatch/client';
import type { Logger } from '../log.js';
import type { StoreMeter } from './connection.js';
import type { Store } from './store.js';
import type { StoreFaultKind } from './store-error.js';

/** What is wrong with the store now. */
export interface StoreFault {
  readonly kind: StoreFaultKind;
  /** Time of day, milliseconds, at which it was noticed. */
  readonly sinceMs: number;
  readonly text: string;
  readonly todo: string;
}

/** A store that was replaced by a new one. */
export interface Rebuilt {
  readonly atMs: number;
  readonly reason: string;
  /** Where the old file is now; absent when it was deleted. */
  readonly movedTo?: string | undefined;
  /** Groups of tables that could not be read. */
  readonly lost: readonly string[];
}

/** The store of the daemon. While the file cannot be used, everything is read from and written to memory. */
export interface KeptStore extends Omit<Store, 'close'> {
  /** Writes what is in memory to the file, if that can be used, and closes it. */
  close(): Promise<void>;
  /** What is wrong now; `undefined` while everything is on disk. */
  fault(): StoreFault | undefined;
  /** The last time that the file was written new; `undefined` when it never was. */
  rebuilt(): Rebuilt | undefined;
  /** Whether entries of the ledger that were lost are not read again yet. */
  isRefilling(): boolean;
  /** The lost entries of the ledger are read again, as far as they can be. */
  refilled(): void;
  /** Resolves when a return to the file that is under way has ended. */
  settled(): Promise<void>;
}

export interface KeptStoreMeter extends StoreMeter {
  /** A new file was written. */
  rebuilt(reason: string): void;
  /** The fault began or changed; `undefined` when it ended. */
  failing(kind: StoreFaultKind | undefined): void;
}

/** State of the store, as rules and the health check see it. */
export type StoreHealth = Pick<KeptStore, 'fault' | 'rebuilt' | 'isRefilling'>;

export interface KeepStoreParts {
  readonly path: string;
  /** Chain that is watched, where it is configured. */
  readonly chainId: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly meter: KeptStoreMeter;
  /** The fault began, changed or ended. */
  readonly onChange: () => void;
}
