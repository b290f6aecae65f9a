import { counter, type Sample, sample } from '../checks/family.js';
import type { Config } from '../config/schema.js';
import type { SessionHistory } from '../store/session-history.js';

export const transferredBytes = counter(
  'hub_node_transferred_bytes_total',
  ['node', 'direction'],
  'Bytes that sessions of the node reported since it has been watched',
);

/** Counters from the store. They remain exported regardless of the state of the network, like those of the ledger. */
export const transferredSamples = ({ watch }: Config, history: SessionHistory): readonly Sample[] =>
  watch.nodes.flatMap(({ address }) => {
    const bytes = history.transferred(address);
    if (bytes === undefined) return [];
    return [
      sample(transferredBytes, [address, 'download'], Number(bytes.download)),
      sample(transferredBytes, [address, 'upload'], Number(bytes.upload)),
    ];
  });
