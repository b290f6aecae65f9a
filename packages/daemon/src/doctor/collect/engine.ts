import { firstHeight, HubError, type RpcResult } from '@hubwatch/client';
import { consensusOf } from '../../checks/endpoint/agreement.js';
import { lowestBlock } from '../../checks/endpoint/endpoint-status.js';
import { msOf } from '../../checks/times.js';
import type { Endpoint } from '../../endpoints/endpoint.js';
import { clusterMs } from '../../endpoints/head.js';
import { indexHas, indexLag } from '../../endpoints/index-search.js';
import { clockSkew, exposesUnsafe, plainRequest, type Reach, takesWebsocket } from '../../endpoints/surface.js';
import type { Budget } from '../budget.js';
import type { EngineFacts, IndexFacts } from '../diagnosis.js';

type Status = RpcResult<'status'>;

/** The result of a call, or `undefined` after any failure; an abort of the whole diagnosis is rethrown. */
export const maybe = async <T>(call: Promise<T>, signal: AbortSignal): Promise<T | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
};

/** Reads all facts about the node from the consensus RPC; sends no request that could change the node. */
export const lookAtEngine = async (
  endpoint: Endpoint,
  address: string,
  status: Status,
  reach: Reach,
  budget: Budget,
): Promise<EngineFacts> => {
  const { signal, clock } = reach;
  const { nodeInfo, syncInfo } = status;
  const height = syncInfo.latestBlockHeight;
  const timeMs = syncInfo.latestBlockTime && msOf(syncInfo.latestBlockTime);
  const isOld = timeMs !== undefined && clock.nowMs() - timeMs > clusterMs;
  budget.spend();
  const page = await maybe(plainRequest(`${address}/`, reach), signal);
  // At most one request in addition to the page, and one for the websocket.
  budget.spend(2);
  const [unsafe, websocket, net, info, first, consensus, keepsResults] = await Promise.all([
    exposesUnsafe(address, page, reach),
    takesWebsocket(address, reach),
    maybe(endpoint.rpc('net_info', {}, { signal }), signal),
    maybe(endpoint.rpc('abci_info', {}, { signal }), signal),
    syncInfo.earliestBlockHeight > 0n ? syncInfo.earliestBlockHeight : lowestBlock(endpoint, signal),
    isOld ? consensusOf(endpoint, signal) : undefined,
    resultsOf(endpoint, height - 1n, signal),
  ]);
  const outbound = net?.peers.filter((peer) => peer.isOutbound).length ?? 0;
  return {
    chainId: nodeInfo.network,
    moniker: nodeInfo.moniker,
    version: nodeInfo.version,
    height,
    timeMs,
    catchingUp: syncInfo.catchingUp,
    firstBlock: first,
    stateHeight: info?.lastBlockHeight,
    peers: net && { inbound: net.peers.length - outbound, outbound },
    consensus,
    exposesUnsafe: unsafe,
    websocket,
    skewSeconds: page && clockSkew(page),
    index: await indexOf(endpoint, nodeInfo.txIndex, { first, newest: height }, signal),
    keepsResults,
  };
};

/** Whether the results of an executed block are stored. */
const resultsOf = async (endpoint: Endpoint, height: bigint, signal: AbortSignal): Promise<boolean | undefined> => {
  if (height < firstHeight) return undefined;
  try {
    await endpoint.rpc('block_results', { height }, { signal });
    return true;
  } catch (error) {
    if (signal.aborted) throw error;
    return error instanceof HubError && error.code === 'unimplemented' ? false : undefined;
  }
};

const indexOf = async (
  endpoint: Endpoint,
  flag: string,
  { first, newest }: { readonly first: bigint | undefined; readonly newest: bigint },
  signal: AbortSignal,
): Promise<IndexFacts> => {
  const nothing = { lag: undefined, reachesFirst: undefined };
  if (flag !== 'on') return { state: flag === 'off' ? 'off' : undefined, ...nothing };
  try {
    const lag = await indexLag(endpoint, { first: first ?? firstHeight, newest }, signal);
    const reachesFirst =
      first === undefined || typeof lag !== 'bigint' ? undefined : await indexHas(endpoint, first, signal);
    return { state: 'on', lag, reachesFirst };
  } catch (error) {
    if (signal.aborted) throw error;
    // The SQL sink reports `on` and cannot be searched.
    const isDeaf = error instanceof HubError && error.code === 'unimplemented';
    return { state: isDeaf ? 'not_searchable' : 'on', ...nothing };
  }
};
