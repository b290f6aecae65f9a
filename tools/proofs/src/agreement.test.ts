import { expect, it } from 'vitest';
import { agreement } from './agreement.js';

it('agreement: in random worlds, every endpoint and the chain get the right verdict', async () => {
  const { passed, total, counterExample, figures } = await agreement.run({ seed: 3, runs: 40, log: () => undefined });
  expect(counterExample).toBeUndefined();
  expect([passed, total]).toEqual([40, 40]);
  const verdicts = ['ok', 'stuck', 'frozen', 'upgrade', 'halted', 'forked', 'syncing', 'wrong_chain', 'down'];
  expect(Object.keys(figures ?? {})).toEqual(expect.arrayContaining(verdicts.map((name) => `verdict ${name}`)));
});
