import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packedPrograms } from '@hubwatch/bench/consumers';
import { bundleProgram } from './bundle-program.js';
import { playHistory } from './last-word/history.js';
import type { KilledKind } from './last-word/killed.js';
import { killedChild } from './last-word/killed-child.js';
import { killedDaemon } from './last-word/killed-daemon.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';

/** Number of kills in one history. */
const killsEach = 20;
/** Share of kills that hit the whole packed daemon. */
const packedShare = 0.2;
/** Number of histories played concurrently; each is mostly waiting. */
const atOnce = 2;

/** The last notification that a person read is the current state, regardless of failures of channels and of the daemon. */
export const lastWord: Proof = {
  name: 'last-word',
  about: 'through kill -9 and failing channels the last message of every recipient is the state at the end, in order',
  defaultRuns: 50,
  run: prove,
};

interface Planned {
  readonly kind: KilledKind;
  readonly seed: number;
  readonly kills: number;
}

async function prove({ seed, runs = 1_000, log }: ProofOptions): Promise<ProofOutcome> {
  const random = new RandomSource(seed);
  // Next to this package, so that the program can resolve modules that are not bundled.
  const folder = mkdtempSync(join(import.meta.dirname, '../.last-word-'));
  const counts = new Map<string, number>();
  const add = (name: string, count: number): void => void counts.set(name, (counts.get(name) ?? 0) + count);
  let [passed, total] = [0, 0];
  let counterExample: string | undefined;
  const play = async ({ kind, seed: worldSeed, kills }: Planned): Promise<void> => {
    const outcome = await playHistory(kind, worldSeed, kills);
    const { pairs, problems, notices } = outcome;
    total += pairs;
    passed += Math.max(0, pairs - problems.length);
    for (const [moment, count] of outcome.kills) {
      add('kills', count);
      add(`kills of the ${kind.name}`, count);
      add(`killed ${moment}`, count);
    }
    add('messages', notices);
    add('duplicates', outcome.duplicates);
    add('rows', outcome.rows);
    add('silenced subjects', outcome.silenced);
    for (const [name, count] of [...outcome.kinds, ...outcome.faults]) add(name, count);
    if (problems.length > 0) counterExample ??= `history ${worldSeed} of the ${kind.name}: ${problems[0]}`;
    log(`${kind.name}, history ${worldSeed}: ${pairs} pairs, ${problems.length} wrong, ${notices} messages`);
    for (const problem of problems.slice(0, 5)) log(`  ${problem}`);
  };
  try {
    const [program, programs] = [await bundleProgram('last-word/program.ts', folder), await packedPrograms()];
    const packedKills = Math.ceil(runs * packedShare);
    const plan = [
      ...planned(killedDaemon(programs), packedKills, random),
      ...planned(killedChild(program), runs - packedKills, random),
    ];
    const worker = async (): Promise<void> => {
      for (let next = plan.shift(); next !== undefined; next = plan.shift()) await play(next);
    };
    const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { passed, total, counterExample, figures: Object.fromEntries(counts) };
}

function planned(kind: KilledKind, kills: number, random: RandomSource): readonly Planned[] {
  return Array.from({ length: Math.ceil(kills / killsEach) }, (_, index) => {
    return { kind, seed: random.below(2 ** 31), kills: Math.min(killsEach, kills - index * killsEach) };
  });
}
