import type { Benchmark } from './benchmark.js';
import { kB } from './bundle-query.js';
import { bundleSize } from './bundle.js';

/** What an app ships to follow the blocks of a chain. */
export const bundleWatch: Benchmark = {
  name: 'bundle-watch',
  about:
    'browser bundle that watches blocks, gzip, with silence limit, reconnect and gap fill, beside cosmjs without them',
  async run() {
    const ours = await bundleSize("export { watchBlocks } from '@hubwatch/client/small/watch';");
    const peer = await bundleSize(`import { Comet38Client } from '@cosmjs/tendermint-rpc';
      export const watch = async (url) => (await Comet38Client.connect(url)).subscribeNewBlock();`);
    return {
      figure: ours / 1000,
      target: 2.5,
      unit: 'kB',
      figures: {
        '@cosmjs/tendermint-rpc, subscribeNewBlock': kB(peer),
        ratio: (ours / peer).toFixed(3),
      },
    };
  },
};
