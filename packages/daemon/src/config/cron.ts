/** A cron expression of five fields; each holds the values that fit. */
export interface Cron {
  readonly text: string;
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** Both the day of the month and of the week are given: then one of them is enough. */
  readonly isEitherDay: boolean;
}

interface CronField {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fields: readonly CronField[] = [
  { name: 'the minute', least: 0, most: 59 },
  { name: 'the hour', least: 0, most: 23 },
  { name: 'the day of the month', least: 1, most: 31 },
  { name: 'the month', least: 1, most: 12, names: ['', ...months] },
  // Both 0 and 7 are Sunday.
  { name: 'the day of the week', least: 0, most: 7, names: weekdays },
];

/** Days of the longest February, and of the other months. */
const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Reads a cron expression. A text is what is wrong with it and what is allowed. */
export const readCron = (text: string): Cron | string => {
  const parts = text.trim().toLowerCase().split(/\s+/);
  if (parts.length !== fields.length)
    return `expected five fields (minute hour day month weekday), such as "30 3 * * *", not ${JSON.stringify(text)}`;
  const read = fields.map((field, index) => readField(field, parts[index] ?? ''));
  const wrong = read.find((one) => typeof one === 'string');
  if (wrong !== undefined) return wrong;
  const [minutes, hours, days, monthsOf, daysOfWeek] = read as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  const cron: Cron = {
    text,
    minutes,
    hours,
    days,
    months: monthsOf,
    weekdays: new Set([...daysOfWeek].map((day) => day % 7)),
    isEitherDay: !(parts[2] ?? '').startsWith('*') && !(parts[4] ?? '').startsWith('*'),
  };
  const isEver = [...monthsOf].some((month) => [...days].some((day) => day <= (longest[month - 1] ?? 0)));
  return isEver || cron.isEitherDay ? cron : `never comes: no month of ${JSON.stringify(text)} has that day`;
};

/** Values of one field: `*`, `5`, `1-5`, any of them by steps (`*` + `/15`), several with commas; months and days by name too. */
const readField = ({ name, least, most, names }: CronField, text: string): Set<number> | string => {
  const allowed = `allowed are ${least} to ${most}${names === undefined ? '' : ` and ${names.filter((one) => one !== '').join(', ')}`}, "*", ranges, lists and steps`;
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [, from = '', to, step = '1'] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d{1,2}))?$/.exec(part) ?? [];
    const isAll = from === '*' && to === undefined;
    const first = isAll ? least : numberOf(from, names);
    const hasStep = part.includes('/');
    const last = isAll || (to === undefined && hasStep) ? most : to === undefined ? first : numberOf(to, names);
    const fits = first !== undefined && last !== undefined && first >= least && last <= most && first <= last;
    if (!fits || Number(step) < 1) return `${name} of a cron expression cannot be ${JSON.stringify(part)}; ${allowed}`;
    for (let value = first; value <= last; value += Number(step)) values.add(value);
  }
  return values;
};

const numberOf = (text: string, names: readonly string[] = []): number | undefined => {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const at = names.indexOf(text);
  return at < 0 || text === '' ? undefined : at;
};
