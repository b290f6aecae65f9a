// HTTP/2 is loaded on the first call: most programs that import `connect` use another transport.
import type { AnyMethod, RequestOf } from '@hubwatch/types/runtime/method';
import { requireServed } from '../availability.js';
import type { TransportOptions } from '../options.js';
import type { CallOptions, Transport } from '../transport.js';
import { readGrpcAddress } from './address.js';
import { shownAddress } from '../shown-address.js';

/**
 * Queries over gRPC. Runs in Node only.
 *
 * @throws HubError `invalid_argument` when the address cannot be parsed
 */
export function createGrpcTransport(options: TransportOptions): Transport<'grpc'> {
  readGrpcAddress(options.address);
  let opened: Promise<Transport<'grpc'>> | undefined;
  const open = (): Promise<Transport<'grpc'>> => {
    opened ??= import('./transport.js').then((loaded) => loaded.createGrpcTransport(options));
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
      // A transport that could not be opened has nothing to close, and its calls have already failed with the reason.
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

/**
 * Wire names of the services that a node lists over reflection.
 *
 * @throws HubError `unimplemented` when the server has no v1alpha reflection, and as any call
 */
export async function listServices(
  options: Omit<TransportOptions, 'naming'> & Pick<CallOptions, 'signal'>,
): Promise<string[]> {
  const reflection = await import('./reflection.js');
  return reflection.listServices(options);
}
