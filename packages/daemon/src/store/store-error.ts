/** Faults of the store, with a description and the remedy. `locked` and `full` are temporary. */
export const storeFaults = {
  full: { what: 'the disk is full', todo: 'Free space on the file system of the store.' },
  readonly: {
    what: 'the store is read-only',
    todo: 'Make the file and its file system writable for the user of the daemon.',
  },
  locked: {
    what: 'another process holds a lock on the store',
    todo: 'End the process that holds the file; `fuser` names it.',
  },
  gone: {
    what: 'the file of the store was deleted or replaced',
    todo: 'The daemon writes a new file by itself; find out what removed the old one.',
  },
  damaged: {
    what: 'the store is damaged',
    todo: 'The daemon moves the file aside and writes a new one by itself; check the disk.',
  },
  failing: {
    what: 'reads or writes of the store fail',
    todo: 'Check the disk and its file system; the log of the kernel names the device.',
  },
} as const;

export type StoreFaultKind = keyof typeof storeFaults;

/** A failure of the store itself. The transaction in which it occurred had no effect. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly kind: StoreFaultKind;

  constructor(kind: StoreFaultKind, detail: string, options?: ErrorOptions) {
    super(`${storeFaults[kind].what} (${detail})`, options);
    this.kind = kind;
  }
}

/** Result codes of SQLite whose low byte determines the kind. @source https://www.sqlite.org/rescode.html */
const kinds: ReadonlyMap<number, StoreFaultKind> = new Map([
  [5, 'locked'],
  [6, 'locked'],
  [8, 'readonly'],
  [10, 'failing'],
  [11, 'damaged'],
  [13, 'full'],
  [14, 'failing'],
  [26, 'damaged'],
]);
/** Extended codes whose low byte would give the wrong kind: a read beyond the end of the file, and a moved file. */
const extendedKinds: ReadonlyMap<number, StoreFaultKind> = new Map([
  [522, 'damaged'],
  [1032, 'gone'],
]);

/**
 * Converts a failed database call to a `StoreError`; an error caused by the caller (a constraint, an invalid statement)
 * is returned unchanged.
 *
 * @param found determines the kind from the file system, called only if the SQLite code does not
 */
export const storeErrorOf = (error: unknown, found: () => StoreFaultKind): unknown => {
  const code = codeOf(error);
  if (code === undefined) return error;
  const kind = extendedKinds.get(code) ?? kinds.get(code & 0xff);
  if (kind === undefined) return error;
  const { message } = error as Error;
  return new StoreError(kind === 'failing' ? found() : kind, message, { cause: error });
};

/** For a file that cannot be opened, the code is only in the text: `ConnectionFailed("Unable to open …: 14")`. */
const codeOf = (error: unknown): number | undefined => {
  const { rawCode, message } = error as { readonly rawCode?: unknown; readonly message?: unknown };
  if (typeof rawCode === 'number') return rawCode;
  const [, code] = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(String(message)) ?? [];
  return code === undefined ? undefined : Number(code);
};
