import type { RandomSource } from '../random-source.js';

/** A period of true time, in milliseconds since the start of the history. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export type Way = 'grpc' | 'rest' | 'rpc';
export const allWays: readonly Way[] = ['grpc', 'rest', 'rpc'];

/** A condition that lasts for a period. Episodes of one history do not overlap, except for those listed as one. */
export type Episode = Span &
  (
    | { readonly kind: 'down'; readonly endpoint: string; readonly ways: readonly Way[] }
    | { readonly kind: 'all_down' }
    | { readonly kind: 'halt' | 'upgrade' }
    | { readonly kind: 'stuck' }
    | { readonly kind: 'websocket'; readonly endpoint: string }
    | { readonly kind: 'inactive'; readonly node: number }
    /** Trouble of one node that an inactive node must not hide. */
    | { readonly kind: 'trouble'; readonly node: number }
  );

/** Events on the network, and disturbances of the daemon's view of it. */
export interface World {
  readonly lengthMs: number;
  readonly blockMs: number;
  readonly hasWebsocket: boolean;
  readonly episodes: readonly Episode[];
  /** The daemon is not running. */
  readonly restarts: readonly Span[];
  /** The process is stalled. */
  readonly stalls: readonly Span[];
  readonly jumps: readonly { readonly atMs: number; readonly byMs: number }[];
  /** A websocket is closed and opened again. */
  readonly reconnects: readonly number[];
  /** A node cannot be read from any endpoint. */
  readonly unread: readonly (Span & { readonly node: number })[];
}

export const endpointNames = ['own', 'ref', 'arch'] as const;
const second = 1_000;
const minute = 60 * second;

export const inSpan = ({ fromMs, toMs }: Span, ms: number): boolean => ms >= fromMs && ms < toMs;

/** Creates a random history: episodes separated by quiet periods, and disturbances at any time. */
export const randomWorld = (random: RandomSource): World => {
  const episodes: Episode[] = [];
  let atMs = 90 * second + random.below(90) * second;
  const count = 1 + random.below(2);
  for (let index = 0; index < count; index += 1) {
    const lengthMs = random.chance(0.25) ? (5 + random.below(40)) * second : minute + random.below(360) * second;
    const span = { fromMs: atMs, toMs: atMs + lengthMs };
    episodes.push(...episodeOf(random, span));
    atMs += lengthMs + 2 * minute + random.below(90) * second;
  }
  const lengthMs = atMs + 3 * minute;
  const at = (): number => minute + random.below(Math.floor((lengthMs - 5 * minute) / second)) * second;
  const spans = (most: number, shortest: number, longest: number): Span[] =>
    Array.from({ length: random.below(most + 1) }, () => {
      const fromMs = at();
      return { fromMs, toMs: fromMs + (shortest + random.below(longest - shortest)) * second };
    });
  return {
    lengthMs,
    blockMs: (3 + random.below(8)) * second,
    hasWebsocket: random.chance(0.5),
    episodes,
    restarts: spans(2, 1, 120),
    stalls: spans(2, 2, 240),
    jumps: Array.from({ length: random.below(2) }, () => ({
      atMs: at(),
      byMs: (random.chance(0.5) ? 1 : -1) * (30 + random.below(100_000)) * second,
    })),
    reconnects: Array.from({ length: random.below(4) }, at),
    unread: spans(2, 10, 200).map((span) => ({ ...span, node: random.below(2) })),
  };
};

const episodeOf = (random: RandomSource, span: Span): readonly Episode[] => {
  const ways = (): readonly Way[] => {
    const some = allWays.filter(() => random.chance(0.5));
    return some.length === 0 ? allWays : some;
  };
  switch (random.below(8)) {
    case 0:
      return [{ ...span, kind: 'down', endpoint: random.pick(endpointNames), ways: ways() }];
    case 1:
      // The own node is down, and one transport of another endpoint fails for a different reason.
      return [
        { ...span, kind: 'down', endpoint: 'own', ways: allWays },
        { ...span, kind: 'down', endpoint: 'arch', ways: ['rest'] },
      ];
    case 2:
      return [{ ...span, kind: 'all_down' }];
    case 3:
      return [{ ...span, kind: 'halt' }];
    case 4:
      return [{ ...span, kind: 'upgrade' }];
    case 5:
      return [{ ...span, kind: 'stuck' }];
    case 6:
      return [{ ...span, kind: 'websocket', endpoint: random.pick(['own', 'arch'] as const) }];
    default: {
      const node = random.below(2);
      const both: Episode[] = [{ ...span, kind: 'inactive', node }];
      // Starts when the alert on the other node is already firing.
      const later = { fromMs: span.fromMs + minute, toMs: span.toMs + minute };
      return random.chance(0.7) ? [...both, { ...later, kind: 'trouble', node: 1 - node }] : both;
    }
  }
};

/** True state at a given time. Both the simulated endpoints and the judge read it from the script alone. */
export class Truth {
  readonly world: World;
  readonly #halts: readonly Span[];

  constructor(world: World) {
    this.world = world;
    this.#halts = world.episodes.filter(({ kind }) => kind === 'halt' || kind === 'upgrade');
  }

  has(kind: Episode['kind'], ms: number): boolean {
    return this.world.episodes.some((one) => one.kind === kind && inSpan(one, ms));
  }

  isUp(endpoint: string, way: Way, ms: number): boolean {
    return !this.world.episodes.some(
      (one) =>
        inSpan(one, ms) &&
        (one.kind === 'all_down' || (one.kind === 'down' && one.endpoint === endpoint && one.ways.includes(way))),
    );
  }

  isAllDown(endpoint: string, ms: number): boolean {
    return allWays.every((way) => !this.isUp(endpoint, way, ms));
  }

  isWebsocketBlocked(endpoint: string, ms: number): boolean {
    return (
      this.world.hasWebsocket &&
      this.world.episodes.some((one) => one.kind === 'websocket' && one.endpoint === endpoint && inSpan(one, ms))
    );
  }

  /** Whether the chain halted and has made no block since: until the next block, no observer can see that it has resumed. */
  hasHalted(ms: number): boolean {
    const last = this.#halts.findLast(({ fromMs }) => fromMs <= ms);
    return last !== undefined && this.height(ms) === this.height(last.fromMs);
  }

  /** Time up to `ms` in which the chain produced blocks. */
  #madeMs(ms: number): number {
    return this.#halts.reduce((sum, one) => sum - Math.max(0, Math.min(ms, one.toMs) - one.fromMs), ms);
  }

  height(ms: number): bigint {
    return 1_000_000n + BigInt(Math.floor(this.#madeMs(ms) / this.world.blockMs));
  }

  /** Time at which a block was produced. */
  blockMs(height: bigint): number {
    let ms = Number(height - 1_000_000n) * this.world.blockMs;
    for (const { fromMs, toMs } of this.#halts) if (ms > fromMs) ms += toMs - fromMs;
    return ms;
  }

  /** Latest block of an endpoint; the own endpoint is stuck during its own episodes. */
  shownHeight(endpoint: string, ms: number): bigint {
    const stuck = this.world.episodes.find((one) => one.kind === 'stuck' && inSpan(one, ms));
    return this.height(stuck !== undefined && endpoint === 'own' ? stuck.fromMs : ms);
  }

  /** The upgrade planned by the chain, and whether the chain has stopped at it. */
  upgrade(ms: number): { readonly height: bigint; readonly isWaiting: boolean } | undefined {
    const next = this.world.episodes.find((one) => one.kind === 'upgrade' && ms < one.toMs);
    return next && { height: this.height(next.fromMs), isWaiting: ms >= next.fromMs };
  }

  /** Whether a node is active, and since when. */
  node(node: number, ms: number): { readonly isActive: boolean; readonly sinceMs: number } {
    const past = this.world.episodes.filter((one) => one.kind === 'inactive' && one.node === node && one.fromMs <= ms);
    const last = past.at(-1);
    if (last === undefined) return { isActive: true, sinceMs: -5 * minute };
    const isActive = ms >= last.toMs;
    return { isActive, sinceMs: isActive ? last.toMs : last.fromMs };
  }

  hasTrouble(node: number, ms: number): boolean {
    return this.world.episodes.some((one) => one.kind === 'trouble' && one.node === node && inSpan(one, ms));
  }

  isUnread(node: number, ms: number): boolean {
    return this.world.unread.some((one) => one.node === node && inSpan(one, ms));
  }
}
