import type { BlockView } from '../../chain/block-view.js';
import { sha256, upperHex } from '../../chain/hashes.js';
import type { Admission, Mempool, TxVerdict } from '../../chain/mempool.js';
import { refusedTx } from '../../chain/refused-tx.js';
import { txResult } from '../../chain/result-view.js';
import type { RpcMethod } from './method.js';
import type { ParamSpec } from './params.js';
import { failure } from './rpc-error.js';

function checkJson({ code, codespace, log }: TxVerdict, gasWanted = 0n): Record<string, unknown> {
  return {
    code,
    data: null,
    log,
    info: '',
    gas_wanted: String(gasWanted),
    gas_used: '0',
    events: [],
    codespace,
    sender: '',
    priority: '0',
    mempoolError: '',
  };
}

const txParam: readonly ParamSpec[] = [{ name: 'tx', kind: 'bytes' }];
const knownText = 'tx already exists in cache';

function checked(mempool: Mempool | undefined, tx: unknown): Extract<Admission, { kind: 'checked' }> {
  return (
    mempool?.check(tx as Buffer) ?? {
      kind: 'checked',
      hash: upperHex(sha256(tx as Buffer)),
      verdict: refusedTx,
      gasWanted: 0n,
    }
  );
}

function added(mempool: Mempool | undefined, tx: unknown): Admission {
  return mempool?.add(tx as Buffer) ?? checked(mempool, tx);
}

const nothingDone = {
  code: 0,
  data: null,
  log: '',
  info: '',
  gas_wanted: '0',
  gas_used: '0',
  events: [],
  codespace: '',
};

/**
 * Broadcasts and CheckTx. Like a node, `broadcast_tx_commit` waits for the block.
 *
 * @param commitMs longest wait; the default is that of a node's `timeout_broadcast_tx_commit`
 */
export function broadcastMethods({ mempool }: BlockView, commitMs = 10_000): readonly RpcMethod[] {
  const answered = (tx: unknown, isAsync: boolean): unknown => {
    const admission = added(mempool, tx);
    if (admission.kind === 'known') throw failure(knownText);
    const { code, codespace, log } = admission.verdict;
    // The response to an async broadcast does not wait for CheckTx.
    return isAsync
      ? { code: 0, data: '', log: '', codespace: '', hash: admission.hash }
      : { code, data: '', log, codespace, hash: admission.hash };
  };
  return [
    {
      name: 'check_tx',
      params: txParam,
      cache: 'never',
      run: ({ tx }) => {
        const { verdict, gasWanted } = checked(mempool, tx);
        return checkJson(verdict, gasWanted);
      },
    },
    { name: 'broadcast_tx_async', params: txParam, cache: 'never', run: ({ tx }) => answered(tx, true) },
    { name: 'broadcast_tx_sync', params: txParam, cache: 'never', run: ({ tx }) => answered(tx, false) },
    {
      name: 'broadcast_tx_commit',
      params: txParam,
      cache: 'never',
      run: ({ tx }) => {
        const admission = added(mempool, tx);
        if (admission.kind === 'known') throw failure(`error on broadcastTxCommit: ${knownText}`);
        const { verdict, gasWanted, hash } = admission;
        const check = checkJson(verdict, gasWanted);
        if (verdict.code !== 0) return { check_tx: check, deliver_tx: nothingDone, hash, height: '0' };
        return mempool?.included(hash, commitMs).then((included) => {
          if (included === undefined) throw failure('timed out waiting for tx to be included in a block');
          return { check_tx: check, deliver_tx: txResult(included.tx), hash, height: String(included.height) };
        });
      },
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
}
