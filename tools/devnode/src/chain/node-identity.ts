import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Genesis } from './genesis.js';

/** Identity that a node reports. */
export interface NodeIdentity {
  readonly nodeId: string;
  readonly moniker: string;
  readonly listenAddress: string;
  readonly channels: string;
  readonly engineVersion: string;
  /** Application name and version as reported by `abci_info`. */
  readonly application: string;
  readonly applicationVersion: string;
  readonly minimumGasPrice: string;
  /** Build information of the program. */
  readonly build: {
    readonly name: string;
    readonly appName: string;
    readonly gitCommit: string;
    readonly buildTags: string;
    readonly goVersion: string;
    readonly stackSdkVersion: string;
  };
}

/** Identity of release 12.0.2 from the recordings, with the moniker and id of the recorded chain's own node. */
export function readIdentity(recordings: string, genesis: Genesis): NodeIdentity {
  const facts = JSON.parse(readFileSync(join(recordings, 'identity.json'), 'utf8')) as Omit<
    NodeIdentity,
    'nodeId' | 'moniker'
  >;
  return { ...facts, nodeId: genesis.validator.nodeId, moniker: genesis.validator.moniker };
}
