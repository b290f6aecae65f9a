import { getNodeInfo } from '@hubwatch/types/gen/methods/stack/base/bft/v1beta1/service';
import type { Endpoint } from '../../endpoints/endpoint.js';
import type { Check, Target } from '../check.js';
import { info, sample } from '../family.js';

interface VersionReading {
  readonly name: string;
  readonly version: string;
  readonly stackVersion: string;
}

const appInfo = info(
  'hub_app_info',
  ['endpoint', 'name', 'version', 'stack_version'],
  'Application that the endpoint runs; the value is always 1',
);

const ofNodeInfo =
  (transport: 'grpc' | 'rest') =>
  async (endpoint: Endpoint, signal: AbortSignal): Promise<VersionReading> => {
    const { message } = await endpoint.query(transport, getNodeInfo, {}, { signal });
    const version = message.applicationVersion;
    return { name: version?.name ?? '', version: version?.version ?? '', stackVersion: version?.stackSdkVersion ?? '' };
  };

/** Where the version is asked for, best first: the consensus RPC does not know the framework's. */
const sources = ['grpc', 'rest', 'rpc'] as const;
const readers: Readonly<
  Record<(typeof sources)[number], (endpoint: Endpoint, signal: AbortSignal) => Promise<VersionReading>>
> = {
  grpc: ofNodeInfo('grpc'),
  rest: ofNodeInfo('rest'),
  async rpc(endpoint, signal) {
    const { data, version } = await endpoint.rpc('abci_info', {}, { signal });
    return { name: data, version, stackVersion: '' };
  },
};

/** Application and framework version of every endpoint. A job of its own: the answer lists every build dependency. */
export const endpointVersion: Check<Target, VersionReading> = {
  name: 'versions',
  families: [appInfo],
  everyMs: (config) => config.poll.other,
  targets: (config) => config.endpoints.map(({ name }) => ({ key: name })),
  async collect(target, { pool, signal }) {
    const endpoint = pool.endpoints.find(({ name }) => name === target.key);
    if (endpoint === undefined) throw new Error(`endpoint ${target.key} is not configured`);
    let first: unknown;
    for (const source of sources.filter((one) => endpoint.has[one])) {
      try {
        return await readers[source](endpoint, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        first ??= error;
      }
    }
    throw first;
  },
  metrics: ({ key }, { name, version, stackVersion }) => [sample(appInfo, [key, name, version, stackVersion], 1)],
};
