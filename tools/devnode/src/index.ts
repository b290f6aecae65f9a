/** A hub v12 node that replays recorded chains, for demonstrations and tests. */
export { chainNowMs, type DemoClock } from './chain/demo-clock.js';
export type { CorsOptions, DevnodeOptions, MovingOptions, Ports, RecordedOptions } from './options.js';
export type { UpgradePlan } from './chain/bounds.js';
export type { Held } from './chain/retention.js';
export { chainFolder, recordingsFolder } from './recordings-folder.js';
export { type Devnode, startDevnode } from './start.js';
