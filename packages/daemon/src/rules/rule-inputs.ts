import type { BlockHead } from '../endpoints/head.js';
import type { RuleView } from './rule.js';

/** What a rule read of its view: names of checks, `ledger`, `sweeps`, and whether it looked at what changes by itself. */
export interface RuleInputs {
  readonly jobs: ReadonlySet<string>;
  /** Head that it saw; absent where it did not look. */
  readonly head?: BlockHead | undefined;
  readonly readHead: boolean;
  /** It read a clock or the newest block, which may differ at every look. */
  readonly readTime: boolean;
}

/** A view with every member, so that none is left out of what rules are shown. */
type WholeView = RuleView & { readonly [K in keyof Required<RuleView>]: RuleView[K] };

/** A view that notes what is read of it. */
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
          // A rule asks for the same check again and again.
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

/** Whether something that the rule read may differ now. */
export const haveChanged = (inputs: RuleInputs, view: RuleView, changedJobs: ReadonlySet<string>): boolean => {
  if (inputs.readTime) return true;
  if (inputs.readHead && (inputs.head?.height !== view.head?.height || inputs.head?.timeMs !== view.head?.timeMs)) {
    return true;
  }
  for (const job of inputs.jobs) if (changedJobs.has(job)) return true;
  return false;
};
