import { type Datum, valueOf } from '../checks/datum.js';
import { type EndpointReading, endpointStatus } from '../checks/endpoint/endpoint-status.js';
import { historyBounds } from '../checks/endpoint/history-bounds.js';
import { retention } from '../checks/endpoint/retention.js';
import { msOf } from '../checks/times.js';
import type { Config } from '../config/schema.js';
import { isExact } from '../endpoints/state-search.js';
import type { Observations } from '../observations/observations.js';
import { iso } from '../words.js';
import { bounded, notRead, readAt } from './not-read.js';

/** View model of an endpoint for the page and the JSON API. Heights are strings. */
export const endpointView = (
  { name, role }: Pick<Config['endpoints'][number], 'name' | 'role'>,
  observations: Pick<Observations, 'outcome'>,
  nowMs: number,
) => {
  const outcome = observations.outcome(endpointStatus, name);
  if (outcome?.state !== 'known') return { name, role, ...notRead(outcome) };
  const times = {
    status: readAt(outcome),
    states: readAt(observations.outcome(retention, name)),
    history: readAt(observations.outcome(historyBounds, name)),
  };
  return {
    name,
    role,
    ...endpointFacts(outcome.reading, nowMs),
    keeps: keptView(name, observations),
    readAt: times,
  };
};

const endpointFacts = (reading: EndpointReading, nowMs: number) => {
  const block = valueOf(reading.block);
  const peers = valueOf(reading.peers);
  return {
    transports: Object.fromEntries(
      (['grpc', 'rest', 'rpc', 'websocket'] as const).flatMap((name) => {
        const datum: Datum<unknown> | undefined = reading[name];
        return datum === undefined
          ? []
          : [[name, { state: datum.state, text: 'text' in datum ? bounded(datum.text) : undefined }]];
      }),
    ) as Readonly<Record<string, { state: Datum<unknown>['state']; text: string | undefined }>>,
    chainId: bounded(block?.chainId),
    isRightChain:
      reading.expectedChainId === undefined ? undefined : block && block.chainId === reading.expectedChainId,
    moniker: bounded(block?.rpc?.moniker),
    height: block && String(block.height),
    blockTime: block?.time && iso(msOf(block.time)),
    blockAgeSeconds: block && Math.round((nowMs - msOf(block.time)) / 1_000),
    earliestHeight: block?.rpc?.earliestHeight === undefined ? undefined : String(block.rpc.earliestHeight),
    catchingUp: block?.catchingUp,
    peers: peers && peers.inbound + peers.outbound,
    mempoolTransactions: valueOf(reading.mempool)?.transactions,
  };
};

/** Lowest available heights: of blocks, of the transaction index, and of state over each transport. */
const keptView = (name: string, observations: Pick<Observations, 'outcome'>) => {
  const bounds = observations.outcome(historyBounds, name);
  const states = observations.outcome(retention, name);
  const { block, tx } = bounds?.state === 'known' ? bounds.reading : { block: undefined, tx: undefined };
  return {
    blocks: block && String(block.lowest),
    index: tx && String(tx.lowest),
    states:
      states?.state === 'known'
        ? states.reading.transports.flatMap(({ transport, bracket, newest, boundMs }) =>
            bracket === undefined
              ? []
              : [
                  {
                    transport,
                    lowest: String(bracket.held),
                    heights: String(newest - bracket.held + 1n),
                    isExact: isExact(bracket),
                    since: boundMs === undefined ? undefined : iso(boundMs),
                  },
                ],
          )
        : undefined,
  };
};
