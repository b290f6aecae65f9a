import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publicProfile } from '@hubwatch/types/gen/naming/public';
import { createNaming } from '@hubwatch/types/runtime/naming-profile';
import type { DemoClock } from './chain/demo-clock.js';
import { createMovingNode } from './moving-node.js';
import { startServers } from './servers/start-servers.js';

export interface Ports {
  readonly grpc?: number;
  readonly rest?: number;
  readonly rpc?: number;
}

export interface MovingOptions {
  readonly mode: 'moving';
  /** `day` (default), `chain`, or a folder with a recording of the same form. */
  readonly chain?: string;
  /** Chain seconds per second, 1 by default; `manual` moves only by `advanceTo`. */
  readonly speed?: number | 'manual';
  /** Height that is the head at the start; by default the first. */
  readonly from?: number;
  /** `now` (default) makes the head's block time the present; `none` keeps recorded times. */
  readonly shiftTo?: 'now' | 'none';
  /** 0 or absent takes a free port. */
  readonly ports?: Ports;
}

export type DevnodeOptions = MovingOptions;

export interface Devnode {
  /** `host:port`. */
  readonly grpc: string;
  /** Base URL of the gateway. */
  readonly rest: string;
  /** Base URL of the consensus RPC. */
  readonly rpc: string;
  /** Address for websockets. */
  readonly websocket: string;
  readonly chainId: string;
  /** Account addresses that the recording speaks of, by their short names (`node1`, `prov1`). */
  readonly accounts: Readonly<Record<string, string>>;
  /** First and last height of the recording. */
  readonly range: { readonly first: number; readonly last: number };
  readonly clock: DemoClock;
  /** The head: its height and block time as shown. */
  position(): { height: number; time: string };
  /** Moves the head; resolves when every subscriber was told. */
  advanceTo(height: number): Promise<void>;
  close(): Promise<void>;
}

/** Folder of the recordings, beside `src` and `dist`. */
export const recordingsFolder = fileURLToPath(new URL('../recordings/', import.meta.url));

/** Folder of a recorded chain by name or path. @throws Error that says which names there are. */
export function chainFolder(chain: string): string {
  const folder = isAbsolute(chain) || chain.startsWith('.') ? chain : join(recordingsFolder, chain);
  if (!existsSync(join(folder, 'blocks.jsonl.gz'))) {
    throw new Error(
      `chain ${chain}: no blocks.jsonl.gz in ${folder}; allowed are day, chain, or the path of such a folder`,
    );
  }
  return folder;
}

/** Starts a node on loopback. */
export async function startDevnode(options: DevnodeOptions): Promise<Devnode> {
  const naming = createNaming(publicProfile);
  const node = createMovingNode(options, chainFolder(options.chain ?? 'day'), naming);
  const servers = await startServers(node, options.ports ?? {});
  node.playback.start();
  const { first, last } = node.playback.blocks;
  return {
    ...servers.addresses,
    chainId: node.view.genesis.chainId,
    accounts: node.view.genesis.accounts,
    range: { first, last },
    clock: node.playback.clock,
    position: () => ({ height: node.playback.head, time: node.view.time(node.playback.head) }),
    advanceTo: (height) => node.playback.advanceTo(height),
    close: async () => {
      node.playback.stop();
      await servers.close();
    },
  };
}
