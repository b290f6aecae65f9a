import { broadcastTx, simulate } from '@hubwatch/types/gen/methods/stack/tx/v1beta1/service';
import { sha256, upperHex } from '../hashes.js';
import { QueryError } from '../query-error.js';
import { on, type QueryHandler } from '../query-handler.js';
import { refusedTx } from '../refused-tx.js';

const sync = 2;
const async = 3;

/** Broadcasts are refused as by a node whose admission fails; the hash is given. */
export const txHandlers: readonly QueryHandler[] = [
  on(broadcastTx, ({ txBytes, mode }) => {
    if (txBytes.length === 0) throw new QueryError(3, 'invalid empty tx');
    if (mode !== sync && mode !== async) {
      throw new QueryError(2, 'unsupported return type unspecified; supported types: sync, async');
    }
    return {
      txResponse: {
        height: 0n,
        txhash: upperHex(sha256(txBytes)),
        codespace: mode === sync ? refusedTx.codespace : '',
        code: mode === sync ? refusedTx.code : 0,
        data: '',
        rawLog: mode === sync ? refusedTx.log : '',
        logs: [],
        info: '',
        gasWanted: 0n,
        gasUsed: 0n,
        tx: undefined,
        timestamp: '',
        events: [],
      },
    };
  }),
  on(simulate, ({ txBytes }) => {
    if (txBytes.length === 0) throw new QueryError(3, 'empty txBytes is not allowed');
    throw new QueryError(2, refusedTx.log);
  }),
];
