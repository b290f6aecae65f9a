import {
  createAlertStore,
  createLedgerStore,
  createOutboxStore,
  createSilenceStore,
  openStore,
} from '@hubwatch/daemon/parts';
import type { Content, StoredRow } from './content.js';

type Readings = Readonly<Record<string, readonly string[]>>;

/** Values that the parts of the daemon read from a migrated store. */
export function readingsOf(path: string): Readings {
  const store = openStore(path);
  try {
    const [alerts, outbox] = [createAlertStore(store), createOutboxStore(store)];
    return {
      'active alerts': alerts
        .active()
        .map(({ id, rule, subject, state }) => [id, rule, subject, state].join(' '))
        .toSorted(),
      'ended alerts': alerts
        .ended(1_000_000)
        .map(({ id, title }) => [id, title].join(' '))
        .toSorted(),
      'what people were told': alerts
        .told()
        .map(({ rule, subject }) => [rule, subject].join(' '))
        .toSorted(),
      'waiting notices': outbox
        .waiting()
        .map(({ seq, channel, delivery }) => [seq, channel, delivery.id, delivery.text].join(' ')),
      silences: createSilenceStore(store)
        .current(0)
        .map(({ id, comment }) => [id, comment].join(' '))
        .toSorted(),
      'entries of the ledger': createLedgerStore(store)
        .rows()
        .map(({ height, kind, node, record, amount }) => [height, kind, node, record, amount ?? ''].join(' ')),
    };
  } finally {
    store.close();
  }
}

/** Expected readings, derived from the expected rows. */
export function expectedReadings(content: Content): Readings {
  const rows = (name: string, keep: (row: StoredRow) => boolean = () => true) => (content.get(name) ?? []).filter(keep);
  const words = (all: readonly StoredRow[], ...names: readonly string[]): readonly string[] =>
    all.map((row) => names.map((name) => row[name] ?? '').join(' '));
  const by =
    (...names: readonly string[]) =>
    (a: StoredRow, b: StoredRow): number =>
      names.reduce((order, name) => order || Number(a[name]) - Number(b[name]), 0);
  const waiting = rows('outbox', ({ state }) => state === 'waiting').toSorted(by('seq'));
  return {
    'active alerts': words(
      rows('alerts', ({ state }) => state !== 'resolved'),
      'id',
      'rule',
      'subject',
      'state',
    ).toSorted(),
    'ended alerts': words(
      rows('alerts', ({ state }) => state === 'resolved'),
      'id',
      'title',
    ).toSorted(),
    'what people were told': words(rows('told'), 'rule', 'subject').toSorted(),
    'waiting notices': waiting.map(({ seq, channel, id, notice }) => {
      const { text } = JSON.parse(String(notice)) as { readonly text: string };
      return [seq, channel, id, text].join(' ');
    }),
    silences: words(rows('silences'), 'id', 'comment').toSorted(),
    'entries of the ledger': words(
      rows('ledger').toSorted(by('height', 'position')),
      ...['height', 'kind', 'node', 'record', 'amount'],
    ),
  };
}

/** Describes the first reading that differs. */
export function differentReading(expected: Readings, found: Readings): string | undefined {
  for (const [name, wanted] of Object.entries(expected)) {
    const there = found[name] ?? [];
    const at = wanted.findIndex((line, index) => line !== there[index]);
    if (at >= 0) return `${name}: expected ${JSON.stringify(wanted[at])}, read ${JSON.stringify(there[at])}`;
    if (there.length !== wanted.length) return `${name}: ${there.length}, expected ${wanted.length}`;
  }
  return undefined;
}
