import { expect, test } from 'vitest';
import { EventQueue } from './subscription.js';

const nothing = (): void => undefined;

test('queue: events come in order; waiting ones are delivered even after the end', async () => {
  const queue = new EventQueue<number>(nothing, () => new Error('overflow'));
  queue.push(1, 1);
  const [first, second] = [queue.next(), queue.next()];
  queue.push(2, 1);
  queue.push(3, 1);
  queue.end(new Error('lost'));
  queue.push(4, 1);
  expect(await first).toEqual({ done: false, value: 1 });
  expect(await second).toEqual({ done: false, value: 2 });
  expect(await queue.next()).toEqual({ done: false, value: 3 });
  await expect(queue.next()).rejects.toThrow('lost');
});

test('queue: a reader that is too slow gets the waiting events, then the failure with the count', async () => {
  const queue = new EventQueue<number>(nothing, (count) => new Error(`${count} wait`));
  for (let i = 0; i < 10_005; i++) queue.push(i, 1);
  for (let i = 0; i <= 10_000; i++) expect((await queue.next()).value).toBe(i);
  await expect(queue.next()).rejects.toThrow('10001 wait');
});
