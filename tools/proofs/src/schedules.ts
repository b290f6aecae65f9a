import { isCronDue } from '@hubwatch/daemon/parts';
import type { Proof } from './proof.js';
import { RandomSource } from './random-source.js';

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
const fromMs = Date.UTC(2020, 0, 1);
const untilMs = Date.UTC(2041, 0, 1);
/** Time span that is checked before and after a clock change. */
const marginMs = 2 * hourMs;

/** A zone and the time of its clock change. */
interface Change {
  readonly zone: string;
  readonly atMs: number;
  readonly offsetAt: OffsetAt;
}

/** Every timetable runs exactly when due, checked each minute around each clock change of each zone. */
export const schedules: Proof = {
  name: 'schedules',
  about:
    'around every change of every IANA zone from 2020 to 2040 each time of a cron expression runs once: a skipped one when the clock is moved, a doubled one the first time, those missed in an outage late and once',
  defaultRuns: 25,
  run({ seed, runs, log }) {
    const random = new RandomSource(seed);
    const zones = new Set<string>();
    let passed = 0;
    let times = 0;
    for (const change of runs === undefined ? everyChange() : someChanges(runs, random)) {
      const found = judge(change, random);
      if (found.fault !== undefined)
        return Promise.resolve({ passed, total: passed + 1, counterExample: `seed ${seed}: ${found.fault}` });
      passed += 1;
      times += found.times;
      zones.add(change.zone);
      if (passed % 1_000 === 0) log(`${passed} changes of ${zones.size} zones`);
    }
    return Promise.resolve({ passed, total: passed, figures: { zones: zones.size, times } });
  },
};

function* everyChange(): Generator<Change, void> {
  for (const zone of Intl.supportedValuesOf('timeZone')) yield* changesOf(zone, dayMs);
}

/** Yields one change of each zone in random order, then another one of each, up to the count. */
function* someChanges(count: number, random: RandomSource): Generator<Change, void> {
  const left = shuffled(Intl.supportedValuesOf('timeZone'), random);
  const known = new Map<string, readonly Change[]>();
  for (let taken = 0; taken < count; ) {
    const zone = left.shift();
    if (zone === undefined) return;
    const changes = known.get(zone) ?? changesOf(zone, 7 * dayMs);
    if (changes.length === 0) continue;
    known.set(zone, changes);
    left.push(zone);
    taken += 1;
    yield random.pick(changes);
  }
}

type OffsetAt = (atMs: number) => number;

/** Offsets are derived from their names, not from the parts of a date as in the daemon. */
const offsetsOf = (zone: string): OffsetAt => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  return (atMs) => {
    const name = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = 0, minutes = 0] = /^GMT(?:([+-])(\d+):(\d+))?$/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * hourMs + Number(minutes) * minuteMs);
  };
};

/** The first minute after each clock change. */
const changesOf = (zone: string, stepMs: number): readonly Change[] => {
  const offsetAt = offsetsOf(zone);
  const changes: Change[] = [];
  let offset = offsetAt(fromMs);
  for (let atMs = fromMs + stepMs; atMs <= untilMs; atMs += stepMs) {
    const next = offsetAt(atMs);
    if (next === offset) continue;
    let [low, high] = [(atMs - stepMs) / minuteMs, atMs / minuteMs];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(middle * minuteMs) === offset) low = middle;
      else high = middle;
    }
    changes.push({ zone, atMs: high * minuteMs, offsetAt });
    offset = next;
  }
  return changes;
};

/** A cron expression and its independent interpretation: minutes, hours and weekdays. */
interface Timetable {
  readonly text: string;
  readonly matches: (wallMs: number) => boolean;
}

const timetable = (wallMs: number, random: RandomSource): Timetable => {
  const near = new Date(wallMs);
  const step = random.pick([1, 5, 7, 15, 20, 30]);
  const minutes = random.pick([
    { text: '*', has: () => true },
    { text: `*/${step}`, has: (minute: number) => minute % step === 0 },
    listOf(Array.from({ length: 1 + random.below(3) }, () => random.below(60))),
  ]);
  // Only the hours around the change matter.
  const hours = random.pick([
    { text: '*', has: () => true },
    listOf(Array.from({ length: 1 + random.below(4) }, () => (near.getUTCHours() + 22 + random.below(5)) % 24)),
  ]);
  const days = random.pick([{ text: '*', has: () => true }, listOf([near.getUTCDay(), random.below(7)])]);
  return {
    text: `${minutes.text} ${hours.text} * * ${days.text}`,
    matches: (at) => {
      const date = new Date(at);
      return minutes.has(date.getUTCMinutes()) && hours.has(date.getUTCHours()) && days.has(date.getUTCDay());
    },
  };
};

const listOf = (values: readonly number[]) => ({
  text: values.join(','),
  has: (value: number) => values.includes(value),
});

/** Checks each minute like the daemon, with one outage, and compares the runs with those of a forward walk. */
const judge = (
  { zone, atMs, offsetAt }: Change,
  random: RandomSource,
): { readonly times: number; readonly fault?: string } => {
  const movedMs = Math.abs(offsetAt(atMs) - offsetAt(atMs - minuteMs));
  const firstMs = atMs - marginMs - movedMs;
  const lastMs = atMs + marginMs + movedMs;
  const { text, matches } = timetable(atMs + offsetAt(atMs), random);
  const outageMs = firstMs + random.below((lastMs - firstMs) / minuteMs) * minuteMs;
  const backMs = outageMs + random.below(180) * minuteMs;
  let sinceMs = firstMs - minuteMs;
  let shownMs = sinceMs + offsetAt(sinceMs);
  let isOwed = false;
  let times = 0;
  for (let nowMs = firstMs; nowMs <= lastMs; nowMs += minuteMs) {
    const wallMs = nowMs + offsetAt(nowMs);
    // Local times shown for the first time, and those that were skipped.
    for (let shown = shownMs + minuteMs; shown <= wallMs; shown += minuteMs) isOwed ||= matches(shown);
    shownMs = Math.max(shownMs, wallMs);
    if (nowMs >= outageMs && nowMs < backMs) continue;
    const isDue = isCronDue({ every: 0, cron: text, zone }, sinceMs, nowMs);
    if (isDue !== isOwed) {
      const at = new Date(nowMs).toISOString();
      return { times, fault: `"${text}" in ${zone} at ${at}: ${isDue ? 'runs' : 'does not run'}, change at ${atMs}` };
    }
    if (!isDue) continue;
    times += 1;
    sinceMs = nowMs;
    isOwed = false;
  }
  return { times };
};

const shuffled = <T>(list: readonly T[], random: RandomSource): T[] =>
  list
    .map((item) => ({ item, order: random.bits() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
