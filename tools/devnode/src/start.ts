import { publicProfile } from '@hubwatch/types/gen/naming/public';
import { createNaming, identityNaming } from '@hubwatch/types/runtime/naming-profile';
import type { DemoClock } from './chain/demo-clock.js';
import type { Held } from './chain/retention.js';
import { createMovingNode } from './moving-node.js';
import type { DevnodeOptions } from './options.js';
import { createRecordedNode } from './recording/recorded-node.js';
import { startServers } from './servers/start-servers.js';

/** A running node. Its addresses are on loopback. */
export interface Devnode {
  /** gRPC address, `host:port`. */
  readonly grpc: string;
  /** Base URL of the gateway. */
  readonly rest: string;
  /** Base URL of the consensus RPC. */
  readonly rpc: string;
  /** Websocket URL. */
  readonly websocket: string;
  /** Base URL of gRPC-web; only recorded nodes have it. */
  readonly grpcWeb: string | undefined;
  readonly chainId: string;
  /** Account addresses in the recording, by their short names (`node1`, `prov1`). */
  readonly accounts: Readonly<Record<string, string>>;
  /** First and last height of the recorded chain. */
  readonly range: { readonly first: number; readonly last: number };
  readonly clock: DemoClock;
  /** The head: its height and displayed block time. */
  position(): { readonly height: number; readonly time: string };
  /** Moves the head; resolves when every subscriber has been notified. */
  advanceTo(height: number): Promise<void>;
  /**
   * Reduces the data that the node retains, from now on; `{}` restores everything.
   *
   * @throws Error for a recorded node, whose data is fixed
   */
  hold(held: Held): void;
  /** How often the bytes of each transaction were received, by hash; empty on a recorded node. */
  readonly received: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Starts a node. @throws Error that names the option and its allowed values, or the port that is in use. */
export async function startDevnode(options: DevnodeOptions): Promise<Devnode> {
  const isNeutral = options.mode === 'moving' && options.names === 'neutral';
  const naming = isNeutral ? identityNaming : createNaming(publicProfile);
  const node = options.mode === 'moving' ? createMovingNode(options, naming) : createRecordedNode(options, naming);
  const { playback, view } = node;
  const servers = await startServers(node, options.ports ?? {});
  if (options.mode === 'moving') playback.start();
  const { first, last } = playback.blocks;
  return {
    ...servers.addresses,
    chainId: view.genesis.chainId,
    accounts: view.genesis.accounts,
    range: { first, last },
    clock: playback.clock,
    position: () => ({ height: playback.head, time: view.time(playback.head) }),
    received: view.mempool?.received ?? new Map<string, number>(),
    hold: (held) => {
      if (node.hold === undefined) throw new Error('hold: a recorded node keeps what it kept; use mode moving');
      node.hold(held);
    },
    advanceTo: (height) => playback.advanceTo(height),
    close: async () => {
      playback.stop();
      await servers.close();
    },
  };
}
