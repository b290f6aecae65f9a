import type { Benchmark } from './benchmark.js';
import { bundleSize, initialSize, kB } from './bundle.js';

/** Code that follows the blocks of a chain. */
export const following = "export { followChain } from '@hubwatch/client/follow';";

/** Bundle size of an app that follows the blocks of a chain. */
export const bundleFollow: Benchmark = {
  name: 'bundle-follow',
  about:
    'code that a browser loads at start to follow the chain, gzip, with silence limit, reconnect and gap fill, beside cosmjs without them',
  async run() {
    const ours = await initialSize(following);
    const peer = await initialSize(`import { Comet38Client } from '@cosmjs/tendermint-rpc';
      export const watch = async (url) => (await Comet38Client.connect(url)).subscribeNewBlock();`);
    return {
      figure: ours / 1000,
      target: 22,
      unit: 'kB',
      figures: {
        'in one file, with typed events and detection of the naming': kB(await bundleSize(following)),
        '@cosmjs/tendermint-rpc, subscribeNewBlock': kB(peer),
        ratio: (ours / peer).toFixed(3),
      },
    };
  },
};
