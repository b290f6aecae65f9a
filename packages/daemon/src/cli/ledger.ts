import type { Config } from '../config/schema.js';
import { type LeaseTerm, leaseTermsOf, termKinds } from '../ledger/expected-hours.js';
import type { LedgerGap } from '../ledger/ledger-gaps.js';
import type { LedgerRow } from '../ledger/ledger-row.js';
import { createLedgerStore } from '../ledger/ledger-store.js';
import { columnsOf, type LedgerSum, sumKeys, type SumKey, sumLedger } from '../ledger/ledger-sums.js';
import { endsOfRefunds, type RefundEnd } from '../ledger/refund-ends.js';
import { iso, unreadable } from '../words.js';
import { type Cells, textTable } from './text-table.js';
import { UsageError } from './usage-error.js';
import { withStore } from './with-store.js';

type Format = 'text' | 'csv' | 'json';

/** Arguments of `hubwatch ledger`, as on the command line. */
export interface LedgerArguments {
  readonly by?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly format?: Format | undefined;
  readonly entries?: boolean | undefined;
}

/**
 * Prints sums of the ledger, or its entries, and expected and received hours of leases. The daemon may be running.
 *
 * @throws UsageError if an argument is invalid
 */
export const ledgerReport = (config: Config, args: LedgerArguments, nowMs: number): string => {
  const by = keysOf(args.by ?? 'day,end,node');
  const sinceMs = momentOf('--since', args.since, nowMs)?.firstMs;
  const untilMs = momentOf('--until', args.until, nowMs)?.lastMs;
  if (sinceMs !== undefined && untilMs !== undefined && untilMs < sinceMs) {
    throw new UsageError(`--until ${args.until} is before --since ${args.since}`);
  }
  return withStore(config, (store) => {
    const ledger = createLedgerStore(store);
    const rows = ledger.rows({ sinceMs, untilMs });
    const ends = endsOfRefunds(rows);
    const readMs = ledger.positionMs() ?? 0;
    const terms = leaseTermsOf(ledger.rows({ kinds: termKinds }), readMs).filter(
      ({ endMs, startMs }) =>
        (sinceMs === undefined || (endMs ?? nowMs) >= sinceMs) && (untilMs === undefined || startMs <= untilMs),
    );
    const starts = startsOf(config, ledger.starts.all());
    const report = {
      position: ledger.position(),
      starts,
      gaps: ledger.gaps(),
      rows,
      ends,
      sums: sumLedger(rows, by, ends),
      terms,
      by,
    };
    return printers[args.format ?? 'text'](report, args.entries ?? false);
  });
};

/** A watched subject, by its alias if it has one, and the height from which its entries are complete. */
interface Start {
  readonly address: string;
  readonly name: string;
  readonly first: bigint;
}

const startsOf = ({ watch }: Config, starts: ReadonlyMap<string, bigint>): readonly Start[] =>
  [...watch.nodes, ...watch.providers, ...watch.accounts].flatMap(({ address, alias }) => {
    const first = starts.get(address);
    return first === undefined ? [] : [{ address, name: alias ?? address, first }];
  });

interface Report {
  readonly position: bigint | undefined;
  readonly starts: readonly Start[];
  readonly gaps: readonly LedgerGap[];
  readonly rows: readonly LedgerRow[];
  /** Cause of each refund. */
  readonly ends: ReadonlyMap<LedgerRow, RefundEnd>;
  readonly sums: readonly LedgerSum[];
  readonly terms: readonly LeaseTerm[];
  readonly by: readonly SumKey[];
}

const entryColumns = 'height,time,kind,record,node,provider,account,amount,stakers,denom,detail'.split(',');

const entryCells = (row: LedgerRow, ends: Report['ends']): Cells => [
  String(row.height),
  timeOf(row.blockMs),
  row.kind,
  row.record,
  row.node,
  row.provider,
  row.account,
  row.amount ?? '',
  row.stakers ?? '',
  row.denom ?? '',
  row.detail ?? ends.get(row) ?? '',
];

const entryObject = (row: LedgerRow, ends: Report['ends']): Readonly<Record<string, string | null>> =>
  Object.fromEntries(entryCells(row, ends).map((cell, at) => [entryColumns[at] ?? '', cell === '' ? null : cell]));

const sumTable = (sums: readonly LedgerSum[], by: readonly SumKey[]): readonly Cells[] => {
  const keys = columnsOf(by);
  return [
    [...keys, 'entries', 'amount', 'stakers'],
    ...sums.map((sum) => [
      ...keys.map((key) => sum.keys[key] ?? ''),
      String(sum.entries),
      String(sum.amount),
      String(sum.stakers),
    ]),
  ];
};

const entryTable = ({ rows, ends }: Report): readonly Cells[] => [
  entryColumns,
  ...rows.map((row) => entryCells(row, ends)),
];

const tableOf = (report: Report, entries: boolean): readonly Cells[] =>
  entries ? entryTable(report) : sumTable(report.sums, report.by);

/** Totals over the whole requested period, each kind of payment on its own line. */
const totalTable = ({ rows, ends }: Report): readonly Cells[] => sumTable(sumLedger(rows, ['end'], ends), ['end']);

const timeOf = (ms: number | undefined): string => (ms === undefined ? '' : iso(ms));

const printers: Readonly<Record<Format, (report: Report, entries: boolean) => string>> = {
  csv: (report, entries) =>
    tableOf(report, entries)
      .map((cells) => `${cells.map(csvCell).join(',')}\r\n`)
      .join(''),

  json: ({ position, starts, gaps, rows, ends, sums, terms }, entries) =>
    `${JSON.stringify(
      {
        position: position === undefined ? null : String(position),
        subjects: starts.map(({ address, first }) => ({ address, first: String(first) })),
        gaps: gaps.map(({ first, last, reason, isOpen }) => ({
          first: String(first),
          last: String(last),
          reason,
          is_open: isOpen,
        })),
        ...(entries
          ? {
              entries: rows.map((row) => entryObject(row, ends)),
            }
          : {
              sums: sums.map(({ keys, entries: count, amount, stakers }) => ({
                ...keys,
                entries: count,
                amount: String(amount),
                stakers: String(stakers),
              })),
            }),
        terms: terms.map(({ lease, node, provider, startMs, endMs, expected, received }) => ({
          lease,
          node,
          provider,
          start: iso(startMs),
          end: endMs === undefined ? null : iso(endMs),
          expected_hours: expected,
          received_hours: received,
        })),
      },
      undefined,
      2,
    )}\n`,

  text(report, entries) {
    const { position, starts, gaps, rows, terms } = report;
    if (position === undefined) return 'The ledger is empty: the daemon has read no block yet.\n';
    const [expected, received] = [sum(terms, 'expected'), sum(terms, 'received')];
    const short = terms.filter((term) => term.received < term.expected);
    return [
      rows.length === 0 ? 'Nothing is kept of this time.' : textTable(tableOf(report, entries)),
      '',
      ...totalLines(report),
      terms.length === 0
        ? 'No term of a lease began since the ledger did.'
        : `Hours of leases whose term began since the ledger did: ${expected} expected, ${received} received.`,
      ...short.map(
        ({ lease, node, startMs, ...hours }) =>
          `  lease ${lease} on ${node}, term of ${iso(startMs)}: ${hours.received} of ${hours.expected}`,
      ),
      ...[...new Set(starts.map(({ first }) => first))]
        .toSorted((a, b) => (a < b ? -1 : 1))
        .map(
          (height) =>
            `Kept from height ${height} on: ${starts
              .filter(({ first }) => first === height)
              .map(({ name }) => name)
              .join(', ')}`,
        ),
      `Read up to height ${position}${gaps.length === 0 ? ', without a gap.' : '. Not read:'}`,
      ...gaps.map(
        ({ first, last, reason, isOpen }) => `  ${first} to ${last}: ${reason}${isOpen ? ' (tried again)' : ''}`,
      ),
      '',
    ].join('\n');
  },
};

/** Total lines below the sums by day or node. */
const totalLines = (report: Report): readonly string[] => {
  const table = totalTable(report);
  return table.length === 1 ? [] : ['In all, in the base unit of each denomination:', textTable(table), ''];
};

const sum = (terms: readonly LeaseTerm[], key: 'expected' | 'received'): number =>
  terms.reduce((total, term) => total + term[key], 0);

/**
 * A cell that a spreadsheet shows as text. Text that would be interpreted as a formula gets a leading apostrophe, and
 * control and direction characters become spaces. A negative number stays a number.
 */
export const csvCell = (text: string): string => {
  const plain = text.replace(unreadable, ' ');
  const inert = /^\s*[=+\-@|%]/.test(plain) && !/^-?\d+(?:\.\d+)?$/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
};

const keysOf = (text: string): readonly SumKey[] =>
  text.split(',').map((written) => {
    const found = sumKeys.find((key) => key === written.trim());
    if (found === undefined)
      throw new UsageError(`--by: ${JSON.stringify(written.trim())}; allowed: ${sumKeys.join(', ')}`);
    return found;
  });

const unitsMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };

/** A moment from the command line, or a whole day from its first to its last millisecond. */
interface Moment {
  readonly firstMs: number;
  readonly lastMs: number;
}

/** `2026-11-27` (the day, UTC), `2026-11-27T23:00:00Z`, or a duration before now: `36h`, `7d`. */
const momentOf = (option: string, text: string | undefined, nowMs: number): Moment | undefined => {
  if (text === undefined) return undefined;
  const back = /^(\d{1,6})([hd])$/.exec(text);
  if (back !== null) return instant(nowMs - Number(back[1]) * (unitsMs[back[2] ?? ''] ?? 0));
  const [isTime, time] = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.exec(text) ?? [];
  const ms = isTime === undefined ? Number.NaN : Date.parse(text);
  if (Number.isNaN(ms)) {
    throw new UsageError(
      `${option}: ${JSON.stringify(text)}; allowed: a day (2026-11-27), a time (2026-11-27T23:00:00Z), or back from now (36h, 7d)`,
    );
  }
  return time === undefined ? { firstMs: ms, lastMs: ms + 86_400_000 - 1 } : instant(ms);
};

const instant = (ms: number): Moment => ({ firstMs: ms, lastMs: ms });
