import type { NotInMetrics, PrometheusCondition } from './prometheus.js';

export type Severity = 'critical' | 'warning' | 'info';

/** What a rule says of one subject now. `unknown` neither raises nor ends an alert. */
export interface Verdict {
  /** What it is about: an endpoint, a node address. Part of the alert's identity. */
  readonly subject: string;
  /** Which stretch of the subject's life; part of the identity, so that a new stretch is a new alert. Often empty. */
  readonly term: string;
  readonly state: 'ok' | 'firing' | 'unknown';
  /** One line, begins with the subject as people know it. */
  readonly title: string;
  /** Plain text for the notice: facts, then what is at stake. */
  readonly text: string;
  /**
   * When it gets worse by itself, in milliseconds of block time: a deadline, the end of a term. What is soonest is shown and
   * told first; what has none has happened.
   */
  readonly dueMs?: number;
  /** Hold of this verdict where it may be shorter than the rule's: 0 for what has already happened. */
  readonly forMs?: number;
  /** People are notified again when the title changes while the alert fires, and has been so for its hold. */
  readonly retold?: boolean;
  /** Leases that it puts at stake: in a notice about many, those with leases come first. */
  readonly leases?: number | undefined;
  /** Ends the alert without a closing notice: it was news that has no end, or the trouble is notified under another rule. */
  readonly passedOn?: boolean;
  /** The closing notice says that it ended, not that it recovered: nothing got better, and it is not followed any longer. */
  readonly isEnded?: boolean;
  /** The alert that reports this trouble already; counts only where the rule declares an inhibition with `equal: 'cause'`. */
  readonly cause?: { readonly rule: string; readonly subject: string };
}

/** Another rule whose firing alert makes a notice of this rule redundant. */
export interface Inhibition {
  readonly rule: string;
  /**
   * What both must share. `subject`, `endpoint`: the alert has the verdict's own subject (for `endpoint`, its name).
   * `cause`: the alert is the one that the verdict names in `cause`. `chain`: any alert of that rule, because what it
   * reports (a halted chain, no endpoint answers) concerns everything that this daemon watches.
   */
  readonly equal: 'subject' | 'endpoint' | 'cause' | 'chain';
}

/** What is fixed about a rule. */
export interface RuleDeclaration {
  /** Alert name, `HubEndpointDown`. */
  readonly name: string;
  readonly severity: Severity;
  /** How long the condition must hold before the alert fires. */
  readonly forMs: number;
  /**
   * Which time `forMs` is counted in: block time of the agreed head, or the daemon's clock for conditions under which the
   * chain's time may stand still.
   */
  readonly time: 'chain' | 'clock';
  /** How the condition differs from the published rules, and why; listed in docs/alerts.md. */
  readonly deviation?: string;
  /** Not notified while one of these alerts fires. The order in which rules are applied follows from it. */
  readonly inhibitedBy?: readonly Inhibition[];
  /** The same condition for Prometheus, or why metrics cannot express it. Every rule of `rules/index.ts` has it. */
  readonly prometheus?: PrometheusCondition | NotInMetrics;
}
