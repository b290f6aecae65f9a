import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { queryDeposits } from '@hubwatch/types/gen/methods/hub/deposit/v1/query-service';
import { queryNodes, queryNodesForPlan } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { queryPlans, queryPlansForProvider } from '@hubwatch/types/gen/methods/hub/plan/v3/query-service';
import { queryAllocations } from '@hubwatch/types/gen/methods/hub/subscription/v2/query-service';
import { getValidatorSetByHeight } from '@hubwatch/types/gen/methods/stack/base/bft/v1beta1/service';
import { getBlockWithTxs, getTxsEvent } from '@hubwatch/types/gen/methods/stack/tx/v1beta1/service';
import { allContractState } from '@hubwatch/types/gen/methods/stackwasm/wasm/v1/query';
import { encodeBinary } from '@hubwatch/types/runtime/binary';
import { fromBase64, toBase64 } from '@hubwatch/types/runtime/base64';
import { afterEach, describe, expect, it } from 'vitest';
import { startGrpc, startHttp } from '../../test/servers.js';
import { createAbciTransport } from '../abci/transport.js';
import { HubError } from '../error.js';
import { createGrpcTransport } from '../grpc/transport.js';
import { publicNaming } from '../naming/public.js';
import { createRestTransport } from '../rest/transport.js';
import type { CallOptions, Transport } from '../transport.js';
import { collect } from './collect.js';
import { onePage } from './one-page.js';
import { pages } from './sweep.js';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const open of closing.splice(0).reverse()) await open.close();
});

type Asked = Readonly<Record<string, unknown>> & {
  readonly pagination?: {
    readonly key?: Uint8Array;
    readonly limit?: bigint;
    readonly offset?: bigint;
    readonly countTotal?: boolean;
  };
};
type Answering = (
  asked: Asked,
  options: CallOptions,
) => { readonly message: unknown; readonly height?: bigint | undefined };

/** A transport that is implemented by a function. */
function transportOf(answer: Answering): Transport<'grpc'> & { readonly asked: Asked[] } {
  const asked: Asked[] = [];
  const call = (_: unknown, request: Asked, options: CallOptions = {}): Promise<unknown> => {
    asked.push(request);
    return new Promise((resolve) => {
      resolve({ height: 5n, ...answer(request, options) });
    });
  };
  return {
    kind: 'grpc',
    address: 'test',
    call: call as Transport<'grpc'>['call'],
    close: () => Promise.resolve(),
    asked,
  };
}

const refuse = (code: HubError['code'], text: string): never => {
  throw new HubError({ code, message: text, raw: { text } });
};
const failure = (call: Promise<unknown>): Promise<HubError> =>
  call.then(
    () => expect.unreachable('it fails'),
    (error: unknown) => error as HubError,
  );

/** A page of numbered nodes after a key, in the order of the node. */
function nodesAfter(total: number, { pagination }: Asked, nextFor: (no: number) => Uint8Array = keyOf) {
  const from = pagination?.key === undefined ? 0 : noOf(pagination.key);
  const limit = Number(pagination?.limit ?? 100n);
  const nodes = Array.from({ length: Math.max(0, Math.min(limit, total - from)) }, (_, index) => ({
    address: `n${from + index}`,
    status: 1,
  }));
  const next = from + limit;
  return { nodes, pagination: { nextKey: next < total ? nextFor(next) : new Uint8Array(0), total: 0n } };
}
const keyOf = (no: number): Uint8Array => Uint8Array.of(1, no >> 16, (no >> 8) & 255, no & 255);
const noOf = (key: Uint8Array): number => key.subarray(1).reduce((no, byte) => no * 256 + byte, 0);

describe('pages by key', () => {
  it('next keys with +, / and = in base64: sent unchanged on every transport', async () => {
    const keys = [
      'A+/=',
      '////',
      '++==',
      ...Array.from({ length: 20 }, (_, no) => toBase64(Uint8Array.of(251, 255, no, 190 + no))),
    ]
      .map((text) => text.replace(/=+$/, ''))
      .map((text) => fromBase64(text.padEnd(Math.ceil(text.length / 4) * 4, text.length % 4 === 1 ? 'A' : '=')));
    const step = (sent: Uint8Array) => {
      const at = sent.length === 0 ? -1 : keys.findIndex((key) => toBase64(key) === toBase64(sent));
      if (sent.length > 0 && at === -1) throw new Error(`no key is ${toBase64(sent)}`);
      return keys[at + 1] ?? new Uint8Array(0);
    };
    const answer = (key: Uint8Array) =>
      encodeBinary(queryNodes.response, { nodes: [], pagination: { nextKey: step(key), total: 0n } });
    const seen: string[] = [];
    const http = await startHttp((request, body, response) => {
      if (body === '') {
        const key = new URL(request.url ?? '', 'http://node').searchParams.get('pagination.key') ?? '';
        seen.push(`rest ${key}`);
        response.end(
          JSON.stringify({ nodes: [], pagination: { next_key: toBase64(step(fromBase64(key))) || null, total: '0' } }),
        );
        return;
      }
      const { id, params } = JSON.parse(body) as { id: number; params: { data: string } };
      const value = Buffer.from(answer(keyIn(Buffer.from(params.data, 'hex')))).toString('base64');
      response.end(
        JSON.stringify({ id, result: { response: { code: 0, log: '', value, height: '5', codespace: '' } } }),
      );
    });
    const grpc = await startGrpc(({ message }) => ({ message: answer(keyIn(message)) }));
    const transports = [
      createGrpcTransport({ address: grpc.address, naming: publicNaming }),
      createRestTransport({ address: http.url, naming: publicNaming }),
      createAbciTransport({ address: http.url, naming: publicNaming }),
    ] as Transport<'grpc'>[];
    closing.push(grpc, http, ...transports);
    for (const transport of transports) {
      // All pages are empty here. A list may not have so many consecutive empty pages, so the test pages manually.
      let key: Uint8Array = new Uint8Array(0);
      for (let no = 0; no <= keys.length; no++) {
        const page = await onePage(transport, queryNodes, { pagination: { key, limit: 1n } });
        expect([transport.kind, toBase64(page.nextKey ?? new Uint8Array(0))]).toEqual([
          transport.kind,
          toBase64(keys[no] ?? new Uint8Array(0)),
        ]);
        key = page.nextKey ?? new Uint8Array(0);
      }
    }
    expect(seen.length).toBe(keys.length + 1);
  });

  it('733 nodes of a plan, a list without a next key on its first page: all are read', async () => {
    const transport = transportOf((asked) => {
      const message = nodesAfter(733, asked);
      // Counting is its defect: no key, no next key, and no total above the limit.
      return { message: asked.pagination?.key === undefined ? { ...message, pagination: undefined } : message };
    });
    const { items, extent } = await collect(transport, queryNodesForPlan, { id: 1n }, { pageSize: 100 });
    expect([items.length, new Set(items.map(({ address }) => address)).size]).toEqual([733, 733]);
    expect(extent).toEqual({ kind: 'complete', height: 5n });
    expect(transport.asked[0]?.pagination?.key).toEqual(Uint8Array.of(0));
    const before = transport.asked.length;
    await collect(transport, queryPlansForProvider, { address: 'p' }, { reverse: true });
    expect(transport.asked[before]?.pagination?.key).toEqual(Uint8Array.of(255));
  });

  it.each([
    ['without a limit', {}, 921n, 921n],
    ['a limit and a count', { limit: 1n, countTotal: true }, 921n, 921n],
    ['a limit alone', { limit: 2n }, 0n, undefined],
    ['a key', { key: Uint8Array.of(1), countTotal: true }, 0n, undefined],
  ])('page with %s: a counted total, or none', async (_, pagination, total, expected) => {
    const transport = transportOf(() => ({
      message: { nodes: [{ address: 'a' }], pagination: { nextKey: new Uint8Array(0), total } },
    }));
    expect((await onePage(transport, queryNodes, { pagination })).total).toBe(expected);
  });

  it('total of a list that counts only one page: absent', async () => {
    const transport = transportOf(() => ({ message: { nodes: [{ address: 'a' }], pagination: { total: 1n } } }));
    const { total } = await onePage(transport, queryNodesForPlan, {
      id: 1n,
      pagination: { limit: 1n, countTotal: true },
    });
    expect(total).toBeUndefined();
  });

  it.each(['"next_key":null', '"next_key":""', '"total":"0"', ''])(
    'last page over REST with %j: the end',
    async (pagination) => {
      const server = await startHttp((_, __, response) =>
        response.end(pagination === '' ? '{"nodes":[]}' : `{"nodes":[],"pagination":{${pagination}}}`),
      );
      closing.push(server);
      const rest = createRestTransport({ address: server.url, naming: publicNaming });
      expect((await collect(rest, queryNodes, {})).items).toEqual([]);
      expect((await onePage(rest, queryNodes, {})).nextKey).toBeUndefined();
    },
  );

  it.each([
    ['empty bytes', { nextKey: new Uint8Array(0) }],
    ['no pagination', undefined],
  ])('last page in protobuf with %s: the end', async (_, pagination) => {
    const value = encodeBinary(queryNodes.response, pagination === undefined ? {} : { pagination });
    const grpc = await startGrpc(() => ({ message: value }));
    const http = await startHttp((_, body, response) => {
      const { id } = JSON.parse(body) as { id: number };
      response.end(
        JSON.stringify({
          id,
          result: { response: { code: 0, value: Buffer.from(value).toString('base64'), height: '5' } },
        }),
      );
    });
    const transports = [
      createGrpcTransport({ address: grpc.address, naming: publicNaming }),
      createAbciTransport({ address: http.url, naming: publicNaming }),
    ] as Transport<'grpc'>[];
    closing.push(grpc, http, ...transports);
    for (const transport of transports) expect((await collect(transport, queryNodes, {})).items).toEqual([]);
  });

  it('list that refuses offset and count: read, because neither is sent', async () => {
    const transport = transportOf(({ pagination }) => {
      if (pagination?.countTotal !== undefined || pagination?.offset !== undefined) {
        refuse('invalid_argument', 'offset and count queries not supported');
      }
      const isLast = pagination?.key !== undefined;
      return {
        message: {
          models: [{ key: Uint8Array.of(Number(isLast)) }],
          pagination: { nextKey: isLast ? new Uint8Array(0) : keyOf(1) },
        },
      };
    });
    expect((await collect(transport, allContractState, { address: 'c' })).items.length).toBe(2);
  });

  it('records that change between pages: the state at the height of the first page, or reported as mixed', async () => {
    let newest = 5n;
    const stored: Readonly<Record<string, readonly string[]>> = {
      5: ['b', 'd', 'f', 'h'],
      6: ['a', 'b', 'd', 'f', 'h'],
      7: ['a', 'b', 'f', 'h'],
    };
    const transport = transportOf(({ pagination }, { height = newest }) => {
      const all = stored[String(height)] ?? [];
      const from =
        pagination?.key === undefined
          ? 0
          : all.findIndex((name) => name >= String.fromCharCode(...(pagination.key as Uint8Array)));
      const next = all[from + 2];
      newest++;
      const nextKey = next === undefined ? new Uint8Array(0) : Uint8Array.of(next.charCodeAt(0));
      return {
        message: { deposits: all.slice(from, from + 2).map((address) => ({ address })), pagination: { nextKey } },
        height,
      };
    });
    const pinned = await collect(transport, queryDeposits, {}, { pageSize: 2 });
    expect(pinned).toEqual({
      items: ['b', 'd', 'f', 'h'].map((address) => ({ address })),
      extent: { kind: 'complete', height: 5n },
    });
    newest = 5n;
    expect((await collect(transport, queryDeposits, {}, { pageSize: 2, pin: false })).extent).toEqual({
      kind: 'mixed_heights',
      from: 5n,
      to: 6n,
    });
  });

  it('status filter that the node does not know: applied by the client', async () => {
    const records = [1, 2, 3, 2].map((status, no) => ({ address: `n${no}`, status }));
    const asGiven = transportOf(({ status = 0 }) => ({
      message: { nodes: status === 0 || status === 2 ? records : records.filter((record) => record.status === status) },
    }));
    expect((await collect(asGiven, queryNodes, { status: 2 })).items.length).toBe(2);
    const none = transportOf(({ status }) => ({ message: { plans: status === 0 ? records : [] } }));
    expect((await collect(none, queryPlans, { status: 2 })).items.length).toBe(2);
    expect((await collect(asGiven, queryNodes, { status: 3 })).items.length).toBe(1);
  });

  it('response over the size limit: a smaller page from the same key', async () => {
    const transport = transportOf((asked) => {
      if ((asked.pagination?.limit ?? 0n) > 70n) refuse('limit', 'larger than max');
      return { message: nodesAfter(200, asked) };
    });
    const { items, extent } = await collect(transport, queryNodes, {}, { pageSize: 500 });
    expect(items.map(({ address }) => address)).toEqual(Array.from({ length: 200 }, (_, no) => `n${no}`));
    expect(extent.kind).toBe('complete');
    const always = transportOf(() => refuse('limit', 'larger than max'));
    expect((await failure(collect(always, queryNodes, {}))).code).toBe('limit');
  });

  it('a repeated key, and endless pages without a record: refused', async () => {
    const circle = transportOf((asked) => ({ message: nodesAfter(1_000, asked, (no) => keyOf(no % 300)) }));
    expect((await failure(collect(circle, queryNodes, {}, { pageSize: 100 }))).message).toContain(
      'the same next key twice',
    );
    let no = 0;
    const empty = transportOf(() => ({ message: { nodes: [], pagination: { nextKey: keyOf(++no) } } }));
    expect((await failure(collect(empty, queryNodes, {}))).message).toContain('pages without a record');
    expect(no).toBeLessThan(50);
  });

  it('a proxy that removes the heights: not complete, and a record that was returned twice is included once', async () => {
    const transport = transportOf(({ pagination }) => ({
      message: {
        nodes: [{ address: 'a', status: pagination?.key === undefined ? 1 : 3 }],
        pagination: { nextKey: pagination?.key === undefined ? keyOf(1) : new Uint8Array(0) },
      },
      height: undefined,
    }));
    const { items, extent } = await collect(transport, queryNodes, {});
    expect(extent).toEqual({ kind: 'mixed_heights', from: undefined, to: undefined });
    expect(items).toEqual([{ address: 'a', status: 1 }]);
  });

  it('allocations of one subscription share its id: none is mistaken for another', async () => {
    const transport = transportOf(() => ({
      message: { allocations: ['a', 'b'].map((address) => ({ id: 1n, address })) },
      height: undefined,
    }));
    expect((await collect(transport, queryAllocations, { id: 1n })).items.length).toBe(2);
  });

  it('list of 150,000 records: at most two pages at a time, and memory stays flat', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const heapMb = (): number => {
      collectGarbage();
      return process.memoryUsage().heapUsed / 2 ** 20;
    };
    const transport = transportOf((asked) => ({ message: nodesAfter(150_000, asked) }));
    let [count, taken] = [0, 0];
    const heaps: number[] = [];
    for await (const { items } of pages(transport, queryNodes, {}, { pageSize: 500 })) {
      taken++;
      count += items.length;
      expect(transport.asked.length).toBeLessThanOrEqual(taken + 1);
      if (taken % 75 === 1 || count === 150_000) heaps.push(heapMb());
    }
    expect(count).toBe(150_000);
    expect(Math.max(...heaps) - (heaps[0] ?? 0)).toBeLessThan(3);
  });

  it('leaving the loop: the page in progress is aborted', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const transport = transportOf((asked, { signal }) => {
      signals.push(signal);
      return { message: nodesAfter(200, asked) };
    });
    for await (const { items } of pages(transport, queryNodes, {}, { pageSize: 10 })) {
      expect(items.length).toBe(10);
      break;
    }
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  });

  it('page limit: no more pages are read, and the truncation is reported', async () => {
    const transport = transportOf((asked) => ({ message: nodesAfter(200, asked) }));
    const sweep = pages(transport, queryNodes, {}, { pageSize: 10, maxPages: 3 });
    expect(sweep.extent).toBeUndefined();
    let count = 0;
    for await (const { items } of sweep) count += items.length;
    expect([count, sweep.extent]).toEqual([30, { kind: 'possibly_truncated', reason: '3 pages were allowed' }]);
    await expect(async () => {
      for await (const { items } of sweep) count += items.length;
    }).rejects.toThrow('iterated once');
    expect(() => pages(transport, queryNodes, {}, { pageSize: 0 })).toThrow('the page size 0 is none');
  });
});

describe('pages by number and by offset', () => {
  it('search of 123 transactions that pages by number: returns all of them, each once', async () => {
    const transport = transportOf(({ page = 1n, limit = 100n }) => {
      const [from, size] = [(Number(page) - 1) * Number(limit), Number(limit)];
      expect(size).toBeLessThanOrEqual(100);
      const txResponses = Array.from({ length: Math.min(size, 123 - from) }, (_, no) => ({ txhash: `T${from + no}` }));
      return { message: { txResponses, total: 123n, pagination: undefined } };
    });
    const { items, extent } = await collect(transport, getTxsEvent, { events: ["message.sender='a'"] });
    expect(new Set(items.map(({ txhash }) => txhash)).size).toBe(123);
    expect(extent).toEqual({ kind: 'complete', height: undefined });
  });

  it('transactions that are added during a search: reported if the end was not reached', async () => {
    const transport = transportOf(({ page = 1n }) => ({
      message: {
        txResponses: page === 1n ? Array.from({ length: 100 }, (_, no) => ({ txhash: `T${no}` })) : [],
        total: 150n,
      },
    }));
    expect((await collect(transport, getTxsEvent, { events: ['tx.height=5'] })).extent).toMatchObject({
      kind: 'possibly_truncated',
      reason: '100 records were given of 150',
    });
  });

  it.each(['invalid_argument', 'unknown'] as const)(
    'block without transactions, refused as %s: an empty list',
    async (code) => {
      const transport = transportOf(() =>
        refuse(code, 'out of range: cannot paginate 0 txs with offset 0 and limit 100'),
      );
      expect((await collect(transport, getBlockWithTxs, { height: 5n })).items).toEqual([]);
      const other = transportOf(() => refuse(code, 'out of range: cannot paginate 3 txs with offset 9 and limit 100'));
      expect((await failure(collect(other, getBlockWithTxs, { height: 5n }))).code).toBe(code);
    },
  );

  it('250 validators, a hundred a page by offset: returns all of them', async () => {
    const transport = transportOf(({ pagination }) => {
      const from = Number(pagination?.offset ?? 0n);
      const validators = Array.from({ length: Math.min(100, 250 - from) }, (_, no) => ({ address: `v${from + no}` }));
      return { message: { validators, pagination: { nextKey: new Uint8Array(0), total: 250n } } };
    });
    const { items, extent } = await collect(transport, getValidatorSetByHeight, { height: 5n });
    expect([new Set(items.map(({ address }) => address)).size, extent]).toEqual([
      250,
      { kind: 'complete', height: undefined },
    ]);
  });
});

/** Key in the protobuf bytes of a request: field 2 or 1 (pagination), field 1 (key). */
function keyIn(message: Uint8Array): Uint8Array {
  const at = Buffer.from(message).indexOf(0x0a);
  return at === -1 ? new Uint8Array(0) : message.subarray(at + 2, at + 2 + (message[at + 1] as number));
}

describe('lists with contradictory pages', () => {
  const five = Array.from({ length: 5 }, (_, no) => ({ address: `n${no}`, status: 1 }));

  it('a page without a record after a full one, of a list with a higher total: possibly truncated', async () => {
    const transport = transportOf(({ pagination }) =>
      pagination?.key === undefined
        ? { message: { nodes: five, pagination: { nextKey: Uint8Array.of(1, 0, 5), total: 12n } } }
        : { message: { nodes: [], pagination: { nextKey: new Uint8Array(0), total: 0n } } },
    );
    const { items, extent } = await collect(transport, queryNodes, {}, { pageSize: 5 });
    expect([items.length, extent]).toEqual([5, { kind: 'possibly_truncated', reason: '5 records were given of 12' }]);
  });

  it('the same records under a new key each time: fails with decode after a few pages', async () => {
    let no = 0;
    const transport = transportOf(() => ({
      message: { nodes: five, pagination: { nextKey: Uint8Array.of(9, ++no) } },
    }));
    const error = await failure(collect(transport, queryNodes, {}, { pageSize: 5 }));
    expect([error.code, error.message]).toEqual(['decode', expect.stringContaining('pages again under other keys')]);
    expect(transport.asked.length).toBeLessThan(10);
  });

  it('a backend behind the one that reported the height: queried again until it has it', async () => {
    let refusals = 2;
    const transport = transportOf((asked, { height }) => {
      if (height !== undefined && refusals-- > 0) refuse('height_in_future', 'behind');
      return { message: nodesAfter(8, asked) };
    });
    const { items, extent } = await collect(transport, queryNodes, {}, { pageSize: 5 });
    expect([items.length, extent.kind, transport.asked.length]).toEqual([8, 'complete', 4]);
  });

  it('one page by offset of a list that supports only paging by key: refused before any request', async () => {
    const transport = transportOf(() => ({ message: { nodes: five } }));
    const error = await failure(onePage(transport, queryNodesForPlan, { id: 1n, pagination: { offset: 5n } } as never));
    expect([error.code, transport.asked.length]).toEqual(['invalid_argument', 0]);
  });
});
