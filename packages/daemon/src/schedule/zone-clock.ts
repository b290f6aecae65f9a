const minuteMs = 60_000;
const hourMs = 3_600_000;
/** Maximum offset of a zone from UTC, in either direction. */
const mostAheadMs = 15 * hourMs;
const mostBehindMs = 13 * hourMs;
/** A time that the clock shows twice is repeated within a day. */
const longestFoldMs = 24 * hourMs;

/** The wall clock of a time zone. Its times are represented as if they were UTC, so that arithmetic works. */
export class ZoneClock {
  readonly #format: Intl.DateTimeFormat;

  /** @throws RangeError if the zone is unknown */
  constructor(zone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
  }

  /** The latest time that the clock has shown up to a moment: before a backward change it showed later ones. */
  latestShown(atMs: number): number {
    return atMs + Math.max(this.#offsetMs(atMs), this.#offsetMs(atMs - longestFoldMs));
  }

  /** The moment at which the clock first shows a time; for a skipped time, the moment of the clock change. */
  firstMoment(wallMs: number): number {
    const before = this.#offsetMs(wallMs - mostAheadMs);
    const after = this.#offsetMs(wallMs + mostBehindMs);
    const earliest = wallMs - Math.max(before, after);
    const latest = wallMs - Math.min(before, after);
    if (earliest === latest || this.#offsetMs(earliest) === wallMs - earliest) return earliest;
    if (this.#offsetMs(latest) === wallMs - latest) return latest;
    return this.#changeWithin(earliest, latest);
  }

  /** The first minute after `fromMs`, and up to `untilMs`, at which the clock has changed. */
  #changeWithin(fromMs: number, untilMs: number): number {
    const offsetMs = this.#offsetMs(fromMs);
    let [low, high] = [fromMs / minuteMs, untilMs / minuteMs];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#offsetMs(middle * minuteMs) === offsetMs) low = middle;
      else high = middle;
    }
    return high * minuteMs;
  }

  #offsetMs(atMs: number): number {
    const wholeMs = Math.floor(atMs / minuteMs) * minuteMs;
    const of: Record<string, number> = {};
    for (const { type, value } of this.#format.formatToParts(wholeMs)) of[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = of as Partial<Record<string, number>>;
    return Date.UTC(year, month - 1, day, hour, minute) - wholeMs;
  }
}
