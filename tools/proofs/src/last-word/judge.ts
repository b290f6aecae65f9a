import type { Accepted } from './receivers.js';
import type { Seen } from './seen.js';

/** What one message told of one subject. */
export interface Told {
  readonly subject: string;
  readonly isFiring: boolean;
  readonly version: number;
}

/** States that a message names. */
export function toldIn(text: string): readonly Told[] {
  const told = new Map<string, Told>();
  for (const [, subject = '', state, version] of text.matchAll(/\b(s\d+): (firing|ok) v(\d+)/g))
    told.set(subject, { subject, isFiring: state === 'firing', version: Number(version) });
  return [...told.values()];
}

export interface Judgement {
  /** Pairs of subject and recipient that were compared. */
  readonly pairs: number;
  readonly problems: readonly string[];
  /** Copies under an id that was taken before. */
  readonly duplicates: number;
  readonly kinds: ReadonlyMap<string, number>;
}

/** Compares what each recipient was told, in order, with what is so at the end. */
export function judge(
  recipients: readonly string[],
  accepted: readonly Accepted[],
  end: readonly Seen[],
  silenced: ReadonlySet<string>,
): Judgement {
  const problems: string[] = [];
  const kinds = new Map<string, number>();
  const wrong = (kind: string, text: string): void => {
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    problems.push(`${kind}: ${text}`);
  };
  let [pairs, duplicates] = [0, 0];
  for (const recipient of recipients) {
    const taken = accepted.filter((one) => one.recipient === recipient);
    const last = new Map<string, Told>();
    const copies = new Map<string, Accepted>();
    const doubledBy = new Map<number, string>();
    for (const one of taken) {
      const before = copies.get(one.id);
      if (before !== undefined) {
        duplicates += 1;
        if (!before.isUnanswered) {
          if (before.life === one.life)
            wrong('doubled', `${recipient} got ${one.id} twice from one process that knew that it was taken`);
          const other = doubledBy.get(before.life);
          if (other !== undefined) wrong('doubled', `${recipient} got ${other} and ${one.id} again after one kill`);
          doubledBy.set(before.life, one.id);
        }
      }
      copies.set(one.id, one);
      for (const told of toldIn(one.text)) {
        const earlier = last.get(told.subject);
        if (earlier !== undefined && earlier.version > told.version)
          wrong('out of order', `${recipient} was told v${told.version} of ${told.subject} after v${earlier.version}`);
        if (silenced.has(told.subject)) wrong('silence broken', `${recipient} was told of ${told.subject}`);
        last.set(told.subject, told);
      }
    }
    for (const { subject, isFiring, version } of end) {
      if (silenced.has(subject)) continue;
      pairs += 1;
      const told = last.get(subject);
      if ((told?.isFiring ?? false) !== isFiring)
        wrong(
          'wrong last word',
          `${recipient} was last told ${told === undefined ? 'nothing' : `${told.isFiring ? 'firing' : 'ok'} v${told.version}`} of ${subject}, which is ${isFiring ? 'firing' : 'ok'} since v${version}`,
        );
    }
  }
  return { pairs, problems, duplicates, kinds };
}
