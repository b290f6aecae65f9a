import { CodecError } from '@hubwatch/types/runtime/codec-error';
import type { Naming } from '@hubwatch/types/runtime/naming';
import { bytes, int32OrZero, int64, listOf, member, object, optionalObject, text } from '../rpc/checks.js';
import { readBlock, readHeader } from '../rpc/read-block.js';
import { readEvent, readTxResult } from '../rpc/read-tx.js';
import type { Event } from '../rpc/results.js';
import type { ChainEvent } from './subscription.js';

/**
 * Reads the `data` member of an event frame.
 *
 * @throws CodecError with the member that does not fit
 * @source consensus rpc §4.1
 */
export function readChainEvent(json: unknown, naming: Naming): ChainEvent {
  const data = object(json);
  const type = naming.tagFromWire(member(data, 'type', text));
  return member(data, 'value', (value) => {
    const members = object(value);
    switch (type) {
      case 'bft/event/NewBlock': {
        const block = member(members, 'block', readBlock);
        return {
          kind: 'NewBlock',
          height: block.header.height,
          block,
          beginBlockEvents: member(members, 'result_begin_block', (result) => readEvents(result, naming)),
          endBlockEvents: member(members, 'result_end_block', (result) => readEvents(result, naming)),
        };
      }
      case 'bft/event/NewBlockHeader': {
        const header = member(members, 'header', readHeader);
        return { kind: 'NewBlockHeader', height: header.height, header, txCount: member(members, 'num_txs', int64) };
      }
      case 'bft/event/Tx':
        return member(members, 'TxResult', (found) => {
          const result = object(found);
          return {
            kind: 'Tx',
            height: member(result, 'height', int64),
            index: member(result, 'index', int32OrZero),
            tx: member(result, 'tx', bytes),
            result: member(result, 'result', (inner) => readTxResult(inner, naming)),
          };
        });
      default:
        throw new CodecError(`an event of type ${type} was not subscribed to`);
    }
  });
}

function readEvents(json: unknown, naming: Naming): readonly Event[] {
  const result = optionalObject(json);
  return result === undefined
    ? []
    : member(
        result,
        'events',
        listOf((event) => readEvent(event, naming)),
      );
}
