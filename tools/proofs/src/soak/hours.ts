import type { Levels } from './orders.js';

/** External measurements of the daemon for one hour. */
export interface Hour {
  /** Smallest heap of the hour, after a collection: it contains retained objects, not temporary ones. */
  readonly heapBytes: number;
  readonly bufferBytes: number;
  /** Maximum within the hour. */
  readonly files: number;
  readonly sockets: number;
  readonly timers: number;
  readonly walBytes: number;
  /**
   * Row counts at the end of the hour; for the notification queue the minimum of the hour, since it drains between
   * failures.
   */
  readonly rows: Readonly<Record<string, number>>;
  /** Lines written within the hour. */
  readonly logLines: number;
}

const queue = 'outbox, waiting';

export function hourOf(levels: readonly Levels[], logLines: number): Hour {
  const all = (key: Exclude<keyof Levels, 'rows'>): number[] => levels.map((one) => one[key]);
  return {
    heapBytes: Math.min(...all('heapBytes')),
    bufferBytes: Math.min(...all('bufferBytes')),
    files: Math.max(...all('files')),
    sockets: Math.max(...all('sockets')),
    timers: Math.max(...all('timers')),
    walBytes: Math.max(...all('walBytes')),
    rows: { ...levels.at(-1)?.rows, [queue]: Math.min(...levels.map(({ rows }) => rows[queue] ?? 0)) },
    logLines,
  };
}

/** Hours to compare: those after the first ones, and as many at the end. */
export interface Windows {
  readonly early: readonly [from: number, to: number];
  readonly late: readonly [from: number, to: number];
}

/** Of 24 hours, hours 5 to 10 and 19 to 24. For fewer hours the same proportions; of 3 hours the second and the third. */
export function windowsOf(hours: number): Windows {
  const length = Math.max(1, Math.floor(hours / 4));
  const first = Math.max(1, Math.floor(hours / 6));
  return { early: [first, first + length], late: [hours - length, hours] };
}

/** Allowed increase of the maximum in the late hours over that of the early ones: a share and an absolute number. */
interface Allowance {
  readonly share: number;
  readonly plus: number;
}

const allowances: Readonly<Record<Exclude<keyof Hour, 'rows'>, Allowance>> = {
  heapBytes: { share: 0.04, plus: 1_000_000 },
  bufferBytes: { share: 0.1, plus: 500_000 },
  files: { share: 0, plus: 6 },
  sockets: { share: 0, plus: 6 },
  timers: { share: 0, plus: 6 },
  walBytes: { share: 0.1, plus: 262_144 },
  logLines: { share: 0.5, plus: 100 },
};

/**
 * Tables with events of the chain and the daemon, which grow for more than a day before they reach their limit. The
 * ledger's sums grow with the number of accounts involved. For these tables the rows added per hour are compared, for
 * all others the row counts. The number of events in single hours differs by more than a factor of two, so this
 * requires windows of at least two hours.
 */
const histories: ReadonlySet<string> = new Set([
  'alerts',
  'changes',
  'heartbeats',
  'lease_records',
  'ledger',
  'ledger_totals',
  'outbox',
  'session_hours',
]);
const queueAllowed: Allowance = { share: 0.1, plus: 60 };
const rowsAllowed: Allowance = { share: 0.1, plus: 12 };
const addedAllowed: Allowance = { share: 0.5, plus: 40 };

export interface Comparison {
  readonly what: string;
  readonly early: number;
  readonly late: number;
  readonly isFlat: boolean;
}

/** Compares the late hours with the early ones, value by value. */
export function compareHours(hours: readonly Hour[]): readonly Comparison[] {
  const { early, late } = windowsOf(hours.length);
  const compare = (what: string, valueOf: (index: number) => number, { share, plus }: Allowance): Comparison => {
    const highest = ([from, to]: readonly [number, number]): number =>
      Math.max(...Array.from({ length: to - from }, (_, index) => valueOf(from + index)));
    const [before, after] = [highest(early), highest(late)];
    return { what, early: before, late: after, isFlat: after <= before * (1 + share) + plus };
  };
  const levels = (Object.keys(allowances) as (keyof typeof allowances)[]).map((key) =>
    compare(key, (index) => hours[index]?.[key] ?? 0, allowances[key]),
  );
  const rowsAt = (table: string, index: number): number => hours[index]?.rows[table] ?? 0;
  const isLong = early[1] - early[0] >= 2;
  const names = Object.keys(hours.at(-1)?.rows ?? {}).filter((table) => isLong || !histories.has(table));
  const tables = names.map((table) =>
    histories.has(table)
      ? compare(
          `rows added an hour to ${table}`,
          (index) => rowsAt(table, index) - rowsAt(table, index - 1),
          addedAllowed,
        )
      : compare(`rows in ${table}`, (index) => rowsAt(table, index), table === queue ? queueAllowed : rowsAllowed),
  );
  return [...levels, ...tables];
}

const kib = (bytes: number): string => (bytes / 1_024).toFixed(0);

export const hourHeading = 'hour  heap KiB  buffers KiB  files  sockets  timers  WAL KiB  log lines  rows';

export function hourLine(number: number, hour: Hour): string {
  const cells: [string, number][] = [
    [String(number), 4],
    [kib(hour.heapBytes), 10],
    [kib(hour.bufferBytes), 13],
    [String(hour.files), 7],
    [String(hour.sockets), 9],
    [String(hour.timers), 8],
    [kib(hour.walBytes), 9],
    [String(hour.logLines), 11],
  ];
  const rows = Object.entries(hour.rows).map(([table, count]) => `${table} ${count}`);
  return `${cells.map(([text, width]) => text.padStart(width)).join('')}  ${rows.join(', ')}`;
}
