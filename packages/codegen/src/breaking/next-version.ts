import type { Level } from './change.js';

/** Bump from the last version to the next; `none` when nothing changed. */
export type Bump = Level | 'none';

/** The greatest of the levels. */
export function bumpOf(levels: readonly Level[]): Bump {
  return (['major', 'minor', 'patch'] as const).find((level) => levels.includes(level)) ?? 'none';
}

/**
 * The version after a bump. Before 1.0.0 the second number takes the role of the first, as in the ranges of npm and
 * Cargo: `^0.1.0` accepts 0.1.1 but not 0.2.0.
 */
export function nextVersion(version: string, bump: Bump): string | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)$/.exec(version);
  if (!match || bump === 'none') return match ? version : undefined;
  const [major = 0, minor = 0, patch = 0] = match.slice(1).map(Number);
  if (major === 0) return bump === 'major' ? `0.${minor + 1}.0` : `0.${minor}.${patch + 1}`;
  if (bump === 'major') return `${major + 1}.0.0`;
  return bump === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
