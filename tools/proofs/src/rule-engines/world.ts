import type { Change, Check, createOwnMetrics, RuleView, Target } from '@hubwatch/daemon/parts';
import { parseConfig } from '@hubwatch/daemon/parts';
import type { RandomSource } from '../random-source.js';

export const second = 1_000;
export const minute = 60 * second;
export const day = 86_400 * second;

export const nodes = [
  'sentnode1epgstxds9xwdh405m3034p64ht9agptyfk0ldy',
  'sentnode1quqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqrzz3ud',
  'sentnode1pyqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqc7z33q',
  'sentnode1pvqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqr4v4gx',
] as const;
export const providers = [
  'sentprov1dlkarvkp62u80e0w082ww9ynehv3axt2ny8svk',
  'sentprov1pvqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqa53hkg',
] as const;
export const account = 'sent1quqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq45rgem';

/** One configuration for all histories, so that a single rule file is sufficient. */
export const config: Config = parseConfig(`
network: {chain_id: hub-2}
endpoints:
  - {name: own, role: own, grpc: "https://127.0.0.1:1", rest: "http://127.0.0.1:2", rpc: "http://127.0.0.1:3",
     require: {state_depths: [100, 5000], block_depths: [2000], tx_depths: [1000], earliest_height: 950000},
     upgrades: /var/lib/upgrades}
  - {name: spare, rpc: "http://127.0.0.1:4", websocket: false}
  - {name: archive, role: archive, grpc: "127.0.0.1:5", rpc: "http://127.0.0.1:6", websocket: false,
     require: {earliest_height: 901801}}
watch:
  nodes: [${nodes.map((address) => `{address: ${address}}`).join(', ')}]
  providers: [${providers.map((address) => `{address: ${address}}`).join(', ')}]
  accounts: [{address: ${account}, minimum: {udvpn: 5000, other: 10}}]
  reach: {enabled: true}
`);

export type Config = RuleView['config'];

/** One step of a history and its records; the daemon's clock is 0 at the first step. */
export interface Look {
  readonly config: Config;
  readonly nowMs: number;
  /** Number of the step, from 0. */
  readonly at: number;
  /** Agreed head and newest block, which readings are judged against. */
  chain: Pick<RuleView, 'head' | 'newest'>;
  store: RuleView['store'];
  sweeps: RuleView['sweeps'];
  readonly own: ReturnType<typeof createOwnMetrics>;
  /** Records a reading. Occasionally the poll fails instead, and `read` is not called. */
  record<T extends Target, R>(check: Check<T, R>, target: T, read: () => R): void;
  /** Records a reading, or a failed poll. */
  recordUnless<T extends Target, R>(isFailed: boolean, check: Check<T, R>, target: T, read: () => R): void;
}

/** A part of a history: created once, then called at every step to record observations. */
export type Topic = (random: RandomSource, config: Config) => (look: Look) => void;

/** Converts milliseconds since 1970, which may be negative, to seconds and nanoseconds. */
export const timestamp = (ms: number) => {
  const whole = Math.floor(ms / 1_000);
  return { seconds: BigInt(whole), nanos: Math.round(ms - whole * 1_000) * 1_000_000 };
};

/** A value that is redrawn with the given chance at each call, and otherwise stays the same. */
export const changing = <T>(random: RandomSource, chance: number, draw: () => T): (() => T) => {
  let value = draw();
  return () => {
    if (random.chance(chance)) value = draw();
    return value;
  };
};

/** The target of a check with the given key. */
export const targetOf = <T extends Target, R>(check: Check<T, R>, config: Config, key: string): T => {
  const target = check.targets(config).find((one) => one.key === key);
  if (target === undefined) throw new Error(`${check.name} has no target ${key}`);
  return target;
};

/** A change as the daemon stores it, detected at a step. */
export const changeAt = (atMs: number, before = '1', after = '2'): Change => ({
  ...{ kind: 'value', subject: 'subject', field: 'field', before, after, height: undefined, atMs },
});
