import { CodecError } from '@hubwatch/types/runtime/codec-error';
import type { Naming } from '@hubwatch/types/runtime/naming';
import {
  bytes,
  hex,
  int32,
  int32OrZero,
  int64,
  int64OrZero,
  listOf,
  member,
  object,
  optionalObject,
  optionalOf,
  text,
  textOrEmpty,
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

export function readEvent(json: unknown, naming: Naming): Event {
  const event = object(json);
  return {
    type: naming.eventFromWire(member(event, 'type', text)),
    // An event of a block has no such key when it has no attributes.
    attributes: member(
      event,
      'attributes',
      listOf((value) => {
        const attribute = object(value);
        return {
          key: member(attribute, 'key', text),
          value: member(attribute, 'value', textOrEmpty),
          index: member(attribute, 'index', (index) => index === true),
        };
      }),
    ),
  };
}

/** Zero values may be missing: websocket events leave them out. */
export function readTxResult(json: unknown, naming: Naming): TxResult {
  const result = object(json);
  return {
    code: member(result, 'code', int32OrZero),
    codespace: member(result, 'codespace', textOrEmpty),
    log: member(result, 'log', textOrEmpty),
    info: member(result, 'info', textOrEmpty),
    data: member(result, 'data', bytes),
    gasWanted: member(result, 'gas_wanted', int64OrZero),
    gasUsed: member(result, 'gas_used', int64OrZero),
    events: member(
      result,
      'events',
      listOf((event) => readEvent(event, naming)),
    ),
  };
}

/** Answer of `block_results`; engine 0.37 and 0.38 are told apart by the keys that are there. */
export function readBlockResults(json: unknown, naming: Naming): BlockResultsResult {
  const result = object(json);
  const events = listOf((event) => readEvent(event, naming));
  return {
    height: member(result, 'height', int64),
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
  const update = object(json);
  return {
    ...member(update, 'pub_key', (key) =>
      member(object(key), 'Sum', (sum) =>
        member(object(sum), 'value', (value) => {
          const [entry, ...others] = Object.entries(object(value));
          if (entry === undefined || others.length > 0) {
            throw new CodecError(`one key is expected, not ${entry === undefined ? 'none' : others.length + 1}`);
          }
          return { keyKind: entry[0], publicKey: bytes(entry[1]) };
        }),
      ),
    ),
    power: member(update, 'power', int64OrZero),
  };
}

export function readTx(json: unknown, naming: Naming): TxByHashResult {
  const result = object(json);
  return {
    hash: member(result, 'hash', hex),
    height: member(result, 'height', int64),
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
      const proof = object(value);
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
    totalCount: member(result, 'total_count', int64),
  };
}

function readProofOp(json: unknown) {
  const op = object(json);
  return { type: member(op, 'type', text), key: member(op, 'key', bytes), data: member(op, 'data', bytes) };
}

export function readAbciQuery(json: unknown): AbciQueryResult {
  const response = member(object(json), 'response', object);
  return {
    code: member(response, 'code', int32),
    codespace: member(response, 'codespace', textOrEmpty),
    log: member(response, 'log', textOrEmpty),
    value: member(response, 'value', bytes),
    key: member(response, 'key', bytes),
    proofOps: member(response, 'proofOps', (value) => {
      const proof = optionalObject(value);
      return proof === undefined ? [] : member(proof, 'ops', listOf(readProofOp));
    }),
    height: member(response, 'height', int64),
  };
}
