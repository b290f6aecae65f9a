import type { Naming } from '@hubwatch/types/runtime/naming';
import { bytes, height, hex, int32, int64, member, needed, object, parts, textMember } from './checks.js';
import { readTxResult } from './read-tx.js';
import type { BroadcastCommitResult, BroadcastResult, CheckTxResult } from './results.js';

export function readBroadcast(json: unknown): BroadcastResult {
  const result = object(json);
  return {
    code: member(result, 'code', needed(int32)),
    codespace: member(result, 'codespace', textMember),
    log: member(result, 'log', textMember),
    hash: member(result, 'hash', hex),
  };
}

export function readCheckTx(json: unknown, naming: Naming): CheckTxResult {
  const result = parts(json);
  return {
    ...readTxResult(json, naming),
    sender: member(result, 'sender', textMember),
    priority: member(result, 'priority', int64),
    mempoolError: member(result, 'mempoolError', textMember),
  };
}

/** Engines 0.37 and 0.38 are distinguished by the keys that are present. */
export function readBroadcastCommit(json: unknown, naming: Naming): BroadcastCommitResult {
  const result = object(json);
  const name = Object.hasOwn(result, 'tx_result') ? 'tx_result' : 'deliver_tx';
  return {
    checkTx: member(result, 'check_tx', (value) => readCheckTx(value, naming)),
    txResult: member(result, name, (value) => readTxResult(value, naming)),
    hash: member(result, 'hash', hex),
    height: member(result, 'height', height),
  };
}

export function readEvidenceHash(json: unknown): { readonly hash: Uint8Array } {
  return { hash: member(object(json), 'hash', bytes) };
}
