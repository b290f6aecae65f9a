import type { Transport } from '@hubwatch/client';
import type { Endpoint, EndpointConnection } from '../../endpoints/endpoint.js';
import type { Budget } from '../budget.js';

/** An endpoint whose calls are counted against a budget before they are sent. */
export const countedEndpoint = (
  name: string,
  connection: EndpointConnection,
  timeoutMs: number,
  budget: Budget,
): Endpoint => ({
  name,
  role: 'reference',
  has: {
    grpc: connection.grpc !== undefined,
    rest: connection.rest !== undefined,
    abci: connection.abci !== undefined,
    rpc: connection.rpc !== undefined,
  },
  async query(transport, method, request, limits) {
    const asked = connection[transport] as Transport<'grpc'> | undefined;
    if (asked === undefined) throw new Error(`${name} has no ${transport} address`);
    budget.spend();
    return asked.call(method, request as never, { ...limits, timeoutMs });
  },
  async rpc(method, params, { signal }) {
    if (connection.rpc === undefined) throw new Error(`${name} has no rpc address`);
    budget.spend();
    return connection.rpc.call(method, params, { signal, timeoutMs });
  },
  close: () => connection.close(),
});
