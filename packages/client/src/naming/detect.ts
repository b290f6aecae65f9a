import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import type { Naming } from '@hubwatch/types/runtime/naming';
import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import { type ErrorCode, HubError } from '../error.js';
import type { TransportOptions } from '../options.js';
import type { Transport } from '../transport.js';
import { publicNaming } from './public.js';

/** Addresses of one node, asked in this order: services over reflection, then one call by each name. */
export interface NamingEndpoints extends Omit<TransportOptions, 'address' | 'naming'> {
  readonly grpc?: string | undefined;
  readonly rest?: string | undefined;
  readonly rpc?: string | undefined;
}

/** Answers that only a server gives which does not know the name: proof against it, not a failure of the endpoint. */
const unknownName: ReadonlySet<ErrorCode> = new Set(['unimplemented', 'not_served']);

/**
 * Finds the naming that a node speaks.
 *
 * @param candidates namings to try; the public network's and the neutral one by default
 * @throws HubError `unimplemented` when no naming fits, and the failure of the endpoint when it cannot be asked
 */
export async function detectNaming(
  endpoints: NamingEndpoints,
  candidates: readonly Naming[] = [publicNaming, identityNaming],
): Promise<Naming> {
  const { grpc, rest, rpc, ...common } = endpoints;
  let failure: unknown;
  for (const probe of [
    grpc === undefined ? undefined : () => byReflection({ ...common, address: grpc }, candidates),
    rest === undefined ? undefined : () => byCall('rest', { ...common, address: rest }, candidates),
    rpc === undefined ? undefined : () => byCall('abci', { ...common, address: rpc }, candidates),
  ]) {
    try {
      const found = await probe?.();
      if (found !== undefined) return found;
    } catch (error) {
      // The other transports of the node may still answer; the first failure is told when none does.
      failure ??= error;
    }
  }
  if (failure instanceof HubError && !unknownName.has(failure.code)) throw failure;
  const tried = candidates.map(({ profile }) => profile).join(', ');
  throw new HubError({
    code: 'unimplemented',
    message: `the node at ${grpc ?? rest ?? rpc ?? 'no address'} knows ${queryParams.service} under none of the namings ${tried}; give its profile as \`naming\``,
    address: grpc ?? rest ?? rpc ?? '',
    cause: failure,
  });
}

async function byReflection(
  options: Omit<TransportOptions, 'naming'>,
  candidates: readonly Naming[],
): Promise<Naming | undefined> {
  // Loaded here only: a browser has no gRPC.
  const { listServices } = await import('../grpc/reflection.js');
  const services = new Set(await listServices(options));
  return candidates.find((naming) => services.has(naming.typeToWire(queryParams.service)));
}

/** Asks for the module parameters, a small answer that cannot fail, by the names of each candidate. */
async function byCall(
  kind: 'rest' | 'abci',
  options: Omit<TransportOptions, 'naming'>,
  candidates: readonly Naming[],
): Promise<Naming | undefined> {
  for (const naming of candidates) {
    const transport = await open(kind, { ...options, naming });
    try {
      await transport.call(queryParams, {});
      return naming;
    } catch (error) {
      if (!(error instanceof HubError) || !unknownName.has(error.code)) throw error;
    } finally {
      await transport.close();
    }
  }
  return undefined;
}

async function open(kind: 'rest' | 'abci', options: TransportOptions): Promise<Transport<'rest'> | Transport<'abci'>> {
  if (kind === 'rest') return (await import('../rest/transport.js')).createRestTransport(options);
  return (await import('../abci/transport.js')).createAbciTransport(options);
}
