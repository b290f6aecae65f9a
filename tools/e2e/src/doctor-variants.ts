import { createServer as createTcpServer, type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Subject } from '@hubwatch/daemon/doctor';
import { type Devnode, type DevnodeOptions, startDevnode } from '@hubwatch/devnode';
import { type AnswerFault, type FaultPlan, startFaultProxy } from '@hubwatch/devnode/faults';
import { selfSigned } from '@hubwatch/devnode/faults';

/** A state in which the doctor may find a node. */
export interface Variant {
  readonly name: string;
  readonly node?: DevnodeOptions;
  /** Adapts the node's addresses, and returns other properties of the doctor's subject. */
  arrange?(parts: Arranged): Promise<Partial<Subject>> | Partial<Subject>;
  /** Time of the doctor's run; by default one second after the latest block. */
  readonly atMs?: number;
  /** Offset from that default time. */
  readonly laterMs?: number;
  /** Longest time of a request, for variants with an endpoint that is silent on purpose. */
  readonly timeoutMs?: number;
  /** Transports that are configured; all three by default. */
  readonly only?: readonly ('grpc' | 'rest' | 'rpc')[];
  /** DNS results by name, for variants that resolve one. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
}

/** Helpers for an arrangement. */
export interface Arranged {
  readonly node: Devnode;
  /** Returns a port at which nothing listens. */
  readonly closed: () => Promise<string>;
  /** Returns a port that accepts every connection and never answers. */
  readonly blackHole: () => Promise<string>;
  /** Returns a proxy of the target with faults. */
  readonly faulty: (target: string, mode: 'http' | 'grpc', plan: FaultPlan) => Promise<string>;
  /** Returns a TLS proxy of the target. */
  readonly tls: (target: string) => Promise<string>;
}

const manual = { mode: 'moving', chain: 'chain', speed: 'manual', shiftTo: 'none', from: 902_500 } as const;
const always = (fault: AnswerFault): FaultPlan => ({ answer: () => fault });

/** A recorded node whose clock equals the doctor's. */
const recorded = (node: 'archive' | 'pruned' | 'small', time: string): Pick<Variant, 'node' | 'atMs'> => {
  const atMs = Date.parse(time);
  return { node: { mode: 'recorded', node, repeats: 'last', nowMs: () => atMs }, atMs };
};

export const variants: readonly Variant[] = [
  { name: 'healthy' },
  {
    name: 'rest-off',
    arrange: async ({ closed }) => ({ how: 'usual', addresses: { rest: `http://${await closed()}` } }),
  },
  { name: 'grpc-off', arrange: async ({ closed }) => ({ addresses: { grpc: await closed() } }) },
  {
    name: 'nothing-answers',
    arrange: async ({ closed }) => ({
      addresses: { grpc: await closed(), rest: `http://${await closed()}`, rpc: `http://${await closed()}` },
    }),
  },
  {
    name: 'state-pruned',
    arrange: ({ node }) => {
      node.hold({ firstState: 902_391 });
      return { depths: [100n, 500n] };
    },
  },
  { name: 'index-off', node: { ...manual, settings: { index: false, results: false } } },
  { name: 'unsafe-exposed', node: { ...manual, settings: { unsafe: true } } },
  {
    name: 'lying-sync-flag',
    arrange: ({ node }) => {
      // Both clocks continue, but there are no new blocks.
      node.hold({ lastBlock: 902_400 });
      return {};
    },
  },
  {
    name: 'frozen',
    timeoutMs: 2_000,
    arrange: async ({ node, faulty }) => {
      node.hold({ lastBlock: 902_400 });
      const rpc = await faulty(node.rpc, 'http', {
        answer: ({ body }) => (body.includes('"consensus_state"') ? { kind: 'black-hole' } : undefined),
      });
      return { addresses: { rpc: `http://${rpc}` } };
    },
  },
  {
    name: 'grpc-black-hole',
    timeoutMs: 2_000,
    arrange: async ({ blackHole }) => ({ addresses: { grpc: await blackHole() } }),
  },
  {
    name: 'html-proxy',
    arrange: async ({ node, faulty }) => ({
      addresses: {
        grpc: await faulty(node.grpc, 'grpc', { stream: () => ({ kind: 'html', status: 502 }) }),
        rest: `http://${await faulty(node.rest, 'http', always({ kind: 'html', status: 502 }))}`,
        rpc: `http://${await faulty(node.rpc, 'http', always({ kind: 'html', status: 200 }))}`,
      },
    }),
  },
  { name: 'wrong-chain', arrange: () => ({ chainId: 'hub-2' }) },
  {
    name: 'rate-limited',
    arrange: async ({ node, faulty }) => {
      let questions = 0;
      const grpc = await faulty(node.grpc, 'grpc', {
        stream(path) {
          if (!path.endsWith('.node.v3.QueryService/QueryParams')) return undefined;
          questions += 1;
          return questions > 3 ? { kind: 'too-many', retryAfter: '30' } : undefined;
        },
      });
      const rest = await faulty(node.rest, 'http', always({ kind: 'too-many', retryAfter: '30' }));
      node.hold({ firstState: 902_391 });
      return { addresses: { grpc, rest: `http://${rest}` } };
    },
  },
  {
    name: 'certificate-ends',
    atMs: Date.parse('2126-10-30T05:13:41Z'),
    only: ['rest'],
    arrange: async ({ node, tls }) => ({ addresses: { rest: `https://${await tls(node.rest)}` } }),
  },
  {
    name: 'tls-mistaken',
    atMs: Date.parse('2026-12-01T00:00:00Z'),
    arrange: async ({ node, tls }) => ({
      addresses: {
        grpc: `https://${node.grpc}`,
        rest: `http://${await tls(node.rest)}`,
        rpc: node.rpc.replace('http:', 'https:'),
      },
    }),
  },
  {
    name: 'ports-mixed-up',
    arrange: ({ node: { grpc, rest, rpc } }) => ({
      addresses: { grpc: rpc.replace('http://', ''), rest: `http://${grpc}`, rpc: rest },
    }),
  },
  {
    name: 'name-unknown',
    names: { 'node.example': [] },
    arrange: () => ({
      addresses: { grpc: 'node.example:9090', rest: 'http://node.example:1317', rpc: 'http://node.example:26657' },
    }),
  },
  { name: 'reflection-off', node: { ...manual, settings: { reflection: false } } },
  {
    name: 'starting',
    arrange: ({ node }) => {
      node.hold({ starting: true });
      return {};
    },
  },
  { name: 'clock-off', laterMs: 90_000 },
  { name: 'stopped-for-upgrade', ...recorded('archive', '2026-11-28T23:03:20Z') },
  { name: 'recorded-pruned', ...recorded('pruned', '2026-11-28T17:51:15Z') },
  { name: 'recorded-small', ...recorded('small', '2026-11-28T00:14:18Z') },
];

/** The doctor's subject and its dependencies, prepared for a variant. */
export interface Arrangement {
  readonly subject: Subject;
  readonly atMs: number;
  readonly timeoutMs: number;
  readonly lookup: (host: string) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** Starts the node of a variant, and the proxies between it and the doctor. */
export const arrange = async (variant: Variant): Promise<Arrangement> => {
  const node = await startDevnode(variant.node ?? manual);
  const closers: (() => void | Promise<void>)[] = [() => node.close()];
  const sockets = new Set<Socket>();
  const listen = async (server: Server): Promise<string> => {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => void server.close());
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const { grpc, rest, rpc } = node;
  const all: Readonly<Record<'grpc' | 'rest' | 'rpc', string>> = { grpc, rest, rpc };
  const ways = variant.only ?? (['grpc', 'rest', 'rpc'] as const);
  const more = await variant.arrange?.({
    node,
    async closed() {
      const server = createTcpServer();
      const address = await listen(server);
      await new Promise((resolve) => server.close(resolve));
      return address;
    },
    blackHole: () => listen(createTcpServer(() => undefined)),
    async faulty(target, mode, plan) {
      const proxy = await startFaultProxy({ target, mode, plan });
      closers.push(() => proxy.close());
      return proxy.address;
    },
    tls: (target) =>
      listen(
        createTlsServer(selfSigned, (socket) => {
          const { hostname, port } = new URL(target);
          const behind = connect(Number(port), hostname);
          sockets.add(behind);
          for (const end of [socket, behind]) end.on('error', () => undefined);
          socket.pipe(behind).pipe(socket);
        }),
      ),
  });
  const subject: Subject = {
    name: 'node',
    how: 'given',
    naming: 'auto',
    depths: [],
    ...more,
    addresses: Object.fromEntries(ways.map((way) => [way, more?.addresses?.[way] ?? all[way]])),
  };
  return {
    subject,
    atMs: variant.atMs ?? Date.parse(node.position().time) + 1_000 + (variant.laterMs ?? 0),
    timeoutMs: variant.timeoutMs ?? 10_000,
    lookup: (host) => Promise.resolve(variant.names?.[host] ?? []),
    async close() {
      for (const socket of sockets) socket.destroy();
      for (const close of closers) await close();
    },
  };
};
