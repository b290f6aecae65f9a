import { publicProfile } from '@hubwatch/types/gen/naming/public';
import { createNaming } from '@hubwatch/types/runtime/naming-profile';
import { describe, expect, it } from 'vitest';
import { createMovingNode } from '../moving-node.js';
import { rowsOf } from '../recording/rows.js';
import { chainFolder, recordingsFolder } from '../recordings-folder.js';
import { BlockStream } from './block-stream.js';

const { first, last } = new BlockStream(chainFolder('chain'));
const node = createMovingNode(
  { mode: 'moving', chain: 'chain', speed: 'manual', shiftTo: 'none', from: last },
  createNaming(publicProfile),
);

describe('application', () => {
  it('hub reads: the bytes of every recorded read at a height of the stream are rebuilt from its states', async () => {
    const hub = /^\/[a-z]+\.(?:deposit|lease|node|oracle|plan|provider|session|subscription|swap)\.v/;
    const rows = rowsOf(recordingsFolder, 'reads', 'archive').filter(({ transport, sent, ...row }) => {
      const height = Number((row as { height?: string | null }).height ?? 0);
      return transport === 'grpc' && hub.test(sent.path) && height >= first && height <= last;
    });
    const unequal: string[] = [];
    for (const { group, sent, got } of rows) {
      const message = Buffer.from(sent.message ?? '', 'base64');
      const answer = await node.grpc.unary({ path: sent.path, metadata: sent.metadata, message });
      const body = answer.body === undefined ? null : Buffer.from(answer.body).toString('base64');
      if (answer.code !== got.code || answer.message !== got.message || body !== got.body) unequal.push(group);
    }
    expect(unequal).toEqual([]);
    expect(rows.length).toBeGreaterThan(1900);
  });
});
