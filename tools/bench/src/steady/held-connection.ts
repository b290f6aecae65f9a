import type { CallOptions, Transport } from '@hubwatch/client';
import type { EndpointConnection } from '@hubwatch/daemon/parts';
import type { SimulatedClock } from './simulated-clock.js';

/** A connection whose calls stop the clock. */
export function heldBy(
  clock: SimulatedClock,
  connection: EndpointConnection,
  onRequest: (request: unknown) => void = () => undefined,
): EndpointConnection {
  const held = <T extends Transport>(transport: T | undefined): T | undefined =>
    transport && {
      ...transport,
      call(method: never, request: never, options?: CallOptions) {
        onRequest(request);
        return clock.during(() => transport.call(method, request, options));
      },
    };
  const { rpc } = connection;
  return {
    ...connection,
    grpc: held(connection.grpc),
    rest: held(connection.rest),
    abci: held(connection.abci),
    rpc: rpc && {
      call(method: never, ...args: never[]) {
        onRequest(args[0]);
        return clock.during(() => rpc.call(method, ...args));
      },
    },
    close: () => connection.close(),
  };
}
