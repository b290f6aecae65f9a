import { validateDetailed } from 'node-cron';
import { CronExpression } from './cron-expression.js';

const example = 'expected a cron expression of five fields (minute hour day month weekday), such as "30 3 * * *"';

/** Allowed values of each field, in addition to `*`, lists, ranges and steps. */
const fields: Readonly<Record<string, { readonly name: string; readonly allowed: string }>> = {
  minute: { name: 'minute', allowed: '0 to 59' },
  hour: { name: 'hour', allowed: '0 to 23' },
  dayOfMonth: { name: 'day', allowed: '1 to 31, L (the last) or 15W (the working day nearest to the 15th)' },
  month: { name: 'month', allowed: '1 to 12 or jan to dec' },
  dayOfWeek: {
    name: 'weekday',
    allowed: '0 to 7 (0 and 7 are Sunday), sun to sat, 5#2 (the second Friday) or 5L (the last one)',
  },
};

/** A moment from which a backward search covers every kind of year. */
const searchFromMs = Date.UTC(2100, 0, 1);

/** Describes the fault of a cron expression and the allowed values; `undefined` if the expression matches some time. */
export const cronFault = (text: string): string | undefined => {
  // A secret that was entered here by mistake is not repeated.
  const isShown = text.length <= 40 && !/\w{10}|@\w+\W/.test(text);
  const got = isShown ? JSON.stringify(text) : 'the text';
  const fault = faultOf(text, isShown);
  return fault === undefined ? undefined : `${example}; ${got} ${fault}`;
};

const faultOf = (text: string, isShown: boolean): string | undefined => {
  const words = text.trim().split(/\s+/);
  if (words.length !== 5 && !text.trim().startsWith('@'))
    return `has ${words.length === 1 ? '1 field' : `${words.length} fields`}`;
  const { errors, fields: read } = validateDetailed(text);
  if (read !== undefined) return hasTimes(text) ? undefined : 'never comes';
  const [error] = errors;
  const field = fields[error?.field ?? ''];
  if (error === undefined || field === undefined)
    return 'is not one; allowed: digits, names of months and days, and the signs * , - / ? # @';
  // The day exists in other months.
  if (error.field === 'dayOfMonth' && validateDetailed(`* * ${words[2]} * *`).valid) return 'never comes';
  const value = isShown && error.value !== undefined ? ` ${JSON.stringify(error.value)}` : '';
  return `has a wrong ${field.name}${value}; allowed: ${field.allowed}, with * for all, lists, ranges and steps`;
};

const hasTimes = (text: string): boolean => new CronExpression(text).before(searchFromMs).next().done !== true;
