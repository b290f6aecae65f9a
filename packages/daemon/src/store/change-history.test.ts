import fc from 'fast-check';
import { expect, test } from 'vitest';
import { join } from 'node:path';
import { temporaryFolder, temporaryStore } from '../../test/parts.js';
import { createChangeHistory, type Seen } from './change-history.js';
import { openStore } from './store.js';

const seen = (fields: Record<string, string>, height?: bigint, more: Partial<Seen> = {}): Seen => ({
  kind: 'price',
  subject: 'a',
  fields,
  height,
  atMs: Number(height ?? 0n) * 1_000,
  ...more,
});

test('change history: the first call reports no change; a later difference is reported once, with height and time', () => {
  const history = createChangeHistory(temporaryStore());
  expect(history.note(seen({ hour: '5' }, 10n))).toEqual([]);
  const change = { kind: 'price', subject: 'a', field: 'hour', before: '5', after: '7', height: 11n, atMs: 11_000 };
  expect(history.note(seen({ hour: '7' }, 11n))).toEqual([change]);
  expect(history.note(seen({ hour: '7' }, 12n))).toEqual([]);
  expect(history.changes('price')).toEqual([change]);
  expect(history.changes('price', 'b')).toEqual([]);
  expect(history.known('price', 'a', 'hour')).toEqual({ value: '7', height: 11n });
  expect(history.known('price', 'b', 'hour')).toBeUndefined();
  expect(history.count('price', 'a')).toBe(1);
});

test('change history: values at a lower height are ignored, and undo nothing', () => {
  const history = createChangeHistory(temporaryStore());
  history.note(seen({ hour: '5' }, 10n));
  history.note(seen({ hour: '7' }, 20n));
  expect(history.note(seen({ hour: '5' }, 19n))).toEqual([]);
  expect(history.note(seen({ hour: '7' }, 21n))).toEqual([]);
  expect(history.count('price', 'a')).toBe(1);
});

test('change history: with isWhole an added or removed field is a change, otherwise it is not', () => {
  const history = createChangeHistory(temporaryStore());
  const whole = { isWhole: true };
  expect(history.note(seen({ udvpn: '5' }, 1n, whole))).toEqual([]);
  expect(history.note(seen({ uatom: '1' }, 2n, whole))).toMatchObject([
    { field: 'uatom', before: '', after: '1' },
    { field: 'udvpn', before: '5', after: '' },
  ]);
  expect(history.note(seen({ uatom: '1' }, 3n, whole))).toEqual([]);
  history.note(seen({ x: '1' }, 1n, { subject: 'b' }));
  expect(history.note(seen({ y: '2' }, 2n, { subject: 'b' }))).toEqual([]);
});

test('change history: values and counts survive a restart, and a change during downtime is found at the first call', () => {
  const file = join(temporaryFolder(), 'hubwatch.db');
  const first = openStore(file);
  const before = createChangeHistory(first);
  before.note(seen({ hour: '5' }, 1n));
  before.note(seen({ hour: '6' }, 2n));
  first.close();
  const second = openStore(file);
  const after = createChangeHistory(second);
  expect(after.known('price', 'a', 'hour')).toEqual({ value: '6', height: 2n });
  expect(after.note(seen({ hour: '9' }, 1n))).toEqual([]);
  expect(after.note(seen({ hour: '9' }, 3n))).toMatchObject([{ before: '6', after: '9', height: 3n }]);
  expect(after.count('price', 'a')).toBe(2);
  expect(after.changes('price').map((one) => one.after)).toEqual(['9', '6']);
  second.close();
});

test('change history: limits the entries per subject and the length of values, without losing counts', () => {
  const store = temporaryStore();
  const history = createChangeHistory(store);
  for (let at = 0n; at <= 120n; at += 1n) history.note(seen({ hour: String(at) }, at));
  expect(history.changes('price', 'a')).toHaveLength(50);
  expect(history.count('price', 'a')).toBe(120);
  const long = 'x'.repeat(1_000_000);
  history.note(seen({ text: long }, 1n, { kind: 'text' }));
  expect(history.note(seen({ text: long }, 2n, { kind: 'text' }))).toEqual([]);
  const [change] = history.note(seen({ text: `${long}y` }, 3n, { kind: 'text' }));
  expect(change?.after.length).toBeLessThan(2_200);
  expect(change?.after).not.toBe(change?.before);
});

test('change history: law: the changes of a field lead from its first value to its last without a gap', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3), fc.nat(20)), { minLength: 1, maxLength: 30 }), (looks) => {
      const store = openStore(':memory:');
      const history = createChangeHistory(store);
      let top = -1;
      const believed: number[] = [];
      for (const [value, height] of looks) {
        if (height >= top) believed.push(value);
        top = Math.max(top, height);
        history.note(seen({ hour: String(value) }, BigInt(height)));
      }
      const steps = history.changes('price', 'a').toReversed();
      const distinct = believed.filter((value, index) => index === 0 || value !== believed[index - 1]);
      expect(steps.map(({ before, after }) => [before, after])).toEqual(
        distinct.slice(1).map((value, index) => [String(distinct[index]), String(value)]),
      );
      expect(history.count('price', 'a')).toBe(steps.length);
      store.close();
    }),
    { numRuns: 60 },
  );
});
