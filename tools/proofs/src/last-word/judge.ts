import type { Accepted } from './receivers.js';
import type { KeptRow, Seen } from './seen.js';

/** What one message told of one subject. */
export interface Told {
  readonly subject: string;
  readonly isFiring: boolean;
  /** Absent where the words do not show it. */
  readonly version: number | undefined;
}

/**
 * Finds the states that a text names. Each pattern has a group `subject`, may have `version`, and has `firing` where the
 * subject fires, unless there is `over` too.
 */
export function toldBy(...patterns: readonly RegExp[]): (text: string) => readonly Told[] {
  return (text) => {
    const told = new Map<string, Told>();
    for (const { groups } of patterns.flatMap((pattern) => [...text.matchAll(pattern)])) {
      const { subject = '', firing, over, version } = groups ?? {};
      const isFiring = firing !== undefined && over === undefined;
      told.set(subject, { subject, isFiring, version: version === undefined ? undefined : Number(version) });
    }
    return [...told.values()];
  };
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
  /** States that a text names. */
  readonly toldIn: (text: string) => readonly Told[];
}

interface Entry {
  readonly recipient: string;
  readonly state: string;
  readonly id: string;
  readonly kind: string;
  /** Rule and subject of each alert that it reports on; not of those that a recovery of others mentions. */
  readonly about: readonly string[];
  /** Of all that it names. */
  readonly keys: readonly string[];
}

/** Compares what each recipient was told, in order, with what is so at the end, and with what the outbox holds. */
export function judge({ recipients, accepted, end, silenced, rows, toldIn }: Played): Judgement {
  const entries = rows.map(entryOf);
  const entryWith = new Map(entries.map((entry, place) => [nameOf(entry), { ...entry, place }]));
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
    /** Place in the outbox of the last notice about each rule and subject. */
    const places = new Map<string, number>();
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
      const entry = entryWith.get(nameOf(one));
      for (const key of entry?.keys ?? []) {
        const place = entry?.place ?? 0;
        if (place < (places.get(key) ?? 0))
          wrong('out of order', `${recipient} got ${one.id} about ${key} after a later one`);
        places.set(key, place);
      }
      for (const told of toldIn(one.text)) {
        const earlier = last.get(told.subject);
        const { version = NaN } = told;
        if ((earlier?.version ?? NaN) > version)
          wrong(
            'out of order',
            `${recipient} was told v${version} of ${told.subject} after v${earlier?.version}, in ${JSON.stringify(one.text.slice(-600))}`,
          );
        const silencedAt = silenced.get(told.subject) ?? Infinity;
        if (entry?.kind === 'firing' && told.isFiring && version > silencedAt)
          wrong('silence broken', `${recipient} was told v${version} of ${told.subject}, silenced at v${silencedAt}`);
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
          `${recipient} was last told ${told === undefined ? 'nothing' : `${told.isFiring ? 'firing' : 'ok'} v${told.version ?? '?'}`} of ${subject}, which is ${isFiring ? 'firing' : 'ok'} since v${version}`,
        );
    }
  }
  for (const text of lostIn(entries, accepted)) wrong('lost', text);
  return { pairs, problems, duplicates, kinds };
}

/** Notices that did not reach their recipient, and after which no later one about one of their subjects did. */
function* lostIn(entries: readonly Entry[], accepted: readonly Accepted[]): Iterable<string> {
  const taken = new Set(accepted.map(nameOf));
  /** Recipient, rule and subject of all notices that reached somebody, behind the present one. */
  const later = new Set<string>();
  for (const entry of entries.toReversed()) {
    const { recipient, state, id, about } = entry;
    const name = `${recipient}: notice ${id} (${state}) of ${about.join(', ')}`;
    const isTaken = taken.has(nameOf(entry));
    if (state === 'delivered' && !isTaken) yield `${name} never arrived`;
    if (state === 'waiting' && !isTaken) yield `${name} still waits`;
    for (const one of about) {
      const key = JSON.stringify([recipient, one]);
      if (isTaken) later.add(key);
      else if (!later.has(key)) yield `${name}: nothing later of ${one} arrived`;
    }
  }
}

const nameOf = ({ recipient, id }: { readonly recipient: string; readonly id: string }): string =>
  JSON.stringify([recipient, id]);

function entryOf({ channel, recipient, state, notice }: KeptRow): Entry {
  const { id, rule, kind, members } = JSON.parse(notice) as {
    readonly id: string;
    readonly rule: string;
    readonly kind: string;
    readonly members: readonly { readonly subject: string; readonly isFiring: boolean }[];
  };
  const name = channel === 'telegram' ? 'chat' : recipient === '' ? channel.replace('webhook ', '') : recipient;
  const keyOf = ({ subject }: { readonly subject: string }): string => `${rule} ${subject}`;
  const about = members.filter(({ isFiring }) => isFiring === (kind === 'firing')).map(keyOf);
  return { recipient: name, state, id, kind, about, keys: members.map(keyOf) };
}
