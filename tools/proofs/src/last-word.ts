import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { playHistory } from './last-word/history.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';

/** Kills in one history. */
const killsEach = 20;

/** The last notice that a person read is the state now, whatever happened to channels and to the daemon. */
export const lastWord: Proof = {
  name: 'last-word',
  about: 'through kill -9 and failing channels the last message of every recipient is the state at the end, in order',
  defaultRuns: 40,
  run: prove,
};

async function prove({ seed, runs = 1_000, log }: ProofOptions): Promise<ProofOutcome> {
  const random = new RandomSource(seed);
  // Beside this package, so that the program finds what is not bundled.
  const folder = mkdtempSync(join(import.meta.dirname, '../.last-word-'));
  const counts = new Map<string, number>();
  const add = (name: string, count: number): void => void counts.set(name, (counts.get(name) ?? 0) + count);
  let [passed, total] = [0, 0];
  let counterExample: string | undefined;
  try {
    const program = await bundled(folder);
    for (let kills = 0; kills < runs; kills += killsEach) {
      const worldSeed = random.below(2 ** 31);
      const outcome = await playHistory(program, worldSeed, Math.min(killsEach, runs - kills));
      total += outcome.pairs;
      passed += Math.max(0, outcome.pairs - outcome.problems.length);
      add('kills', outcome.kills);
      add('messages', outcome.notices);
      add('duplicates', outcome.duplicates);
      add('rows', outcome.rows);
      add('silenced subjects', outcome.silenced);
      for (const [kind, count] of [...outcome.kinds, ...outcome.faults]) add(kind, count);
      if (outcome.problems.length > 0) counterExample ??= `history ${worldSeed}: ${outcome.problems[0]}`;
      log(
        `history ${worldSeed}: ${outcome.pairs} pairs, ${outcome.problems.length} wrong, ${outcome.notices} messages`,
      );
      for (const problem of outcome.problems.slice(0, 5)) log(`  ${problem}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { passed, total, counterExample, figures: Object.fromEntries(counts) };
}

/** What the daemon is installed with. */
const installed = ['@grpc/grpc-js', 'croner', 'libsql', 'nodemailer', 'pino', 'prom-client', 'ws', 'yaml', 'zod'];

async function bundled(folder: string): Promise<string> {
  const outfile = join(folder, 'program.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, '../src/last-word/program.ts')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@hubwatch/source'],
    external: installed,
    outfile,
    logLevel: 'silent',
  });
  return outfile;
}
