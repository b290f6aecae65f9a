import { GetTxsEventRequest } from '@hubwatch/types/gen/forms/stack/tx/v1beta1/service';
import { decodeBinary, encodeBinary } from '@hubwatch/types/runtime/binary';
import { defineTable } from '@hubwatch/types/runtime/define-table';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import { startHttp } from '../../test/servers.js';
import { createRestTransport } from '../rest/index.js';
import type { Transport } from '../transport.js';
import { searchTxs } from './search-txs.js';

const conditions = ["message.sender='sent1abc'", 'tx.height>5'];

/** A gateway that reads one parameter and ignores unknown ones, like the framework's. */
async function gateway(reads: 'events' | 'query') {
  const asked: string[] = [];
  const server = await startHttp((request, _, response) => {
    const found = new URL(request.url ?? '', 'http://localhost').searchParams.getAll(reads);
    asked.push(...found);
    const message = reads === 'query' ? 'query cannot be empty' : 'must declare at least one event to search';
    const isEmpty = found.join('') === '';
    response.writeHead(isEmpty ? 400 : 200, { 'content-type': 'application/json' });
    const page = { txs: [], tx_responses: [], pagination: null, total: '7' };
    response.end(JSON.stringify(isEmpty ? { code: 3, message, details: [] } : page));
  });
  const transport = createRestTransport({ address: server.url, naming: identityNaming });
  return { transport, asked, close: () => server.close() };
}

describe('transaction search: the parameter that the framework renamed', () => {
  let older: Awaited<ReturnType<typeof gateway>>;
  let newer: Awaited<ReturnType<typeof gateway>>;
  beforeAll(async () => {
    [older, newer] = [await gateway('events'), await gateway('query')];
  });
  afterAll(async () => {
    for (const { close } of [older, newer]) await close();
  });

  it('the same call works on a node of 0.47 and on one of 0.50', async () => {
    for (const { transport } of [older, newer]) {
      const { message } = await searchTxs(transport, conditions, { limit: 10n });
      expect(message.total).toBe(7n);
    }
    expect(older.asked).toEqual(conditions);
    expect(newer.asked).toEqual([conditions.join(' AND ')]);
  });

  it('without conditions, each node reports the missing query with its own error text', async () => {
    await expect(searchTxs(older.transport, [])).rejects.toThrow('must declare at least one event');
    await expect(searchTxs(newer.transport, [])).rejects.toThrow('query cannot be empty');
  });

  it('over protobuf, each node reads the fields of its own descriptors', async () => {
    let bytes: Uint8Array = new Uint8Array();
    const call = ({ request }: { request: Parameters<typeof encodeBinary>[0] }, form: object) => {
      bytes = encodeBinary(request, form);
      return Promise.resolve({});
    };
    await searchTxs({ call, kind: 'grpc', address: '' } as unknown as Transport<'grpc'>, conditions, {
      newestFirst: true,
    });
    const later = defineTable<{ readonly query: string }>('stack.tx.v1beta1.GetTxsEventRequest', '6:query');
    expect(decodeBinary(GetTxsEventRequest, bytes)).toMatchObject({ events: conditions, orderBy: 2 });
    expect(decodeBinary(later, bytes).query).toBe(conditions.join(' AND '));
  });
});
