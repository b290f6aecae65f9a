/**
 * Maps wall time to the chain's time: chain time is `startChainMs` at `startWallMs` and runs `speed` times as fast.
 * Speed 0 is a chain that only moves when it is told to.
 */
export interface DemoClock {
  readonly startWallMs: number;
  /** Chain time as shown (shift included) at `startWallMs`. */
  readonly startChainMs: number;
  readonly speed: number;
  /** Added to every recorded time. */
  readonly shiftMs: number;
}

/** Chain time now, as shown. */
export function chainNowMs(clock: DemoClock, wallMs: number = Date.now()): number {
  return clock.startChainMs + (wallMs - clock.startWallMs) * clock.speed;
}

/** Wall time at which a shown chain time is reached. */
export function wallMsOf(clock: DemoClock, chainMs: number): number {
  return clock.startWallMs + (chainMs - clock.startChainMs) / clock.speed;
}
