import { createHash } from 'node:crypto';
import { cut } from '../words.js';
import type { Row, Store } from './store.js';
import { limits } from './tables.js';

/** A subject that does not change is noted as read after so long, so that it is not forgotten. */
const notedEveryMs = 86_400_000;
/** Text that an endpoint chose may have any length; beyond this the rest is told apart by its digest. */
const longest = 2_000;

/** Values that a subject had at one height. */
export interface Seen {
  /** What sort of subject: `node price`, `parameters`. Subjects and counts of two kinds have nothing to do with each other. */
  readonly kind: string;
  readonly subject: string;
  /** Value by field, as texts that are equal when the values are. */
  readonly fields: Readonly<Record<string, string>>;
  /** Height of the state that they were read of, where there is one. */
  readonly height: bigint | undefined;
  readonly atMs: number;
  /**
   * The fields are all that the subject has, so that one that appears or vanishes is a change from or to an empty text.
   * Without it a field that is seen for the first time is no change, and one that is left out stands as it was.
   */
  readonly isWhole?: boolean;
}

/** One field of one subject that got another value. */
export interface Change {
  readonly kind: string;
  readonly subject: string;
  readonly field: string;
  readonly before: string;
  readonly after: string;
  /** Height and time at which the new value was first seen; the change itself may be a poll older. */
  readonly height: bigint | undefined;
  readonly atMs: number;
}

/** A value, since when it is known. */
export interface KnownValue {
  readonly value: string;
  readonly height: bigint | undefined;
}

/** What changed, across restarts: a change while the daemon was down is found at its first look. */
export interface ChangeHistory {
  /**
   * Takes the values of now and answers what changed since the last look, each change once. The first look at a subject
   * finds none; neither does one at a lower height than the last, which is no news.
   */
  note(seen: Seen): readonly Change[];
  /** The value of the last look, and the height of the look that found it first. */
  known(kind: string, subject: string, field: string): KnownValue | undefined;
  /** Newest first, of one subject or of all of a kind. */
  changes(kind: string, subject?: string): readonly Change[];
  /** Changes that were ever noted of a subject, those no longer kept included. */
  count(kind: string, subject: string): number;
}

interface Known {
  height: bigint | undefined;
  /** When the store was last told that it is read. */
  notedMs: number;
  readonly values: Map<string, KnownValue>;
}

const bounded = (value: string): string =>
  value.length <= longest
    ? value
    : `${cut(value, longest)} (sha256 ${createHash('sha256').update(value).digest('hex')})`;

const heightOf = ({ height }: Row): bigint | undefined => (typeof height === 'string' ? BigInt(height) : undefined);

export const createChangeHistory = (store: Store): ChangeHistory => {
  const cache = new Map<string, Known>();
  const keyOf = (kind: string, subject: string): string => JSON.stringify([kind, subject]);

  const knownOf = (kind: string, subject: string): Known => {
    const key = keyOf(kind, subject);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const known: Known = { height: undefined, notedMs: 0, values: new Map() };
    for (const row of store.all(
      'SELECT field, value, height, noted_ms FROM seen_values WHERE kind = ? AND subject = ?',
      kind,
      subject,
    )) {
      const height = heightOf(row);
      known.values.set(String(row['field']), { value: String(row['value']), height });
      known.notedMs = Math.max(known.notedMs, Number(row['noted_ms']));
      if (height !== undefined && (known.height === undefined || height > known.height)) known.height = height;
    }
    cache.set(key, known);
    return known;
  };

  const keep = ({ kind, subject, field, before, after, height, atMs }: Change): void => {
    store.run(
      'INSERT INTO changes (kind, subject, field, before, after, height, at_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[kind, subject, field, before, after],
      height === undefined ? null : String(height),
      atMs,
    );
    store.run(
      'INSERT INTO change_counts (kind, subject, count) VALUES (?, ?, 1) ON CONFLICT (kind, subject) DO UPDATE SET count = count + 1',
      kind,
      subject,
    );
  };
  const noteRead = (kind: string, subject: string, known: Known, atMs: number): void => {
    store.run('UPDATE seen_values SET noted_ms = ? WHERE kind = ? AND subject = ?', atMs, kind, subject);
    known.notedMs = atMs;
  };
  const trim = (kind: string, subject: string): void => {
    store.run(
      'DELETE FROM changes WHERE seq IN (SELECT seq FROM changes WHERE kind = ? AND subject = ? ORDER BY seq DESC LIMIT -1 OFFSET ?)',
      ...[kind, subject, limits.changesOfSubject],
    );
    store.run(
      'DELETE FROM changes WHERE seq IN (SELECT seq FROM changes WHERE kind = ? ORDER BY seq DESC LIMIT -1 OFFSET ?)',
      ...[kind, limits.changesOfKind],
    );
  };

  return {
    note({ kind, subject, fields, height, atMs, isWhole = false }) {
      const known = knownOf(kind, subject);
      if (height !== undefined && known.height !== undefined && height < known.height) return [];
      const isFirst = known.values.size === 0;
      const now = new Map(Object.entries(fields).map(([field, value]) => [field, bounded(value)]));
      if (isWhole) for (const field of known.values.keys()) if (!now.has(field)) now.set(field, '');
      const news = [...now].filter(([field, value]) => known.values.get(field)?.value !== value);
      if (news.length === 0) {
        known.height = height ?? known.height;
        if (atMs - known.notedMs >= notedEveryMs) noteRead(kind, subject, known, atMs);
        return [];
      }
      const changes = news.flatMap(([field, after]): Change[] => {
        const before = known.values.get(field)?.value ?? (isWhole && !isFirst ? '' : undefined);
        return before === undefined || before === after ? [] : [{ kind, subject, field, before, after, height, atMs }];
      });
      store.transaction(() => {
        for (const [field, value] of news)
          store.run(
            'INSERT OR REPLACE INTO seen_values (kind, subject, field, value, height, noted_ms) VALUES (?, ?, ?, ?, ?, ?)',
            ...[kind, subject, field, value],
            height === undefined ? null : String(height),
            atMs,
          );
        for (const change of changes) keep(change);
        if (changes.length > 0) trim(kind, subject);
      });
      // After the commit, so that a store that fails is asked for the same change again.
      for (const [field, value] of news) known.values.set(field, { value, height });
      known.height = height ?? known.height;
      known.notedMs = atMs;
      return changes;
    },
    known: (kind, subject, field) => knownOf(kind, subject).values.get(field),
    changes: (kind, subject) =>
      store
        .all(
          `SELECT * FROM changes WHERE kind = ? ${subject === undefined ? '' : 'AND subject = ?'} ORDER BY seq DESC`,
          kind,
          ...(subject === undefined ? [] : [subject]),
        )
        .map((row) => ({
          kind,
          subject: String(row['subject']),
          field: String(row['field']),
          before: String(row['before']),
          after: String(row['after']),
          height: heightOf(row),
          atMs: Number(row['at_ms']),
        })),
    count: (kind, subject) =>
      Number(
        store.all('SELECT count FROM change_counts WHERE kind = ? AND subject = ?', kind, subject)[0]?.['count'] ?? 0,
      ),
  };
};
