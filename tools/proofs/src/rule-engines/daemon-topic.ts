import { changing, minute, type Topic } from './world.js';

const hour = 60 * minute;

/** The daemon's store and sweeps. */
export const daemonTopic: Topic = (random) => {
  const isFailing = changing(random, 0.3, () => random.chance(0.3));
  const sweptMs = changing(random, 0.3, () => -random.pick([0, 50, 55, 59, 61, 90]) * minute - 1_000);
  return (look) => {
    const fault = isFailing() ? { sinceMs: 0, text: 'full', todo: '' } : undefined;
    look.own.storeHealthy.set(fault === undefined ? 1 : 0);
    look.store = { fault: () => fault, rebuilt: () => undefined, isRefilling: () => false } as never;
    const completedMs = sweptMs();
    look.own.sweepLastComplete.set({ collection: 'nodes' }, completedMs / 1_000);
    const state = { collection: 'nodes', last: { completedMs }, failure: undefined };
    look.sweeps = { isOn: true, sinceMs: -2 * hour, states: () => [state] as never };
  };
};
