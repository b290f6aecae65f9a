import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { recordingsFolder } from './recordings-folder.js';
import { type Devnode, startDevnode } from './start.js';

interface Genesis {
  readonly accounts: Readonly<Record<string, string>>;
}

describe('moving node', () => {
  let devnode: Devnode;
  afterEach(() => devnode.close());

  const get = async (
    path: string,
    height?: number,
  ): Promise<{ status: number; body: string; height: string | null }> => {
    const header = 'x-cosmos-block-height';
    const init = height === undefined ? {} : { headers: { [header]: String(height) } };
    const response = await fetch(`${devnode.rest}${path}`, init);
    return {
      status: response.status,
      body: await response.text(),
      height: response.headers.get(`grpc-metadata-${header}`),
    };
  };
  const nodes = '/sentinel/node/v3/nodes';
  const manual = { mode: 'moving', chain: 'chain', speed: 'manual', shiftTo: 'none' } as const;

  it('lapse and return: node5 is inactive after 901904 and active after 902070, and its lease is gone', async () => {
    const genesis = JSON.parse(readFileSync(join(recordingsFolder, 'chain', 'genesis-hub.json'), 'utf8')) as Genesis;
    devnode = await startDevnode({ ...manual, from: 901903 });
    const status = async (): Promise<string | undefined> => {
      const { body } = await get(nodes);
      const list = (JSON.parse(body) as { nodes: { address: string; status: string; remote_addrs: string[] }[] }).nodes;
      const bytes = (genesis.accounts['node5'] as string).slice('sent1'.length, -6);
      return list.find(({ address }) => address.startsWith(`sentnode1${bytes}`))?.status;
    };
    const leases = async (): Promise<number> => {
      const { body } = await get('/sentinel/lease/v1/leases');
      return (JSON.parse(body) as { leases: unknown[] }).leases.length;
    };
    expect([await status(), await leases()]).toEqual(['active', 4]);
    await devnode.advanceTo(901904);
    expect([await status(), await leases()]).toEqual(['inactive', 3]);
    const results = await (await fetch(`${devnode.rpc}/block_results?height=901904`)).text();
    expect(results).toContain('38885udvpn');
    await devnode.advanceTo(902069);
    expect(await status()).toBe('inactive');
    await devnode.advanceTo(902070);
    expect(await status()).toBe('active');
  });

  it('heights: past states are read as they were, other heights are rejected with a specific reason', async () => {
    devnode = await startDevnode({ ...manual, from: 902000 });
    expect(await get(nodes, 901900)).toMatchObject({ status: 200, height: '901900' });
    expect(await get(nodes)).toMatchObject({ status: 200, height: '902000' });
    const refused = async (height: number): Promise<string> =>
      (JSON.parse((await get(nodes, height)).body) as { message: string }).message;
    expect(await refused(902001)).toContain('cannot query with height in the future');
    expect(await refused(901800)).toContain('no commit info found (latest height: 902000)');
    expect(await refused(-1)).toContain('cannot query with height < 0');
  });

  it("shift: the head's block time is now, and state times shift by the same amount", async () => {
    const beforeMs = Date.now();
    devnode = await startDevnode({ mode: 'moving', chain: 'day', speed: 'manual', from: 902300 });
    const afterMs = Date.now();
    const { time } = devnode.position();
    expect(Date.parse(time)).toBeGreaterThanOrEqual(beforeMs);
    expect(Date.parse(time)).toBeLessThanOrEqual(afterMs);
    const shown = JSON.parse((await get(`${nodes}?pagination.limit=1`)).body) as { nodes: { inactive_at: string }[] };
    const first = shown.nodes[0] as { inactive_at: string };
    await devnode.close();
    devnode = await startDevnode({ mode: 'moving', chain: 'day', speed: 'manual', from: 902300, shiftTo: 'none' });
    const recorded = JSON.parse((await get(`${nodes}?pagination.limit=1`)).body) as {
      nodes: { inactive_at: string }[];
    };
    const gap = Date.parse(time) - Date.parse(devnode.position().time);
    expect(Date.parse(first.inactive_at) - Date.parse((recorded.nodes[0] as { inactive_at: string }).inactive_at)).toBe(
      gap,
    );
  });

  it('speed: blocks arrive automatically and stop at the end of the recording', async () => {
    devnode = await startDevnode({ mode: 'moving', chain: 'chain', speed: 100_000, from: 904590 });
    await expect.poll(() => devnode.position().height).toBe(904600);
    await expect(devnode.advanceTo(904601)).rejects.toThrow('901801 to 904600');
  });

  it('not recorded: returns the same class of error as a node', async () => {
    devnode = await startDevnode({ ...manual, from: 902000 });
    expect(await get('/sentinel/plan/v3/plans')).toMatchObject({ status: 501 });
    expect((await get('/sentinel/node/v1/nodes')).body).toContain('unknown service sentinel.node.v1.QueryService');
    expect(await get('/sentinel/provider/v2/params')).toMatchObject({
      status: 501,
      body: '{"code":12,"message":"","details":[]}',
    });
    expect((await get(`${nodes}?status=STATUS_ACTIVE`)).body).toContain('strconv.ParseInt: parsing');
    expect(await get('/sentinel/node/v3/nodes/sentnode1nope')).toMatchObject({ status: 400 });
    const rpc = await fetch(devnode.rpc, {
      method: 'POST',
      body: '{"jsonrpc":"2.0","id":1,"method":"nope","params":{}}',
    });
    expect(await rpc.json()).toMatchObject({ error: { code: -32601, message: 'Method not found' } });
  });

  it('settings: a node without index, results and reflection, with unsafe methods, behaves accordingly', async () => {
    const settings = { index: false, results: false, reflection: false, unsafe: true };
    devnode = await startDevnode({ ...manual, from: 902000, settings });
    const call = async (method: string, params: object): Promise<{ result?: object; error?: { data: string } }> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const answer = await fetch(devnode.rpc, { method: 'POST', body });
      return (await answer.json()) as { error?: { data: string } };
    };
    expect((await call('tx_search', { query: 'tx.height=5' })).error?.data).toBe('transaction indexing is disabled');
    expect((await call('block_search', { query: 'block.height=5' })).error?.data).toBe('block indexing is disabled');
    expect((await call('block_results', { height: '901900' })).error?.data).toBe(
      'node is not persisting abci responses',
    );
    expect((await call('block_results', { height: '901800' })).error?.data).toContain('is not available');
    expect((await call('status', {})).result).toMatchObject({ node_info: { other: { tx_index: 'off' } } });
    expect(await (await fetch(devnode.rpc)).text()).toContain('/unsafe_flush_mempool?');
  });

  it('options: an invalid option is reported with its allowed values', async () => {
    devnode = await startDevnode({ ...manual, from: 902000 });
    await expect(startDevnode({ ...manual, from: 1 })).rejects.toThrow('heights 901801 to 904600');
    await expect(startDevnode({ ...manual, chain: 'nope' })).rejects.toThrow('allowed are day, chain');
  });
});
