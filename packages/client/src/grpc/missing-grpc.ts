import { HubError } from '../error.js';
import { shownAddress } from '../shown-address.js';

/** Failure of an `import` that needs `@grpc/grpc-js`, an optional dependency, told as what to install. */
export function missingGrpc(address: string): (cause: unknown) => never {
  return (cause) => {
    throw new HubError({
      code: 'invalid_argument',
      message: `grpc at ${shownAddress(address)}: the package @grpc/grpc-js cannot be loaded; install it beside @hubwatch/client, or give rest or rpc`,
      transport: 'grpc',
      address,
      cause,
    });
  };
}
