import { sha256, upperHex } from '../../chain/hashes.js';
import { refusedTx } from '../../chain/refused-tx.js';
import type { RpcMethod } from './method.js';
import type { ParamSpec } from './params.js';
import { failure } from './rpc-error.js';

/** CheckTx of a node that admits nothing: the replay has no mempool. */
function checkTx(): Record<string, unknown> {
  return {
    code: refusedTx.code,
    data: null,
    log: refusedTx.log,
    info: '',
    gas_wanted: '0',
    gas_used: '0',
    events: [],
    codespace: refusedTx.codespace,
    sender: '',
    priority: '0',
    mempoolError: '',
  };
}

const txParam: readonly ParamSpec[] = [{ name: 'tx', kind: 'bytes' }];

const hash = (tx: unknown): string => upperHex(sha256(tx as Buffer));

/** Broadcasts and CheckTx: every transaction is refused, its hash is given. */
export const broadcastMethods: readonly RpcMethod[] = [
  { name: 'check_tx', params: txParam, cache: 'never', run: checkTx },
  {
    name: 'broadcast_tx_async',
    params: txParam,
    cache: 'never',
    run: ({ tx }) => ({ code: 0, data: '', log: '', codespace: '', hash: hash(tx) }),
  },
  {
    name: 'broadcast_tx_sync',
    params: txParam,
    cache: 'never',
    run: ({ tx }) => ({
      code: refusedTx.code,
      data: '',
      log: refusedTx.log,
      codespace: refusedTx.codespace,
      hash: hash(tx),
    }),
  },
  {
    name: 'broadcast_tx_commit',
    params: txParam,
    cache: 'never',
    run: ({ tx }) => ({
      check_tx: checkTx(),
      deliver_tx: {
        code: 0,
        data: null,
        log: '',
        info: '',
        gas_wanted: '0',
        gas_used: '0',
        events: [],
        codespace: '',
      },
      hash: hash(tx),
      height: '0',
    }),
  },
  {
    name: 'broadcast_evidence',
    params: [{ name: 'evidence', kind: 'any' }],
    cache: 'never',
    run: () => {
      throw failure('no evidence was provided');
    },
  },
];
