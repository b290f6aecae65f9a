import { CodecError } from '@hubwatch/types/runtime/codec-error';
import { events as eventNames, logs as logNames } from '@hubwatch/types/gen/events/names';
import type { Naming } from '@hubwatch/types/runtime/naming';
import {
  bytes,
  height,
  hex,
  int32,
  int64,
  listOf,
  member,
  needed,
  object,
  optionalObject,
  optionalOf,
  parts,
  textMember,
} from './checks.js';
import { readConsensusParams } from './read-consensus.js';
import type {
  AbciQueryResult,
  BlockResultsResult,
  Event,
  TxByHashResult,
  TxProof,
  TxResult,
  TxSearchResult,
  ValidatorUpdate,
} from './results.js';

export function readAbciEvent(json: unknown, naming: Naming): Event {
  const event = parts(json);
  const read: Event = {
    type: member(event, 'type', textMember),
    // An event of a block without attributes does not have this key.
    attributes: member(
      event,
      'attributes',
      listOf((value) => {
        const attribute = parts(value);
        return {
          key: member(attribute, 'key', textMember),
          value: member(attribute, 'value', textMember),
          index: member(attribute, 'index', (index) => index === true),
        };
      }),
    ),
  };
  return eventNames.fromWire({ ...read }, naming) as unknown as Event;
}

/** Zero values may be missing: websocket events omit them. */
export function readTxResult(json: unknown, naming: Naming): TxResult {
  const result = parts(json);
  return {
    code: member(result, 'code', int32),
    codespace: member(result, 'codespace', textMember),
    log: logNames.fromWire(member(result, 'log', textMember), naming),
    info: member(result, 'info', textMember),
    data: member(result, 'data', bytes),
    gasWanted: member(result, 'gas_wanted', int64),
    gasUsed: member(result, 'gas_used', int64),
    events: member(
      result,
      'events',
      listOf((event) => readAbciEvent(event, naming)),
    ),
  };
}

/** Response of `block_results`; engines 0.37 and 0.38 are distinguished by the keys that are present. */
export function readBlockResults(json: unknown, naming: Naming): BlockResultsResult {
  const result = object(json);
  const events = listOf((event) => readAbciEvent(event, naming));
  return {
    height: member(result, 'height', needed(height)),
    txsResults: member(
      result,
      'txs_results',
      listOf((value) => readTxResult(value, naming)),
    ),
    beginBlockEvents: member(result, 'begin_block_events', events),
    endBlockEvents: member(result, 'end_block_events', events),
    finalizeBlockEvents: member(result, 'finalize_block_events', events),
    validatorUpdates: member(result, 'validator_updates', listOf(readValidatorUpdate)),
    paramUpdates: member(result, 'consensus_param_updates', optionalOf(readConsensusParams)),
    appHash: member(result, 'app_hash', optionalOf(bytes)),
  };
}

export function readValidatorUpdate(json: unknown): ValidatorUpdate {
  const update = parts(json);
  return {
    ...member(update, 'pub_key', (key) =>
      member(parts(key), 'Sum', (sum) =>
        member(parts(sum), 'value', (value) => {
          const [entry, ...others] = Object.entries(parts(value));
          if (others.length > 0) throw new CodecError(`one key is expected, not ${others.length + 1}`);
          return { keyKind: entry?.[0] ?? '', publicKey: bytes(entry?.[1]) };
        }),
      ),
    ),
    power: member(update, 'power', int64),
  };
}

export function readTx(json: unknown, naming: Naming): TxByHashResult {
  const result = object(json);
  return {
    hash: member(result, 'hash', needed(hex)),
    height: member(result, 'height', needed(height)),
    index: member(result, 'index', int32),
    result: member(result, 'tx_result', (value) => readTxResult(value, naming)),
    tx: member(result, 'tx', bytes),
    proof: member(result, 'proof', optionalOf(readTxProof)),
  };
}

function readTxProof(json: unknown): TxProof {
  const found = object(json);
  return {
    rootHash: member(found, 'root_hash', hex),
    data: member(found, 'data', bytes),
    proof: member(found, 'proof', (value) => {
      const proof = parts(value);
      return {
        total: member(proof, 'total', int64),
        index: member(proof, 'index', int64),
        leafHash: member(proof, 'leaf_hash', bytes),
        aunts: member(proof, 'aunts', listOf(bytes)),
      };
    }),
  };
}

export function readTxSearch(json: unknown, naming: Naming): TxSearchResult {
  const result = object(json);
  return {
    txs: member(
      result,
      'txs',
      listOf((value) => readTx(value, naming)),
    ),
    totalCount: member(result, 'total_count', needed(int64)),
  };
}

function readProofOp(json: unknown) {
  const op = parts(json);
  return { type: member(op, 'type', textMember), key: member(op, 'key', bytes), data: member(op, 'data', bytes) };
}

export function readAbciQuery(json: unknown): AbciQueryResult {
  return member(object(json), 'response', readQueryResponse);
}

function readQueryResponse(json: unknown): AbciQueryResult {
  const response = object(json);
  return {
    code: member(response, 'code', needed(int32)),
    codespace: member(response, 'codespace', textMember),
    log: member(response, 'log', textMember),
    value: member(response, 'value', bytes),
    key: member(response, 'key', bytes),
    proofOps: member(response, 'proofOps', (value) => {
      const proof = optionalObject(value);
      return proof === undefined ? [] : member(proof, 'ops', listOf(readProofOp));
    }),
    // A query of the raw store returns the requested height, which may be absent.
    height: member(response, 'height', int64),
  };
}
