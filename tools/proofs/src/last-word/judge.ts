import type { Accepted } from './receivers.js';
import type { KeptRow, Seen } from './seen.js';

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

/** A history that is over. */
export interface Played {
  readonly recipients: readonly string[];
  /** In the order in which they were accepted. */
  readonly accepted: readonly Accepted[];
  /** State of every subject at the end. */
  readonly end: readonly Seen[];
  /** Subjects that were silenced, with their version at that moment. */
  readonly silenced: ReadonlyMap<string, number>;
  /** The outbox at the end, in the order in which it was written. */
  readonly rows: readonly KeptRow[];
}

interface Entry {
  readonly recipient: string;
  readonly state: string;
  readonly id: string;
  readonly kind: string;
  /** Subjects that it reports on; not those that a recovery of others mentions. */
  readonly subjects: readonly string[];
}

/** Compares what each recipient was told, in order, with what is so at the end, and with what the outbox holds. */
export function judge({ recipients, accepted, end, silenced, rows }: Played): Judgement {
  const entries = rows.map(entryOf);
  const kindOf = new Map(entries.map(({ id, kind }) => [id, kind]));
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
        const silencedAt = silenced.get(told.subject) ?? Infinity;
        if (kindOf.get(one.id) === 'firing' && told.isFiring && told.version > silencedAt)
          wrong(
            'silence broken',
            `${recipient} was told v${told.version} of ${told.subject}, silenced at v${silencedAt}`,
          );
        last.set(told.subject, told);
      }
    }
    for (const { subject, isFiring, version } of end) {
      const told = last.get(subject);
      // That a silenced subject is over is still reported, but not that it fires.
      if (silenced.has(subject) && isFiring) continue;
      pairs += 1;
      if ((told?.isFiring ?? false) !== isFiring)
        wrong(
          'wrong last word',
          `${recipient} was last told ${told === undefined ? 'nothing' : `${told.isFiring ? 'firing' : 'ok'} v${told.version}`} of ${subject}, which is ${isFiring ? 'firing' : 'ok'} since v${version}`,
        );
    }
  }
  for (const text of lostIn(entries, accepted)) wrong('lost', text);
  return { pairs, problems, duplicates, kinds };
}

/** Notices that did not reach their recipient, and after which no later one about one of their subjects did. */
function* lostIn(entries: readonly Entry[], accepted: readonly Accepted[]): Iterable<string> {
  const taken = new Set(accepted.map(({ recipient, id }) => JSON.stringify([recipient, id])));
  /** Recipient and subject of all notices that reached somebody, behind the present one. */
  const later = new Set<string>();
  for (const { recipient, state, id, subjects } of entries.toReversed()) {
    const name = `${recipient}: notice ${id} (${state}) of ${subjects.join(', ')}`;
    const isTaken = taken.has(JSON.stringify([recipient, id]));
    if (state === 'delivered' && !isTaken) yield `${name} never arrived`;
    if (state === 'waiting' && !isTaken) yield `${name} still waits`;
    for (const subject of subjects) {
      const key = JSON.stringify([recipient, subject]);
      if (isTaken) later.add(key);
      else if (!later.has(key)) yield `${name}: nothing later of ${subject} arrived`;
    }
  }
}

function entryOf({ channel, recipient, state, notice }: KeptRow): Entry {
  const { id, kind, members } = JSON.parse(notice) as {
    readonly id: string;
    readonly kind: string;
    readonly members: readonly { readonly subject: string; readonly isFiring: boolean }[];
  };
  const name = channel === 'telegram' ? 'chat' : recipient === '' ? channel.replace('webhook ', '') : recipient;
  const about = members.filter(({ isFiring }) => isFiring === (kind === 'firing'));
  return { recipient: name, state, id, kind, subjects: about.map(({ subject }) => subject) };
}
