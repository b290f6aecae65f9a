import { publicProfile } from '@hubwatch/types/gen/naming/public';
import { createNaming, identityNaming } from '@hubwatch/types/runtime/naming-profile';
import type { DemoClock } from './chain/demo-clock.js';
import type { Held } from './chain/retention.js';
import { createMovingNode } from './moving-node.js';
import type { DevnodeOptions } from './options.js';
import { createRecordedNode } from './recording/recorded-node.js';
import { startServers } from './servers/start-servers.js';

/** A running node. Addresses are on loopback. */
export interface Devnode {
  /** `host:port`. */
  readonly grpc: string;
  /** Base URL of the gateway. */
  readonly rest: string;
  /** Base URL of the consensus RPC. */
  readonly rpc: string;
  /** Address for websockets. */
  readonly websocket: string;
  /** Base URL of gRPC-web; only a recorded node has it. */
  readonly grpcWeb: string | undefined;
  readonly chainId: string;
  /** Account addresses that the recording speaks of, by their short names (`node1`, `prov1`). */
  readonly accounts: Readonly<Record<string, string>>;
  /** First and last height of the recorded chain. */
  readonly range: { readonly first: number; readonly last: number };
  readonly clock: DemoClock;
  /** The head: its height and block time as shown. */
  position(): { readonly height: number; readonly time: string };
  /** Moves the head; resolves when every subscriber was told. */
  advanceTo(height: number): Promise<void>;
  /**
   * Makes the node one that has kept less, from now on; `{}` keeps everything again.
   *
   * @throws Error for a recorded node, which keeps what it kept
   */
  hold(held: Held): void;
  /** How often the bytes of each transaction came in, by hash; nothing on a recorded node. */
  readonly received: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Starts a node. @throws Error that names the option and what it allows, or the port that is taken. */
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
