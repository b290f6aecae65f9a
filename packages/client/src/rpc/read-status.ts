import type { Naming } from '@hubwatch/types/runtime/naming';
import {
  bytes,
  flag,
  height,
  hex,
  int64,
  type Json,
  listOf,
  member,
  needed,
  object,
  parts,
  textMember,
  time,
} from './checks.js';
import type { AbciInfoResult, MempoolResult, NetInfoResult, NodeInfo, PublicKey, StatusResult } from './results.js';

export function readStatus(json: unknown, naming: Naming): StatusResult {
  const result = object(json);
  return {
    nodeInfo: member(result, 'node_info', readNodeInfo),
    syncInfo: member(result, 'sync_info', (value) => {
      const sync = object(value);
      return {
        latestBlockHash: member(sync, 'latest_block_hash', hex),
        latestAppHash: member(sync, 'latest_app_hash', hex),
        latestBlockHeight: member(sync, 'latest_block_height', needed(height)),
        latestBlockTime: member(sync, 'latest_block_time', time),
        earliestBlockHash: member(sync, 'earliest_block_hash', hex),
        earliestAppHash: member(sync, 'earliest_app_hash', hex),
        earliestBlockHeight: member(sync, 'earliest_block_height', needed(height)),
        earliestBlockTime: member(sync, 'earliest_block_time', time),
        catchingUp: member(sync, 'catching_up', flag),
      };
    }),
    validatorInfo: member(result, 'validator_info', (value) => {
      const validator = parts(value);
      return {
        address: member(validator, 'address', hex),
        publicKey: member(validator, 'pub_key', (key) => readPublicKey(key, naming)),
        votingPower: member(validator, 'voting_power', int64),
      };
    }),
  };
}

function readNodeInfo(json: unknown): NodeInfo {
  const info = parts(json);
  return {
    id: member(info, 'id', textMember),
    network: member(info, 'network', textMember),
    version: member(info, 'version', textMember),
    moniker: member(info, 'moniker', textMember),
    listenAddress: member(info, 'listen_addr', textMember),
    txIndex: member(info, 'other', (value) => member(parts(value), 'tx_index', textMember)),
  };
}

export function readPublicKey(json: unknown, naming: Naming): PublicKey {
  const key = parts(json);
  return { type: naming.tagFromWire(member(key, 'type', textMember)), value: member(key, 'value', bytes) };
}

export function readNetInfo(json: unknown): NetInfoResult {
  const result = object(json);
  return {
    listening: member(result, 'listening', flag),
    peerCount: Number(member(result, 'n_peers', needed(int64))),
    peers: member(
      result,
      'peers',
      listOf((value) => {
        const peer = parts(value);
        return {
          nodeInfo: member(peer, 'node_info', readNodeInfo),
          isOutbound: member(peer, 'is_outbound', flag),
          remoteIp: member(peer, 'remote_ip', textMember),
        };
      }),
    ),
  };
}

/** Zero values are missing in this response. */
export function readAbciInfo(json: unknown): AbciInfoResult {
  const response: Json = member(object(json), 'response', object);
  return {
    data: member(response, 'data', textMember),
    version: member(response, 'version', textMember),
    lastBlockHeight: member(response, 'last_block_height', height),
    lastBlockAppHash: member(response, 'last_block_app_hash', bytes),
  };
}

export function readMempool(json: unknown): MempoolResult {
  const result = object(json);
  return {
    count: member(result, 'n_txs', needed(int64)),
    total: member(result, 'total', needed(int64)),
    totalBytes: member(result, 'total_bytes', int64),
    txs: member(result, 'txs', listOf(bytes)),
  };
}
