import { expect, test } from 'vitest';
import { readCron } from './cron.js';

test.each([
  ['30 3 * *', 'expected five fields (minute hour day month weekday), such as "30 3 * * *", not "30 3 * *"'],
  ['60 3 * * *', 'the minute of a cron expression cannot be "60"; allowed are 0 to 59, "*", ranges, lists and steps'],
  ['0 5-3 * * *', 'the hour of a cron expression cannot be "5-3"'],
  ['*/0 * * * *', 'the minute of a cron expression cannot be "*/0"'],
  ['0 0 0 * *', 'the day of the month of a cron expression cannot be "0"'],
  ['0 0 * abc *', 'the month of a cron expression cannot be "abc"; allowed are 1 to 12 and jan, feb, mar'],
  ['0 0 * * 8', 'the day of the week of a cron expression cannot be "8"'],
  ['0 0 * * 1,', 'the day of the week of a cron expression cannot be ""'],
  ['0 0 30 2 *', 'never comes: no month of "0 0 30 2 *" has that day'],
])('cron: %s is refused', (text, message) => {
  expect(readCron(text)).toContain(message);
});

test('cron: lists, ranges, steps and names are read', () => {
  expect(readCron('5-20/5,59 */12 1 MAR-may sun,6-7')).toMatchObject({
    minutes: new Set([5, 10, 15, 20, 59]),
    hours: new Set([0, 12]),
    days: new Set([1]),
    months: new Set([3, 4, 5]),
    weekdays: new Set([0, 6]),
    isEitherDay: true,
  });
  expect(readCron('50/5 * * * *')).toMatchObject({ minutes: new Set([50, 55]), isEitherDay: false });
});
