import { checks } from '../checks/index.js';
import type { Clock } from '@hubwatch/client';
import { createClosers } from '../closers.js';
import type { Config } from '../config/schema.js';
import { createFailureLog, createLogger } from '../log.js';
import { createOwnMetrics } from '../own-metrics.js';
import { configuredRules, type Judged, RuleEvaluator } from '../rules/evaluate.js';
import { rules } from '../rules/index.js';
import type { RuleView } from '../rules/rule.js';
import { openStore } from '../store/store.js';
import { type Connect, createWatching } from '../watching.js';

export interface RoundOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly connectTo?: Connect | undefined;
}

/** A poll that failed. */
export interface FailedPoll {
  readonly job: string;
  readonly target: string;
  readonly text: string;
}

export interface SingleRound {
  readonly judged: readonly Judged[];
  readonly view: RuleView;
  readonly failed: readonly FailedPoll[];
  /** Number of requests to all endpoints together. */
  readonly requests: number;
}

/**
 * Runs every check once, in order, and evaluates every rule. Uses a store in memory, so that a running daemon is not
 * disturbed, and binds no address. Facts that require several rounds are unknown. The usual heartbeat interval is
 * assumed to be 55 minutes; the ledger and complete lists are not read.
 */
export const oneRound = async (
  { endpoints, ...others }: Config,
  { clock, signal, connectTo }: RoundOptions,
): Promise<SingleRound> => {
  // A single round does not subscribe, so a websocket would stay unknown.
  const config: Config = { ...others, endpoints: endpoints.map((one) => ({ ...one, websocket: false })) };
  const closers = createClosers();
  try {
    const logger = createLogger('silent');
    const own = createOwnMetrics();
    const failures = createFailureLog(logger);
    const store = openStore(':memory:');
    closers.add(() => store.close());
    const nothing = (): void => undefined;
    const watching = createWatching({
      ...{ config, clock, logger, store, own, failures, closers, connectTo },
      onReadings: nothing,
      wake: nothing,
    });
    for (const poll of watching.polls) {
      signal.throwIfAborted();
      await poll.run(signal);
    }
    signal.throwIfAborted();
    // A round reads no events: earlier chain events stay unknown, and the current state does not depend on them.
    const seen = watching.view();
    const present: RuleView = { ...seen, isOneRound: true, ledger: { ...seen.ledger, isCurrent: () => false } };
    const { values } = await own.requests.get();
    return {
      judged: new RuleEvaluator(configuredRules(rules, config), own, nothing).evaluate(present),
      view: present,
      failed: failedPolls(config, present),
      requests: values.reduce((sum, { value }) => sum + value, 0),
    };
  } finally {
    await closers.close();
  }
};

const failedPolls = (config: Config, { observations }: RuleView): readonly FailedPoll[] =>
  checks.flatMap((check) =>
    check.targets(config).flatMap(({ key }) => {
      const outcome = observations.outcome(check, key);
      return outcome?.state === 'failed' ? [{ job: check.name, target: key, text: outcome.text }] : [];
    }),
  );
