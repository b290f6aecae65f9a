import { getBlockByHeight } from '@hubwatch/types/gen/methods/stack/base/bft/v1beta1/service';
import type { Timestamp } from '@hubwatch/types/runtime/values';
import { type Endpoint, queryTransports } from './endpoint.js';

/** Time of a block as reported by an endpoint. @throws HubError if the endpoint does not return the block */
export const blockTime = async (
  endpoint: Endpoint,
  height: bigint,
  signal: AbortSignal,
): Promise<Timestamp | undefined> => {
  if (endpoint.has.rpc) return (await endpoint.rpc('header', { height }, { signal })).header?.time;
  const transport = queryTransports.find((one) => endpoint.has[one]);
  if (transport === undefined) throw new Error(`endpoint ${endpoint.name} has no way to ask for blocks`);
  const { message } = await endpoint.query(transport, getBlockByHeight, { height }, { signal });
  return (message.sdkBlock ?? message.block)?.header.time;
};
