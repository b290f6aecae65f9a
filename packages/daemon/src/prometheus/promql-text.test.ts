import { expect, test } from 'vitest';
import { formatPromql } from './promql-text.js';

const long = 'hub_endpoint_required_height_loss_timestamp_seconds';

test.each<[string, string, string]>([
  ['a short expression on one line', '  up ==\n  0 and ( a )', 'up == 0 and (a)'],
  ['spaces inside of strings as they are', 'a{b="c  ( d"}', 'a{b="c  ( d"}'],
  [
    'a long one at its set operators',
    `${long} and ignoring (kind) ${long} or ${long}`,
    `${long}\nand ignoring (kind) ${long}\nor ${long}`,
  ],
  [
    'a long comparison before its operator',
    `${long}{kind="state"} - ${long} > ignoring (kind) ${long}`,
    `${long}{kind="state"} - ${long}\n  > ignoring (kind) ${long}`,
  ],
  [
    'a long group inside of its brackets, not inside of a list of labels',
    `max without (endpoint, kind) (${long} unless ${long})`,
    `max without (endpoint, kind) (\n  ${long}\n  unless ${long}\n)`,
  ],
])('promql: formats %s', (_what, expr, expected) => {
  expect(formatPromql(expr)).toBe(expected);
});
