import { migrations } from '@hubwatch/daemon/parts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleProgram } from './bundle-program.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';
import { type TrialOutcome, tryMigration } from './store-migrations/trial.js';

/** Maximum number of ledger entries in a store. */
const mostLedgerRows = 4_000;

/**
 * Proves that the daemon's start migrates a store from any earlier version completely, regardless of how often it is killed.
 */
export const storeMigrations: Proof = {
  name: 'store-migrations',
  about:
    'a store of every earlier version with random content is migrated without losing a row; kill -9 leaves the old schema or the new one',
  defaultRuns: migrations.length,
  run: prove,
};

async function prove({ seed, runs = 10 * migrations.length, log }: ProofOptions): Promise<ProofOutcome> {
  // Next to this package, so that the program can resolve modules that are not bundled.
  const beside = mkdtempSync(join(import.meta.dirname, '../.store-migrations-'));
  const figures = { kills: 0, 'killed before': 0, 'killed between': 0, 'killed after': 0, rows: 0 };
  const count = (version: number, { left, rows }: TrialOutcome): void => {
    figures.rows += rows;
    for (const at of left) {
      figures.kills += 1;
      if (at === version) figures['killed before'] += 1;
      else figures[at === migrations.length ? 'killed after' : 'killed between'] += 1;
    }
  };
  let longestMs = 200;
  try {
    const program = await bundleProgram('store-migrations/program.ts', beside);
    for (let run = 0; run < runs; run += 1) {
      const random = new RandomSource(seed * 1_000_003 + run);
      const version = 1 + (run % migrations.length);
      const folder = mkdtempSync(join(tmpdir(), 'hubwatch-migrations-'));
      try {
        const ledgerRows = random.below(mostLedgerRows);
        const outcome = await tryMigration({ version, folder, program, random, ledgerRows, longestMs });
        longestMs = Math.max(50, (longestMs + outcome.migrationMs) / 2);
        count(version, outcome);
        log(`version ${version}: ${outcome.rows} rows, killed at version ${outcome.left.join(', ') || 'none'}`);
      } catch (error) {
        const counterExample = `run ${run + 1}, version ${version}: ${(error as Error).message}`;
        return { passed: run, total: run + 1, counterExample, figures };
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
  } finally {
    rmSync(beside, { recursive: true });
  }
  return { passed: runs, total: runs, figures };
}
