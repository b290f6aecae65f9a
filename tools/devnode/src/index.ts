/** A hub v12 node that replays recorded chains, for demonstrations and tests. */
export type { DemoClock } from './chain/demo-clock.js';
export { chainNowMs } from './chain/demo-clock.js';
export { type Devnode, type DevnodeOptions, type MovingOptions, type Ports, startDevnode } from './start.js';
