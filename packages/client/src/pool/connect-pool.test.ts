import { queryAsset } from '@hubwatch/types/gen/methods/hub/oracle/v1/query-service';
import { encodeBinary } from '@hubwatch/types/runtime/binary';
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpHandler, startHttp, type TestServer } from '../../test/servers.js';
import { publicNaming } from '../naming/public.js';
import { connectPool } from './connect-pool.js';
import type { PoolEvent } from './pool-event.js';

const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const status = (height: number) => ({
  node_info: { id: 'a', network: 'n', version: '0.37.16', moniker: 'm', listen_addr: 'x', other: { tx_index: 'on' } },
  sync_info: {
    latest_block_hash: '',
    latest_app_hash: '',
    latest_block_height: String(height),
    latest_block_time: '2026-11-28T11:36:03Z',
    earliest_block_hash: '',
    earliest_app_hash: '',
    earliest_block_height: '901801',
    earliest_block_time: '2026-11-28T11:36:03Z',
    catching_up: false,
  },
  validator_info: { address: '', pub_key: { type: 'tendermint/PubKeyEd25519', value: '' }, voting_power: '0' },
});

async function node(
  name: string,
  handle: (method: string) => unknown,
): Promise<{ name: string; rpc: string; calls: string[] }> {
  const calls: string[] = [];
  const handler: HttpHandler = (_, body, response) => {
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    calls.push(method);
    const result = handle(method);
    if (result === 'cut') return void response.socket?.destroy();
    if (typeof result === 'number') return void response.writeHead(result, { 'retry-after': '7' }).end('no');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
  const server = await startHttp(handler);
  servers.push(server);
  return { name, rpc: server.url, calls };
}

const sent = { code: 0, codespace: '', log: '[]', data: '', hash: 'AB' };
const tx = Uint8Array.of(1);

describe('connectPool', () => {
  it('a read: uses the fresh node; when it is down, an older state of another is not used, but a past block is', async () => {
    let cut = false;
    const at = (height: number) => (method: string) => (method === 'header' ? { header: null } : status(height));
    const old = await node('old', at(902_000));
    const fresh = await node('fresh', () => (cut ? 'cut' : status(902_100)));
    const events: PoolEvent[] = [];
    const pool = connectPool(
      [old, fresh].map(({ name, rpc }) => ({ name, rpc, naming: publicNaming })),
      { onEvent: (event) => events.push(event) },
    );
    const height = async () => (await pool.rpc?.call('status'))?.syncInfo.latestBlockHeight;
    expect(await height()).toBe(902_100n);
    cut = true;
    await expect(height()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await pool.rpc?.call('header', { height: 901_900n })).toEqual({ header: undefined });
    const attempts = events.flatMap((event) =>
      event.kind === 'attempt' ? [`${event.endpoint} ${event.method} ${event.outcome}`] : [],
    );
    expect(attempts.slice(2)).toEqual([
      'fresh status ok',
      ...Array<string>(3).fill('fresh status failed'),
      expect.stringMatching(/header/),
      ...(attempts.at(-2) === 'fresh header failed' ? ['old header ok'] : []),
    ]);
    expect(attempts.at(-1)).toBe('old header ok');
    expect(events).toContainEqual({ kind: 'selected', endpoint: 'fresh', lane: 'live', before: undefined });
    expect([pool.grpc, pool.rest]).toEqual([undefined, undefined]);
    await pool.close();
  });

  it('a broadcast: not sent again if cut while waiting; sent to the next endpoint if refused before sending', async () => {
    const cutting = await node('cutting', (method) => (method === 'status' ? status(5) : 'cut'));
    const well = await node('well', (method) => (method === 'status' ? status(1) : sent));
    const open = [cutting, well].map(({ name, rpc }) => ({ name, rpc, naming: publicNaming }));
    const pool = connectPool(open);
    await expect(pool.rpc?.call('broadcast_tx_sync', { tx })).rejects.toMatchObject({ code: 'unavailable' });
    expect([cutting, well].map(({ calls }) => calls.filter((call) => call !== 'status').length)).toEqual([1, 0]);
    const refusing = connectPool([{ name: 'gone', rpc: 'http://127.0.0.1:1', naming: publicNaming }, ...open.slice(1)]);
    expect(await refusing.rpc?.call('broadcast_tx_sync', { tx })).toMatchObject({ code: 0, hash: 'AB' });
  });

  it('429 with Retry-After: waits as long as the response requests', async () => {
    const limited = await node('limited', () => 429);
    const well = await node('well', () => status(1));
    const events: PoolEvent[] = [];
    const pool = connectPool(
      [limited, well].map(({ name, rpc }) => ({ name, rpc, naming: publicNaming })),
      {
        onEvent: (event) => events.push(event),
      },
    );
    await pool.rpc?.call('status');
    expect(events.find(({ kind }) => kind === 'blocked')).toMatchObject({ endpoint: 'limited', forMs: 7_000 });
  });

  it('request that REST cannot carry: sent over another transport of the same endpoint, and the hook names it', async () => {
    const value = Buffer.from(encodeBinary(queryAsset.response, { asset: { denom: 'ibc/A' } })).toString('base64');
    const well = await node('well', () => ({
      response: { code: 0, log: '', value, height: '905000', codespace: '' },
    }));
    const events: PoolEvent[] = [];
    const pool = connectPool([{ ...well, rest: well.rpc, naming: publicNaming }], {
      onEvent: (event) => events.push(event),
    });
    const answer = await pool.rest?.call(queryAsset, { denom: 'ibc/A' });
    expect([answer?.message.asset.denom, answer?.height]).toEqual(['ibc/A', 905_000n]);
    const method = 'hub.oracle.v1.QueryService/QueryAsset';
    expect(events).toMatchObject([
      { kind: 'rerouted', endpoint: 'well', method, from: 'rest', to: 'abci' },
      { kind: 'attempt', endpoint: 'well', method, outcome: 'ok' },
      { kind: 'selected' },
    ]);
  });

  it('close: aborts a height query to a node that never responds', async () => {
    const well = await node('well', () => status(902_000));
    let ended: () => void = () => undefined;
    const cut = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const silent = await startHttp((_, __, response) => void response.on('close', ended));
    servers.push(silent);
    const events: PoolEvent[] = [];
    const pool = connectPool(
      [well, { name: 'silent', rpc: silent.url }].map(({ name, rpc }) => ({ name, rpc, naming: publicNaming })),
      { onEvent: (event) => events.push(event) },
    );
    await pool.rpc?.call('status', undefined, { timeoutMs: 400 });
    await pool.close();
    await cut;
    await pool.probe();
    const looks = events.flatMap((event) =>
      event.kind === 'attempt' && event.endpoint === 'silent' && event.method === 'probe' ? [event.code] : [],
    );
    expect(looks).toEqual(['cancelled']);
  });

  it('no endpoint, or one without an address: refused', () => {
    expect(() => connectPool([])).toThrow('at least one endpoint');
    expect(() => connectPool([{}])).toThrow('at least one address');
  });
});
