import type { Clock } from '@hubwatch/client';
import {
  EndpointPool,
  type OlderAnswerError,
  type PoolEvent,
  type PoolMember,
  type SeenMember,
} from '@hubwatch/client/pool';
import type { AnyMethod, ResponseOf } from '@hubwatch/types/runtime/method';
import type { OwnMetrics } from '../own-metrics.js';
import { type AnyRequest, type Endpoint, type QueryTransport, queryTransports, type StateAnswer } from './endpoint.js';
import { Patience } from './patience.js';

/** One endpoint over one transport, for a read that consists of several related calls. */
export interface Source {
  readonly endpoint: string;
  readonly transport: QueryTransport;
  call<M extends AnyMethod>(method: M, request: AnyRequest<M>, height?: bigint): Promise<StateAnswer<ResponseOf<M>>>;
}

/** One endpoint over one transport, as a member of the client's pool. */
interface Asked {
  readonly endpoint: Endpoint;
  readonly transport: QueryTransport;
}
export type SeenSource = SeenMember<Asked>;
export type SourceMember = PoolMember<Asked>;

/** Trust information that the pool's strategy requires. */
export interface Trust {
  /** Returns the sources to query, best first. */
  order(seen: readonly SeenSource[]): readonly SourceMember[];
  /** Latest heights that the endpoints of the chain report. */
  heights(): readonly bigint[];
  /** Called once if the chain was rolled back or restarted from a snapshot. */
  onWentBack?(text: string): void;
}

/** Backoff of a failed source: it is queried after the others. Doubles with each failure. */
const rest = { firstMs: 15_000, mostMs: 300_000 };
/** Jitter is not needed: a node has one daemon, not thousands of clients. */
const noJitter = (): number => 1;

/** All pairs of endpoint and transport, read through the client's pool in the order of trust. */
export class Sources {
  private readonly members: readonly SourceMember[];
  private readonly pool: EndpointPool<Asked> | undefined;
  private readonly patience = new Patience();
  private readonly own: OwnMetrics;
  private readonly trust: Trust;

  constructor(endpoints: readonly Endpoint[], own: OwnMetrics, clock: Clock, trust: Trust) {
    this.own = own;
    this.trust = trust;
    this.members = endpoints.flatMap((endpoint) =>
      queryTransports
        .filter((transport) => endpoint.has[transport])
        .map((transport) => ({ name: `${endpoint.name} over ${transport}`, client: { endpoint, transport } })),
    );
    if (this.members.length === 0) return;
    this.pool = new EndpointPool(this.members, {
      clock,
      rounds: 1,
      backoff: rest,
      random: noJitter,
      onEvent: (event) => this.count(event),
      strategy: {
        asksResting: true,
        order: (seen) => trust.order(seen),
        // `not_found` from the best source is final: a source that is behind may still have the record.
        isFinal: ({ code }) => code === 'not_found',
        takesOlder: (older, subject) => this.takesOlder(older, subject),
      },
    });
  }

  /** Whether there is a source to query. */
  isAnyAsked(): boolean {
    return (this.pool?.order().length ?? 0) > 0;
  }

  /** Latency in steps of a factor of two, so that endpoints with similar latency keep their order; 0 if unknown. */
  slowness(): (endpoint: string) => number {
    const seen = this.pool?.seen() ?? [];
    return (endpoint) => {
      const known = seen.flatMap(({ member, latencyMs }) =>
        member.client.endpoint.name === endpoint ? (latencyMs ?? []) : [],
      );
      return known.length === 0 ? 0 : Math.round(Math.log2(1 + Math.min(...known)));
    };
  }

  /** @throws HubError as `EndpointPool.read` of the client; `timeout` if there is no source to query */
  async read<T extends { readonly height: bigint | undefined }>(
    subject: string,
    signal: AbortSignal,
    work: (source: Source) => Promise<T>,
  ): Promise<T> {
    const ask = async ({ endpoint, transport }: Asked) => {
      const value = await work({
        endpoint: endpoint.name,
        transport,
        call: (method, request, height) => endpoint.query(transport, method, request, { height, signal }),
      });
      return { value, height: value.height };
    };
    const limits = { method: subject, subject, signal, timeoutMs: Number.POSITIVE_INFINITY };
    const result = await (this.pool as EndpointPool<Asked>).read(ask, limits);
    this.patience.taken(subject);
    return result;
  }

  private takesOlder(older: OlderAnswerError, subject: string): boolean {
    const ruling = this.patience.judge(subject, older, this.trust.heights());
    if (ruling === 'chain_went_back') {
      const { endpoint, transport } = this.labelsOf(older.member);
      const at = `${endpoint} answered over ${transport} about ${subject} at height ${older.olderHeight}`;
      this.trust.onWentBack?.(`${at}, where ${older.given} was seen before`);
    }
    return ruling !== 'refuse';
  }

  private count(event: PoolEvent): void {
    if (event.kind === 'attempt' && event.outcome === 'stale') this.own.regressions.inc(this.labelsOf(event.endpoint));
    if (event.kind !== 'selected') return;
    const labels = this.labelsOf(event.endpoint);
    if (event.before !== undefined) {
      this.own.endpointSelected.remove(this.labelsOf(event.before));
      this.own.failovers.inc({ transport: labels.transport });
    }
    this.own.endpointSelected.set(labels, 1);
  }

  private labelsOf(name: string): { readonly endpoint: string; readonly transport: QueryTransport } {
    const { endpoint, transport } = (this.members.find((member) => member.name === name) as SourceMember).client;
    return { endpoint: endpoint.name, transport };
  }
}
