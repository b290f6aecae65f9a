const turnMs = 20;
const quietTurns = 15;

/** Notices that nothing happens any more. */
export interface Quiet {
  /** Starts counting again: something happened. */
  heard(): void;
  stop(): void;
}

/**
 * Calls `onQuiet` after a number of timer turns in which nothing was heard. Turns are counted, not time: servers of the same
 * process get theirs in between, so a machine that stalls does not look like a silent peer.
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
