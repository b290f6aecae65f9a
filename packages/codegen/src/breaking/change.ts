/** Affected part: the bytes and JSON on the wire, the methods that a node serves, or the code that uses the output. */
export type Area = 'wire' | 'availability' | 'api';

export const areas: readonly Area[] = ['wire', 'availability', 'api'];

/** Required bump of the next version: `major` breaks, `minor` adds, `patch` changes a text. */
export type Level = 'major' | 'minor' | 'patch';

/** One difference between an earlier interface and the current one. */
export interface InterfaceChange {
  readonly area: Area;
  readonly level: Level;
  /** Stable name of the rule that found it, `field-removed`. */
  readonly rule: string;
  /** Full name of the changed item. */
  readonly subject: string;
  readonly what: string;
}

/** Collects the changes of one area. */
export class InterfaceChanges {
  readonly #area: Area;
  readonly list: InterfaceChange[] = [];

  constructor(area: Area) {
    this.#area = area;
  }

  breaks(rule: string, subject: string, what: string): void {
    this.#add('major', rule, subject, what);
  }

  adds(rule: string, subject: string, what: string): void {
    this.#add('minor', rule, subject, what);
  }

  words(rule: string, subject: string, what: string): void {
    this.#add('patch', rule, subject, what);
  }

  #add(level: Level, rule: string, subject: string, what: string): void {
    this.list.push({ area: this.#area, level, rule, subject, what });
  }
}

/** Pairs the entries of both sides by a key, ordered by key. */
export function* pairs<T>(
  old: readonly T[],
  now: readonly T[],
  keyOf: (item: T) => string | number,
): Generator<readonly [key: string, old: T | undefined, now: T | undefined]> {
  const byKey = (items: readonly T[]): Map<string, T> => new Map(items.map((item) => [String(keyOf(item)), item]));
  const [before, after] = [byKey(old), byKey(now)];
  for (const key of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    yield [key, before.get(key), after.get(key)];
  }
}
