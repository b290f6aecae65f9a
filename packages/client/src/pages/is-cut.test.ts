import { queryNodes, queryNodesForPlan } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { getTxsEvent } from '@hubwatch/types/gen/methods/stack/tx/v1beta1/service';
import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import { expect, test } from 'vitest';
import { startHttp } from '../../test/servers.js';
import { createRestTransport } from '../rest/index.js';
import { isCut } from './is-cut.js';
import { onePage } from './one-page.js';

const records = (count: number): unknown[] => Array.from({ length: count }, () => ({}));
const key = Uint8Array.of(7);

test.each([
  ['a next key', queryNodes, { nodes: records(100), pagination: { nextKey: key, total: 255n } }, true],
  [
    'the last page of a counted list',
    queryNodes,
    { nodes: records(55), pagination: { nextKey: new Uint8Array(), total: 255n } },
    undefined,
  ],
  ['no pagination', queryNodes, { nodes: records(100), pagination: undefined }, undefined],
  ['a full default page of a list without next keys', queryNodesForPlan, { nodes: records(100) }, true],
  ['a page of such a list that is not full', queryNodesForPlan, { nodes: records(99) }, undefined],
  [
    'a search that counts more than it gives',
    getTxsEvent,
    { txs: records(30), txResponses: records(30), total: 236n },
    true,
  ],
  ['a whole search', getTxsEvent, { txs: records(3), txResponses: records(3), total: 3n }, undefined],
])('%s: whether the page is truncated', (_, method, message, wanted) => {
  expect(isCut(method, message).isCut).toBe(wanted);
});

test('a list that was truncated by the default page: a plain call and onePage report it', async () => {
  const server = await startHttp((request, _, response) => {
    const isLast = request.url?.includes('pagination.key') === true;
    const pagination = { next_key: isLast ? null : 'Bw==', total: isLast ? '0' : '255' };
    response.end(JSON.stringify({ nodes: records(isLast ? 55 : 100), pagination }));
  });
  try {
    const rest = createRestTransport({ address: server.url, naming: identityNaming });
    expect((await rest.call(queryNodes, {})).isCut).toBe(true);
    expect((await onePage(rest, queryNodes, {})).isCut).toBe(true);
    expect(await rest.call(queryNodes, { pagination: { key } })).not.toHaveProperty('isCut');
  } finally {
    await server.close();
  }
});
