import type { Cancel } from '@hubwatch/client';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { turn } from '../turn.js';
import { StoreConnection, isDiskFull, type Row, storeBytes, type Value } from './connection.js';
import { readFact, writeFact } from './facts.js';
import { FileWatch } from './file-watch.js';
import type { KeepStoreParts, KeptStore, Rebuilt, StoreFault } from './kept-store.js';
import { lockIdentity, type Unlock } from './lock.js';
import { advance, drain, finish } from '../slices.js';
import type { Store } from './store.js';
import { StoreError, storeFaults, type StoreFaultKind } from './store-error.js';
import {
  cannotOpen,
  damageOf,
  type FileState,
  immutableUri,
  isCurrent,
  moveAside,
  openConnection,
} from './store-file.js';
import { syncFile } from './sync-file.js';
import { type CopyLimits, copyTables, mergeChanges, tableGroups, trackChanges } from './table-copy.js';

/** Interval of checks of the file, and of attempts to use it again. */
const lookMs = 5_000;
/** Time without a commit after which a small one is made, to detect a full disk. */
const quietMs = 30_000;
/** A lock held by another process for less time than this causes no notice. */
const lockPatienceMs = 15_000;
/** Maximum number of ledger entries copied to memory, the latest first; older ones stay in the file. */
const ledgerRowsInMemory = 50_000;

const rebuiltFact = 'store_rebuilt';
/** Set while lost ledger entries have not been read again. */
const refillFact = 'ledger_refill';

const allGroups = (): readonly string[] => tableGroups.map(({ name }) => name);

/** The daemon's store in a file, replaced by memory while the file is unusable. */
export class FileStore implements KeptStore {
  readonly path: string;
  readonly #parts: KeepStoreParts;
  readonly #unlock: Unlock;
  #unlockIdentity: Unlock = () => undefined;
  /** The file; `undefined` while none can be opened. */
  #file: StoreConnection | undefined;
  #watch: FileWatch | undefined;
  /** A copy in memory that replaces the file while it is unusable. */
  #memory: StoreConnection | undefined;
  #lost: readonly string[] = [];
  #fault:
    | { kind: StoreFaultKind; readonly sinceMs: number; readonly sinceMonotonicMs: number; text: string }
    | undefined;
  /** The file is permanently unusable and must be replaced by a new one. */
  #needsNewFile = false;
  #announced: StoreFaultKind | undefined;
  #rebuilt: Rebuilt | undefined;
  #isRefilling = false;
  /** Copying to memory, or the return to the file. */
  #work: Promise<void> | undefined;
  #writtenMs = 0;
  #cancel: Cancel | undefined;
  #isOpen = false;
  #isClosed = false;

  constructor(parts: KeepStoreParts, path: string, unlock: Unlock) {
    const { meter } = parts;
    // Waits during `open` are not measured: nothing else runs yet that could be delayed.
    const waited = (seconds: number): void => void (this.#isOpen && meter.waited(seconds));
    this.path = path;
    this.#parts = { ...parts, meter: { ...meter, waited } };
    this.#unlock = unlock;
  }

  /** Opens the file that `inspectFile` found. */
  async open(state: FileState): Promise<void> {
    const { path } = this;
    for (const end of ['', '-wal', '-shm']) this.#remove(`${freshPath(path)}${end}`);
    try {
      if (state === 'damaged') throw new StoreError('damaged', 'its first page is not that of a store');
      this.#openFile();
      const damage = state === 'store' ? damageOf(this.#current()) : undefined;
      if (damage !== undefined) throw new StoreError('damaged', damage);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      await this.#openWithFault(error, state);
    }
    const text = readFact(this, rebuiltFact);
    this.#rebuilt = text === undefined ? undefined : (JSON.parse(text) as Rebuilt);
    this.#isRefilling = readFact(this, refillFact) !== undefined;
    this.#isOpen = true;
    this.#look();
  }

  run(sql: string, ...values: Value[]): void {
    const open = this.#inTransaction();
    if (open !== undefined) {
      open.run(sql, ...values);
      return;
    }
    try {
      this.transaction(() => this.#current().run(sql, ...values));
    } catch (error) {
      // A failed statement had no effect, so it can run again on the copy.
      if (!(error instanceof StoreError) || this.#memory === undefined) throw error;
      this.#memory.run(sql, ...values);
    }
  }

  all(sql: string, ...values: Value[]): readonly Row[] {
    const current = this.#current();
    try {
      return current.all(sql, ...values);
    } catch (error) {
      if (!(error instanceof StoreError) || current.inTransaction) throw error;
      this.#failed(error);
      if (this.#memory === undefined || this.#memory === current) throw error;
      return this.#memory.all(sql, ...values);
    }
  }

  transaction<T>(work: () => T): T {
    const open = this.#inTransaction();
    if (open !== undefined) return work();
    const current = this.#begin();
    try {
      const result = current.within(work);
      this.#writtenMs = this.#parts.clock.monotonicMs();
      return result;
    } catch (error) {
      if (error instanceof StoreError) this.#failed(error);
      throw error;
    }
  }

  bytes(): number {
    return storeBytes(this.path);
  }

  fault(): StoreFault | undefined {
    if (this.#fault === undefined) return undefined;
    const { kind, sinceMs, sinceMonotonicMs, text } = this.#fault;
    if (kind === 'locked' && this.#parts.clock.monotonicMs() - sinceMonotonicMs < lockPatienceMs) return undefined;
    return { kind, sinceMs, text, todo: storeFaults[kind].todo };
  }

  rebuilt(): Rebuilt | undefined {
    return this.#rebuilt;
  }

  isRefilling(): boolean {
    return this.#isRefilling;
  }

  refilled(): void {
    this.run('DELETE FROM facts WHERE name = ?', refillFact);
    this.#isRefilling = false;
  }

  async settled(): Promise<void> {
    await this.#work;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.#work;
    if (this.#memory !== undefined) await this.#return();
    this.#memory?.close();
    this.#checkpoint();
    this.#closeFile();
    this.#unlockIdentity();
    this.#unlock();
  }

  /** After a clean shutdown the file alone contains all data. */
  #checkpoint(): void {
    try {
      if (this.#fault === undefined) this.#file?.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      // The remaining data are in the log, which the next start reads.
      this.#parts.logger.warn({ store: this.path, failure: String(error) }, 'store: not checkpointed');
    }
  }

  #current(): StoreConnection {
    const current = this.#memory ?? this.#file;
    if (current === undefined) throw new StoreError(this.#fault?.kind ?? 'failing', 'it is not open');
    return current;
  }

  #inTransaction(): StoreConnection | undefined {
    return [this.#memory, this.#file].find((connection) => connection?.inTransaction === true);
  }

  /** Opens a transaction on the file, or in memory if the file does not accept one now. */
  #begin(): StoreConnection {
    if (this.#fault !== undefined && this.#memory === undefined)
      throw new StoreError(this.#fault.kind, 'it is being copied to memory');
    const current = this.#current();
    try {
      current.begin();
      return current;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#failed(error);
      if (this.#memory === undefined || this.#memory === current) throw error;
      this.#memory.begin();
      return this.#memory;
    }
  }

  /** Handles a failure of the file: replaces it by a copy in memory, at once if that is fast. */
  #failed(error: StoreError): void {
    if (this.#fault !== undefined) return;
    this.#setFault(error);
    const memory = openConnection(':memory:');
    const copying = this.#copyFile(memory, { ledgerRows: ledgerRowsInMemory });
    const step = advance(copying);
    if (step.done === true) this.#useMemory(memory, step.value);
    else
      this.#work = turn()
        .then(() => drain(copying))
        .then((lost) => this.#useMemory(memory, lost))
        .catch((unexpected: unknown) => {
          this.#parts.logger.error({ err: unexpected }, 'store: not copied to memory');
          this.#useMemory(memory, allGroups());
        })
        .finally(() => {
          this.#work = undefined;
        });
  }

  *#copyFile(memory: StoreConnection, limits: CopyLimits): Generator<void, readonly string[]> {
    const file = this.#file;
    if (file === undefined) return allGroups();
    let snapshot: { end(): void } | undefined;
    try {
      snapshot = file.snapshot();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
    try {
      return yield* copyTables(file, memory, limits);
    } finally {
      snapshot?.end();
    }
  }

  #useMemory(memory: StoreConnection, lost: readonly string[]): void {
    trackChanges(memory);
    this.#memory = memory;
    this.#lost = lost;
    if (lost.length > 0 && this.#fault !== undefined && this.#file !== undefined)
      this.#setFault(new StoreError('damaged', `cannot be read: ${lost.join(', ')}`));
    this.#announce();
  }

  #setFault(error: StoreError): void {
    const { clock } = this.#parts;
    this.#fault ??= { kind: error.kind, sinceMs: clock.nowMs(), sinceMonotonicMs: clock.monotonicMs(), text: '' };
    this.#fault.kind = error.kind;
    this.#fault.text = error.message;
    this.#needsNewFile = error.kind === 'gone' || error.kind === 'damaged';
  }

  /** Checks the file once, or attempts once to return to it. */
  #look(): void {
    if (this.#isClosed) return;
    const { clock } = this.#parts;
    this.#cancel = clock.setTimeout(() => this.#look(), lookMs);
    if (this.#fault === undefined) this.#check();
    else if (this.#memory !== undefined)
      this.#work ??= this.#return().finally(() => {
        this.#work = undefined;
      });
    this.#announce();
  }

  #check(): void {
    const { clock } = this.#parts;
    const found = this.#watch?.check() ?? (isDiskFull(this.path) ? 'full' : undefined);
    if (found !== undefined) {
      this.#failed(new StoreError(found, this.path));
      return;
    }
    try {
      if (clock.monotonicMs() - this.#writtenMs >= quietMs) writeFact(this, 'store_written_ms', String(clock.nowMs()));
      else this.#file?.probe();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#failed(error);
    }
  }

  /** Reports a fault that began, changed or ended. */
  #announce(): void {
    const { kind, text } = this.fault() ?? {};
    if (kind === this.#announced) return;
    this.#announced = kind;
    const { logger, meter, onChange } = this.#parts;
    if (kind === undefined) logger.warn({ store: this.path }, 'store: recovered');
    else logger.error({ store: this.path, kind, failure: text }, 'store: continuing from memory');
    meter.failing(kind);
    // Deferred: the caller has to undo its failed part first.
    queueMicrotask(onChange);
  }

  /** Writes the changes from memory to the file, or all data to a new file, and uses the file again. */
  async #return(): Promise<void> {
    try {
      const found = this.#needsNewFile ? undefined : this.#watch?.check();
      if (found !== undefined) this.#setFault(new StoreError(found, this.path));
      // Small commits may still fit into the log; the next large one would not.
      if (isDiskFull(this.path)) throw new StoreError('full', this.path);
      if (this.#needsNewFile || this.#file === undefined) await this.#rebuild();
      else if (this.#isReopened()) this.#openFile();
      await this.#merge();
    } catch (error) {
      this.#setFault(error instanceof StoreError ? error : new StoreError('failing', String(error), { cause: error }));
    }
    this.#announce();
  }

  /** A connection stays usable after a full disk and after a lock; after other failures a new one is required. */
  #isReopened(): boolean {
    return this.#watch === undefined || !['full', 'locked'].includes(this.#fault?.kind ?? 'failing');
  }

  async #merge(): Promise<void> {
    const [memory, file] = [this.#memory, this.#file];
    if (memory === undefined || file === undefined) return;
    // Without changes the merge would write nothing, and so would not prove that the file works again.
    file.probe();
    await drain(mergeChanges(memory, file));
    // No changes are possible since the last step, because the event loop did not run.
    this.#memory = undefined;
    this.#fault = undefined;
    this.#lost = [];
    this.#watch?.check();
    memory.close();
  }

  /** Writes a new file and replaces the old one with it. */
  async #rebuild(): Promise<void> {
    const { path } = this;
    const { clock, meter } = this.#parts;
    const memory = this.#memory;
    if (memory === undefined) return;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const fresh = freshPath(path);
    for (const end of ['', '-wal', '-shm']) this.#remove(`${fresh}${end}`);
    const kind = this.#fault?.kind ?? 'failing';
    const source = kind === 'gone' && this.#lost.length === 0 ? (this.#file ?? memory) : memory;
    const next = openConnection(fresh, meter, { synchronous: 'OFF' });
    try {
      await drain(copyTables(source, next));
    } finally {
      next.retire();
    }
    await syncFile(fresh);
    const unlockIdentity = await lockIdentity(fresh);
    this.#closeFile('retire');
    const movedTo = existsSync(path)
      ? moveAside(path, kind === 'damaged' ? 'damaged' : 'replaced', clock.nowMs())
      : undefined;
    for (const end of ['-wal', '-shm']) this.#remove(`${path}${end}`);
    renameSync(fresh, path);
    this.#unlockIdentity();
    this.#unlockIdentity = unlockIdentity;
    this.#noteRebuilt(memory, { atMs: clock.nowMs(), reason: kind, movedTo, lost: this.#lost });
    this.#openFile();
    this.#needsNewFile = false;
  }

  #noteRebuilt(store: Pick<Store, 'run'>, rebuilt: Rebuilt): void {
    const { logger, meter } = this.#parts;
    this.#rebuilt = rebuilt;
    writeFact(store, rebuiltFact, JSON.stringify(rebuilt));
    if (rebuilt.lost.includes('ledger')) {
      this.#isRefilling = true;
      writeFact(store, refillFact, '1');
    }
    meter.rebuilt(rebuilt.reason);
    logger.error({ store: this.path, ...rebuilt }, 'store: written new');
  }

  /** Starts although the file is unusable. */
  async #openWithFault(error: StoreError, state: FileState): Promise<void> {
    if (error.kind === 'failing' || error.kind === 'gone') throw cannotOpen(this.path, error);
    if (error.kind === 'damaged') {
      try {
        await this.#salvage();
        return;
      } catch (failure) {
        // The file cannot be moved aside now; the daemon starts from memory and tries again.
        this.#setFault(failure instanceof StoreError ? failure : new StoreError('readonly', String(failure)));
        this.#closeFile('retire');
      }
    } else {
      this.#setFault(error);
      if (state === 'store') this.#openReadable(error);
    }
    const memory = openConnection(':memory:');
    const isNew = this.#file === undefined && error.kind !== 'damaged';
    this.#useMemory(memory, isNew ? [] : finish(this.#copyFile(memory, {})));
  }

  /** Moves a damaged file aside and writes a new one with its readable data. */
  async #salvage(): Promise<void> {
    const { path } = this;
    const atMs = this.#parts.clock.nowMs();
    this.#closeFile('retire');
    const movedTo = moveAside(path, 'damaged', atMs);
    this.#unlockIdentity = await lockIdentity(path);
    this.#openFile();
    const file = this.#current();
    let lost = allGroups();
    try {
      const old = new StoreConnection(movedTo);
      try {
        lost = finish(copyTables(old, file, { isChecked: true }));
      } finally {
        old.close();
      }
    } catch (error) {
      // Nothing in the file is readable.
      if (!(error instanceof StoreError)) throw error;
    }
    this.#noteRebuilt(file, { atMs, reason: 'damaged', movedTo, lost });
  }

  /** Opens a file that cannot be written now, or whose companion files cannot be created, to read it once. */
  #openReadable(error: StoreError): void {
    const file = new StoreConnection(this.path, this.#parts.meter, immutableUri(this.path));
    this.#file = file;
    // Its tables cannot be migrated now, and reading them as they are would lose data.
    if (!isCurrent(file)) throw cannotOpen(this.path, error);
  }

  #openFile(): void {
    const { path } = this;
    const old = this.#file;
    // The watch of an unchanged file stays open: closing it would drop the locks on the file.
    this.#watch ??= existsSync(path) ? new FileWatch(path) : undefined;
    this.#file = openConnection(path, this.#parts.meter);
    this.#watch ??= new FileWatch(path);
    this.#watch.check();
    old?.close();
  }

  #closeFile(how: 'close' | 'retire' = 'close'): void {
    this.#file?.[how]();
    this.#file = undefined;
    this.#watch?.close();
    this.#watch = undefined;
  }

  #remove(path: string): void {
    rmSync(path, { force: true });
  }
}

const freshPath = (path: string): string => `${path}.new`;
