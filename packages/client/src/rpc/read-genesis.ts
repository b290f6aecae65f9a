import type { Naming } from '@hubwatch/types/runtime/naming';
import { bytes, height, hex, int64, listOf, member, object, optionalOf, parts, textMember, time } from './checks.js';
import { readConsensusParams } from './read-consensus.js';
import { readPublicKey } from './read-status.js';
import type { GenesisChunkResult, GenesisResult } from './results.js';

export function readGenesis(json: unknown, naming: Naming): GenesisResult {
  return member(object(json), 'genesis', (value) => {
    const genesis = object(value);
    return {
      time: member(genesis, 'genesis_time', time),
      chainId: member(genesis, 'chain_id', textMember),
      initialHeight: member(genesis, 'initial_height', height),
      params: member(genesis, 'consensus_params', optionalOf(readConsensusParams)),
      validators: member(
        genesis,
        'validators',
        listOf((item) => {
          const validator = parts(item);
          return {
            address: member(validator, 'address', hex),
            publicKey: member(validator, 'pub_key', (key) => readPublicKey(key, naming)),
            power: member(validator, 'power', int64),
            name: member(validator, 'name', textMember),
          };
        }),
      ),
      appHash: member(genesis, 'app_hash', hex),
      appState: genesis['app_state'],
    };
  });
}

export function readGenesisChunk(json: unknown): GenesisChunkResult {
  const result = object(json);
  return {
    chunk: member(result, 'chunk', int64),
    total: member(result, 'total', int64),
    data: member(result, 'data', bytes),
  };
}
