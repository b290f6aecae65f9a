interface Moment {
  readonly atNs: bigint;
  readonly rank: number;
  readonly happen: () => void;
}

/** Processes events in time order, while events can add later events. */
export interface Timeline {
  /** At equal times the lower rank comes first, then the one added first. */
  add(atNs: bigint, rank: number, happen: () => void): void;
  /** Processes all events, including those added meanwhile. */
  run(): void;
}

export const createTimeline = (): Timeline => {
  const moments: Moment[] = [];
  return {
    add(atNs, rank, happen) {
      let [low, high] = [0, moments.length];
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        if (isAfter(moments[middle] as Moment, atNs, rank)) low = middle + 1;
        else high = middle;
      }
      moments.splice(low, 0, { atNs, rank, happen });
    },
    run() {
      // The next event is the last element: removing it moves no other element.
      for (let next = moments.pop(); next !== undefined; next = moments.pop()) next.happen();
    },
  };
};

/** Whether an event comes after the added one and is therefore stored before it: the next event is the last element. */
const isAfter = (one: Moment, atNs: bigint, rank: number): boolean =>
  one.atNs > atNs || (one.atNs === atNs && one.rank > rank);
