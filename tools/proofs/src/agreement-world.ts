import { HubError } from '@hubwatch/client';
import type { EndpointConnection } from '@hubwatch/daemon/parts';
import type { RandomSource } from './random-source.js';

export type EndpointKind = 'healthy' | 'stuck' | 'frozen' | 'upgrade' | 'forked' | 'syncing' | 'wrong_chain' | 'down';

export interface WorldEndpoint {
  readonly name: string;
  readonly kind: EndpointKind;
  readonly role: 'own' | 'reference';
  /** Without the consensus RPC, the latest block and hashes come over gRPC, and a stuck consensus is not detectable. */
  readonly transports: 'rpc' | 'grpc' | 'both';
  /** The sync flag that the endpoint reports, correct or not. */
  readonly catchingUp: boolean;
  /** Height at which it stopped or forked, or the number of blocks it is behind. */
  readonly height: bigint;
  /** How many times faster than the chain it syncs. */
  readonly pace: number;
}

/** A chain and the endpoints that serve it. Heights count from the start of the observation. */
export interface World {
  readonly endpoints: readonly WorldEndpoint[];
  readonly chain: 'moving' | 'halted' | 'upgrade';
  readonly startHeight: bigint;
  readonly blockMs: number;
  /** Time from the start at which the chain stops, if it does. A negative time means that it had already stopped. */
  readonly stopMs: number;
  readonly clockErrorMs: number;
  readonly configuresChain: boolean;
}

export const startMs = 1_800_000_000_000;
const plan = 'v13_0_0';

export const randomWorld = (random: RandomSource): World => {
  const chain = random.pick(['moving', 'moving', 'moving', 'halted', 'upgrade'] as const);
  const healthy = 1 + random.below(3);
  const others: EndpointKind[] = Array.from({ length: random.below(4) }, () =>
    random.pick(['stuck', 'stuck', 'frozen', 'upgrade', 'syncing', 'wrong_chain', 'down', 'forked'] as const),
  );
  // A fork differs from the chain only by numbers.
  let forks = 0;
  const kinds = others.map((kind) => (kind === 'forked' && (forks += 1) >= healthy ? 'stuck' : kind));
  const startHeight = 1_000_000n + BigInt(random.below(20_000_000));
  const order = [...Array<EndpointKind>(healthy).fill('healthy'), ...kinds];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = random.below(at + 1);
    [order[at], order[other]] = [order[other] as EndpointKind, order[at] as EndpointKind];
  }
  const blockMs = 2_000 + random.below(8_000);
  return {
    chain,
    startHeight,
    blockMs,
    stopMs: random.below(900_000) - 600_000,
    clockErrorMs: random.chance(0.3) ? (random.below(1_200) - 600) * 1_000 : 0,
    // Without a configured chain id the majority decides, so the majority must be correct.
    configuresChain: random.chance(0.7) || order.filter((kind) => kind === 'wrong_chain').length >= healthy,
    endpoints: order.map((kind, index) => ({
      name: `e${index}`,
      kind,
      role: kind !== 'wrong_chain' && random.chance(0.3) ? 'own' : 'reference',
      transports: random.pick(['rpc', 'grpc', 'both'] as const),
      // A node that follows blocks always reports false; some nodes report true at the tip.
      catchingUp: kind === 'syncing' ? random.chance(0.5) : random.chance(0.1) && kind !== 'forked',
      height: BigInt(kind === 'syncing' ? 10_000 + random.below(20_000) : 600 + random.below(30_000)),
      pace: 3 + random.below(6),
    })),
  };
};

interface Shown {
  readonly height: bigint;
  readonly state: bigint;
  readonly timeMs: number;
}

/** State that the endpoint shows at a given time. */
const shown = (world: World, endpoint: WorldEndpoint, nowMs: number): Shown => {
  const timeOf = (height: bigint): number => startMs + Number(height - world.startHeight) * world.blockMs;
  const heightAt = (ms: number): bigint => world.startHeight + BigInt(Math.floor((ms - startMs) / world.blockMs));
  const stop = startMs + world.stopMs;
  const head = world.chain === 'moving' ? heightAt(nowMs) : heightAt(Math.min(nowMs, stop));
  const at = (height: bigint, state = height): Shown => ({ height, state, timeMs: timeOf(height) });
  switch (endpoint.kind) {
    case 'healthy':
    case 'forked': {
      const isStopped = world.chain === 'upgrade' && nowMs >= stop;
      return isStopped ? at(head, head - 1n) : at(head);
    }
    case 'stuck':
    case 'frozen':
      return at(world.startHeight - endpoint.height);
    case 'upgrade':
      return at(world.startHeight - endpoint.height, world.startHeight - endpoint.height - 1n);
    case 'syncing': {
      const fetched = BigInt(Math.floor(((nowMs - startMs) * endpoint.pace) / world.blockMs));
      return at(world.startHeight - endpoint.height - BigInt(Math.ceil(900_000 / world.blockMs)) * 9n + fetched);
    }
    default:
      return at(head + 77n);
  }
};

const time = (ms: number) => ({ seconds: BigInt(Math.floor(ms / 1_000)), nanos: (ms % 1_000) * 1_000_000 });
const hex = (text: string): string => Buffer.from(text).toString('hex').toUpperCase();
const hashes = (fork: string, height: bigint) => ({ block: hex(`B${height}${fork}`), app: hex(`A${height}${fork}`) });

/** Connection that answers like this endpoint of the world. */
export const connectionTo = (world: World, endpoint: WorldEndpoint, nowMs: () => number): EndpointConnection => {
  const chainId = endpoint.kind === 'wrong_chain' ? 'hub-test-2' : 'hub-1';
  const forkHeight = world.startHeight - endpoint.height;
  const now = (): Shown => shown(world, endpoint, nowMs());
  const hashAt = (height: bigint) => hashes(endpoint.kind === 'forked' && height > forkHeight ? 'F' : '', height);
  const fails = (code: 'refused' | 'timeout' | 'height_in_future'): never => {
    throw new HubError({ code, message: code, transport: 'rpc' });
  };
  const planned = (): { name: string; height: bigint } | undefined => {
    if (endpoint.kind === 'upgrade') return { name: plan, height: world.startHeight - endpoint.height };
    if (world.chain !== 'upgrade' || endpoint.kind === 'wrong_chain') return undefined;
    const stopHeight = world.startHeight + BigInt(Math.floor(world.stopMs / world.blockMs));
    return { name: plan, height: stopHeight };
  };
  const blockAt = (height: bigint) => {
    if (height > now().height) return fails('height_in_future');
    const { block, app } = hashAt(height);
    return {
      block,
      header: { chainId, height, time: time(now().timeMs), appHash: app },
    };
  };
  const rpc: Record<string, (params: { readonly height?: bigint | undefined }) => unknown> = {
    status: () => ({
      nodeInfo: { id: 'n', network: chainId, version: '0.37.16', moniker: 'm', listenAddress: '', txIndex: 'on' },
      syncInfo: {
        latestBlockHeight: now().height,
        latestBlockTime: time(now().timeMs),
        earliestBlockHeight: 1n,
        earliestBlockTime: undefined,
        catchingUp: endpoint.catchingUp,
      },
    }),
    net_info: () => ({ listening: true, peerCount: 0, peers: [] }),
    num_unconfirmed_txs: () => ({ count: 0n, total: 0n, totalBytes: 0n, txs: [] }),
    abci_info: () => ({ data: 'hub', version: '12', lastBlockHeight: now().state }),
    consensus_state: () => (endpoint.kind === 'frozen' ? fails('timeout') : {}),
    commit: ({ height = now().height }) => {
      const { block, header } = blockAt(height);
      return { header, commit: { height, blockId: { hash: block } }, canonical: true };
    },
  };
  const query = (name: string, request: { readonly height?: bigint }): unknown => {
    if (name === 'CurrentPlan') return { plan: planned() };
    if (name !== 'GetLatestBlock' && name !== 'GetBlockByHeight') return {};
    const { block, header } = blockAt(request.height ?? now().height);
    const bytes = (text: string) => Buffer.from(text, 'hex');
    return { blockId: { hash: bytes(block) }, block: { header: { ...header, appHash: bytes(header.appHash) } } };
  };
  const answer = async (work: () => unknown): Promise<never> => {
    if (endpoint.kind === 'down') return fails('refused');
    return (await Promise.resolve(work())) as never;
  };
  const transport = (kind: 'grpc' | 'abci') => ({
    kind,
    address: endpoint.name,
    call: async (method: { readonly name: string }, request: unknown) => ({
      message: await answer(() => query(method.name, request as { readonly height?: bigint })),
      height: now().state,
    }),
    close: () => Promise.resolve(),
  });
  const hasRpc = endpoint.transports !== 'grpc';
  return {
    grpc: endpoint.transports === 'rpc' ? undefined : (transport('grpc') as EndpointConnection['grpc']),
    abci: hasRpc ? (transport('abci') as EndpointConnection['abci']) : undefined,
    rpc: hasRpc
      ? {
          call: (method, params) =>
            answer(() => rpc[method]?.({ height: (params as { readonly height?: bigint } | undefined)?.height })),
        }
      : undefined,
    close: () => Promise.resolve(),
  };
};
