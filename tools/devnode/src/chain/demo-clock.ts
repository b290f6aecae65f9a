/**
 * Maps wall time to chain time: chain time is `startChainMs` at `startWallMs` and runs `speed` times as fast. With
 * speed 0 the chain advances only on explicit request.
 */
export interface DemoClock {
  readonly startWallMs: number;
  /** Displayed chain time (shift included) at `startWallMs`. */
  readonly startChainMs: number;
  readonly speed: number;
  /** Added to every recorded time. */
  readonly shiftMs: number;
}

/** Current chain time as displayed. */
export function chainNowMs(clock: DemoClock, wallMs: number = Date.now()): number {
  return clock.startChainMs + (wallMs - clock.startWallMs) * clock.speed;
}

/** Wall time at which a displayed chain time is reached. */
export function wallMsOf(clock: DemoClock, chainMs: number): number {
  return clock.startWallMs + (chainMs - clock.startChainMs) / clock.speed;
}
