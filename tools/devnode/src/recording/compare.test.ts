import { afterEach, describe, expect, it } from 'vitest';
import { type Devnode, startDevnode } from '../start.js';
import { compareRecorded } from './compare.js';
import { knownDifferences } from './known-differences.js';
import { nodeNames } from './rows.js';

describe('recorded node', () => {
  let devnode: Devnode | undefined;
  afterEach(() => devnode?.close());

  it.each(nodeNames)('%s: answers every recorded row as recorded, except for the listed ones', async (node) => {
    devnode = await startDevnode({ mode: 'recorded', node });
    const { files, differences } = await compareRecorded(devnode, { node });
    const known = knownDifferences.filter((each) => each.node === node);
    for (const { file, equal, total } of files) if (total > 0) console.log(`${node} ${file}: ${equal} of ${total}`);
    const unexpected = differences.filter(
      ({ file, row }) => !known.some((each) => each.file === file && each.row === row),
    );
    expect(unexpected).toEqual([]);
    expect(differences.length, 'a listed row is equal now: take it off the list').toBe(known.length);
  });
});
