import type { NotInMetrics, PrometheusCondition } from './prometheus.js';
import type { Severity } from './severity.js';

export type { Severity };

/** Result of a rule for one subject. `unknown` neither raises nor ends an alert. */
export interface Verdict {
  /** Subject of the verdict: the name of an endpoint or the address of a node. Part of the alert's identity. */
  readonly subject: string;
  /** Period of the subject's life. Part of the identity, so that a new period gives a new alert. Often empty. */
  readonly term: string;
  readonly state: 'ok' | 'firing' | 'unknown';
  /** One line that begins with the display name of the subject. */
  readonly title: string;
  /** Plain text for the notice: first the facts, then the consequence. */
  readonly text: string;
  /**
   * Block time in milliseconds at which the condition gets worse without action: a deadline, or the end of a term. Alerts with
   * the earliest time come first; those without one have already happened.
   */
  readonly dueMs?: number;
  /** Hold time of this verdict if it can be shorter than that of the rule: 0 for a condition that has already happened. */
  readonly forMs?: number;
  /** Whether a new notice is sent if the title changes while the alert fires and stays changed for the hold time. */
  readonly retold?: boolean;
  /** Number of leases affected. In a notice about several alerts, those with leases come first. */
  readonly leases?: number | undefined;
  /** Ends the alert without a recovery notice: it was information without an end, or another rule reports the condition. */
  readonly passedOn?: boolean;
  /** The final notice reports an end, not a recovery: nothing improved, and the subject is no longer followed. */
  readonly isEnded?: boolean;
  /** The alert that already reports this problem; used only if the rule declares an inhibition with `equal: 'cause'`. */
  readonly cause?: { readonly rule: string; readonly subject: string };
}

/** Another rule whose firing alert makes a notice of this rule redundant. */
export interface Inhibition {
  readonly rule: string;
  /**
   * Relation between alert and verdict. `subject`, `endpoint`: the alert has the verdict's own subject (for `endpoint`, its
   * name). `cause`: the alert is the one that the verdict names in `cause`. `chain`: any alert of that rule, because its
   * problem (a halted chain, no endpoint responds) concerns everything that this daemon watches.
   */
  readonly equal: 'subject' | 'endpoint' | 'cause' | 'chain';
}

/** Static properties of a rule. */
export interface RuleDeclaration {
  /** Alert name, for example `HubEndpointDown`. */
  readonly name: string;
  readonly severity: Severity;
  /** How long the condition must persist before the alert fires. */
  readonly forMs: number;
  /**
   * Clock in which `forMs` is counted: block time of the agreed head, or the daemon's clock for conditions under which chain
   * time may not advance.
   */
  readonly time: 'chain' | 'clock';
  /** How and why the condition differs from the published rules; listed in docs/alerts.md. */
  readonly deviation?: string;
  /** No notice is sent while one of these alerts fires. The order in which rules are applied follows from it. */
  readonly inhibitedBy?: readonly Inhibition[];
  /** The same condition for Prometheus, or why metrics cannot express it. Every rule of `rules/index.ts` has it. */
  readonly prometheus?: PrometheusCondition | NotInMetrics;
}
