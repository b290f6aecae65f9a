import { backoffMs, defaultBackoff } from '../backoff.js';
import { type Clock, pause, systemClock } from '../clock.js';
import { HubError } from '../error.js';
import { defaultTimeoutMs } from '../options.js';
import { judgeFailure, wasNeverSent } from './judge-failure.js';
import { freshestFirst } from './freshest-first.js';
import { OlderAnswerError } from './older-answer.js';
import type { Lane, PoolEvent } from './pool-event.js';
import type {
  AttemptLimits,
  PoolMember,
  PoolOptions,
  PoolStrategy,
  Reading,
  ReadOptions,
  SeenMember,
} from './pool-options.js';
import { Ranking } from './ranking.js';
import type { MemberStanding } from './standing.js';

/** Maximum time that the first read waits for the heights of all endpoints. */
const firstProbeMs = 1_000;
/** Upper limit for `Retry-After`. */
const maxRetryAfterMs = 600_000;

/**
 * Several endpoints of one chain. A strategy selects the endpoint; by default the freshest, then the fastest. After a failure a
 * read continues with the next endpoint; a broadcast only if it was certainly not sent. A read of the latest state never
 * returns a lower height than a previous read of the same subject.
 */
export class EndpointPool<E> {
  private readonly ranking: Ranking<E>;
  private readonly options: PoolOptions<E>;
  private readonly strategy: PoolStrategy<E>;
  private readonly clock: Clock;
  private readonly random: () => number;
  private readonly selected = new Map<Lane, string>();
  /** Highest height returned to a caller, by subject. */
  private readonly given = new Map<string, bigint>();
  private probing: Promise<void> | undefined;
  private probedAtMs: number | undefined;
  private firstProbe: Promise<unknown> | undefined;
  private readonly closing = new AbortController();

  /** @throws HubError `invalid_argument` without an endpoint, or for two with the same name */
  constructor(members: readonly PoolMember<E>[], options: PoolOptions<E> = {}) {
    this.options = options;
    this.clock = options.clock ?? systemClock;
    this.random = options.random ?? Math.random;
    this.strategy = options.strategy ?? freshestFirst(options.maxLag ?? 2n);
    this.ranking = new Ranking(members, this.clock, this.strategy);
  }

  /** Highest height reported by any endpoint; `undefined` before the first. */
  get height(): bigint | undefined {
    return this.ranking.best;
  }

  /** Names in the order in which they would be queried now. */
  order(lane: Lane = 'live'): readonly string[] {
    return this.ranking.order(lane).map(({ name }) => name);
  }

  /** Current state of each member. */
  seen(lane: Lane = 'live'): readonly SeenMember<E>[] {
    return this.ranking.seen(lane);
  }

  /** Records a height of an endpoint that was observed by other means, such as a subscription. */
  report(name: string, height: bigint): void {
    this.ranking.report(name, height);
  }

  /** Queries the heights of all endpoints now. */
  probe(): Promise<void> {
    const { probe } = this.options;
    if (probe === undefined || this.closing.signal.aborted) return Promise.resolve();
    this.probing ??= this.probeAll(probe).finally(() => {
      this.probing = undefined;
    });
    return this.probing;
  }

  /**
   * Aborts a query of heights in progress, and prevents new ones. Reads of callers are aborted by their own signals.
   */
  async close(): Promise<void> {
    this.closing.abort(new Error('the pool was closed'));
    await this.probing;
  }

  /**
   * Reads from the best endpoint, and from the next ones while that fails.
   *
   * @throws HubError of the endpoint that was queried first, with retryable failures taking precedence; `unavailable`
   * when all responses are older than one returned before, `timeout` when the time is over
   */
  async read<T>(work: (client: E, limits: AttemptLimits) => Promise<Reading<T>>, options: ReadOptions): Promise<T> {
    const { signal, subject = '' } = options;
    const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
    const endsAtMs = this.clock.monotonicMs() + timeoutMs;
    const lane: Lane = options.height === undefined ? 'live' : 'history';
    const failures: unknown[] = [];
    let older: { readonly value: T; readonly error: OlderAnswerError } | undefined;
    await this.heights(Math.min(firstProbeMs, timeoutMs / 4));
    const rounds = this.options.rounds ?? 3;
    for (let round = 1; round <= rounds; round++) {
      const given = this.options.probe === undefined ? undefined : this.given.get(subject);
      const waiting = new Set(this.ranking.order(lane, given));
      let wasStale = false;
      while (waiting.size > 0) {
        if (signal?.aborted) throw cancelled(options.method, signal);
        const leftMs = endsAtMs - this.clock.monotonicMs();
        if (leftMs <= 0) throw this.outcome(failures, options.method, timeoutMs);
        const next = this.ranking.next(lane, waiting);
        if ('waitMs' in next) {
          // The strategy no longer returns any of the remaining members.
          if (next.waitMs === Number.POSITIVE_INFINITY) break;
          if (next.waitMs >= leftMs) throw this.outcome(failures, options.method, timeoutMs);
          this.tell({ kind: 'waiting', reason: next.reason, forMs: next.waitMs });
          await pause(this.clock, next.waitMs, signal);
          continue;
        }
        waiting.delete(next.member);
        // An endpoint that never responds must leave time for the others.
        const share = waiting.size > 0 ? leftMs / 2 : leftMs;
        const attempt = await this.attempt(next.member, lane, work, { timeoutMs: share, signal }, options);
        if ('value' in attempt) {
          this.select(lane, next.member.name);
          return attempt.value;
        }
        failures.push(attempt.failure);
        if (signal?.aborted || this.isFinal(attempt.failure)) throw attempt.failure;
        if (!('older' in attempt)) continue;
        wasStale = true;
        if (older === undefined || attempt.failure.olderHeight > older.error.olderHeight)
          older = { value: attempt.older, error: attempt.failure };
      }
      // If no endpoint has the data, repeating the read does not help.
      if (failures.every((failure) => judgeFailure(failure) === 'elsewhere')) break;
      // Endpoints that only lag are not in backoff; a block or two later they may have caught up.
      if (wasStale && round < rounds) await pause(this.clock, backoffMs(round, defaultBackoff, this.random), signal);
    }
    if (older !== undefined && this.strategy.takesOlder?.(older.error, subject) === true) {
      this.given.clear();
      this.given.set(subject, older.error.olderHeight);
      return older.value;
    }
    throw this.outcome(failures, options.method, timeoutMs);
  }

  private isFinal(failure: unknown): boolean {
    if (judgeFailure(failure) === 'final') return true;
    return failure instanceof HubError && this.strategy.isFinal?.(failure) === true;
  }

  /**
   * Sends a transaction to the best endpoint. Another is tried only after a failure that proves that nothing was sent:
   * after any other, the transaction may have been accepted.
   *
   * @throws HubError of the last endpoint that was tried
   */
  async send<T>(
    work: (client: E, limits: AttemptLimits) => Promise<T>,
    { method, timeoutMs = defaultTimeoutMs, signal }: Omit<ReadOptions, 'height'>,
  ): Promise<T> {
    await this.heights(Math.min(firstProbeMs, timeoutMs / 4));
    let last: unknown;
    for (const member of this.ranking.order('live')) {
      const once = async (client: E, limits: AttemptLimits) => ({
        value: await work(client, limits),
        height: undefined,
      });
      const attempt = await this.attempt(member, 'live', once, { timeoutMs, signal }, { method });
      if ('value' in attempt) return attempt.value;
      last = attempt.failure;
      if (!wasNeverSent(last)) break;
    }
    throw last;
  }

  private async attempt<T>(
    member: PoolMember<E>,
    lane: Lane,
    work: (client: E, limits: AttemptLimits) => Promise<Reading<T>>,
    limits: AttemptLimits,
    { method, height: asked, subject = '' }: ReadOptions,
  ): Promise<{ value: T } | { failure: unknown } | { failure: OlderAnswerError; older: T }> {
    const standing = this.ranking.standing(member);
    const startedMs = this.clock.monotonicMs();
    const about = { kind: 'attempt', endpoint: member.name, method, lane } as const;
    // Captured before the request: newer results returned meanwhile do not make this response stale.
    const floor = this.given.get(subject);
    try {
      const { value, height } = await work(member.client, limits);
      const ms = this.clock.monotonicMs() - startedMs;
      if (height !== undefined && asked === undefined) {
        this.report(member.name, height);
        if (floor !== undefined && height < floor) {
          this.tell({ ...about, outcome: 'stale', height, ms });
          return { failure: new OlderAnswerError(method, member.name, height, floor), older: value };
        }
        const given = this.given.get(subject);
        if (given === undefined || height > given) this.given.set(subject, height);
      }
      if (this.strategy.asksResting === true) standing.free(lane);
      if (standing.answered(lane, ms)) this.tell({ kind: 'recovered', endpoint: member.name, lane });
      this.tell({ ...about, outcome: 'ok', height, ms });
      return { value };
    } catch (failure) {
      const code = failure instanceof HubError ? failure.code : undefined;
      this.tell({ ...about, outcome: 'failed', code, height: asked, ms: this.clock.monotonicMs() - startedMs });
      if (judgeFailure(failure) === 'ill' && failure instanceof HubError) this.blame(standing, lane, failure);
      return { failure };
    }
  }

  private select(lane: Lane, endpoint: string): void {
    const before = this.selected.get(lane);
    this.selected.set(lane, endpoint);
    if (before !== endpoint) this.tell({ kind: 'selected', endpoint, lane, before });
  }

  private blame(standing: MemberStanding, lane: Lane, failure: HubError): void {
    const { backoff = defaultBackoff } = this.options;
    const retryAfterMs = Math.min(failure.raw.retryAfterMs ?? 0, maxRetryAfterMs);
    const nowMs = this.clock.monotonicMs();
    const forMs = standing.failed(lane, nowMs, backoff, this.random, retryAfterMs);
    // Slow or failing reads of old states affect their lane only; a rate limit or a dead address affects the endpoint.
    if (['rate_limited', 'refused', 'tls'].includes(failure.code)) {
      standing.block(lane === 'live' ? 'history' : 'live', nowMs + forMs);
    }
    const { failures } = standing.lane(lane);
    this.tell({ kind: 'blocked', endpoint: standing.name, lane, forMs, code: failure.code, failures });
  }

  /** Queries heights of the endpoints: awaited before the first read, refreshed in parallel to later ones. */
  private async heights(waitMs: number): Promise<void> {
    if (this.options.probe === undefined || this.ranking.members.length < 2) return;
    const nowMs = this.clock.monotonicMs();
    if (this.probedAtMs === undefined || nowMs - this.probedAtMs >= (this.options.probeMs ?? 30_000)) {
      this.probedAtMs = nowMs;
      const probed = new AbortController();
      const probing = this.probe().finally(() => probed.abort());
      this.firstProbe ??= Promise.race([probing, pause(this.clock, waitMs, probed.signal)]);
    }
    await this.firstProbe;
  }

  private async probeAll(probe: NonNullable<PoolOptions<E>['probe']>): Promise<void> {
    const nowMs = this.clock.monotonicMs();
    const free = this.ranking.members.filter((member) => {
      const standing = this.ranking.standing(member);
      return standing.lane('live').freeAtMs <= nowMs && (standing.bucket?.take(nowMs, 1) ?? true);
    });
    const shown = await Promise.all(
      free.map(async (member) => {
        const work = async (client: E, limits: AttemptLimits) => {
          const height = await probe(client, limits);
          return { value: height, height: undefined };
        };
        const limits = { timeoutMs: 5_000, signal: this.closing.signal };
        const attempt = await this.attempt(member, 'live', work, limits, { method: 'probe' });
        return 'value' in attempt && attempt.value !== undefined
          ? { name: member.name, height: attempt.value }
          : undefined;
      }),
    );
    // The best one first, so that the lag of the others is measured against it.
    const found = shown.filter((one) => one !== undefined).toSorted((a, b) => (a.height > b.height ? -1 : 1));
    for (const { name, height } of found) this.report(name, height);
  }

  /** The failure to throw: retryable failures take precedence, because the result is still open. */
  private outcome(failures: readonly unknown[], method: string, timeoutMs: number): unknown {
    const open = failures.find((failure) => judgeFailure(failure) === 'ill');
    return (
      open ??
      failures[0] ??
      new HubError({ code: 'timeout', method, message: `${method}: no endpoint could be asked within ${timeoutMs} ms` })
    );
  }

  private tell(event: PoolEvent): void {
    this.options.onEvent?.(event);
  }
}

function cancelled(method: string, signal: AbortSignal): HubError {
  return new HubError({
    code: 'cancelled',
    method,
    message: `${method}: cancelled by the caller`,
    cause: signal.reason,
  });
}
