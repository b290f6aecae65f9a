import { expect, test } from 'vitest';
import { cronFault } from './cron.js';

test.each([
  ['30 3 * *', '"30 3 * *" is not one: '],
  ['0 30 3 * * *', '"0 30 3 * * *" is not one: '],
  ['60 3 * * *', '"60 3 * * *" is not one: Invalid value for minute: 60'],
  ['0 5-3 * * *', '"0 5-3 * * *" is not one: From value is larger than to value'],
  ['*/0 * * * *', 'is not one: '],
  ['0 0 * abc *', 'is not one: '],
  ['0 0 * * 8', 'is not one: Invalid value for dayOfWeek: 8'],
  ['0 0 30 2 *', '"0 0 30 2 *" never comes'],
])('cron: %s is refused', (text, what) => {
  const fault = cronFault(text);
  expect(fault).toContain(
    'expected a cron expression of five fields (minute hour day month weekday), such as "30 3 * * *"; ',
  );
  expect(fault).toContain(what);
});

test.each(['30 3 * * *', '5-20/5,59 */12 1 MAR-may sun,6-7', '0 0 29 2 *', '@daily'])('cron: %s is read', (text) => {
  expect(cronFault(text)).toBeUndefined();
});
