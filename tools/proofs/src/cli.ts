import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packedPrograms } from '@hubwatch/bench/consumers';
import { startDevnode } from '@hubwatch/devnode';
import { commandCases, prepareCases, runCase, untested } from './cli-cases.js';
import { judgeMutants } from './cli-mutants.js';
import { startCases, startsFrom } from './cli-starts.js';
import type { Proof } from './proof.js';

/** The commands behave as documented for a user who installed the tarballs. */
export const cli: Proof = {
  name: 'cli',
  about: 'every command and option of the packed programs does what is documented, on any configuration',
  defaultRuns: 300,
  async run({ seed, runs = 10_000, log }) {
    const programs = await packedPrograms();
    const node = await startDevnode({ mode: 'moving', chain: 'day', speed: 60, from: 902_400 });
    const folder = mkdtempSync(join(tmpdir(), 'hubwatch-cli-'));
    let [passed, total] = [0, 0];
    let counterExample: string | undefined;
    const judge = (name: string, fault: string | undefined): void => {
      total += 1;
      if (fault === undefined) passed += 1;
      else counterExample ??= `${name}: ${fault}`;
    };
    try {
      for (const one of startCases(folder, node)) judge(one.name, await startsFrom(programs, one));
      log(`${total} configurations to start from`);
      const world = { folder, node };
      await prepareCases(world);
      const cases = commandCases(world);
      const missing = await untested(programs, cases);
      judge('the help', missing.length === 0 ? undefined : `not tested: ${missing.join('; ')}`);
      // Sequential: some cases require the output of an earlier one.
      for (const one of cases) judge([one.command, ...one.args].join(' '), await runCase(programs, world, one));
      log(`${cases.length} runs of commands`);
      const mutants = await judgeMutants({ seed, runs, folder, programs, judge });
      return { passed, total, counterExample, figures: { 'runs of commands': cases.length, ...mutants } };
    } finally {
      await node.close();
      rmSync(folder, { recursive: true });
      programs.remove();
    }
  },
};
