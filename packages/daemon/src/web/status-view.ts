import { StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import type { Timestamp } from '@hubwatch/types/runtime/values';
import type { AlertBook } from '../alerts/alert-book.js';
import { quietAt } from '../alerts/quiet.js';
import type { SilenceStore } from '../alerts/silences.js';
import { shortText } from '../enum-text.js';
import { leaseRenewals, renewalsTarget } from '../checks/lease/lease-renewals.js';
import { nodeLeases } from '../checks/node/node-leases.js';
import { nodeReach } from '../checks/node/reach/node-reach.js';
import { nodeSessions } from '../checks/node/node-sessions.js';
import { msOf } from '../checks/times.js';
import { type NodeReading, type NodeTarget, nodeTargets, watchedNodes } from '../checks/node/watched-nodes.js';
import { providerTargets } from '../checks/provider/watched-providers.js';
import { accountTargets } from '../checks/account/account-targets.js';
import type { Config } from '../config/schema.js';
import type { BlockHead } from '../endpoints/head.js';
import type { LedgerView } from '../ledger/ledger.js';
import type { Observations } from '../observations/observations.js';
import { deliveryReasons } from '../outbox/delivery-error.js';
import type { Outbox } from '../outbox/outbox.js';
import type { Sender } from '../outbox/sender.js';
import type { SweepsView } from '../sweeps/sweeps.js';
import { iso } from '../words.js';
import { chainView } from './chain-view.js';
import { countedNodes, networkView } from './network-view.js';
import { accountView } from './account-view.js';
import { endpointView } from './endpoint-view.js';
import { leaseView } from './lease-view.js';
import { ledgerView } from './ledger-view.js';
import { notRead, readAt } from './not-read.js';
import { providerView } from './provider-view.js';
import { reachView } from './reach-view.js';
import { sessionView } from './session-view.js';

export interface StatusParts {
  readonly config: Config;
  readonly observations: Observations;
  readonly sweeps: Pick<SweepsView, 'isOn' | 'states' | 'conservation'>;
  readonly head: () => BlockHead | undefined;
  readonly ledger: Pick<LedgerView, 'recentEnds' | 'isKept' | 'isCurrent' | 'position' | 'totals'>;
  readonly nowMs: () => number;
  readonly alerts: Pick<AlertBook, 'active' | 'ended'>;
  readonly silences: Pick<SilenceStore, 'current'>;
  readonly outbox: Pick<Outbox, 'queue' | 'givenUp'>;
  readonly senders: readonly Pick<Sender, 'channel' | 'failing'>[];
  readonly version: string;
  /** Set while the clock follows a replayed chain. */
  readonly demo: { readonly speed: number } | undefined;
}

/** All data of the page and the JSON API as plain values: unknown values are absent, 64-bit numbers are strings. */
export type StatusView = ReturnType<typeof statusView>;

export const statusView = (parts: StatusParts) => {
  const { config, observations, alerts, outbox } = parts;
  const head = parts.head();
  const nowMs = parts.nowMs();
  const recentEnds = parts.ledger.recentEnds();
  const quiet = quietAt(parts.silences, config, nowMs);
  return {
    version: parts.version,
    now: iso(nowMs),
    demo: parts.demo,
    chain: {
      name: config.network.name,
      head: head && {
        height: String(head.height),
        time: iso(head.timeMs),
        ageSeconds: round((nowMs - head.timeMs) / 1_000),
      },
      nodes: countedNodes(parts),
    },
    silences: parts.silences.current(nowMs).map(({ fromMs, untilMs, ...silence }) => ({
      ...silence,
      from: iso(fromMs),
      until: iso(untilMs),
    })),
    alerts: alerts.active().map(({ rule, subject, state, severity, title, text, sinceMs, dueMs }) => ({
      quiet: quiet({ rule, subject }),
      rule,
      subject,
      state,
      severity,
      title,
      text,
      since: iso(sinceMs),
      due: dueMs === undefined ? undefined : iso(dueMs),
    })),
    ended: alerts.ended(10).map(({ rule, subject, severity, title, sinceMs, endedMs }) => ({
      rule,
      subject,
      severity,
      title,
      since: iso(sinceMs),
      ended: endedMs === undefined ? undefined : iso(endedMs),
    })),
    governance: chainView(config, observations, head, nowMs),
    endpoints: config.endpoints.map((endpoint) => endpointView(endpoint, observations, nowMs)),
    nodes: nodeTargets(config).map((target) => nodeView(target, observations, head)),
    providers: providerTargets(config).map((target) => providerView(target, observations, head, recentEnds)),
    accounts: accountTargets(config).map((target) => accountView(target, config, observations, head)),
    ledger: ledgerView(parts.ledger, config),
    network: networkView(parts.sweeps, nowMs),
    channels: parts.senders.map((sender) => channelView(sender, outbox, nowMs)),
  };
};

const dayMs = 86_400_000;

const channelView = (
  { channel, failing }: Pick<Sender, 'channel' | 'failing'>,
  outbox: StatusParts['outbox'],
  nowMs: number,
) => {
  const { entries, oldestMs } = outbox.queue(channel);
  const trouble = failing();
  return {
    name: channel,
    waiting: entries,
    oldest: oldestMs === undefined ? undefined : iso(oldestMs),
    givenUpInDay: outbox.givenUp(channel, nowMs - dayMs),
    failing: trouble && {
      reason: trouble.reason,
      means: deliveryReasons[trouble.reason].means,
      advice: deliveryReasons[trouble.reason].advice,
      since: iso(trouble.sinceMs),
      recipients: trouble.recipients,
      of: trouble.of,
    },
  };
};

const at = (time: Timestamp | undefined): string | undefined => (time === undefined ? undefined : iso(msOf(time)));
const round = (value: number): number => Math.round(value);

const nodeView = (target: NodeTarget, observations: Observations, head: BlockHead | undefined) => {
  const outcome = observations.outcome(watchedNodes, target.key);
  const leases = observations.outcome(nodeLeases, target.key);
  const sessions = observations.outcome(nodeSessions, target.key);
  const reach = observations.outcome(nodeReach, target.key);
  return {
    address: target.key,
    alias: target.alias === '' ? undefined : target.alias,
    ...(outcome?.state === 'known' ? nodeFacts(outcome.reading, head) : notRead(outcome)),
    readAt: {
      node: readAt(outcome),
      leases: readAt(leases),
      renewals: readAt(observations.outcome(leaseRenewals, renewalsTarget.key)),
      sessions: readAt(sessions),
      reach: readAt(reach),
    },
    leases:
      leases?.state === 'known'
        ? leases.reading.leases.map((lease) => leaseView(lease, observations, head))
        : undefined,
    sessions: sessions?.state === 'known' ? sessionView(sessions.reading) : undefined,
    reach: reach?.state === 'known' ? reachView(target.key, reach.reading) : undefined,
  };
};

const nodeFacts = ({ node, intervalMs, intervalLearned }: NodeReading, head: BlockHead | undefined) => ({
  registered: node !== undefined,
  status: node && shortText(StatusTable, node.status),
  statusAt: at(node?.statusAt),
  deadline: at(node?.inactiveAt),
  secondsLeft:
    node?.inactiveAt === undefined || head === undefined
      ? undefined
      : round((msOf(node.inactiveAt) - head.timeMs) / 1_000),
  usualIntervalSeconds: round(intervalMs / 1_000),
  usualIntervalLearned: intervalLearned,
});
