import type { Accepted } from './receivers.js';
import type { KeptRow, Seen } from './seen.js';

/** The content of one message about one subject. */
export interface Told {
  readonly subject: string;
  readonly isFiring: boolean;
  /** Absent if the text does not show it. */
  readonly version: number | undefined;
}

/**
 * Extracts the states named in a text. Each pattern has a group `subject` and may have `version`. It has the group
 * `firing` if the subject fires, unless it also has the group `over`.
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
  /** Number of compared pairs of subject and recipient. */
  readonly pairs: number;
  readonly problems: readonly string[];
  /** Notifications received again under the same id. */
  readonly duplicates: number;
  readonly kinds: ReadonlyMap<string, number>;
}

/** A finished history. */
export interface Played {
  readonly recipients: readonly string[];
  /** In the order of acceptance. */
  readonly accepted: readonly Accepted[];
  /** State of every subject at the end. */
  readonly end: readonly Seen[];
  /** Silenced subjects, with their version at that time. */
  readonly silenced: ReadonlyMap<string, number>;
  /** The outbox at the end, in write order. */
  readonly rows: readonly KeptRow[];
  /** Extracts the states named in a text. */
  readonly toldIn: (text: string) => readonly Told[];
}

interface Entry {
  readonly recipient: string;
  readonly state: string;
  readonly id: string;
  readonly kind: string;
  /** Rule and subject of each alert that it reports on, without those only mentioned by a recovery of others. */
  readonly about: readonly string[];
  /** Keys of all alerts that it names. */
  readonly keys: readonly string[];
}

/** Compares the notifications of each recipient, in order, with the final states and with the outbox. */
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
    /** Position in the outbox of the last notification about each rule and subject. */
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
      // Recoveries of a silenced subject are still reported, but not its firing.
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

/** Notifications that did not reach their recipient and were not followed by a later one about one of their subjects. */
function* lostIn(entries: readonly Entry[], accepted: readonly Accepted[]): Iterable<string> {
  const taken = new Set(accepted.map(nameOf));
  /** Recipient, rule and subject of all delivered notifications after the current one. */
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
