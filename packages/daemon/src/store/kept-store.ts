import type { Clock } from '@hubwatch/client';
import type { Logger } from '../log.js';
import type { StoreMeter } from './connection.js';
import type { Store } from './store.js';
import type { StoreFaultKind } from './store-error.js';

/** Current fault of the store. */
export interface StoreFault {
  readonly kind: StoreFaultKind;
  /** Time of day, milliseconds, at which it was detected. */
  readonly sinceMs: number;
  readonly text: string;
  readonly todo: string;
}

/** A store that was replaced by a new one. */
export interface Rebuilt {
  readonly atMs: number;
  readonly reason: string;
  /** New path of the old file; absent if it was deleted. */
  readonly movedTo?: string | undefined;
  /** Groups of tables that could not be read. */
  readonly lost: readonly string[];
}

/** The daemon's store. While the file is unusable, all data are read from and written to memory. */
export interface KeptStore extends Omit<Store, 'close'> {
  /** Writes the data in memory to the file, if possible, and closes it. */
  close(): Promise<void>;
  /** The current fault; `undefined` while all data are on disk. */
  fault(): StoreFault | undefined;
  /** The last rewrite of the file; `undefined` if there was none. */
  rebuilt(): Rebuilt | undefined;
  /** Whether lost ledger entries have not been read again yet. */
  isRefilling(): boolean;
  /** Call when the lost ledger entries have been read again, as far as possible. */
  refilled(): void;
  /** Resolves when a return to the file in progress has ended. */
  settled(): Promise<void>;
}

export interface KeptStoreMeter extends StoreMeter {
  /** Called when a new file was written. */
  rebuilt(reason: string): void;
  /** Called when the fault began or changed; `undefined` when it ended. */
  failing(kind: StoreFaultKind | undefined): void;
}

/** State of the store for rules and the health check. */
export type StoreHealth = Pick<KeptStore, 'fault' | 'rebuilt' | 'isRefilling'>;

export interface KeepStoreParts {
  readonly path: string;
  /** The watched chain, if configured. */
  readonly chainId: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly meter: KeptStoreMeter;
  /** Called when the fault began, changed or ended. */
  readonly onChange: () => void;
}
