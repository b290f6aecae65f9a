import type { Cron } from '../config/cron.js';

const dayMs = 86_400_000;
const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
/** More than any zone's clock is moved by at once. */
const shiftMs = 3 * 3_600_000;
/** Days that are looked back: a leap day may be eight years away. */
const longestDays = 8 * 366 + 1;

/**
 * The last time at or before a moment that a cron expression names, by the wall clock of a zone. A time that the clock skips
 * comes as much later as it skips; one that it shows twice counts once, the first time.
 */
export const lastCronTime = (cron: Cron, zone: string, atMs: number): number | undefined => {
  const today = Math.floor((atMs + offsetMs(zone, atMs)) / dayMs);
  const clockTimes = descending(cron.hours).flatMap((hour) =>
    descending(cron.minutes).map((minute) => (hour * 60 + minute) * minuteMs),
  );
  let latest: number | undefined;
  for (let day = today; day > today - longestDays; day -= 1) {
    if (!isDayOf(cron, day * dayMs)) continue;
    for (const time of clockTimes) {
      const wallMs = day * dayMs + time;
      const nearMs = wallMs - offsetMs(zone, atMs);
      if (nearMs > atMs + shiftMs) continue;
      // One that was skipped comes later than its neighbours: the latest of those that are near counts.
      if (latest !== undefined && nearMs < latest - shiftMs) return latest;
      const instant = instantOf(zone, wallMs);
      if (instant <= atMs && instant > (latest ?? -Infinity)) latest = instant;
    }
  }
  return latest;
};

/** The longest time between the last few times that an expression named. */
export const cronGapMs = (cron: Cron, zone: string, atMs: number): number => {
  let longest = 0;
  let later = lastCronTime(cron, zone, atMs);
  for (let back = 0; back < 8 && later !== undefined; back += 1) {
    const earlier = lastCronTime(cron, zone, later - 1);
    if (earlier !== undefined) longest = Math.max(longest, later - earlier);
    later = earlier;
  }
  return longest;
};

const descending = (values: ReadonlySet<number>): readonly number[] => [...values].toSorted((a, b) => b - a);

const isDayOf = ({ days, months, weekdays, isEitherDay }: Cron, wallMs: number): boolean => {
  const date = new Date(wallMs);
  if (!months.has(date.getUTCMonth() + 1)) return false;
  const [isDay, isWeekday] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
  return isEitherDay ? isDay || isWeekday : isDay && isWeekday;
};

/** When a zone's clock shows a time; the first of two. A time that it never shows is read by the offset before the change. */
const instantOf = (zone: string, wallMs: number): number => {
  const before = wallMs - offsetMs(zone, wallMs - dayMs);
  const after = wallMs - offsetMs(zone, wallMs + dayMs);
  const shown = [before, after].filter((time) => time + offsetMs(zone, time) === wallMs);
  return shown.length === 0 ? before : Math.min(...shown);
};

/** What a zone's clock is ahead of UTC, by quarter of an hour: no clock is moved within one. */
const offsets = new Map<string, number>();
const offsetsKept = 5_000;

const offsetMs = (zone: string, atMs: number): number => {
  if (zone === 'UTC') return 0;
  const quarter = Math.floor(atMs / quarterMs);
  const key = `${zone} ${quarter}`;
  const offset = offsets.get(key) ?? readOffsetMs(zone, quarter * quarterMs);
  if (offsets.size >= offsetsKept) offsets.clear();
  offsets.set(key, offset);
  return offset;
};

const formats = new Map<string, Intl.DateTimeFormat>();

const readOffsetMs = (zone: string, atMs: number): number => {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(zone, format);
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return shown - atMs;
};
