/** How a rule names its subjects, and the labels of its condition that do. */
interface Naming {
  /** In this order: a later label takes precedence. */
  readonly labels: readonly string[];
  /** The label's text of a subject. */
  readonly text?: (subject: string) => string;
}

const ofLease = (subject: string): string => subject.replace(/^lease-/, '');

const endpoint: Naming = { labels: ['endpoint'] };
const node: Naming = { labels: ['node'] };
const lease: Naming = { labels: ['lease_id'], text: ofLease };
const account: Naming = { labels: ['account'] };
const provider: Naming = { labels: ['provider'] };
/** The alert concerns the network or the daemon, whose name is in no label. */
const whole: Naming = { labels: [] };

/** Rules that are compared. The others rest on events, on the past week, or on what this process notices of itself. */
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

/** Labels of a rule's condition that name its subject. */
export const labelsOfSubject = (rule: string): readonly string[] => namings[rule]?.labels ?? [];

/** The subject of a verdict as its labels have it; `undefined` where no label has it. */
export const subjectOf = (rule: string, subject: string): string | undefined => {
  const { labels = [], text = (same: string) => same } = namings[rule] ?? {};
  return labels.length === 0 ? undefined : text(subject);
};
