import { type Clock, HubError, publicNaming } from '@hubwatch/client';
import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import type { ErrorCode } from '@hubwatch/client';
import { msOf } from '../checks/times.js';
import { connectLimited } from '../endpoints/connection.js';
import { createBudget } from './budget.js';
import { countedEndpoint } from './collect/counted-endpoint.js';
import { namingOf } from './collect/naming.js';
import { type Subject, type WayName, wayNames } from './subject.js';

export interface ProbeParts {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Result of one query over one transport. */
export interface Probed {
  readonly way: WayName;
  /** `undefined`: it responded. */
  readonly failure: ErrorCode | 'unknown' | undefined;
  /** Height of the state over gRPC and REST, of the latest block over the consensus RPC. */
  readonly height: bigint | undefined;
  /** Facts that only the consensus RPC reports. */
  readonly block:
    | { readonly timeMs: number | undefined; readonly catchingUp: boolean; readonly chainId: string }
    | undefined;
  readonly ms: number;
}

/** Sends one query over each transport of an endpoint, concurrently. */
export const probeEndpoint = async (
  subject: Subject,
  { clock, timeoutMs, signal }: ProbeParts,
): Promise<readonly Probed[]> => {
  const budget = createBudget();
  const { addresses, headers } = subject;
  const asksByName = addresses.grpc !== undefined || addresses.rest !== undefined;
  // The query to the consensus RPC is the same under every naming.
  const found = asksByName ? await namingOf(subject, { clock, timeoutMs, signal }, budget) : undefined;
  const connection = connectLimited({ ...addresses, headers, naming: found ?? publicNaming, timeoutMs });
  const endpoint = countedEndpoint(subject.name, connection, timeoutMs, budget);
  const questions: Readonly<Record<WayName, () => Promise<Pick<Probed, 'height' | 'block'>>>> = {
    grpc: async () => ({
      height: (await endpoint.query('grpc', queryParams, {}, { signal })).height,
      block: undefined,
    }),
    rest: async () => ({
      height: (await endpoint.query('rest', queryParams, {}, { signal })).height,
      block: undefined,
    }),
    async rpc() {
      const { nodeInfo, syncInfo } = await endpoint.rpc('status', {}, { signal });
      const timeMs = syncInfo.latestBlockTime && msOf(syncInfo.latestBlockTime);
      const block = { timeMs, catchingUp: syncInfo.catchingUp, chainId: nodeInfo.network };
      return { height: syncInfo.latestBlockHeight, block };
    },
  };
  try {
    return await Promise.all(
      wayNames
        .filter((way) => addresses[way] !== undefined)
        .map(async (way): Promise<Probed> => {
          const started = clock.monotonicMs();
          const answer = await questions[way]().then(
            (told) => ({ ...told, failure: undefined }),
            (error: unknown) => {
              if (signal.aborted) throw error;
              const failure = error instanceof HubError ? error.code : 'unknown';
              return { failure, height: undefined, block: undefined } as const;
            },
          );
          return { way, ...answer, ms: clock.monotonicMs() - started };
        }),
    );
  } finally {
    await endpoint.close();
  }
};
