import { get } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type Devnode, startDevnode } from '../start.js';

interface Status {
  readonly result: { readonly sync_info: { readonly latest_block_height: string; readonly catching_up: boolean } };
}

describe('recorded node', () => {
  let devnode: Devnode;
  afterEach(() => devnode.close());

  const height = async (post: boolean): Promise<string> => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"status","params":{}}';
    const response = await (post ? fetch(devnode.rpc, { method: 'POST', body }) : fetch(`${devnode.rpc}/status`));
    return ((await response.json()) as Status).result.sync_info.latest_block_height;
  };

  /** Sends the request as it was recorded: fetch would add its own headers. */
  const bare = (): Promise<string> =>
    new Promise((resolve, reject) => {
      get(`${devnode.rpc}/status`, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve((JSON.parse(text) as Status).result.sync_info.latest_block_height));
      }).on('error', reject);
    });

  it('in order: a request recorded several times returns each answer in turn and then repeats the last one', async () => {
    devnode = await startDevnode({ mode: 'recorded', node: 'archive' });
    expect([await bare(), await bare(), await bare()]).toEqual(['903746', '905000', '905000']);
    expect(await height(true), 'a request with other headers gets the newest answer').toBe('905000');
  });

  it('last: the node is at its upgrade height on every transport', async () => {
    devnode = await startDevnode({ mode: 'recorded', node: 'archive', repeats: 'last' });
    expect([await height(false), await height(true)]).toEqual(['905000', '905000']);
    const abci = (await (await fetch(`${devnode.rpc}/abci_info`)).json()) as {
      result: { response: { last_block_height: string } };
    };
    expect(abci.result.response.last_block_height).toBe('904999');
  });

  it('not recorded: other spellings of a call are recognised, unknown records return not found', async () => {
    devnode = await startDevnode({ mode: 'recorded', node: 'archive' });
    const call = '{"id":"x","params":{"height":"901904"},"method":"block_results"}';
    const answer = await (await fetch(devnode.rpc, { method: 'POST', body: call })).text();
    expect(answer.startsWith('{"jsonrpc":"2.0","id":"x","result":{"height":"901904"')).toBe(true);
    const missing = await fetch(`${devnode.rest}/sentinel/lease/v1/leases/123456`);
    expect([missing.status, await missing.text()]).toEqual([
      404,
      '{"code":5,"message":"lease 123456 does not exist","details":[]}',
    ]);
  });

  it('above the recorded stream: a search by height counts the executed blocks', async () => {
    devnode = await startDevnode({ mode: 'recorded', node: 'archive', nowMs: () => Date.UTC(2030, 0, 1) });
    const count = async (query: string): Promise<string> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'block_search', params: { query, per_page: '1' } });
      const answer = await fetch(devnode.rpc, { method: 'POST', body });
      expect(answer.headers.get('date')).toBe('Tue, 01 Jan 2030 00:00:00 GMT');
      return ((await answer.json()) as { result: { total_count: string } }).result.total_count;
    };
    expect(await count('block.height=904600')).toBe('1');
    expect(await count('block.height=904999')).toBe('1');
    // This block was stored but never executed.
    expect(await count('block.height=905000')).toBe('0');
    expect(await count('block.height>904590')).toBe('409');
  });

  it('pruned: a state below the bound is reported as pruned, one before the chain as never committed', async () => {
    devnode = await startDevnode({ mode: 'recorded', node: 'pruned' });
    const refusal = async (at: string): Promise<string> => {
      const headers = { 'x-cosmos-block-height': at };
      return (await fetch(`${devnode.rest}/sentinel/lease/v1/leases?pagination.limit=7`, { headers })).text();
    };
    expect(await refusal('904300')).toContain('version mismatch on immutable IAVL tree');
    expect(await refusal('901700')).toContain('no commit info found (latest height: 904494)');
  });
});
