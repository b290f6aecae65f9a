import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { Connection, migrations } from '@hubwatch/daemon/parts';
import type { RandomSource } from '../random-source.js';
import type { Killed } from './killed.js';
import type { Accepted, Route } from './receivers.js';
import type { Seen } from './seen.js';

/** Notifications that an earlier version had sent or stored before it was replaced. */
export interface OldStore {
  readonly accepted: readonly Accepted[];
  /** Subjects of its notifications by id; early versions did not store them in the notification. */
  readonly subjects: ReadonlyMap<string, readonly string[]>;
}

const firstWith = (word: string): number => migrations.findIndex((step) => step.includes(word)) + 1;

/** First store versions in which notifications have a row for each recipient, are sent as groups, and name their alerts. */
const withRecipients = firstWith('outbox_by_recipient');
const withGroups = firstWith('group_id');
const withMembers = firstWith('outbox_overtaken');

/** Enough rows that a migration takes some time. */
const ledgerRows = 4_000;

/** Whether a file still needs a migration. Checks a copy, because closing the file itself would write its log into it. */
export function isOld(path: string): boolean {
  if (!existsSync(path)) return true;
  const copy = `${path}.copy`;
  copyFileSync(path, copy);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
  const connection = new Connection(copy);
  try {
    return Number(connection.all('PRAGMA user_version')[0]?.['user_version']) < migrations.length;
  } finally {
    connection.close();
    for (const end of ['', '-wal', '-shm']) rmSync(`${copy}${end}`, { force: true });
  }
}

/**
 * Writes the store of an earlier version. It contains firing subjects with sent or pending notifications, and subjects
 * resolved at version 2. The recovery of the latter was sent, is pending or is due to a group.
 */
export function writeOldStore(
  { store, alertOf }: Killed,
  routes: readonly Route[],
  seen: readonly Seen[],
  random: RandomSource,
): OldStore {
  const version = random.below(migrations.length);
  // The first start creates the file.
  if (version === 0) return { accepted: [], subjects: new Map() };
  const connection = new Connection(store);
  try {
    connection.exec('PRAGMA journal_mode = WAL');
    const writer = new OldWriter(connection, version, routes, random);
    connection.transaction(() => {
      for (const step of migrations.slice(0, version)) connection.exec(step);
      connection.exec(`PRAGMA user_version = ${version}`);
      connection.exec(
        `INSERT INTO ledger (height, position, node, kind, amount, denom) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ledgerRows}) SELECT i, 0, 'n' || i % 50, 'heartbeat', '5', 'd' FROM n`,
      );
      writer.write(seen, alertOf);
    });
    return writer;
  } finally {
    connection.close();
  }
}

/** A state with the alert that reported it. */
interface Told {
  readonly state: Seen;
  readonly alert: ReturnType<Killed['alertOf']>;
}

class OldWriter implements OldStore {
  readonly accepted: Accepted[] = [];
  readonly subjects = new Map<string, readonly string[]>();
  private readonly connection: Connection;
  private readonly version: number;
  private readonly routes: readonly Route[];
  private readonly random: RandomSource;
  private readonly atMs = Date.now() - 3_600_000;

  constructor(connection: Connection, version: number, routes: readonly Route[], random: RandomSource) {
    this.connection = connection;
    this.version = version;
    this.routes = routes;
    this.random = random;
  }

  write(seen: readonly Seen[], alertOf: Killed['alertOf']): void {
    const fired = seen
      .filter(({ version }) => version > 0)
      .map((state): Told & { readonly now: Seen } => {
        // Resolved since version 2: it fired as version 1.
        const before = { ...state, version: 1, isFiring: true };
        return { state: before, alert: alertOf(before), now: state };
      });
    const [first] = fired;
    const group = fired.filter(({ alert }) => alert.rule === first?.alert.rule).slice(0, 3);
    const isGroup = this.version >= withGroups && group.length === 3;
    if (isGroup) this.notice('old-group', 'firing', group, 'delivered');
    for (const one of fired) {
      const isMember = isGroup && group.includes(one);
      const { subject, isFiring } = one.now;
      const stream = `old-${subject}`;
      this.alert(one, isMember ? 'old-group' : undefined, !isFiring);
      if (!isMember) this.notice(stream, 'firing', [one], isFiring ? 'either' : 'delivered');
      if (isFiring || isMember) continue;
      this.notice(stream, 'recovered', [{ state: one.now, alert: alertOf(one.now) }], 'either');
    }
  }

  private alert({ state: { subject }, alert }: Told, groupId: string | undefined, isOver: boolean): void {
    const { connection, atMs } = this;
    const { rule, severity, term, title } = alert;
    const state = isOver ? 'resolved' : 'firing';
    connection.run(
      "INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, '')",
      ...[`old-${subject}`, rule, subject, term, state, severity, atMs, atMs, isOver ? atMs + 1 : null, title],
    );
    if (groupId === undefined) return;
    const owes = isOver ? 1 : 0;
    connection.run('UPDATE alerts SET group_id = ?, owes_recovery = ? WHERE id = ?', groupId, owes, `old-${subject}`);
  }

  /** A notification of a stream on every channel; with `either`, some are sent and some are pending. */
  private notice(stream: string, kind: 'firing' | 'recovered', told: readonly Told[], sent: 'delivered' | 'either') {
    const { version, atMs, random } = this;
    const [first] = told;
    if (first === undefined) return;
    const { rule, severity } = first.alert;
    const title = told.length === 1 ? first.alert.title : `${told.length} at once`;
    const text = told.length === 1 ? '' : told.map(({ alert }) => alert.title).join('\n');
    const members = told.map(({ state: { subject, isFiring }, alert }) => ({ subject, isFiring, title: alert.title }));
    for (const { channel, recipients } of this.routes) {
      const id = `${stream}-${kind}-${channel.replaceAll(' ', '-')}`;
      const threadId = `${stream}-firing-${channel.replaceAll(' ', '-')}`;
      const words = { id, threadId, kind, rule, severity, title, text, atMs };
      const notice = JSON.stringify(version >= withMembers ? { ...words, members } : words);
      this.subjects.set(
        id,
        told.map(({ state }) => state.subject),
      );
      const rows = version >= withRecipients ? recipients.map((one) => [one]) : [recipients];
      for (const row of rows) {
        const isSent = sent === 'delivered' || random.chance(0.7);
        this.row({ id, stream, threadId, channel, notice, recipient: row[0]?.address ?? '' }, isSent);
        if (!isSent) continue;
        for (const { name } of row)
          this.accepted.push({ recipient: name, id, text: `${title}\n${text}`, isUnanswered: false, life: 0 });
      }
    }
  }

  private row(row: Readonly<Record<string, string>>, isSent: boolean): void {
    const { connection, version, atMs } = this;
    const { id = '', stream = '', threadId = '', channel = '', notice = '', recipient = '' } = row;
    const ended = isSent ? atMs + 1 : null;
    const facts = [id, stream, threadId, channel, notice, atMs, isSent ? 'delivered' : 'waiting', ended];
    if (version >= withRecipients)
      connection.run(
        'INSERT INTO outbox (id, stream, thread_id, channel, notice, created_ms, state, ended_ms, recipient) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
        ...[...facts, recipient],
      );
    else
      connection.run(
        'INSERT INTO outbox (id, alert_id, thread_id, channel, notice, created_ms, state, ended_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        ...facts,
      );
  }
}
