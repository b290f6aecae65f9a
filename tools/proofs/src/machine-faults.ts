import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakingLibrary } from './faked-clock.js';
import { FaultyMachine } from './faulty-machine.js';
import { type MachineFaultRow, machineFaultRows } from './machine-fault-rows.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';

/**
 * For every machine fault that affects the store, people are notified, no recoverable data is lost, and the daemon
 * recovers automatically.
 */
export const machineFaults: Proof = {
  name: 'machine-faults',
  about:
    'A store that is full, read-only, deleted, replaced, locked, damaged, opened twice, of another chain or of another program, and a clock that jumps: reported within a minute, nothing lost that could be kept, healthy again by itself.',
  defaultRuns: machineFaultRows.length,
  run: prove,
};

async function prove({ seed, runs = machineFaultRows.length, log }: ProofOptions): Promise<ProofOutcome> {
  const missing = missingHere();
  let [passed, total, longestMs] = [0, 0, 0];
  const skipped = new Set<string>();
  for (let run = 0; run < runs; run += 1) {
    const row = machineFaultRows[run % machineFaultRows.length];
    if (row === undefined) break;
    if (row.needs !== undefined && missing.has(row.needs)) {
      skipped.add(`${row.name} (needs ${row.needs})`);
      continue;
    }
    total += 1;
    const folder = mkdtempSync(join(tmpdir(), 'hubwatch-proof-'));
    const machine = new FaultyMachine(folder, new RandomSource(seed * 1_000_003 + run));
    try {
      await row.run(machine);
      passed += 1;
    } catch (error) {
      const counterExample = `seed ${seed}, run ${run + 1} (${row.name}): ${String(error)}`;
      return { passed, total, counterExample, figures: { 'longest wait for the store, ms': longestMs } };
    } finally {
      await machine.close();
      longestMs = Math.max(longestMs, Math.round(machine.longestWaitMs * 10) / 10);
      rmSync(folder, { recursive: true, force: true });
    }
  }
  for (const name of skipped) log(`skipped: ${name}`);
  return { passed, total, figures: { 'longest wait for the store, ms': longestMs, skipped: [...skipped].join(', ') } };
}

/** Requirements of rows that this machine or user does not meet. */
export const missingHere = (): ReadonlySet<NonNullable<MachineFaultRow['needs']>> => {
  const missing = new Set<NonNullable<MachineFaultRow['needs']>>();
  if (process.getuid?.() !== 0) missing.add('root');
  if (fakingLibrary() === undefined) missing.add('faketime');
  return missing;
};
