import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** Files that SQLite creates next to the store; if one is removed, commits are lost with it. */
const companions = ['-wal', '-shm'] as const;
const headBytes = 100;
const magic = 'SQLite format 3\0';

/** Watches whether the path of an open store still refers to the open file, and whether the file is still a store. */
export class FileWatch {
  readonly #path: string;
  readonly #file: number;
  readonly #identity: string;
  readonly #companions = new Map<string, string>();
  #wasShort = false;

  /** Open it before the database and close it after it: closing a file drops the locks that the process holds on it. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'r');
    const { dev, ino } = fstatSync(this.#file);
    this.#identity = `${dev} ${ino}`;
  }

  /** State of the file; `undefined` if it is unchanged. */
  check(): 'gone' | 'damaged' | undefined {
    if (identityOf(this.#path) !== this.#identity) return 'gone';
    for (const end of companions) {
      const now = identityOf(`${this.#path}${end}`);
      const before = this.#companions.get(end);
      if (before !== undefined && now !== before) return 'gone';
      if (now !== undefined) this.#companions.set(end, now);
    }
    return this.#isStore() ? undefined : 'damaged';
  }

  close(): void {
    closeSync(this.#file);
  }

  #isStore(): boolean {
    const head = Buffer.alloc(headBytes);
    const read = readSync(this.#file, head, 0, headBytes, 0);
    // Before the first checkpoint all data of a new store are in its log.
    if (read === 0) return !this.#wasShort;
    if (head.toString('latin1', 0, magic.length) !== magic) return false;
    const pageBytes = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
    const isShort = fstatSync(this.#file).size < pageBytes * head.readUInt32BE(28);
    // A checkpoint writes the first page before the last one: only a file that stays short was truncated.
    const isCut = isShort && this.#wasShort;
    this.#wasShort = isShort;
    return !isCut;
  }
}

const identityOf = (path: string): string | undefined => {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat && `${stat.dev} ${stat.ino}`;
  } catch {
    // A parent folder is no longer a folder.
    return undefined;
  }
};
