import { createTask, type DetailedValidation, validateDetailed } from 'node-cron';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/**
 * Upper bound on the gap between two matching days: two fifth Mondays of February, the rarest case, can be 40 years
 * apart.
 */
const longestGapDays = 41 * 366;
const daysOfMonth = 31;
const daysOfWeek = 7;

type Fields = NonNullable<DetailedValidation['fields']>;

/**
 * Times of day of a cron expression, without a zone: wall-clock times are represented as if they were UTC. node-cron
 * parses the expression and decides whether a day matches; none of its timers are started.
 */
export class CronExpression {
  readonly #months: ReadonlySet<number>;
  /** A day matches if one of these tests does. */
  readonly #dayTests: readonly ((midnight: Date) => boolean)[];
  /** Minutes of a day that match, latest first. */
  readonly #minutes: readonly number[];

  /** @throws Error if `cronFault` reports a fault */
  constructor(text: string) {
    const { fields } = validateDetailed(text);
    if (fields === undefined) throw new Error(`not a cron expression: ${text}`);
    this.#months = new Set(fields.month);
    this.#dayTests = dayTests(fields);
    this.#minutes = fields.hour
      .flatMap((hour) => fields.minute.map((minute) => 60 * hour + minute))
      .toSorted((a, b) => b - a);
  }

  /** Matching times at or before `wallMs`, latest first; ends after a gap longer than any possible one. */
  *before(wallMs: number): Generator<number, void> {
    let lastDay = Math.floor(wallMs / dayMs);
    for (let day = lastDay; day > lastDay - longestGapDays; day -= 1) {
      const midnight = new Date(day * dayMs);
      if (!this.#months.has(midnight.getUTCMonth() + 1)) {
        // Continues on the last day of the previous month.
        day -= midnight.getUTCDate() - 1;
        continue;
      }
      if (!this.#dayTests.some((matches) => matches(midnight))) continue;
      lastDay = day;
      for (const minute of this.#minutes) {
        const time = day * dayMs + minute * minuteMs;
        if (time <= wallMs) yield time;
      }
    }
  }
}

/** If both a day of the month and a weekday are given, a day matches if either does, as in every cron. */
const dayTests = ({ dayOfMonth, dayOfWeek }: Fields): ((midnight: Date) => boolean)[] => {
  const isAnyDay = new Set(dayOfMonth).size === daysOfMonth;
  const isAnyWeekday = new Set(dayOfWeek).size === daysOfWeek;
  const fields = [
    ...(isAnyDay && !isAnyWeekday ? [] : [`${dayOfMonth.join()} * *`]),
    ...(isAnyWeekday ? [] : [`* * ${dayOfWeek.join()}`]),
  ];
  return fields.map((days) => {
    const task = createTask(`* * ${days}`, () => undefined, { timezone: 'UTC' });
    // Removes the task from node-cron's list of all tasks; it was never started.
    void task.destroy();
    return (midnight) => task.match(midnight);
  });
};
