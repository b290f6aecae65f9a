import type { BlockHead } from '../endpoints/head.js';
import type { RuleView } from './rule.js';

/** Inputs that a rule read from its view: names of checks, `ledger`, `sweeps`, and whether it used time-dependent values. */
export interface RuleInputs {
  readonly jobs: ReadonlySet<string>;
  /** Head that it read; absent if it did not read the head. */
  readonly head?: BlockHead | undefined;
  readonly readHead: boolean;
  /** Whether it read a clock or the latest block, which may differ at every evaluation. */
  readonly readTime: boolean;
}

/** A view with every member, so that the tracked view omits none. */
type WholeView = RuleView & { readonly [K in keyof Required<RuleView>]: RuleView[K] };

/** Creates a view that records which members are read. */
export const trackedView = (view: RuleView): { readonly view: WholeView; inputs(): RuleInputs } => {
  const jobs = new Set<string>();
  let readHead = false;
  let readTime = false;
  let lastCheck: unknown;
  const timely = <T>(value: T): T => {
    readTime = true;
    return value;
  };
  return {
    view: {
      config: view.config,
      isOneRound: view.isOneRound ?? false,
      round: view.round ?? view,
      speed: view.speed ?? 1,
      observations: {
        outcome: (check, key) => {
          // A rule often requests the same check repeatedly.
          if (check !== lastCheck) {
            jobs.add(check.name);
            lastCheck = check;
          }
          return view.observations.outcome(check, key);
        },
      },
      get ledger() {
        jobs.add('ledger');
        return view.ledger;
      },
      get sweeps() {
        jobs.add('sweeps');
        return view.sweeps;
      },
      get head() {
        readHead = true;
        return view.head;
      },
      get newest() {
        return timely(view.newest);
      },
      get clockMs() {
        return timely(view.clockMs);
      },
      get awakeMs() {
        return timely(view.awakeMs);
      },
      get local() {
        return timely(view.local);
      },
      get store() {
        return timely(view.store);
      },
    },
    inputs: () => ({ jobs, readHead, readTime, head: readHead ? view.head : undefined }),
  };
};

/** Whether an input of the rule may have changed. */
export const haveChanged = (inputs: RuleInputs, view: RuleView, changedJobs: ReadonlySet<string>): boolean => {
  if (inputs.readTime) return true;
  if (inputs.readHead && (inputs.head?.height !== view.head?.height || inputs.head?.timeMs !== view.head?.timeMs)) {
    return true;
  }
  for (const job of inputs.jobs) if (changedJobs.has(job)) return true;
  return false;
};
