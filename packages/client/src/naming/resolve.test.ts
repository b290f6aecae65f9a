import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import { expect, test } from 'vitest';
import { memoiseNaming } from './resolve.js';

test('a naming: detected once, also for concurrent callers', async () => {
  let searches = 0;
  const source = memoiseNaming(() => {
    searches++;
    return Promise.resolve(identityNaming);
  });
  await Promise.all([source(), source()]);
  expect(await source()).toBe(identityNaming);
  expect(searches).toBe(1);
});

test('a failure: reported again for a second, then the search is repeated', async () => {
  let now = 0;
  let searches = 0;
  const source = memoiseNaming(
    () => (++searches < 3 ? Promise.reject(new Error(`search ${searches}`)) : Promise.resolve(identityNaming)),
    () => now,
  );
  await expect(source()).rejects.toThrow('search 1');
  now = 999;
  await expect(source()).rejects.toThrow('search 1');
  now = 1_000;
  await expect(source()).rejects.toThrow('search 2');
  now = 2_000;
  expect(await source()).toBe(identityNaming);
  now = 9_000;
  await source();
  expect(searches).toBe(3);
});
