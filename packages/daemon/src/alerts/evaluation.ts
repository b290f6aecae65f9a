import type { Cancel, Clock } from '@hubwatch/client';
import type { FailureLog } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import { type Judged, RuleEvaluator } from '../rules/evaluate.js';
import type { Rule, RuleView } from '../rules/rule.js';
import type { AwakeTime } from '../schedule/awake-time.js';
import { turn } from '../turn.js';
import type { AlertBook } from './alert-book.js';

export interface EvaluationParts {
  readonly rules: readonly Rule[];
  readonly view: () => RuleView;
  readonly alerts: AlertBook;
  readonly clock: Clock;
  /** Speed of the alert clock relative to the operator's time: more than 1 in a demo. */
  readonly speed?: number | undefined;
  /**
   * Time awake, in which holds run, and stalls, after which every verdict is made again. Default: monotonic time without
   * stalls.
   */
  readonly awake?: Pick<AwakeTime, 'nowMs' | 'lastStallMs'> | undefined;
  readonly own: OwnMetrics;
  readonly failures: FailureLog;
  /** Called when notices were written. */
  readonly onNotices: () => void;
}

export interface Evaluation {
  /**
   * Requests an evaluation of the rules that use readings of a job: immediately, or one second after the start of the last
   * round. The job `process` concerns all rules.
   */
  request(job: string): void;
  /** Runs one round of all rules now: from observations to alerts, with their verdicts in one commit. */
  run(): Promise<void>;
  /** Monotonic time of the last stored round in milliseconds; `undefined` before the first. */
  lastMs(): number | undefined;
  stop(): void;
}

/** Job whose readings concern every rule: this process itself. */
export const processJob = 'process';
/** Job whose readings are the blocks in the ledger. */
const ledgerJob = 'ledger';
/** Maximum number of times that a round is judged because blocks were read between its parts. */
const mostAttempts = 3;
/** Minimum time from the start of one round to the next. */
const everyMs = 1_000;
/** Maximum time for which a round blocks the event loop, and number of verdicts after which it always lets other work run. */
const piece = { ms: 5, verdicts: 1_000 };
/** A round with at most this many verdicts runs without interruption. */
const fewVerdicts = 100;
/** Minimum time until notices that wait for others are checked again. */
const shortestMs = 250;

export const createEvaluation = (parts: EvaluationParts): Evaluation => new RuleRounds(parts);

class RuleRounds implements Evaluation {
  private readonly parts: EvaluationParts;
  private readonly evaluator: RuleEvaluator;
  private changedJobs = new Set<string>();
  private cancel: Cancel | undefined;
  private dueMs = Number.POSITIVE_INFINITY;
  private startedMs: number | undefined;
  private keptMs: number | undefined;
  private stallMs: number | undefined;
  private isStopped = false;
  private isRunning = false;
  private running: Promise<void> = Promise.resolve();

  constructor(parts: EvaluationParts) {
    this.parts = parts;
    this.evaluator = new RuleEvaluator(parts.rules, parts.own, (rule, error) => {
      parts.failures.failed(`rule ${rule}`, String(error));
    });
  }

  request(job: string): void {
    this.changedJobs.add(job);
    const nowMs = this.parts.clock.monotonicMs();
    const earliestMs = this.startedMs === undefined ? nowMs : this.startedMs + everyMs;
    if (earliestMs <= nowMs) this.start(false);
    else this.schedule(earliestMs);
  }

  async run(): Promise<void> {
    while (this.isRunning) await this.running;
    this.start(true);
    await this.running;
  }

  lastMs(): number | undefined {
    return this.keptMs;
  }

  stop(): void {
    this.isStopped = true;
    this.cancel?.();
  }

  private schedule(atMs: number): void {
    if (this.isStopped || atMs >= this.dueMs) return;
    this.cancel?.();
    this.dueMs = atMs;
    this.cancel = this.parts.clock.setTimeout(() => this.start(false), atMs - this.parts.clock.monotonicMs());
  }

  private start(isFull: boolean): void {
    this.cancel?.();
    this.cancel = undefined;
    this.dueMs = Number.POSITIVE_INFINITY;
    if (this.isStopped) return;
    if (this.isRunning) this.schedule(this.parts.clock.monotonicMs() + everyMs);
    else
      this.running = this.round(isFull).catch((error: unknown) => {
        this.changedJobs.add(processJob);
        this.parts.failures.failed('rules', String(error));
      });
  }

  /** A round with few verdicts is complete when this returns; a large one continues in later turns of the event loop. */
  private async round(isFull: boolean): Promise<void> {
    const { clock, own, failures } = this.parts;
    this.isRunning = true;
    this.startedMs = clock.monotonicMs();
    const changed = this.changedJobs;
    this.changedJobs = new Set();
    let end = own.ruleDuration.startTimer();
    try {
      const work = this.work(isFull || changed.has(processJob) || this.hasStalled() ? undefined : changed);
      let untilMs = performance.now() + piece.ms;
      let verdicts = 0;
      for (let step = work.next(); step.done !== true; step = work.next()) {
        verdicts += step.value;
        if (verdicts < fewVerdicts || (verdicts < piece.verdicts && performance.now() < untilMs)) continue;
        end();
        await turn();
        if (this.isStopped) return;
        end = own.ruleDuration.startTimer();
        untilMs = performance.now() + piece.ms;
        verdicts = 0;
      }
      end();
      failures.worked('rules');
    } finally {
      this.isRunning = false;
    }
  }

  /** Whether this process stalled since the last round: readings of unchanged verdicts are outdated too. */
  private hasStalled(): boolean {
    const stallMs = this.parts.awake?.lastStallMs();
    const isNew = stallMs !== this.stallMs;
    this.stallMs = stallMs;
    return isNew;
  }

  /** Runs a round in parts: yields the number of processed verdicts. */
  private *work(changed: ReadonlySet<string> | undefined): Generator<number, void> {
    const { failures, view } = this.parts;
    const judged = new Map<string, Judged>();
    let jobs = changed;
    for (let attempt = 1; ; attempt += 1) {
      const present = view();
      const position = present.ledger.position();
      for (const one of yield* this.evaluator.evaluating(present, jobs)) {
        // Verdicts that did not change since the last attempt were already made in it.
        if (one.isUnchanged !== true || !judged.has(one.rule.name)) judged.set(one.rule.name, one);
        if (one.verdicts !== undefined) failures.worked(`rule ${one.rule.name}`);
      }
      const hasStalled = this.hasStalled();
      // Verdicts from before and after a block that was read between two parts would contradict each other.
      if (attempt === mostAttempts || (present.ledger.position() === position && !hasStalled)) {
        yield* this.apply([...judged.values()], present);
        return;
      }
      if (hasStalled) jobs = undefined;
      else if (jobs !== undefined) jobs = new Set([...jobs, ledgerJob]);
    }
  }

  private *apply(judged: readonly Judged[], present: RuleView): Generator<number, void> {
    const { alerts, clock, failures, onNotices, speed = 1 } = this.parts;
    try {
      const { notices, againInMs } = yield* alerts.applying(judged, {
        chainMs: present.head?.timeMs,
        clockMs: present.clockMs,
        steadyMs: this.parts.awake?.nowMs() ?? clock.monotonicMs() * speed,
      });
      this.keptMs = clock.monotonicMs();
      if (notices > 0) onNotices();
      if (againInMs !== undefined) this.schedule(this.keptMs + Math.max(shortestMs, againInMs / speed));
      failures.worked('store');
    } catch (error) {
      // Nothing of this round is stored. The next one makes the same changes, whether or not anything else has changed.
      this.changedJobs.add(processJob);
      failures.failed('store', String(error));
    }
  }
}
