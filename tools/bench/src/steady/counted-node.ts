import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { startFaultProxy } from '@hubwatch/devnode/faults';

/** A node behind a proxy that counts every request by transport and method. */
export interface CountedNode {
  readonly node: Devnode;
  readonly grpc: string;
  readonly rest: string;
  readonly rpc: string;
  /** Returns the requests since the last call. */
  take(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Starts a node with a manually moved chain, behind proxies that count and forward everything. */
export async function startCountedNode(chain: string, from: number): Promise<CountedNode> {
  const node = await startDevnode({ mode: 'moving', chain, speed: 'manual', from, shiftTo: 'none' });
  let counts = new Map<string, number>();
  const count = (name: string): undefined => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  const [grpc, rest, rpc] = await Promise.all([
    startFaultProxy({
      target: node.grpc,
      mode: 'grpc',
      plan: { stream: (path) => count(`grpc ${path.split('/').at(-1)}`) },
    }),
    startFaultProxy({
      target: node.rest,
      mode: 'http',
      plan: { answer: ({ path }) => count(`rest ${routeOf(path)}`) },
    }),
    startFaultProxy({
      target: node.rpc,
      mode: 'http',
      plan: {
        answer: ({ path, body }) => {
          for (const method of methodsOf(path, body)) count(`rpc ${method}`);
          return undefined;
        },
      },
    }),
  ]);
  return {
    node,
    grpc: grpc.address,
    rest: rest.url,
    rpc: rpc.url,
    take() {
      const taken = counts;
      counts = new Map();
      return taken;
    },
    async close() {
      await Promise.all([grpc.close(), rest.close(), rpc.close()]);
      await node.close();
    },
  };
}

/** A route with its path parameters removed. */
function routeOf(path: string): string {
  return path.replace(/\?.*/, '').replace(/\/(?:\d+|sent[a-z]*1[0-9a-z]+)(?=\/|$)/g, '/…');
}

/** Methods in a consensus RPC request: one, or each of a batch. */
function methodsOf(path: string, body: string): readonly string[] {
  if (body === '') return [path.replace(/\?.*/, '').slice(1) || 'page'];
  const calls = [JSON.parse(body)].flat() as { readonly method: string }[];
  return calls.map(({ method }) => method);
}
