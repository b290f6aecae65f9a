import { startDevnode } from '@hubwatch/devnode';
import { compareRecorded, knownDifferences } from '@hubwatch/devnode/compare';
import type { Proof } from './proof.js';

const nodes = ['archive', 'pruned', 'fresh', 'small'] as const;

/** Every recorded row gets the recorded answer over the sockets of the simulated node. */
export const goldenDevnode: Proof = {
  name: 'golden-devnode',
  about: 'the simulated node answers every recorded request as the real one did, over real sockets',
  async run({ log }) {
    const allowed = new Set(knownDifferences.map(({ row }) => row));
    const figures: Record<string, string> = {};
    let total = 0;
    let passed = 0;
    let counterExample: string | undefined;
    for (const name of nodes) {
      const node = await startDevnode({ mode: 'recorded', node: name });
      const { files, differences } = await compareRecorded(node, { node: name });
      await node.close();
      for (const { file, equal, total: rows } of files) {
        if (rows > 0) figures[`${name} ${file}`] = `${equal} of ${rows}`;
        total += rows;
        passed += equal;
      }
      for (const { row, what } of differences) {
        if (allowed.has(row)) passed += 1;
        else counterExample ??= `${name} ${row}: ${what}`;
      }
      log(`  ${name} walked`);
    }
    figures['unequal, listed with a reason'] = `${allowed.size}`;
    return { passed, total, counterExample, figures };
  },
};
