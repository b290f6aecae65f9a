import { expect, test } from 'vitest';
import { besideHostiles } from './hostile.js';

test('hostile: the right reason for each of 24 endpoints, few sockets, and a good endpoint unaffected', async () => {
  const faults: string[] = [];
  // When run from source, the daemon has a loader, which makes memory and turn measurements meaningless.
  const setting = { everyMs: 2_000, timeoutMs: 1_500, polls: 3, isMeasured: false };
  const { passed, total } = await besideHostiles({ seed: 12, log: (line) => faults.push(line) }, setting);
  expect(faults).toEqual([]);
  expect(passed).toBe(total);
});
