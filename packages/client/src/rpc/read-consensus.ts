import { CodecError } from '@hubwatch/types/runtime/codec-error';
import { height, int64, listOf, member, needed, object, optionalOf, parts, textMember } from './checks.js';
import type { ConsensusParams, ConsensusParamsResult, ConsensusStateResult } from './results.js';

const optionalInt64 = optionalOf(int64);

/** All parameters, or those of an update only. */
export function readConsensusParams(json: unknown): ConsensusParams {
  const params = object(json);
  const part = <T>(name: string, read: (value: Readonly<Record<string, unknown>>) => T): T | undefined =>
    member(
      params,
      name,
      optionalOf((value) => read(object(value))),
    );
  return {
    block: part('block', (block) => ({
      maxBytes: member(block, 'max_bytes', optionalInt64),
      maxGas: member(block, 'max_gas', optionalInt64),
    })),
    evidence: part('evidence', (evidence) => ({
      maxAgeBlocks: member(evidence, 'max_age_num_blocks', optionalInt64),
      maxAgeNanos: member(evidence, 'max_age_duration', optionalInt64),
      maxBytes: member(evidence, 'max_bytes', optionalInt64),
    })),
    validator: part('validator', (validator) => ({
      publicKeyTypes: member(validator, 'pub_key_types', listOf(textMember)),
    })),
    version: part('version', (version) => ({ app: member(version, 'app', optionalInt64) })),
    abci: part('abci', (abci) => ({
      voteExtensionsEnableHeight: member(abci, 'vote_extensions_enable_height', optionalInt64),
    })),
  };
}

export function readConsensusParamsResult(json: unknown): ConsensusParamsResult {
  const result = object(json);
  return {
    blockHeight: member(result, 'block_height', height),
    params: member(result, 'consensus_params', (params) => readConsensusParams(parts(params))),
  };
}

/** The short form combines the three values in one text; the long form has them separately. */
export function readConsensusState(json: unknown): ConsensusStateResult {
  const state = object(json)['round_state'];
  return member(object(json), 'round_state', (value) => {
    const round = object(value);
    if (round['height'] === undefined) return { ...member(round, 'height/round/step', readJoinedRound), state };
    return {
      height: member(round, 'height', needed(height)),
      round: member(round, 'round', whole),
      step: member(round, 'step', whole),
      state,
    };
  });
}

function readJoinedRound(json: unknown): Omit<ConsensusStateResult, 'state'> {
  const joined = textMember(json);
  const parts = /^(\d{1,19})\/(\d{1,10})\/(\d{1,3})$/.exec(joined);
  if (parts === null)
    throw new CodecError(`height, round and step are expected, not ${JSON.stringify(joined.slice(0, 80))}`);
  const [, height = '', round, step] = parts;
  return { height: BigInt(height), round: Number(round), step: Number(step) };
}

function whole(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new CodecError('a whole number is expected');
}
