import { CronExpression } from '../config/cron-expression.js';
import { ZoneClock } from './zone-clock.js';

const minuteMs = 60_000;
/** Number of times whose gaps are compared. */
const comparedTimes = 9;

/** The times of an expression by the clock of a zone. */
class CronTimes {
  readonly #expression: CronExpression;
  readonly #clock: ZoneClock;
  /** Cached result for the last requested minute: rules request it several times per minute. */
  #last: { readonly minute: number; readonly time: number | undefined } | undefined;
  #gap: { readonly time: number | undefined; readonly gapMs: number } | undefined;

  constructor(text: string, zone: string) {
    this.#expression = new CronExpression(text);
    this.#clock = new ZoneClock(zone);
  }

  last(atMs: number): number | undefined {
    const minute = Math.floor(atMs / minuteMs);
    if (this.#last?.minute !== minute) {
      const [time] = this.#before(minute * minuteMs);
      this.#last = { minute, time };
    }
    return this.#last.time;
  }

  longestGapMs(atMs: number): number {
    const time = this.last(atMs);
    if (this.#gap === undefined || this.#gap.time !== time) this.#gap = { time, gapMs: this.#findGap(time) };
    return this.#gap.gapMs;
  }

  #findGap(time: number | undefined): number {
    let [later, longest, compared] = [time, 0, 1];
    for (const earlier of time === undefined ? [] : this.#before(time)) {
      longest = Math.max(longest, (later ?? earlier) - earlier);
      if (later !== earlier) compared += 1;
      if (compared === comparedTimes) break;
      later = earlier;
    }
    return longest;
  }

  /** Moments at or before `atMs` at which a time occurs, latest first, without duplicates. */
  *#before(atMs: number): Generator<number, void> {
    let later: number | undefined;
    for (const wallMs of this.#expression.before(this.#clock.latestShown(atMs))) {
      const moment = this.#clock.firstMoment(wallMs);
      if (moment > atMs || moment === later) continue;
      yield moment;
      later = moment;
    }
  }
}

/** By expression and zone; a configuration contains only a few. */
const known = new Map<string, CronTimes>();

const timesOf = (text: string, zone: string): CronTimes => {
  const key = `${zone} ${text}`;
  const times = known.get(key) ?? new CronTimes(text, zone);
  known.set(key, times);
  return times;
};

/**
 * The last time of a cron expression at or before a moment. A time that the clock of the zone skips occurs at the clock
 * change; one that it shows twice counts once, the first time.
 */
export const lastCronTime = (text: string, zone: string, atMs: number): number | undefined =>
  timesOf(text, zone).last(atMs);

/** The longest gap between the last few times of an expression. */
export const cronGapMs = (text: string, zone: string, atMs: number): number => timesOf(text, zone).longestGapMs(atMs);
