import { randomUUID } from 'node:crypto';
import type { Notice } from '../alerts/alert.js';
import type { Journal } from '../store/journal.js';
import type { Attempt, Channel, Delivery } from './channel.js';
import type { OutboxRow, OutboxStore } from './outbox-store.js';

type Target = Pick<Channel, 'name' | 'recipients'>;

/** A notice that has not been delivered to one recipient yet. */
export interface Waiting extends Attempt {
  readonly seq: number;
}

export interface QueueState {
  readonly entries: number;
  /** When the oldest waiting notice was written, in milliseconds. */
  readonly oldestMs: number | undefined;
}

/** Notices of one change, for each recipient, before they are added to the outbox. */
export interface Batch {
  readonly rows: readonly OutboxRow[];
}

export interface OutboxParts {
  readonly store: OutboxStore;
  readonly journal: Journal;
  readonly channels: readonly Target[];
}

/** `mentioned`: listed as still firing in a recovery notice about others. Only affects the order. */
type Report = 'firing' | 'over' | 'mentioned';

/** A row in memory. */
interface Queued extends OutboxRow {
  /** Rule and subject of each alert in the notice, with the reported state. */
  readonly keys: ReadonlyMap<string, Report>;
  /** Whether the server refused the text itself: no further attempt is made once a later notice exists. */
  readonly isRefused: boolean;
}

/**
 * Notices to deliver, one row per recipient. The state in memory is authoritative and the store follows it.
 *
 * For each recipient, notices about the same rule and subject keep the order in which they were written. A waiting notice is
 * overtaken, and not sent, once each of its alerts has a later one: a firing alert needs a later firing notice, a recovery any
 * later notice. The last notice that reaches a recipient is therefore always the last one that was written.
 */
export class Outbox {
  readonly #store: OutboxStore;
  readonly #journal: Journal;
  readonly #channels: readonly Target[];
  /** Rows of each channel and recipient, in order. */
  readonly #queues = new Map<string, Queued[]>();
  #lastSeq: number;

  constructor({ store, journal, channels }: OutboxParts) {
    this.#store = store;
    this.#journal = journal;
    this.#channels = channels;
    this.#lastSeq = store.lastSeq();
    for (const row of store.waiting()) this.#queueOf(row).push(queued(row));
  }

  /** Creates rows of notices for all recipients. Nothing changes before `add`. */
  prepare(notices: readonly Notice[]): Batch {
    let seq = this.#lastSeq;
    const threads = new Map<string, string>();
    const rows = notices.flatMap(({ stream, ...facts }) =>
      this.#channels.flatMap(({ name, recipients }) => {
        const id = randomUUID();
        const key = JSON.stringify([stream, name]);
        const threadId = threads.get(key) ?? this.#threadOf(stream, name) ?? id;
        threads.set(key, threadId);
        const delivery: Delivery = { id, threadId, ...facts };
        return recipients.map((recipient): OutboxRow => {
          seq += 1;
          return { seq, channel: name, recipient, stream, isShort: false, delivery };
        });
      }),
    );
    return { rows };
  }

  /** Writes a batch to the store. Must be called in the commit of the change that it reports. */
  write({ rows }: Batch): void {
    for (const row of rows) this.#store.insert(row);
  }

  /** Adds a committed batch to the queues and removes the rows that it overtakes. */
  add({ rows }: Batch): void {
    for (const row of rows) {
      this.#lastSeq = Math.max(this.#lastSeq, row.seq);
      this.#queueOf(row).push(queued(row));
    }
    this.#sweep(new Set(rows.map(queueKey)));
  }

  /**
   * Waiting notices that may be sent now, by recipient, oldest first: those without an earlier waiting notice about the same
   * rule and subject.
   */
  due(channel: string): readonly Waiting[] {
    return this.#of(channel)
      .flatMap((rows) => {
        const taken = new Set<string>();
        return rows.filter(({ keys }) => {
          const isFirst = [...keys.keys()].every((key) => !taken.has(key));
          for (const key of keys.keys()) taken.add(key);
          return isFirst;
        });
      })
      .toSorted((a, b) => a.seq - b.seq)
      .map((row) => this.#asSent(row));
  }

  /** Whether it still waits. A notice that is overtaken while it is being sent does not. */
  isWaiting({ seq }: Pick<Waiting, 'seq'>): boolean {
    return this.#find(seq) !== undefined;
  }

  /** Whether each of its alerts has a later notice waiting for the same recipient. */
  isFollowed({ seq }: Pick<Waiting, 'seq'>): boolean {
    const row = this.#find(seq);
    return row !== undefined && isFollowed(row, this.#queueOf(row));
  }

  delivered({ seq }: Pick<Waiting, 'seq'>, atMs: number): void {
    this.#remove(seq);
    this.#journal.write(() => this.#store.end(seq, 'delivered', atMs));
  }

  giveUp({ seq }: Pick<Waiting, 'seq'>, failure: string, atMs: number): void {
    this.#remove(seq);
    this.#journal.write(() => this.#store.end(seq, 'dead', atMs, failure));
  }

  /** Records a failed attempt. `isShort`: use the short form next; `isRefused`: the text itself was refused. */
  failed({ seq }: Pick<Waiting, 'seq'>, failure: string, { isShort = false, isRefused = false } = {}): void {
    const row = this.#find(seq);
    if (row === undefined) return;
    const queue = this.#queueOf(row);
    const after = { ...row, isShort: row.isShort || isShort, isRefused: row.isRefused || isRefused };
    queue[queue.indexOf(row)] = after;
    this.#journal.write(() => this.#store.failed(seq, failure, after.isShort));
    this.#sweep(new Set([queueKey(row)]));
  }

  /**
   * Adapts waiting rows to the channels of this start. Rows without a recipient, from an older store, go to all recipients.
   * Rows for recipients that are no longer configured are given up. Returns the number of rows given up.
   */
  reconcile(atMs: number): number {
    for (const { name, recipients } of this.#channels) if (!recipients.includes('')) this.#spread(name, recipients);
    const known = new Set(
      this.#channels.flatMap(({ name, recipients }) =>
        recipients.map((one) => queueKey({ channel: name, recipient: one })),
      ),
    );
    const strays = [...this.#queues].filter(([key]) => !known.has(key)).flatMap(([, rows]) => [...rows]);
    for (const row of strays) this.giveUp(row, 'no longer configured', atMs);
    this.#sweep(known);
    return strays.length;
  }

  queue(channel: string): QueueState {
    const rows = this.#of(channel).flat();
    if (rows.length === 0) return { entries: 0, oldestMs: undefined };
    return {
      entries: rows.length,
      oldestMs: rows.reduce((least, { delivery }) => Math.min(least, delivery.atMs), Infinity),
    };
  }

  givenUp(channel: string, sinceMs: number): number {
    return this.#store.givenUp(channel, sinceMs);
  }

  /** Writes the rows that the store could not write before. */
  retryWrites(): boolean {
    return this.#journal.retry();
  }

  #spread(channel: string, recipients: readonly string[]): void {
    const key = queueKey({ channel, recipient: '' });
    const rows = this.#queues.get(key) ?? [];
    this.#queues.delete(key);
    for (const row of rows) {
      const copies = recipients.map((recipient, index): OutboxRow => {
        return { ...row, recipient, seq: index === 0 ? row.seq : (this.#lastSeq += 1) };
      });
      for (const copy of copies) this.#queueOf(copy).push(queued(copy));
      this.#journal.write(() => {
        for (const copy of copies) this.#store.insert(copy);
      });
    }
  }

  /** Ends the overtaken rows of these queues, and counts them in the rows that replace them. */
  #sweep(keys: ReadonlySet<string>): void {
    for (const key of keys) {
      const rows = this.#queues.get(key) ?? [];
      const overtaken = overtakenOf(rows);
      if (overtaken.size === 0) continue;
      const kept = rows.filter((row) => !overtaken.has(row));
      this.#queues.set(key, kept);
      for (const row of overtaken) this.#replace(row, kept);
    }
  }

  #replace(row: Queued, kept: Queued[]): void {
    const index = kept.findIndex((later) => later.seq > row.seq && sharesKey(later, row));
    const later = kept[index];
    if (later !== undefined) {
      const replaces = (later.delivery.replaces ?? 0) + 1 + (row.delivery.replaces ?? 0);
      kept[index] = { ...later, delivery: { ...later.delivery, replaces } };
    }
    const changed = kept[index];
    const { atMs } = (changed ?? row).delivery;
    this.#journal.write(() => {
      this.#store.end(row.seq, 'overtaken', atMs);
      if (changed !== undefined) this.#store.insert(changed);
    });
  }

  /** Adds the current state: members for which a later firing notice waits are marked. */
  #asSent(row: Queued): Waiting {
    const later = this.#queueOf(row).filter(({ seq }) => seq > row.seq);
    const { seq, recipient, isShort, delivery } = row;
    const members = delivery.members.map((member) => {
      const key = keyOf(delivery.rule, member.subject);
      return !member.isFiring && later.some(({ keys }) => keys.get(key) === 'firing')
        ? { ...member, isOvertaken: true }
        : member;
    });
    return { seq, recipient, isShort, delivery: { ...delivery, members } };
  }

  #threadOf(stream: string, channel: string): string | undefined {
    for (const rows of this.#of(channel))
      for (const row of rows) if (row.stream === stream) return row.delivery.threadId;
    try {
      return this.#store.threadOf(stream, channel);
    } catch {
      // If the store cannot be read, only the thread is lost, not the notice.
      return undefined;
    }
  }

  #of(channel: string): readonly Queued[][] {
    return this.#channels
      .filter(({ name }) => name === channel)
      .flatMap(({ recipients }) => recipients.map((recipient) => this.#queueOf({ channel, recipient })));
  }

  #queueOf(of: Pick<OutboxRow, 'channel' | 'recipient'>): Queued[] {
    const key = queueKey(of);
    const queue = this.#queues.get(key) ?? [];
    this.#queues.set(key, queue);
    return queue;
  }

  #find(seq: number): Queued | undefined {
    for (const rows of this.#queues.values()) {
      const found = rows.find((row) => row.seq === seq);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #remove(seq: number): void {
    const row = this.#find(seq);
    if (row === undefined) return;
    const queue = this.#queueOf(row);
    queue.splice(queue.indexOf(row), 1);
  }
}

const queueKey = ({ channel, recipient }: Pick<OutboxRow, 'channel' | 'recipient'>): string =>
  JSON.stringify([channel, recipient]);

const keyOf = (rule: string, subject: string): string => JSON.stringify([rule, subject]);

const queued = (row: OutboxRow): Queued => {
  const { kind, rule, members } = row.delivery;
  const report = (isFiring: boolean): Report => (isFiring ? (kind === 'firing' ? 'firing' : 'mentioned') : 'over');
  return {
    ...row,
    keys: new Map(members.map(({ subject, isFiring }) => [keyOf(rule, subject), report(isFiring)])),
    isRefused: false,
  };
};

const sharesKey = (a: Queued, b: Queued): boolean => [...b.keys.keys()].some((key) => a.keys.has(key));

const isFollowed = ({ seq, keys }: Queued, queue: readonly Queued[]): boolean => {
  const later = new Set(queue.filter((row) => row.seq > seq).flatMap((row) => [...row.keys.keys()]));
  return [...keys].every(([key, report]) => report === 'mentioned' || later.has(key));
};

/** Rows of one recipient that need not be sent any more, because of later rows. */
const overtakenOf = (rows: readonly Queued[]): ReadonlySet<Queued> => {
  const overtaken = new Set<Queued>();
  const [later, firingLater] = [new Set<string>(), new Set<string>()];
  for (const row of rows.toReversed()) {
    const { keys, isRefused } = row;
    const isOvertaken = [...keys].every(([key, report]) => {
      if (report === 'mentioned') return true;
      return report === 'over' || isRefused ? later.has(key) : firingLater.has(key);
    });
    if (isOvertaken) overtaken.add(row);
    for (const [key, report] of keys) {
      if (report !== 'mentioned') later.add(key);
      if (report === 'firing') firingLater.add(key);
    }
  }
  return overtaken;
};
