import { shownAddress } from '@hubwatch/client';
import { allowedNames, nearestKey } from '../config/nearest-key.js';
import { baseUrlText, duration, grpcAddress } from '../config/scalars.js';
import type { Config } from '../config/schema.js';
import { endpointHeaders } from '../endpoints/connection.js';
import { type Subject, usualAddresses } from '../doctor/subject.js';
import { UsageError } from './usage-error.js';

/** Endpoint arguments of the command line; all values are strings. */
export interface EndpointArguments {
  readonly grpc?: string | undefined;
  readonly rest?: string | undefined;
  readonly rpc?: string | undefined;
  readonly naming?: Subject['naming'] | undefined;
  readonly chainId?: string | undefined;
  readonly timeout?: string | undefined;
}

/**
 * The endpoint of a command: a configured one by its name, addresses, or a host at its usual ports.
 *
 * @throws UsageError that lists the allowed forms
 */
export const askedEndpoint = (
  command: string,
  word: string | undefined,
  args: EndpointArguments,
  config: Config | undefined,
): Subject => {
  const given = Object.fromEntries(
    (['grpc', 'rest', 'rpc'] as const).flatMap((name) => {
      const text = args[name];
      return text === undefined ? [] : [[name, address(name, text)]];
    }),
  );
  const hasAddress = Object.keys(given).length > 0;
  const { naming, chainId } = args;
  if (config !== undefined) {
    if (hasAddress) throw new UsageError(`${command}: --config and --grpc, --rest, --rpc exclude each other`);
    const found = named(command, word, config);
    const { grpc, rest, rpc } = found;
    return {
      name: found.name,
      how: 'configured',
      addresses: { ...(grpc && { grpc }), ...(rest && { rest }), ...(rpc && { rpc }) },
      headers: endpointHeaders(found),
      naming: naming ?? found.naming,
      chainId: chainId ?? config.network.chain_id,
      depths: found.require.state_depths.map(BigInt),
    };
  }
  const rest = { naming: naming ?? 'auto', chainId, depths: [] } as const;
  if (hasAddress) {
    if (word !== undefined)
      throw new UsageError(
        `${command}: give a host or --grpc, --rest, --rpc, not both ${JSON.stringify(word)} and those`,
      );
    return { name: shownAddress(Object.values(given)[0] ?? ''), how: 'given', addresses: given, ...rest };
  }
  if (word === undefined) {
    throw new UsageError(
      `${command} needs an endpoint: its name with --config FILE, a host, or at least one of --grpc HOST:PORT, --rest URL, --rpc URL`,
    );
  }
  if (!/^[\p{L}\p{N}._-]+$|^[\da-f:]+$/iu.test(word)) {
    throw new UsageError(
      `${command}: ${shownAddress(word)} is not a host; addresses with a scheme or a port go to --grpc HOST:PORT, --rest URL, --rpc URL`,
    );
  }
  return { name: word, how: 'usual', addresses: usualAddresses(word), ...rest };
};

const named = (command: string, word: string | undefined, { endpoints }: Config): Config['endpoints'][number] => {
  const names = endpoints.map(({ name }) => name);
  const [only] = endpoints;
  if (word === undefined) {
    if (only !== undefined && endpoints.length === 1) return only;
    throw new UsageError(`${command} requires the name of an endpoint; allowed: ${names.join(', ')}`);
  }
  const found = endpoints.find(({ name }) => name === word);
  if (found !== undefined) return found;
  throw new UsageError(
    `${command}: unknown endpoint ${JSON.stringify(word)}${allowedNames(nearestKey(word, names), names)}`,
  );
};

const address = (name: 'grpc' | 'rest' | 'rpc', text: string): string => {
  const parsed = (name === 'grpc' ? grpcAddress : baseUrlText).safeParse(text);
  if (!parsed.success) throw new UsageError(`--${name}: ${parsed.error.issues[0]?.message ?? 'no address'}`);
  return parsed.data;
};

/** Default request timeout, milliseconds. */
const usualTimeoutMs = 5_000;

/** Parses the request timeout, milliseconds. @throws UsageError */
export const timeoutOf = (text: string | undefined, usualMs = usualTimeoutMs): number => {
  if (text === undefined) return usualMs;
  const parsed = duration({ min: '100ms', max: '1m' }).safeParse(text);
  if (!parsed.success) throw new UsageError(`--timeout: ${parsed.error.issues[0]?.message ?? 'no duration'}`);
  return parsed.data;
};
