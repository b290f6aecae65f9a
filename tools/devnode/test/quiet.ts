const turnMs = 20;
const quietTurns = 15;

/** Detects that activity has stopped. */
export interface Quiet {
  /** Restarts the count after activity. */
  heard(): void;
  stop(): void;
}

/**
 * Calls `onQuiet` after a number of timer turns without activity. It counts turns, not time: servers in the same
 * process run between turns, so a slow machine is not mistaken for a silent peer.
 */
export function watchQuiet(onQuiet: () => void): Quiet {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
    if (turns < quietTurns) return;
    clearInterval(timer);
    onQuiet();
  }, turnMs);
  return { heard: () => void (turns = 0), stop: () => clearInterval(timer) };
}
