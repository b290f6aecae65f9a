import { expect, test } from 'vitest';
import { fakeClock } from '../test/fake-clock.js';
import { ledgerEntry, paidEntry } from '../test/ledger-records.js';
import { nodeAddressOf } from '../test/parts.js';
import { createAlertStore } from './alerts/alert-store.js';
import type { Alert } from './alerts/alert.js';
import { calm } from './alerts/flap.js';
import { createSilenceStore } from './alerts/silences.js';
import type { Told } from './alerts/told.js';
import { createLedgerStore } from './ledger/ledger-store.js';
import type { Delivery } from './outbox/channel.js';
import { createOutboxStore } from './outbox/outbox-store.js';
import { createChangeHistory } from './store/change-history.js';
import { createHeartbeatHistory } from './store/heartbeat-history.js';
import { createLeaseRecords } from './store/lease-records.js';
import { createColumnsBuilder } from './store/session-columns.js';
import { createSessionMemory } from './store/session-memory.js';
import { openStore, type Store } from './store/store.js';
import { tablesOf } from './store/table-copy.js';
import { chosenChainKind, limits, tables } from './store/tables.js';
import { upkeepJob } from './store/upkeep.js';
import { createSweepStore } from './sweeps/sweep-store.js';

/** Time between two steps; each step writes to the store. */
const stepMs = 5 * 86_400_000;
const hourMs = 3_600_000;
const keepMs = 400 * 86_400_000;
const ledgerRows = 400;
/** Number of nodes watched at a time; every month they are replaced by others. */
const watchedAtOnce = 3;

/** Creates the writes of a daemon for each step, with subjects that come and go. */
function createSteps(store: Store, startMs: number, maxRows: number | undefined) {
  let step = 0;
  const watched = (): readonly string[] =>
    Array.from({ length: watchedAtOnce }, (_, at) => nodeAddressOf(Math.floor(step / 6) * watchedAtOnce + at));
  const isWatched = (address: string): boolean => watched().includes(address);
  const heartbeats = createHeartbeatHistory(store);
  const changes = createChangeHistory(store);
  const sessions = createSessionMemory(store);
  const leaseRecords = createLeaseRecords(store);
  const ledger = createLedgerStore(store, { isWatched, maxRows });
  const [alerts, outbox] = [createAlertStore(store), createOutboxStore(store)];
  const silences = createSilenceStore(store);
  const sweeps = createSweepStore(store);
  let seq = 0;

  const writeAlerts = (nowMs: number): void => {
    for (let no = 0; no < 5; no += 1) {
      const subject = `subject ${step} ${no}`;
      const alert: Alert = {
        ...{ id: `alert ${step} ${no}`, rule: 'R', subject, term: '', severity: 'warning', sinceMs: nowMs },
        ...{ firingMs: nowMs, firedClockMs: nowMs, notified: true, title: subject, text: 'x'.repeat(300) },
        ...{ hold: { ranMs: 0, sinceMs: undefined }, state: 'resolved', endedMs: nowMs, endedClockMs: nowMs },
      };
      const told: Told = {
        ...{ rule: 'R', subject, severity: 'warning', title: subject, isFiring: false, alertId: alert.id },
        ...{ stream: alert.id, flap: calm },
      };
      alerts.write({
        put: [{ ...alert, state: 'firing', endedMs: undefined }],
        removed: [],
        told: [told],
        forgotten: [],
      });
      // The last alert of a step still fires: live state of a subject that ends in the next step.
      const ended = step === 0 || no > 0 ? [alert] : [alert, { ...alert, id: `alert ${step - 1} 4` }];
      if (no < 4) alerts.write({ put: ended, removed: [], told: [], forgotten: [told] });
      else
        alerts.write({ put: [], removed: [], told: [], forgotten: [{ rule: 'R', subject: `subject ${step - 1} 4` }] });
    }
  };
  const writeNotices = (nowMs: number): void => {
    for (let no = 0; no < 10; no += 1) {
      seq = outbox.lastSeq() + 1;
      const delivery: Delivery = {
        ...{ id: `notice ${seq}`, threadId: 'thread', kind: 'firing', rule: 'R', severity: 'warning', title: 't' },
        ...{ text: 'x'.repeat(300), atMs: nowMs, members: [] },
      };
      outbox.insert({ seq, channel: 'email', recipient: 'a', stream: `s ${seq}`, isShort: false, delivery });
      outbox.end(seq, 'delivered', nowMs);
    }
  };
  const writeLedger = (height: bigint, nowMs: number): void => {
    ledger.starts.watch(watched(), height);
    for (const [at, node] of watched().entries()) {
      const record = `${step} ${at}`;
      // The end of every other lease falls into a gap.
      const ended = step % 2 === 0 ? [ledgerEntry('lease_ended', { node, record, detail: 'cancelled' })] : [];
      ledger.add(height + BigInt(at), [paidEntry('5', { node, record }), ...ended], nowMs);
    }
    ledger.skip({ first: height + 4n, last: height + 6n, reason: `outage ${step}`, isOpen: step % 2 === 0 });
  };
  const writeReadings = (height: bigint, nowMs: number): void => {
    for (const node of watched()) {
      for (let no = 0; no < 3; no += 1) heartbeats.add(node, nowMs + no * hourMs);
      for (let no = 0; no < 4; no += 1) sessions.counts.note(node, no, nowMs + no * hourMs);
      changes.note({ kind: 'node price', subject: node, fields: { hour: String(step) }, height, atMs: nowMs });
    }
    if (step === 0)
      changes.note({
        kind: chosenChainKind,
        subject: 'network',
        fields: { id: 'hub-2' },
        height: undefined,
        atMs: nowMs,
      });
    changes.note({ kind: 'parameters', subject: 'node', fields: { a: 'the same' }, height, atMs: nowMs });
    changes.note({ kind: 'proposal', subject: String(step), fields: { state: 'voting' }, height, atMs: nowMs });
    changes.note({
      kind: 'proposal',
      subject: String(step),
      fields: { state: 'passed' },
      height: height + 1n,
      atMs: nowMs,
    });
    const leases = Array.from({ length: 10 }, (_, no) => BigInt(step * 10 + no));
    leaseRecords.note(leases.map((id) => ({ id, height, policy: 'always', startMs: nowMs, hours: 24 })));
    silences.add({ rule: 'R', subject: undefined, fromMs: nowMs, untilMs: nowMs + stepMs, comment: 'x'.repeat(100) });
    sweeps.begin(nowMs);
    const sums = new Map();
    sweeps.put({ collection: 'nodes', endpoint: 'own', height, records: step, completedMs: nowMs, sums });
  };
  return {
    isWatched,
    async next(): Promise<void> {
      const nowMs = startMs + step * stepMs;
      const height = BigInt(step + 1) * 10n;
      store.transaction(() => {
        writeAlerts(nowMs);
        writeNotices(nowMs);
        writeLedger(height, nowMs);
        writeReadings(height, nowMs);
      });
      for (const node of watched()) {
        const rows = createColumnsBuilder();
        for (let no = 0n; no < 20n; no += 1n)
          rows.add({ id: BigInt(step) * 20n + no, download: no, upload: no, deadline: nowMs + hourMs });
        await sessions.history.take(node, rows.done());
      }
      step += 1;
    },
    changes,
  };
}

const bytesOf = (store: Store): number =>
  Number(store.all('PRAGMA page_count')[0]?.['page_count']) * Number(store.all('PRAGMA page_size')[0]?.['page_size']);

test('store: every table has a declared retention', () => {
  const store = openStore(':memory:');
  const found = tablesOf(store).map(({ name }) => name);
  store.close();
  expect(tables.map(({ name }) => name).toSorted()).toEqual(found.toSorted());
});

/** Fills the table of lease records with previously read records, so that it reaches its limit soon. */
const fillLeaseRecords = (store: Store): void =>
  store.run(
    `WITH RECURSIVE old (no) AS (SELECT 1 UNION ALL SELECT no + 1 FROM old WHERE no < ?)
     INSERT INTO lease_records SELECT 'old ' || no, 0, 'always', 0, 24 FROM old`,
    limits.leaseRecords - 100,
  );

interface Year {
  /** Maximum number of rows of each table. */
  readonly rows: ReadonlyMap<string, number>;
  /** Size at the end. */
  readonly bytes: number;
}

/** Simulates years on a store, with or without the limits that bound it. */
async function pass(store: Store, years: number, isBounded: boolean) {
  const clock = fakeClock();
  fillLeaseRecords(store);
  const steps = createSteps(store, clock.nowMs(), isBounded ? ledgerRows : undefined);
  let rows = new Map<string, number>();
  const upkeep = upkeepJob({
    ...{ store, clock, keepMs, isWatched: steps.isWatched },
    // While the store has a fault, rows are only counted and not pruned.
    health: { fault: () => (isBounded ? undefined : { kind: 'locked', sinceMs: 0, text: '', todo: '' }) },
    onRows: (table, count) => rows.set(table, Math.max(count, rows.get(table) ?? 0)),
  });
  const ofYears: Year[] = [];
  for (let year = 0; year < years; year += 1) {
    for (let step = 0; step < 73; step += 1) {
      await steps.next();
      await upkeep.run();
      clock.advance(stepMs);
    }
    ofYears.push({ rows, bytes: bytesOf(store) });
    rows = new Map();
  }
  return { ofYears, changes: steps.changes };
}

test('store: over years with changing subjects, neither a table nor the file grows beyond its limit', async () => {
  const store = openStore(':memory:');
  const { ofYears, changes } = await pass(store, 5, true);
  // In the third year every table has reached its limit.
  const [full, last] = [ofYears[2], ofYears[4]];
  for (const { name } of tables) {
    expect(last?.rows.get(name), name).toBeGreaterThan(0);
    expect(last?.rows.get(name), name).toBeLessThanOrEqual(1.02 * (full?.rows.get(name) ?? 0) + 2);
  }
  expect(last?.bytes).toBeLessThanOrEqual(1.02 * (full?.bytes ?? 0));
  expect(last?.rows.get('ledger')).toBeLessThanOrEqual(1.01 * ledgerRows + 10);
  expect(last?.rows.get('lease_records')).toBe(limits.leaseRecords);
  // A value that is still read is kept although it never changed.
  expect(changes.known('parameters', 'node', 'a')?.value).toBe('the same');
  expect(store.all("SELECT value FROM seen_values WHERE kind = 'parameters'")).toEqual([{ value: 'the same' }]);
  expect(store.all('SELECT value FROM seen_values WHERE kind = ?', chosenChainKind)).toEqual([{ value: 'hub-2' }]);
  store.close();

  // Without pruning, each table that is otherwise pruned grows.
  const unbounded = openStore(':memory:');
  const control = (await pass(unbounded, 3, false)).ofYears[2];
  unbounded.close();
  const ofLedger = ['ledger', 'ledger_gaps', 'ledger_totals', 'ledger_payouts'];
  const pruned = tables.filter(({ prune }) => prune !== undefined).map(({ name }) => name);
  expect(pruned.length).toBeGreaterThan(8);
  for (const name of [...pruned, ...ofLedger])
    expect(control?.rows.get(name), name).toBeGreaterThan(1.3 * (last?.rows.get(name) ?? 0));
});
