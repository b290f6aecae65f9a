import { hasIncreased } from '../prometheus.js';
import { queryParams as leaseParams } from '@hubwatch/types/gen/methods/hub/lease/v1/query-service';
import { queryParams as nodeParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { queryParams as oracleParams } from '@hubwatch/types/gen/methods/hub/oracle/v1/query-service';
import { queryParams as providerParams } from '@hubwatch/types/gen/methods/hub/provider/v3/query-service';
import { queryParams as sessionParams } from '@hubwatch/types/gen/methods/hub/session/v3/query-service';
import { queryParams as subscriptionParams } from '@hubwatch/types/gen/methods/hub/subscription/v3/query-service';
import { queryParams as swapParams } from '@hubwatch/types/gen/methods/hub/swap/v1/query-service';
import { HubError } from '@hubwatch/client';
import type { Source } from '../../endpoints/sources.js';
import type { Change } from '../../store/change-history.js';
import { utc } from '../../words.js';
import type { Check, CheckRule, CollectContext, Target } from '../check.js';
import { counter, gauge, type Sample, sample } from '../family.js';
import { chainTargets } from './chain-target.js';
import { changeWords, type HubModule, type HubParams, hubModules, parameterTexts } from './hub-parameters.js';
import { numberOf } from './parameter-unit.js';

/** How long a change is reported. */
export const parameterNewsMs = 86_400_000;
const kind = 'parameters';

/** Stored form of a changed parameter. */
export interface ParameterChange extends Change {
  readonly module: HubModule;
}

export interface ParametersReading {
  readonly params: Partial<HubParams>;
  /** Exact texts by module and field. Modules that are not served over the current transport are absent. */
  readonly texts: ReadonlyMap<HubModule, Readonly<Record<string, string>>>;
  readonly height: bigint | undefined;
  /** Number of changes by module since the store was created. */
  readonly counts: ReadonlyMap<HubModule, number>;
  /** Changes from the latest poll that found any, while they are reported. */
  readonly news: readonly ParameterChange[];
}

const timeout = (module: string, meaning: string) => gauge(`hub_${module}_status_timeout_seconds`, [], meaning, 'slow');
const nodeTimeout = timeout('node', 'Time without a heartbeat after which a node becomes inactive');
const sessionTimeout = timeout('session', 'Time without a usage report after which a session ends and is then settled');
const subscriptionTimeout = timeout('subscription', 'Time after which an ended subscription is deleted');
const leaseTerm = gauge('hub_lease_term_limit_seconds', ['bound'], 'Shortest and longest term of a lease', 'slow');
const sessionTerm = gauge(
  'hub_session_term_limit_seconds',
  ['bound'],
  'Lowest and highest number of hours that a session can be bought for',
  'slow',
);
const sessionTraffic = gauge(
  'hub_session_traffic_limit_bytes',
  ['bound'],
  'Lowest and highest traffic that a session can be bought for',
  'slow',
);
const stakingShare = gauge(
  'hub_staking_share_ratio',
  ['module'],
  'Share of payments for lease hours, sessions and subscriptions that goes to stakers',
  'slow',
);
const allocationLimit = gauge(
  'hub_subscription_allocation_limit',
  [],
  'Highest number of accounts that can share a subscription',
  'slow',
);
const changesTotal = counter(
  'hub_parameter_changes_total',
  ['module'],
  'Changes of parameters since the store was created',
);

const methods = {
  node: nodeParams,
  session: sessionParams,
  subscription: subscriptionParams,
  lease: leaseParams,
  provider: providerParams,
  oracle: oracleParams,
  swap: swapParams,
} as const;

/** A module that a transport or an older version does not serve is not a failure of the other modules. */
const paramsOf = async (source: Source, module: HubModule, height: bigint | undefined) => {
  try {
    const answer = await source.call(methods[module], {}, height);
    return { params: (answer.message as { readonly params: unknown }).params, height: answer.height };
  } catch (error) {
    if (error instanceof HubError && (error.code === 'not_served' || error.code === 'unimplemented')) return undefined;
    throw error;
  }
};

const collect = async (
  _target: Target,
  { pool, changes, clock, signal }: CollectContext,
): Promise<ParametersReading> => {
  const { found, height } = await pool.read('parameters', signal, async (source) => {
    const all = new Map<HubModule, unknown>();
    let at: bigint | undefined;
    for (const module of hubModules) {
      const answer = await paramsOf(source, module, at);
      if (answer === undefined) continue;
      all.set(module, answer.params);
      at ??= answer.height;
    }
    return { found: all, height: at };
  });
  const params = Object.fromEntries(found) as Partial<HubParams>;
  const texts = new Map(
    hubModules.flatMap((module) => {
      const of = params[module];
      return of === undefined ? [] : [[module, parameterTexts(module, of as never)] as const];
    }),
  );
  // All changes of one poll get the same time, so that they are reported together.
  const atMs = clock.nowMs();
  for (const [module, fields] of texts) changes.note({ kind, subject: module, fields, height, atMs });
  const kept = changes.changes(kind).flatMap((change): ParameterChange[] => {
    const module = hubModules.find((one) => one === change.subject);
    return module === undefined ? [] : [{ ...change, module }];
  });
  const [newest] = kept;
  return {
    params,
    texts,
    height,
    counts: new Map(hubModules.map((module) => [module, changes.count(kind, module)])),
    news: kept.filter((change) => change.atMs === newest?.atMs && change.atMs > atMs - parameterNewsMs),
  };
};

const hourSeconds = 3_600;

const metrics = (_target: Target, { params, texts, counts }: ParametersReading): readonly Sample[] => {
  const { node, session, subscription, lease } = params;
  const seconds = (module: HubModule): number => numberOf(texts.get(module)?.['status_timeout'] ?? '');
  return [
    ...(node ? [sample(nodeTimeout, [], seconds('node'))] : []),
    ...(session
      ? [
          sample(sessionTimeout, [], seconds('session')),
          sample(sessionTerm, ['min'], Number(session.minHours) * hourSeconds),
          sample(sessionTerm, ['max'], Number(session.maxHours) * hourSeconds),
          sample(sessionTraffic, ['min'], Number(session.minGigabytes) * 1e9),
          sample(sessionTraffic, ['max'], Number(session.maxGigabytes) * 1e9),
          sample(stakingShare, ['session'], Number(session.stakingShare)),
        ]
      : []),
    ...(subscription
      ? [
          sample(subscriptionTimeout, [], seconds('subscription')),
          sample(allocationLimit, [], Number(subscription.maxAllocations)),
          sample(stakingShare, ['subscription'], Number(subscription.stakingShare)),
        ]
      : []),
    ...(lease
      ? [
          sample(leaseTerm, ['min'], Number(lease.minHours) * hourSeconds),
          sample(leaseTerm, ['max'], Number(lease.maxHours) * hourSeconds),
          sample(stakingShare, ['lease'], Number(lease.stakingShare)),
        ]
      : []),
    ...[...counts].map(([module, count]) => sample(changesTotal, [module], count)),
  ];
};

/** Governance changed parameters of nodes, leases or payments. Reported once for each poll that found a change. */
const parametersChanged: CheckRule<Target, ParametersReading> = {
  name: 'HubParametersChanged',
  severity: 'warning',
  forMs: 0,
  time: 'clock',
  prometheus: {
    expr: hasIncreased('hub_parameter_changes_total', parameterNewsMs),
    labels: ['module'],
    summary: 'Parameters of module {{ $labels.module }} changed',
    description:
      'Governance changed parameters that apply to nodes, leases or payments. Check the old and new values on the status page.',
  },
  judge({ key }, { news }) {
    const [first] = news;
    // A change is information and not a problem, so there is no recovery notice.
    const base = { subject: key, term: first === undefined ? '' : String(first.atMs), passedOn: true };
    if (first === undefined) return { ...base, state: 'ok', title: `${key}: parameters unchanged`, text: '' };
    const names = news.map(({ module, field }) => `${module}.${field}`);
    const seen = first.height === undefined ? '' : ` at height ${first.height}`;
    return {
      ...base,
      state: 'firing',
      title: `${key}: parameters of the chain changed: ${names.join(', ')}`,
      text: [
        ...news.map(({ module, field, before, after }) => `- ${changeWords(module, field, before, after)}`),
        '',
        `First seen${seen}, ${utc(first.atMs)}.`,
      ].join('\n'),
    };
  },
};

/** Parameters of every hub module, read rarely, with the changes since the last poll. */
export const parameters: Check<Target, ParametersReading> = {
  name: 'parameters',
  families: [
    nodeTimeout,
    sessionTimeout,
    subscriptionTimeout,
    leaseTerm,
    sessionTerm,
    sessionTraffic,
    stakingShare,
    allocationLimit,
    changesTotal,
  ],
  everyMs: (config) => config.poll.network,
  targets: chainTargets,
  collect,
  metrics,
  rules: [parametersChanged],
};
