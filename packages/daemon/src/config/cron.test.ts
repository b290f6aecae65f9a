import { expect, test } from 'vitest';
import { cronFault } from './cron.js';

test.each([
  ['30 3 * *', 'has 4 fields'],
  ['', 'has 1 field'],
  ['0 30 3 * * *', 'has 6 fields'],
  ['60 3 * * *', 'has a wrong minute "60"; allowed: 0 to 59, with * for all, lists, ranges and steps'],
  ['*/0 * * * *', 'has a wrong minute "*/0"; allowed: 0 to 59'],
  ['1,,2 * * * *', 'has a wrong minute "1,,2"; allowed: 0 to 59'],
  ['0 24 * * *', 'has a wrong hour "24"; allowed: 0 to 23'],
  ['0 0 32 * *', 'has a wrong day "32"; allowed: 1 to 31, L'],
  ['0 0 * abc *', 'has a wrong month "abc"; allowed: 1 to 12 or jan to dec'],
  ['0 0 * * 8', 'has a wrong weekday "8"; allowed: 0 to 7 (0 and 7 are Sunday), sun to sat'],
  ['0.5 0 * * *', 'is not one; allowed: digits'],
  ['@never', 'is not one; allowed: digits'],
  ['0 0 30 2 *', 'never comes'],
  ['0 0 31 4,6,9,11 *', 'never comes'],
])('cron: %s is rejected', (text, what) => {
  const fault = cronFault(text);
  expect(fault).toContain(
    'expected a cron expression of five fields (minute hour day month weekday), such as "30 3 * * *"; ',
  );
  expect(fault).toContain(`${JSON.stringify(text)} ${what}`);
});

test('cron: a text that may be a secret is not repeated', () => {
  const secret = 'Sup3rS3cretToken';
  for (const text of [secret, `${secret} * * * *`, `0 0 ${secret} * *`, `@${secret}`])
    expect(cronFault(text)).not.toContain(secret);
});

test.each([
  '30 3 * * *',
  '5-20/5,59 */12 1 MAR-may sun,6-7',
  '0 0 29 2 *',
  '0 0 * 2 1#5',
  '0 22-2 L * *',
  '0 0 15W * 5L',
  '@daily',
])('cron: %s is accepted', (text) => {
  expect(cronFault(text)).toBeUndefined();
});
