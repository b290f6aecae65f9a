import type { Naming } from '@hubwatch/types/runtime/naming';
import type { QueryHandler } from '../query-handler.js';
import { bankHandlers } from './bank.js';
import { baseHandlers } from './base.js';
import { depositHandlers } from './deposit.js';
import { emptyListHandlers } from './empty-lists.js';
import { genesisParamHandlers } from './genesis-params.js';
import { leaseHandlers } from './lease.js';
import { nodeHandlers } from './node.js';
import { oracleHandlers } from './oracle.js';
import { planHandlers } from './plan.js';
import { providerHandlers } from './provider.js';
import { sessionHandlers } from './session.js';
import { subscriptionHandlers } from './subscription.js';
import { swapHandlers } from './swap.js';
import { txHandlers } from './tx.js';

/** Handlers for every query that a recording can answer. */
export const queryHandlers = (naming: Naming): readonly QueryHandler[] => [
  ...nodeHandlers,
  ...leaseHandlers,
  ...sessionHandlers,
  ...providerHandlers,
  ...planHandlers,
  ...subscriptionHandlers,
  ...depositHandlers,
  ...oracleHandlers,
  ...swapHandlers,
  ...bankHandlers,
  ...baseHandlers,
  ...txHandlers(naming),
  ...genesisParamHandlers,
  ...emptyListHandlers,
];
