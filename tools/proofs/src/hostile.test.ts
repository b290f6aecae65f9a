import { expect, test } from 'vitest';
import { hostile } from './hostile.js';
import { hostileKinds } from './hostile-peers.js';

test('hostile: 24 peers of distinct kinds, each with its own reason, and a good endpoint beside them', async () => {
  expect(new Set(hostileKinds.map(({ name }) => name)).size).toBe(24);
  const lines: string[] = [];
  const outcome = await hostile.run({ seed: 5, runs: 1, log: (line) => lines.push(line) });
  expect(lines).toEqual([]);
  expect(outcome.counterExample).toBeUndefined();
  expect(outcome.passed).toBe(outcome.total);
}, 300_000);
