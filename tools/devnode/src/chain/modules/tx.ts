import type { Event } from '@hubwatch/types/gen/forms/bft/abci/types';
import type { ABCIMessageLog, TxResponse } from '@hubwatch/types/gen/forms/stack/base/abci/v1beta1/abci';
import { Tx } from '@hubwatch/types/gen/forms/stack/tx/v1beta1/tx';
import { broadcastTx, getTx, simulate } from '@hubwatch/types/gen/methods/stack/tx/v1beta1/service';
import { decodeBinary } from '@hubwatch/types/runtime/binary';
import type { Naming } from '@hubwatch/types/runtime/naming';
import type { RecordedTx } from '../block-stream.js';
import { sha256, upperHex } from '../hashes.js';
import type { Mempool } from '../mempool.js';
import { QueryError } from '../query-error.js';
import { on, type QueryContext, type QueryHandler } from '../query-handler.js';
import { refusedTx } from '../refused-tx.js';

const sync = 2;
const async = 3;

const emptyResponse: TxResponse = {
  height: 0n,
  txhash: '',
  codespace: '',
  code: 0,
  data: '',
  rawLog: '',
  logs: [],
  info: '',
  gasWanted: 0n,
  gasUsed: 0n,
  tx: undefined,
  timestamp: '',
  events: [],
};

/** Response to a broadcast. Rejections by the mempool itself have a framework error code. */
function admission(mempool: Mempool | undefined, bytes: Uint8Array): Pick<TxResponse, 'code' | 'codespace' | 'rawLog'> {
  const admitted = mempool?.add(bytes);
  if (admitted?.kind === 'known') return { code: 19, codespace: 'sdk', rawLog: '' };
  const { code, codespace, log } = admitted?.verdict ?? refusedTx;
  return { code, codespace, rawLog: log };
}

function eventsOf({ events }: RecordedTx): Event[] {
  return events.map(({ type, wire_type, attributes }) => ({
    type: wire_type ?? type,
    attributes: attributes.map(([key, value]) => ({ key, value, index: true })),
  }));
}

function logsOf({ code, log }: RecordedTx): ABCIMessageLog[] {
  if (code !== 0 || !log.startsWith('[')) return [];
  const logs = JSON.parse(log) as { msg_index?: number; events: ABCIMessageLog['events'] }[];
  return logs.map(({ msg_index = 0, events }) => ({ msgIndex: msg_index, log: '', events }));
}

function found({ view }: QueryContext, hash: string): { height: number; tx: RecordedTx } | undefined {
  const sent = view.mempool?.find(hash);
  if (sent !== undefined) return sent;
  const place = view.playback.blocks.findTx(hash);
  if (place === undefined || place.height > view.bounds.lastBlock) return undefined;
  return { height: place.height, tx: view.playback.block(place.height).txs[place.index] as RecordedTx };
}

/** Broadcasts go to the mempool if the node has one. Without one they are rejected as by a node whose CheckTx fails. */
export function txHandlers(naming: Naming): readonly QueryHandler[] {
  return [
    on(broadcastTx, ({ txBytes, mode }, { view }) => {
      if (txBytes.length === 0) throw new QueryError(3, 'invalid empty tx');
      if (mode !== sync && mode !== async) {
        throw new QueryError(2, 'unsupported return type unspecified; supported types: sync, async');
      }
      const answer = admission(view.mempool, txBytes);
      // The response to an async broadcast does not wait for CheckTx; only the cache is checked.
      const shown = mode === async && answer.code !== 19 ? {} : answer;
      return { txResponse: { ...emptyResponse, txhash: upperHex(sha256(txBytes)), ...shown } };
    }),
    on(getTx, ({ hash }, context) => {
      if (hash === '') throw new QueryError(3, 'tx hash cannot be empty');
      const bad = /[^0-9a-fA-F]/.exec(hash)?.[0];
      if (bad !== undefined) {
        const code = (bad.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
        throw new QueryError(2, `encoding/hex: invalid byte: U+${code} '${bad}'`);
      }
      const place = found(context, hash.toUpperCase());
      if (place === undefined) throw new QueryError(5, `tx not found: ${hash}`);
      const { height, tx } = place;
      const form = decodeBinary(Tx, Buffer.from(tx.tx, 'base64'), naming);
      const txResponse: TxResponse = {
        height: BigInt(height),
        txhash: tx.hash,
        codespace: tx.codespace,
        code: tx.code,
        data: upperHex(Buffer.from(tx.data ?? '', 'base64')),
        rawLog: tx.log,
        logs: logsOf(tx),
        info: '',
        gasWanted: BigInt(tx.gas_wanted),
        gasUsed: BigInt(tx.gas_used),
        tx: { typeUrl: '/stack.tx.v1beta1.Tx', value: form },
        timestamp: context.view.time(height).replace(/\.\d+Z$/, 'Z'),
        events: eventsOf(tx),
      };
      return { tx: form, txResponse };
    }),
    on(simulate, ({ txBytes }, { view }) => {
      if (txBytes.length === 0) throw new QueryError(3, 'empty txBytes is not allowed');
      const checked = view.mempool?.check(txBytes);
      const { code, log } = checked?.verdict ?? refusedTx;
      if (code !== 0) throw new QueryError(2, log);
      // The recorded outcome is not available before the transaction is sent, so this returns a typical gas amount.
      return { gasInfo: { gasWanted: 18446744073709551615n, gasUsed: 80_000n }, result: undefined };
    }),
  ];
}
