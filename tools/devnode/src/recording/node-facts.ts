import type { Bounds } from '../chain/bounds.js';
import type { CorsOptions, NodeSettings } from '../options.js';
import type { NodeName } from './rows.js';

const first = 901801;

interface NodeFacts {
  readonly bounds: Bounds;
  readonly settings?: NodeSettings;
  readonly cors?: CorsOptions;
}

/** Data retained by each recorded node at the end of its recording, and its settings. */
export const nodeFacts: Readonly<Record<NodeName, NodeFacts>> = {
  archive: {
    // Halted by its upgrade plan: the last block was stored and never executed.
    bounds: { firstHeight: first, firstBlock: first, lastBlock: 905000, firstState: first, lastState: 904999 },
  },
  pruned: {
    bounds: { firstHeight: first, firstBlock: first, lastBlock: 904494, firstState: 904390, lastState: 904494 },
    settings: { unsafe: true },
  },
  fresh: {
    bounds: { firstHeight: first, firstBlock: first, lastBlock: 901873, firstState: first, lastState: 901873 },
  },
  small: {
    bounds: { firstHeight: first, firstBlock: 901952, lastBlock: 901982, firstState: first, lastState: 901982 },
    settings: { index: false, results: false },
    cors: { rpc: ['https://app.example.org'] },
  },
};
