import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cron, readCron } from '../config/cron.js';
import { cronGapMs, lastCronTime } from './cron-times.js';

const minute = 60_000;
const hour = 60 * minute;

const cronOf = (text: string): Cron => {
  const cron = readCron(text);
  if (typeof cron === 'string') throw new Error(cron);
  return cron;
};
const last = (text: string, zone: string, at: string): string | undefined => {
  const found = lastCronTime(cronOf(text), zone, Date.parse(at));
  return found === undefined ? undefined : new Date(found).toISOString().slice(0, 16);
};

test.each([
  ['30 3 * * *', 'UTC', '2026-11-28T03:29:59Z', '2026-11-27T03:30'],
  ['30 3 * * *', 'UTC', '2026-11-28T03:30:00Z', '2026-11-28T03:30'],
  ['30 3 * * *', 'Asia/Kolkata', '2026-11-28T00:00:00Z', '2026-11-27T22:00'],
  ['*/15 8-9 * * mon-fri', 'UTC', '2026-11-29T12:00:00Z', '2026-11-27T09:45'],
  ['0 0 1 jan,jul *', 'UTC', '2026-11-28T00:00:00Z', '2026-07-01T00:00'],
  ['0 0 29 2 *', 'UTC', '2103-12-31T00:00:00Z', '2096-02-29T00:00'],
  // The day of the month or of the week, when both are given.
  ['0 0 13 * 5', 'UTC', '2026-11-28T00:00:00Z', '2026-11-27T00:00'],
  ['0 12 * * 7', 'UTC', '2026-11-28T00:00:00Z', '2026-11-22T12:00'],
  // 02:30 is skipped in Berlin on 29 March, and comes twice on 25 October.
  ['30 2 * * *', 'Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-29T01:30'],
  ['30 2 * * *', 'Europe/Berlin', '2026-10-25T12:00:00Z', '2026-10-25T00:30'],
  ['0,30 2,3 * * *', 'Europe/Berlin', '2026-03-29T01:45:00Z', '2026-03-29T01:30'],
])('cron times: the last of %s in %s at %s is %s', (text, zone, at, expected) => {
  expect(last(text, zone, at)).toBe(expected);
});

/** What a zone's clock shows, asked another way. */
const wallOf = (zone: string, atMs: number): number =>
  Date.parse(`${clocks.get(zone)?.format(atMs).replace(' ', 'T')}Z`);

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'America/Santiago', 'UTC'];
const clocks = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
  ]),
);

/** Moments at which the clock of a zone is moved, 2020 to 2040. */
const movesOf = (zone: string): readonly number[] => {
  const ahead = (at: number): number => wallOf(zone, at) - at;
  const moves: number[] = [];
  for (let day = Date.UTC(2020, 0, 1); day < Date.UTC(2041, 0, 1); day += 7 * 24 * hour) {
    let [low, high] = [day, day + 7 * 24 * hour];
    if (ahead(low) === ahead(high)) continue;
    while (high - low > minute) {
      const middle = low + Math.floor((high - low) / 2 / minute) * minute;
      if (ahead(middle) === ahead(low)) low = middle;
      else high = middle;
    }
    moves.push(high);
  }
  return moves.length === 0 ? [Date.UTC(2026, 0, 1)] : moves;
};
const moves = new Map(zones.map((zone) => [zone, movesOf(zone)]));

test('cron times: law: around every move of a clock each time comes once, the skipped ones later by what is skipped', () => {
  const expression = fc
    .tuple(
      fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { minLength: 1, maxLength: 4 }),
      fc.uniqueArray(fc.constantFrom(0, 1, 2, 3, 4, 23), { minLength: 1, maxLength: 4 }),
    )
    .map(([minutes, hours]) => cronOf(`${minutes.join(',')} ${hours.join(',')} * * *`));
  const place = fc
    .constantFrom(...zones)
    .chain((zone) => fc.tuple(fc.constant(zone), fc.constantFrom(...(moves.get(zone) ?? []))));
  fc.assert(
    fc.property(expression, place, ({ hours, minutes, ...cron }, [zone, move]) => {
      const fits = (wallMs: number): boolean => {
        const date = new Date(wallMs);
        return hours.has(date.getUTCHours()) && minutes.has(date.getUTCMinutes());
      };
      // Every minute of the days around, by what the clock shows.
      const from = move - 30 * hour;
      const walls = Array.from({ length: 60 * 60 }, (_, no) => wallOf(zone, from + no * minute));
      const everShown = new Set(walls);
      const shown = new Set<number>();
      const truth: number[] = [];
      const before = (walls[0] ?? 0) - from;
      for (const [no, wallMs] of walls.entries()) {
        const at = from + no * minute;
        const isFirst = !shown.has(wallMs);
        shown.add(wallMs);
        const skipped = at + before;
        const isSkipped = !everShown.has(skipped) && skipped < (walls.at(-1) ?? 0);
        if ((isFirst && fits(wallMs)) || (isSkipped && fits(skipped))) truth.push(at);
      }
      const found: number[] = [];
      for (
        let at = lastCronTime({ hours, minutes, ...cron }, zone, from + 60 * 60 * minute - 1);
        at !== undefined && at >= from;
        at = lastCronTime({ hours, minutes, ...cron }, zone, at - 1)
      )
        found.unshift(at);
      expect(found).toEqual(truth);
    }),
    { numRuns: 100 },
  );
});

test('cron times: the gap is the longest between the last few', () => {
  expect(cronGapMs(cronOf('0 3,5 * * *'), 'UTC', Date.UTC(2026, 10, 28))).toBe(22 * hour);
  expect(cronGapMs(cronOf('0 3 * * mon-fri'), 'UTC', Date.UTC(2026, 10, 28))).toBe(72 * hour);
});
