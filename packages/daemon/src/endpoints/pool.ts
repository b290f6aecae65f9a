import { HubError } from '@hubwatch/client';
import type { AnyMethod, ResponseOf } from '@hubwatch/types/runtime/method';
import type { Clock } from '../clock.js';
import type { OwnMetrics } from '../own-metrics.js';
import { type AnyRequest, type Endpoint, type QueryTransport, queryTransports, type StateAnswer } from './endpoint.js';
import { RegressionError } from './failure.js';
import { agreedHead, freshestHead, type Head, type ReportedHead, tipBlocks } from './head.js';

/** One endpoint over one transport, for a read of several calls that belong together. */
export interface Source {
  readonly endpoint: string;
  readonly transport: QueryTransport;
  call<M extends AnyMethod>(method: M, request: AnyRequest<M>, height?: bigint): Promise<StateAnswer<ResponseOf<M>>>;
}

/** The freshest block, and how often it was looked at in vain for a newer one. */
export interface NewestBlock extends Head {
  /** Times that one endpoint was asked since and told of none that is newer: the most of any endpoint. */
  readonly sameFor: number;
}

/** Whom we ask, and whom we believe. */
export interface EndpointPool {
  readonly endpoints: readonly Endpoint[];
  /**
   * Takes what an endpoint says its head is, `undefined` when it did not answer, and which transports were down; without
   * them it stands as it was.
   */
  report(endpoint: string, head: ReportedHead | undefined, down?: ReadonlySet<QueryTransport>): void;
  /**
   * Head that the endpoints agree on: the chain's present. It does not go back by the few blocks that endpoints differ in;
   * a head further back is another chain's, and is taken.
   */
  head(): Head | undefined;
  /** Newest block that any endpoint tells of. */
  newest(): NewestBlock | undefined;
  /** Resolves when an endpoint has told its head for the first time. */
  readonly firstHead: Promise<void>;
  /**
   * Reads state about `subject` from the best endpoint, and from the next ones while that fails. An answer of a smaller
   * height than one taken before about the same subject is refused.
   *
   * @throws the first failure when every source failed, so that a best endpoint's reason is not hidden by a spare's.
   */
  read<T extends { readonly height: bigint | undefined }>(
    subject: string,
    signal: AbortSignal,
    work: (source: Source) => Promise<T>,
  ): Promise<T>;
}

const maxSources = 4;
const roleOrder = { own: 0, reference: 1, archive: 2 } as const;
/** Failures that say something about the question, not about the endpoint: asking another would not help. */
const final: ReadonlySet<string> = new Set(['not_found', 'invalid_argument', 'cancelled']);

export const createPool = (
  endpoints: readonly Endpoint[],
  own: OwnMetrics,
  clock: Pick<Clock, 'nowMs'>,
): EndpointPool => {
  const heads = new Map<string, ReportedHead>();
  const newestTaken = new Map<string, bigint>();
  let foundHead: () => void = () => undefined;
  const firstHead = new Promise<void>((resolve) => {
    foundHead = resolve;
  });
  const transportsDown = new Map<string, ReadonlySet<QueryTransport>>();
  let newest: Head | undefined;
  let freshestMs: number | undefined;
  const sameFor = new Map<string, number>();
  let selected: { endpoint: string; transport: QueryTransport } | undefined;

  const head = (): Head | undefined => {
    const agreed = agreedHead([...heads.values()], clock.nowMs());
    if (agreed === undefined) return undefined;
    const isLag = newest !== undefined && agreed.height < newest.height && agreed.height + tipBlocks >= newest.height;
    newest = isLag ? newest : agreed;
    return newest;
  };

  const behind = (endpoint: Endpoint, tip: bigint): number => {
    const known = heads.get(endpoint.name);
    if (known === undefined) return 2;
    return known.rightChain && known.height + 3n >= tip ? 0 : 1;
  };
  const candidates = (): { endpoint: Endpoint; transport: QueryTransport }[] => {
    const tip = head()?.height ?? 0n;
    const all = endpoints
      .filter((endpoint) => heads.get(endpoint.name)?.rightChain !== false)
      .toSorted((a, b) => behind(a, tip) - behind(b, tip) || roleOrder[a.role] - roleOrder[b.role])
      .flatMap((endpoint) =>
        queryTransports.filter((transport) => endpoint.has[transport]).map((transport) => ({ endpoint, transport })),
      );
    const answering = all.filter((one) => transportsDown.get(one.endpoint.name)?.has(one.transport) !== true);
    // When everything was down one try is enough to see whether it still is.
    return answering.length > 0 ? answering.slice(0, maxSources) : all.slice(0, 1);
  };
  const select = (endpoint: string, transport: QueryTransport): void => {
    if (selected?.endpoint === endpoint && selected.transport === transport) return;
    if (selected !== undefined) {
      own.endpointSelected.remove(selected);
      own.failovers.inc({ transport });
    }
    selected = { endpoint, transport };
    own.endpointSelected.set(selected, 1);
  };

  return {
    endpoints,
    head,
    firstHead,
    newest() {
      const freshest = freshestHead([...heads.values()], clock.nowMs());
      return freshest && { ...freshest, sameFor: Math.max(0, ...sameFor.values()) };
    },
    report(endpoint, reported, down) {
      if (down !== undefined) transportsDown.set(endpoint, down);
      if (reported === undefined) heads.delete(endpoint);
      else heads.set(endpoint, reported);
      if (reported?.rightChain === true) foundHead();
      const seenMs = freshestHead([...heads.values()], clock.nowMs())?.timeMs;
      if (seenMs !== freshestMs && seenMs !== undefined) sameFor.clear();
      // Only the answer that ends a round counts: an endpoint may tell its head once before.
      else if (reported !== undefined && down !== undefined) sameFor.set(endpoint, (sameFor.get(endpoint) ?? 0) + 1);
      freshestMs = seenMs ?? freshestMs;
    },
    async read(subject, signal, work) {
      let first: Error | undefined;
      for (const { endpoint, transport } of candidates()) {
        try {
          const result = await work({
            endpoint: endpoint.name,
            transport,
            call: (method, request, height) => endpoint.query(transport, method, request, { height, signal }),
          });
          const taken = newestTaken.get(subject);
          if (result.height !== undefined && taken !== undefined && result.height < taken) {
            own.regressions.inc({ endpoint: endpoint.name, transport });
            throw new RegressionError(
              `${endpoint.name} answered over ${transport} at height ${result.height}; ${taken} was seen before`,
            );
          }
          if (result.height !== undefined) newestTaken.set(subject, result.height);
          select(endpoint.name, transport);
          return result;
        } catch (error) {
          if (signal.aborted || (error instanceof HubError && final.has(error.code))) throw error;
          first ??= error instanceof Error ? error : new Error(String(error));
        }
      }
      throw first ?? new HubError({ code: 'unavailable', message: 'no endpoint serves the configured chain' });
    },
  };
};
