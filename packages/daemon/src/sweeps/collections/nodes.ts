import { Node } from '@hubwatch/types/gen/forms/hub/node/v3/node';
import { StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { queryNodes } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { narrow, only } from '@hubwatch/types/runtime/narrow';
import { networkNodesFamily } from '../../checks/node/network-nodes.js';
import { shortText } from '../../enum-text.js';
import { countedSamples } from '../counted-samples.js';
import type { ListSweep } from '../sweep.js';

const list = narrow(queryNodes, only(Node, 'status'));

/** Nodes by status. */
export const nodes: ListSweep<typeof list> = {
  collection: 'nodes',
  method: list,
  // The family is declared by the check that counts nodes if there are no sweeps.
  families: [],
  add: ({ status }, sums) => sums.count('nodes', shortText(StatusTable, status)),
  samples: (sums) => countedSamples(networkNodesFamily, sums, 'nodes', ['active', 'inactive']),
};
