// grpc-js is an optional dependency, so what needs it is loaded with the first call: where the package is missing the call
// says what to install, and an import of this entry does not fail with a path inside node_modules.
import type { AnyMethod, RequestOf } from '@hubwatch/types/runtime/method';
import { requireServed } from '../availability.js';
import type { TransportOptions } from '../options.js';
import type { CallOptions, Transport } from '../transport.js';
import { readAddress } from './address.js';
import { missingGrpc } from './missing-grpc.js';
import { shownAddress } from '../shown-address.js';

/**
 * Queries over gRPC. Runs in Node only.
 *
 * @throws HubError `invalid_argument` when the address cannot be read; from a call, when `@grpc/grpc-js` is not installed
 */
export function createGrpcTransport(options: TransportOptions): Transport<'grpc'> {
  readAddress(options.address);
  let opened: Promise<Transport<'grpc'>> | undefined;
  const open = (): Promise<Transport<'grpc'>> => {
    opened ??= import('./transport.js')
      .catch(missingGrpc(options.address))
      .then((loaded) => loaded.createGrpcTransport(options));
    return opened;
  };
  return {
    kind: 'grpc',
    address: shownAddress(options.address),
    call: async <M extends AnyMethod>(method: M, request: RequestOf<M, 'grpc'>, call?: CallOptions) => {
      requireServed(method, 'grpc', options.address);
      return (await open()).call(method, request, call);
    },
    close: async () => {
      // A transport that could not be opened has nothing to close, and its calls were told why.
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

/**
 * Names of the services that a node lists over reflection, as on the wire.
 *
 * @throws HubError `unimplemented` when the server has no v1alpha reflection, `invalid_argument` when `@grpc/grpc-js` is not
 * installed, and as any call
 */
export async function listServices(
  options: Omit<TransportOptions, 'naming'> & Pick<CallOptions, 'signal'>,
): Promise<string[]> {
  const reflection = await import('./reflection.js').catch(missingGrpc(options.address));
  return reflection.listServices(options);
}
