import { expect, test } from 'vitest';
import { changedKeys } from './changed-keys.js';

test('changed keys: reports nested keys by path, lists as a whole, absent keys, and no values', () => {
  const before = { poll: { nodes: 1, leases: 2 }, watch: { nodes: [{ address: 'a' }] }, alive: { url: 'https://x' } };
  const after = { poll: { nodes: 1, leases: 3 }, watch: { nodes: [{ address: 'b' }] }, web: { listen: 'y' } };
  expect(changedKeys(before, after)).toEqual(['poll.leases', 'watch.nodes', 'alive', 'web']);
  expect(changedKeys(before, structuredClone(before))).toEqual([]);
});
