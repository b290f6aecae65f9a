import { checks } from '../checks/index.js';
import { allEndpointsDown } from './all-endpoints-down.js';
import { chainHalted } from './chain-halted.js';
import { consensusMismatch } from './consensus-mismatch.js';
import { endpointDown } from './endpoint-down.js';
import { endpointStalled } from './endpoint-stalled.js';
import { heartbeatLate } from './heartbeat-late.js';
import { nodeInactive } from './node-inactive.js';
import { nodesLapsed } from './nodes-lapsed.js';
import { ownNodeDown } from './own-node-down.js';
import { rulesOfChecks } from './of-checks.js';
import type { Rule } from './rule.js';
import { stateBehind } from './state-behind.js';
import { wrongChain } from './wrong-chain.js';

/** Every rule there is, those that checks bring along included. Rules that quiet others stand before them. */
export const rules: readonly Rule[] = [
  chainHalted,
  allEndpointsDown,
  ownNodeDown,
  endpointDown,
  wrongChain,
  consensusMismatch,
  endpointStalled,
  stateBehind,
  heartbeatLate,
  nodesLapsed,
  nodeInactive,
  ...rulesOfChecks(checks),
];
