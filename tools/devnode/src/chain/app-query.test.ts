import { publicProfile } from '@hubwatch/types/gen/naming/public';
import { createNaming } from '@hubwatch/types/runtime/naming-profile';
import { describe, expect, it } from 'vitest';
import { createMovingNode } from '../moving-node.js';
import { type QueryRow, rowsOf } from '../recording/rows.js';
import { chainFolder, recordingsFolder } from '../recordings-folder.js';
import type { HttpHandler } from '../servers/http/message.js';
import { BlockStream } from './block-stream.js';

const { first, last } = new BlockStream(chainFolder('chain'));
const node = createMovingNode(
  { mode: 'moving', chain: 'chain', speed: 'manual', shiftTo: 'none', from: last },
  createNaming(publicProfile),
);

const hub = /^\/[a-z]+[./](?:deposit|lease|node|oracle|plan|provider|session|subscription|swap)[./]v/;

/** Recorded hub reads at heights that exist in the block stream. */
function hubReads(transport: QueryRow['transport']): QueryRow[] {
  return rowsOf(recordingsFolder, 'reads', 'archive').filter((row) => {
    const height = Number((row as { height?: string | null }).height ?? 0);
    const { path, target, body } = row.sent as { path?: string; target?: string; body?: string | null };
    const asked = transport === 'abci' ? (/"path":"([^"]+)"/.exec(body ?? '')?.[1] ?? '') : (path ?? target ?? '');
    return row.transport === transport && hub.test(asked) && height >= first && height <= last;
  });
}

function ask(handler: HttpHandler, { sent }: QueryRow): ReturnType<HttpHandler> {
  const { method, target, headers = [], body } = sent;
  return handler({
    method,
    target,
    headers,
    body: Buffer.from(body ?? ''),
    version: '1.1',
    tooLarge: false,
    remote: '',
  });
}

describe('application', () => {
  it("grpc: rebuilds the bytes of every recorded hub read at a height in the stream from the stream's states", async () => {
    const rows = hubReads('grpc');
    const unequal: string[] = [];
    for (const { group, sent, got } of rows) {
      const message = Buffer.from(sent.message ?? '', 'base64');
      const answer = await node.grpc.unary({ path: sent.path, metadata: sent.metadata, message });
      const body = answer.body === undefined ? null : Buffer.from(answer.body).toString('base64');
      if (answer.code !== got.code || answer.message !== got.message || body !== got.body) unequal.push(group);
    }
    expect(unequal).toEqual([]);
    expect(rows.length).toBe(1974);
  });

  it.each([
    ['rest', node.rest, 1508],
    ['abci', node.rpc, 1974],
  ] as const)(
    "%s: rebuilds the text of every recorded hub read from the stream's states",
    async (transport, handler, count) => {
      const rows = hubReads(transport);
      const unequal: string[] = [];
      for (const row of rows) {
        const { status, body } = await ask(handler, row);
        const { status: wanted, body: text } = row.got as { status: number; body?: string | null };
        if (status !== wanted || String(body) !== text) unequal.push(row.group);
      }
      expect(unequal).toEqual([]);
      expect(rows.length).toBe(count);
    },
  );
});
