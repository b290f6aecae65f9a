/** Subject format of a rule, and the labels of its condition that identify the subject. */
interface Naming {
  /** In ascending precedence. */
  readonly labels: readonly string[];
  /** Converts a subject to the text of the label. */
  readonly text?: (subject: string) => string;
}

const ofLease = (subject: string): string => subject.replace(/^lease-/, '');

const endpoint: Naming = { labels: ['endpoint'] };
const node: Naming = { labels: ['node'] };
const lease: Naming = { labels: ['lease_id'], text: ofLease };
const account: Naming = { labels: ['account'] };
const provider: Naming = { labels: ['provider'] };
/** The alert concerns the network or the daemon; no label names these. */
const whole: Naming = { labels: [] };

/** Rules that are compared. The others depend on events, on the past week, or on observations of the process about itself. */
const namings: Readonly<Record<string, Naming>> = {
  HubChainHalted: whole,
  HubAllEndpointsDown: whole,
  HubOwnNodeDown: endpoint,
  HubEndpointDown: endpoint,
  HubChainIdChanged: endpoint,
  HubConsensusMismatch: endpoint,
  HubHeightStalled: endpoint,
  HubStateBehindBlocks: endpoint,
  HubAppVersionsDiffer: whole,
  HubAppVersionChanged: endpoint,
  HubUnsafeRpcExposed: endpoint,
  HubClockSkew: endpoint,
  HubTxIndexOff: endpoint,
  HubTlsCertificateExpiring: endpoint,
  HubTlsCertificateExpiryImminent: endpoint,
  HubBlockRetentionShort: endpoint,
  HubTxRetentionShort: endpoint,
  HubBlockLost: endpoint,
  HubStatePruned: endpoint,
  HubArchiveLost: endpoint,
  HubUpgradeScheduled: whole,
  HubUpgradeSoon: whole,
  HubUpgradeWindow: whole,
  HubUpgradeBinaryMissing: endpoint,
  HubOraclePriceStale: whole,
  HubParametersChanged: whole,
  HubNodeHeartbeatLate: node,
  HubNodesLapsed: whole,
  HubNodeInactive: node,
  HubNodeUnregistered: node,
  HubNodeStatusFlapping: node,
  HubNodePriceChanged: node,
  HubNodeAddressChanged: node,
  HubNodeUnreachable: node,
  HubNodeIdentityMismatch: node,
  HubNodeSessionsStale: node,
  HubNodeSessionsOverdue: node,
  HubLeaseEndingSoon: lease,
  HubLeaseRenewalBlocked: { labels: ['provider', 'lease_id'], text: ofLease },
  HubLeaseDepositShort: provider,
  HubProviderInactive: provider,
  HubBalanceLow: account,
  HubBalanceRunway: node,
  HubFeeGrantEnding: account,
  HubSubscriptionRenewalBlocked: account,
  HubwatchDepositDisagrees: account,
  HubwatchStoreFailing: whole,
  HubwatchSweepStale: whole,
};

export const comparedRules: readonly string[] = Object.keys(namings);

/** Labels of a rule's condition that identify its subject. */
export const labelsOfSubject = (rule: string): readonly string[] => namings[rule]?.labels ?? [];

/** A verdict's subject as its label contains it; `undefined` if no label does. */
export const subjectOf = (rule: string, subject: string): string | undefined => {
  const { labels = [], text = (same: string) => same } = namings[rule] ?? {};
  return labels.length === 0 ? undefined : text(subject);
};
