import { CodecError } from '@hubwatch/types/runtime/codec-error';
import type { Naming } from '@hubwatch/types/runtime/naming';
import {
  bytes,
  height,
  int32,
  int64,
  type Json,
  listOf,
  member,
  needed,
  object,
  optionalObject,
  optionalOf,
  textMember,
} from '../rpc/checks.js';
import { readBlock, readBlockId, readHeader } from '../rpc/read-block.js';
import { readConsensusParams } from '../rpc/read-consensus.js';
import { readAbciEvent, readTxResult, readValidatorUpdate } from '../rpc/read-tx.js';
import type { Event } from '../rpc/results.js';
import type { ChainEvent, NewBlockEvent } from './subscription.js';

/**
 * Reads the `data` member of an event frame.
 *
 * @throws CodecError with the member that does not fit
 * @source proto/spec/events.yaml, subscriptions
 */
export function readChainEvent(json: unknown, naming: Naming): ChainEvent {
  const data = object(json);
  const type = naming.tagFromWire(member(data, 'type', textMember));
  return member(data, 'value', (value) => {
    const members = object(value);
    switch (type) {
      case 'bft/event/NewBlock':
        return readNewBlock(members, naming);
      case 'bft/event/NewBlockHeader': {
        const header = member(members, 'header', readHeader);
        const txCount = member(members, 'num_txs', optionalOf(int64));
        return { kind: 'NewBlockHeader', height: header.height, header, txCount };
      }
      case 'bft/event/Tx':
        return member(members, 'TxResult', (found) => {
          const result = object(found);
          return {
            kind: 'Tx',
            height: member(result, 'height', needed(height)),
            index: member(result, 'index', int32),
            tx: member(result, 'tx', bytes),
            result: member(result, 'result', (inner) => readTxResult(inner, naming)),
          };
        });
      default:
        throw new CodecError(`an event of type ${type} was not subscribed to`);
    }
  });
}

/** Engine 0.38 has one result with all events; engine 0.37 has one for the begin and one for the end of the block. */
function readNewBlock(members: Json, naming: Naming): NewBlockEvent {
  const block = member(members, 'block', (value) => readBlock(value, naming));
  const finalize = member(members, 'result_finalize_block', optionalObject);
  const events = (result: Json | undefined): readonly Event[] =>
    member(
      result ?? {},
      'events',
      listOf((event) => readAbciEvent(event, naming)),
    );
  const [begin, end] = ['result_begin_block', 'result_end_block'].map((name) => member(members, name, optionalObject));
  return {
    kind: 'NewBlock',
    height: block.header.height,
    block,
    blockId: member(members, 'block_id', optionalObject) && member(members, 'block_id', readBlockId),
    beginBlockEvents: events(begin),
    endBlockEvents: events(end),
    finalizeBlockEvents: events(finalize),
    txResults:
      finalize &&
      member(
        finalize,
        'tx_results',
        listOf((result) => readTxResult(result, naming)),
      ),
    validatorUpdates: member(finalize ?? end ?? {}, 'validator_updates', listOf(readValidatorUpdate)),
    paramUpdates: member(finalize ?? end ?? {}, 'consensus_param_updates', optionalOf(readConsensusParams)),
    appHash: member(finalize ?? {}, 'app_hash', optionalOf(bytes)),
  };
}
