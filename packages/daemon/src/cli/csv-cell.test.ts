import { expect, test } from 'vitest';
import { csvCell } from './ledger.js';

test.each([
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['+1', "'+1"],
  ['-1+cmd', "'-1+cmd"],
  ['@SUM(A1)', "'@SUM(A1)"],
  [' =1', "' =1"],
  ['\t=1', "' =1"],
  ['|calc', "'|calc"],
  ['-12', '-12'],
  ['-1.5', '-1.5'],
  ['a\u001b[2Jb', 'a [2Jb'],
  ['a\u202eb\u2066', 'a b '],
  ['a\r\nb', 'a b'],
  ['ibc/"A,8', '"ibc/""A,8"'],
  ['udvpn', 'udvpn'],
  ['', ''],
])('csv: %j is %j', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});
