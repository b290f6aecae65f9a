import type { Naming } from '@hubwatch/types/runtime/naming';
import type { Genesis } from './genesis.js';

function renamed(value: unknown, naming: Naming): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, naming));
  if (typeof value === 'string') return /^\/[a-z][a-z0-9_]*(?:\.\w+)+$/.test(value) ? naming.typeToWire(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, renamed(member, naming)]));
}

/** Genesis document in the engine's format, with wire names. */
export function genesisText(genesis: Genesis, naming: Naming): string {
  return JSON.stringify({
    genesis_time: genesis.time,
    chain_id: genesis.chainId,
    initial_height: String(genesis.initialHeight),
    consensus_params: genesis.consensusParams,
    app_hash: '',
    app_state: renamed(genesis.appState, naming),
  });
}
