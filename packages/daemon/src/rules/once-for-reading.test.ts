import { expect, test } from 'vitest';
import { onceForReading } from './once-for-reading.js';

test('once for a reading: judged again for another reading or another target, and not for the same', () => {
  const judged: string[] = [];
  const judge = onceForReading(({ key }: { readonly key: string }, { n }: { readonly n: number }) => {
    judged.push(`${key}${n}`);
    return { subject: key, term: '', state: 'ok', title: `${key}${n}`, text: '' };
  });
  const [a, b] = [{ key: 'a' }, { key: 'b' }];
  const [one, two] = [{ n: 1 }, { n: 2 }];
  const titles = [judge(a, one), judge(a, one), judge(b, one), judge(a, two), judge(a, one)].map(({ title }) => title);
  expect(titles).toEqual(['a1', 'a1', 'b1', 'a2', 'a1']);
  expect(judged).toEqual(['a1', 'b1', 'a2', 'a1']);
});
