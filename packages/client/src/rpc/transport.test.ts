import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import { afterEach, describe, expect, it } from 'vitest';
import { startHttp } from '../../test/servers.js';
import { HubError } from '../error.js';
import { publicNaming } from '../naming/public.js';
import { eventQuery } from '../websocket/event-query.js';
import type { RpcClient } from './client.js';
import { createRpcClient } from './transport.js';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const open of closing.splice(0)) await open.close();
});

type Call = { id: number; method: string; params: Record<string, unknown> };

async function clientTo(answer: (call: Call) => unknown, status = 200): Promise<RpcClient> {
  const server = await startHttp((_, body, response) => {
    const call = JSON.parse(body) as Call;
    const reply = answer(call);
    response
      .writeHead(status)
      .end(typeof reply === 'string' ? reply : JSON.stringify({ jsonrpc: '2.0', id: call.id, ...(reply as object) }));
  });
  closing.push(server);
  return createRpcClient({ address: server.url, naming: publicNaming });
}

const failure = async (call: Promise<unknown>): Promise<HubError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HubError);
  return error as HubError;
};

const failed = (data: string, code = -32603): unknown => ({ error: { code, message: 'Internal error', data } });

describe('consensus RPC client', () => {
  it('parameters: 64-bit as text, bytes as base64, hex without prefix, absent ones omitted, params always present', async () => {
    const calls: Call[] = [];
    const client = await clientTo((call) => {
      calls.push(call);
      return failed('x');
    });
    const hash = Uint8Array.from([0xab, 1]);
    await failure(client.call('block', { height: 901900n }));
    await failure(client.call('tx', { hash, prove: false }));
    await failure(client.call('header_by_hash', { hash }));
    await failure(client.call('block', { height: undefined }));
    await failure(client.call('health'));
    expect(calls.map(({ method, params }) => [method, params])).toEqual([
      ['block', { height: '901900' }],
      ['tx', { hash: 'qwE=', prove: false }],
      ['header_by_hash', { hash: 'AB01' }],
      ['block', {}],
      ['health', {}],
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(5);
  });

  it('abci_info: members that the node omits are zero', async () => {
    const client = await clientTo(() => ({ result: { response: { version: '12.0.2', last_block_height: '905000' } } }));
    expect(await client.call('abci_info')).toEqual({
      data: '',
      version: '12.0.2',
      lastBlockHeight: 905000n,
      lastBlockAppHash: new Uint8Array(0),
    });
  });

  it('consensus state, short and long: height, round and step, and the rest unchanged', async () => {
    const short = { 'height/round/step': '905000/0/8', proposer: {} };
    const client = await clientTo(() => ({ result: { round_state: short } }));
    expect(await client.call('consensus_state')).toEqual({ height: 905000n, round: 0, step: 8, state: short });
    const long = { height: '905000', round: 1, step: 3 };
    const other = await clientTo(() => ({ result: { round_state: long, peers: [] } }));
    expect(await other.call('dump_consensus_state')).toEqual({ height: 905000n, round: 1, step: 3, state: long });
  });

  it.each(['deliver_tx', 'tx_result'])(
    'broadcast_tx_commit with %s, from engine 0.37 or 0.38: the same result',
    async (name) => {
      const checkTx = {
        code: 0,
        data: null,
        log: '',
        info: '',
        gas_wanted: '9',
        gas_used: '8',
        events: [],
        codespace: '',
      };
      const client = await clientTo(() => ({
        result: {
          check_tx: checkTx,
          [name]: { ...checkTx, code: 5, codespace: 'sdk', log: 'poor' },
          hash: 'AB',
          height: '5',
        },
      }));
      const result = await client.call('broadcast_tx_commit', { tx: Uint8Array.of(1) });
      expect([result.checkTx.gasUsed, result.txResult.code, result.txResult.log, result.height]).toEqual([
        8n,
        5,
        'poor',
        5n,
      ]);
    },
  );

  it('URIs: parameters in the form that the node reads there, and the id of every such response', async () => {
    const urls: string[] = [];
    const server = await startHttp((request, _, response) => {
      urls.push(`${request.method} ${request.url}`);
      const failure = {
        code: -32603,
        message: 'Internal error',
        data: 'height 5 is not available, lowest height is 901801',
      };
      response.writeHead(500).end(JSON.stringify({ jsonrpc: '2.0', id: -1, error: failure }));
    });
    closing.push(server);
    const client = createRpcClient({ address: server.url, naming: publicNaming, form: 'uri' });
    const hash = Uint8Array.from([0xab, 1]);
    expect((await failure(client.call('block', { height: 5n }))).code).toBe('height_never_existed');
    await failure(client.call('tx', { hash, prove: true }));
    await failure(client.call('header_by_hash', { hash }));
    await failure(client.call('tx_search', { query: "message.sender='a\"b'", page: 2n, order_by: 'desc' }));
    await failure(client.call('health'));
    expect(urls).toEqual([
      'GET /block?height=5',
      'GET /tx?hash=0xAB01&prove=true',
      'GET /header_by_hash?hash=0xAB01',
      'GET /tx_search?query=%22message.sender%3D%27a%5C%22b%27%22&page=2&order_by=%22desc%22',
      'GET /health',
    ]);
  });

  it('tags and event types: neutral in the result', async () => {
    const client = await clientTo(() => ({
      result: {
        height: '5',
        txs_results: null,
        begin_block_events: [
          { type: publicNaming.eventToWire('hub.lease.v1.EventEnd') },
          { type: 'transfer', attributes: [] },
        ],
        end_block_events: null,
        validator_updates: [
          {
            pub_key: {
              Sum: { type: publicNaming.tagToWire('bft.crypto.PublicKey_Ed25519'), value: { ed25519: 'AQ==' } },
            },
          },
        ],
      },
    }));
    expect(await client.call('block_results', { height: 5n })).toEqual({
      height: 5n,
      txsResults: [],
      beginBlockEvents: [
        { type: 'hub.lease.v1.EventEnd', attributes: [] },
        { type: 'transfer', attributes: [] },
      ],
      endBlockEvents: [],
      finalizeBlockEvents: [],
      validatorUpdates: [{ keyKind: 'ed25519', publicKey: Uint8Array.from([1]), power: 0n }],
    });
  });

  it.each<[unknown, string]>([
    [failed('height 904390 is not available, lowest height is 904400'), 'height_not_retained'],
    [failed('height 5 is not available, lowest height is 901801'), 'height_never_existed'],
    [failed('height 9 must be less than or equal to the current blockchain height 8'), 'height_in_future'],
    [failed('height must be greater than 0, but got -1'), 'invalid_argument'],
    [failed('could not find results for height #905000'), 'not_found'],
    [failed('tx (AB01) not found'), 'not_found'],
    [failed('transaction indexing is disabled'), 'unimplemented'],
    [failed('page should be within [1, 1] range, given 5'), 'invalid_argument'],
    [failed('mempool is full: number of txs 5000 (max: 5000), total txs bytes 1 (max: 2)'), 'rate_limited'],
    [failed('something else'), 'internal'],
    [failed('', -32601), 'unimplemented'],
    [failed('error converting json params', -32602), 'invalid_argument'],
    [failed('error reading request body: http: request body too large', -32600), 'limit'],
    ['<html>', 'http'],
    ['', 'http'],
    ['5', 'http'],
    [{ result: { sync_info: {} } }, 'decode'],
  ])('response %j: %s', async (answer, code) => {
    const client = await clientTo(() => answer);
    expect((await failure(client.call('status'))).code).toBe(code);
  });

  it('null instead of a list: an empty list', async () => {
    const result = {
      height: '5',
      txs_results: null,
      begin_block_events: null,
      end_block_events: null,
      validator_updates: null,
      txs: null,
      total_count: '0',
    };
    const client = await clientTo(() => ({ result }));
    expect(await client.call('block_results', { height: 5n })).toMatchObject({
      txsResults: [],
      beginBlockEvents: [],
      endBlockEvents: [],
      validatorUpdates: [],
    });
    expect(await client.call('tx_search', { query: 'tx.height=5' })).toMatchObject({ txs: [], totalCount: 0n });
  });

  it('node without a transaction index: a separate code, and no match is an empty list', async () => {
    const without = await clientTo(() => failed('transaction indexing is disabled'));
    expect((await failure(without.call('tx_search', { query: 'tx.height=5' }))).code).toBe('unimplemented');
    const empty = await clientTo(() => ({ result: { txs: [], total_count: '0' } }));
    expect(await empty.call('tx_search', { query: 'tx.height=5' })).toEqual({ txs: [], totalCount: 0n });
  });

  it('a response to another request: fails with decode', async () => {
    const client = await clientTo(() => ({ id: 0, result: {} }));
    expect((await failure(client.call('health'))).message).toContain('the answer has the id 0');
  });

  it('an HTTP error of a proxy: classified by its status', async () => {
    expect((await failure((await clientTo(() => '<html>', 429)).call('status'))).code).toBe('rate_limited');
    expect((await failure((await clientTo(() => '<html>', 503)).call('status'))).code).toBe('unavailable');
  });

  it('names inside texts: searches and paths are sent in wire names, typed and as text', async () => {
    const calls: Call[] = [];
    const client = await clientTo((call) => {
      calls.push(call);
      return failed('x');
    });
    const query = eventQuery('Tx').is('message.action', '/hub.node.v3.MsgUpdateNodeStatusRequest');
    const wire = "message.action = '/sentinel.node.v3.MsgUpdateNodeStatusRequest'";
    await failure(client.call('tx_search', { query }));
    await failure(client.call('tx_search', { query: "message.action='/hub.node.v3.MsgA' AND tx.height>5" }));
    await failure(
      client.call('block_search', { query: eventQuery('NewBlock').exists('hub.lease.v1.EventPay.lease_id') }),
    );
    await failure(client.call('abci_query', { path: '/hub.node.v3.QueryService/QueryParams' }));
    await client.batch([{ method: 'tx_search', params: { query } }]).catch(() => undefined);
    expect(calls.flat().map(({ params }) => params['query'] ?? params['path'])).toEqual([
      wire,
      "message.action='/sentinel.node.v3.MsgA' AND tx.height>5",
      'sentinel.lease.v1.EventPay.lease_id EXISTS',
      '/sentinel.node.v3.QueryService/QueryParams',
      wire,
    ]);
    // @ts-expect-error blocks are searched by events of blocks
    const wrong = client.call('block_search', { query });
    await failure(wrong);
    expect((await failure(client.call('tx_search', { query: eventQuery('Tx') }))).code).toBe('invalid_argument');
  });

  it('names inside a result: event types, marked attributes, logs and tags are neutral', async () => {
    const events = [
      { type: 'message', attributes: [{ key: 'action', value: '/sentinel.node.v3.MsgA', index: true }] },
      { type: 'cosmos.authz.v1beta1.EventGrant', attributes: [{ key: 'msg_type_url', value: '"/sentinel.a.MsgB"' }] },
    ];
    const log = JSON.stringify([{ msg_index: 0, events }]);
    const client = await clientTo(() => ({
      result: { height: '5', txs_results: [{ code: 0, log, events }], begin_block_events: events },
    }));
    const { txsResults, beginBlockEvents } = await client.call('block_results', { height: 5n });
    expect(JSON.stringify([beginBlockEvents, txsResults[0]?.events, txsResults[0]?.log])).not.toMatch(
      /sentinel|cosmos/,
    );
    expect(txsResults[0]?.events).toEqual(beginBlockEvents);
    expect(beginBlockEvents[0]?.attributes[0]?.value).toBe('/hub.node.v3.MsgA');
  });

  it('a block whose parameter updates have empty parts: read, and the parts are empty', async () => {
    // Recorded from a node behind a serialiser that omits zero values.
    const result = {
      height: '902000',
      txs_results: null,
      finalize_block_events: [
        { type: 'sentinel.lease.v1.EventPay', attributes: [{ key: 'lease_id', value: '"7"', index: true }] },
      ],
      validator_updates: [],
      consensus_param_updates: {
        block: { max_bytes: '22020096', max_gas: '-1' },
        evidence: {},
        version: {},
        abci: {},
      },
      app_hash: '',
    };
    const client = await clientTo(() => ({ result }));
    const { finalizeBlockEvents, paramUpdates } = await client.call('block_results', { height: 902000n });
    expect(finalizeBlockEvents.map(({ type }) => type)).toEqual(['hub.lease.v1.EventPay']);
    expect(paramUpdates).toEqual({
      block: { maxBytes: 22020096n, maxGas: -1n },
      evidence: { maxAgeBlocks: undefined, maxAgeNanos: undefined, maxBytes: undefined },
      validator: undefined,
      version: { app: undefined },
      abci: { voteExtensionsEnableHeight: undefined },
    });
  });

  it('a result that does not fit: the error names the member', async () => {
    const client = await clientTo(() => ({ result: { n_txs: '0', total: 5, total_bytes: '0', txs: null } }));
    expect((await failure(client.call('num_unconfirmed_txs'))).message).toContain(
      'total: a decimal text of 64 bits is expected, not a number',
    );
  });

  it.each([
    ['18446744073709551616', 'a decimal text of 64 bits is expected'],
    ['9223372036854775808', 'a decimal text of 64 bits is expected'],
    ['-1', 'a height is expected, not -1'],
    ['1e3', 'a decimal text of 64 bits is expected'],
  ])('a status with height %s: an error that names it', async (height, message) => {
    const client = await clientTo(() => ({ result: { sync_info: { latest_block_height: height } } }));
    expect((await failure(client.call('status'))).message).toContain(`latest_block_height: ${message}`);
  });

  it('methods of the websocket and of unsafe mode: refused before any request', async () => {
    let asked = 0;
    const client = await clientTo(() => {
      asked++;
      return failed('x');
    });
    for (const method of ['subscribe', 'unsafe_flush_mempool', 'dial_peers']) {
      expect((await failure(client.call(method as never))).code).toBe('not_served');
    }
    const nonsense = await failure(client.call('nonsense' as never));
    expect(nonsense.code).toBe('invalid_argument');
    expect(nonsense.message).toContain('nonsense is no method over HTTP; there are abci_info, abci_query');
    expect(nonsense.message).not.toMatch(/subscribe|dial_peers/);
    expect((await failure(client.call('block', { hight: 5n } as never))).message).toContain(
      'block has no parameter hight; it has height',
    );
    expect(asked).toBe(0);
  });

  it('an invalid address: refused immediately', () => {
    expect(() => createRpcClient({ address: 'host:26657', naming: identityNaming })).toThrow('rpc address host:26657');
  });
});

describe('batches of the consensus RPC', () => {
  type Answers = (calls: readonly Call[]) => unknown;
  const batchTo = async (answers: Answers, status = 200): Promise<RpcClient> => {
    const server = await startHttp((_, body, response) => {
      response.writeHead(status).end(JSON.stringify(answers(JSON.parse(body) as Call[])));
    });
    closing.push(server);
    return createRpcClient({ address: server.url, naming: publicNaming });
  };
  const pool = { n_txs: '0', total: '3', total_bytes: '9', txs: null };

  it('results in any order: each is assigned to its call, refused or not', async () => {
    const client = await batchTo((calls) =>
      [...calls].reverse().map(({ id, method }) => ({
        id,
        ...(method === 'block'
          ? (failed('height 5 is not available, lowest height is 901801') as object)
          : { result: pool }),
      })),
    );
    const [mempool, block, bad] = await client.batch([
      { method: 'num_unconfirmed_txs' },
      { method: 'block', params: { height: 5n } },
      { method: 'status' },
    ]);
    expect(mempool.ok && mempool.result.total).toBe(3n);
    expect(block).toMatchObject({ ok: false, error: { code: 'height_never_existed', height: 5n, method: 'block' } });
    expect(bad).toMatchObject({ ok: false, error: { code: 'decode', method: 'status' } });
  });

  it('one call: its result is returned without the list; none: nothing is sent', async () => {
    let sent = 0;
    const client = await batchTo(([call]) => {
      sent++;
      return { id: call?.id, result: pool };
    });
    expect(await client.batch([{ method: 'num_unconfirmed_txs' }])).toMatchObject([
      { ok: true, result: { total: 3n } },
    ]);
    expect(await client.batch([])).toEqual([]);
    expect(sent).toBe(1);
  });

  it('a missing result: that call fails, the others do not', async () => {
    const client = await batchTo(([call]) => [{ id: call?.id, result: pool }]);
    const outcomes = await client.batch([{ method: 'num_unconfirmed_txs' }, { method: 'health' }]);
    expect(outcomes).toMatchObject([{ ok: true }, { ok: false, error: { code: 'decode', method: 'health' } }]);
  });

  it.each<[unknown, string]>([
    [{ id: -1, ...(failed('reflect: Call with too few input arguments') as object) }, 'internal'],
    [
      { ...(failed('batch request exceeds maximum (10) allowed number of requests', -32600) as object) },
      'invalid_argument',
    ],
    ['<html>', 'http'],
  ])('a batch that is refused as a whole with %j: %s', async (answer, code) => {
    const client = await batchTo(() => answer, 500);
    expect((await failure(client.batch([{ method: 'health' }, { method: 'health' }]))).code).toBe(code);
  });
});
