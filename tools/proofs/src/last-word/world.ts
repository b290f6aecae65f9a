import type { RandomSource } from '../random-source.js';
import type { KilledKind } from './killed.js';
import type { Seen } from './seen.js';

/** Subjects with changing states. */
export interface World {
  seen(): readonly Seen[];
  /** Changes the state of some subjects. */
  move(): void;
}

/** Creates a world in which some subjects are already firing (version 1), and some have fired and recovered (version 2). */
export function createWorld(
  { subjects, changeShare }: Pick<KilledKind, 'subjects' | 'changeShare'>,
  random: RandomSource,
): World {
  const states = subjects.map((subject): Seen => {
    const version = random.pick([0, 0, 1, 1, 2]);
    return { subject, term: version === 0 ? '' : termOf(1), isFiring: version === 1, version };
  });
  return {
    seen: () => states,
    move() {
      // Occasionally one cause affects many subjects.
      const many = random.chance(0.05);
      for (const [index, state] of states.entries()) {
        if (!random.chance(many ? 0.8 : changeShare)) continue;
        const hasNewTerm = random.chance(0.3);
        const version = state.version + 1;
        states[index] = {
          ...state,
          version,
          isFiring: hasNewTerm || !state.isFiring,
          term: hasNewTerm ? termOf(version) : state.term,
        };
      }
    },
  };
}

const termOf = (version: number): string => `t${version}`;
