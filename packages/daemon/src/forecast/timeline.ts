interface Moment {
  readonly atNs: bigint;
  readonly rank: number;
  readonly happen: () => void;
}

/** What happens one after another, while what happens brings more that happens later. */
export interface Timeline {
  /** Of the same time the lower rank comes first, then what was added first. */
  add(atNs: bigint, rank: number, happen: () => void): void;
  /** Lets everything happen that was and will be added. */
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
      // The last is the next: taking it off moves none of the others.
      for (let next = moments.pop(); next !== undefined; next = moments.pop()) next.happen();
    },
  };
};

/** Whether a moment comes after one that is added, so that it stands before it: the next is kept last. */
const isAfter = (one: Moment, atNs: bigint, rank: number): boolean =>
  one.atNs > atNs || (one.atNs === atNs && one.rank > rank);
