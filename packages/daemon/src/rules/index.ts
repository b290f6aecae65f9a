import { balanceRunway } from './account/balance-runway.js';
import { feeGrantEnding } from './account/fee-grant-ending.js';
import { checks } from '../checks/index.js';
import { allEndpointsDown } from './endpoint/all-endpoints-down.js';
import { appVersionsDiffer } from './endpoint/app-versions-differ.js';
import { chainHalted } from './chain/chain-halted.js';
import { consensusMismatch } from './endpoint/consensus-mismatch.js';
import { endpointDown } from './endpoint/endpoint-down.js';
import { endpointStalled } from './endpoint/endpoint-stalled.js';
import { heartbeatLate } from './node/heartbeat-late.js';
import { leaseEndingSoon } from './lease/lease-ending-soon.js';
import { leaseNotRenewed } from './lease/lease-not-renewed.js';
import { leasePayoutOverdue } from './lease/lease-payout-overdue.js';
import { leaseRenewalBlocked } from './lease/lease-renewal-blocked.js';
import { nodeInactive } from './node/node-inactive.js';
import { nodeIdentityMismatch, nodeUnreachable } from './node/node-reach-rules.js';
import { leasesLost } from './node/leases-lost.js';
import {
  nodeAddressChanged,
  nodePriceChanged,
  nodePriceRefused,
  nodeStatusFlapping,
  nodeUnregistered,
} from './node/node-record-rules.js';
import { nodesLapsed } from './node/nodes-lapsed.js';
import { noSessions } from './node/no-sessions.js';
import { sessionsOverdue } from './node/sessions-overdue.js';
import { sessionsStale } from './node/sessions-stale.js';
import { planNodeUnlinked } from './plan/plan-node-unlinked.js';
import { ownNodeDown } from './endpoint/own-node-down.js';
import { proposalOpen } from './chain/proposal-open.js';
import { rulesOfChecks } from './of-checks.js';
import type { Rule } from './rule.js';
import { clockJumped, starved } from './daemon/local-rules.js';
import { storeFailing, storeRebuilt } from './daemon/store-rules.js';
import { sweepStale } from './daemon/sweep-stale.js';
import { stateBehind } from './endpoint/state-behind.js';
import { upgradeBinaryMissing } from './chain/upgrade-binary-missing.js';
import { upgradeScheduled, upgradeSoon, upgradeWindow } from './chain/upgrade-rules.js';
import { wrongChain } from './endpoint/wrong-chain.js';

/** All rules, including those declared by checks. The order in which they are applied follows from their inhibitions. */
export const rules: readonly Rule[] = [
  chainHalted,
  allEndpointsDown,
  ownNodeDown,
  endpointDown,
  wrongChain,
  consensusMismatch,
  endpointStalled,
  stateBehind,
  appVersionsDiffer,
  heartbeatLate,
  nodesLapsed,
  nodeInactive,
  storeFailing,
  storeRebuilt,
  sweepStale,
  starved,
  clockJumped,
  balanceRunway,
  feeGrantEnding,
  proposalOpen,
  upgradeScheduled,
  upgradeSoon,
  upgradeWindow,
  upgradeBinaryMissing,
  leasesLost,
  nodeUnregistered,
  nodeUnreachable,
  nodeIdentityMismatch,
  nodeStatusFlapping,
  nodePriceChanged,
  nodePriceRefused,
  nodeAddressChanged,
  sessionsStale,
  sessionsOverdue,
  noSessions,
  ...rulesOfChecks(checks),
  leaseNotRenewed,
  planNodeUnlinked,
  leaseRenewalBlocked,
  leaseEndingSoon,
  leasePayoutOverdue,
];
