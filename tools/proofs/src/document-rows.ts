import { type Facts, readFacts, readSpec } from '@hubwatch/codegen';
import { repositoryRoot } from './availability-types.js';
import { Counts } from './counts.js';
import { factAt, type Row, rowChecks, type Source } from './document-checks.js';
import { eventHooks } from './event-hooks.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { specChecks } from './spec-checks.js';

/** The tables of documented behaviour agree with the spec, row by row. */
export const documentRows: Proof = {
  name: 'document-rows',
  about:
    'Every row of the tables of documented behaviour is in the spec, with what the node does where it differs; recorded events come from the hooks that the spec names.',
  run: async ({ log }) => proveDocument(await readSource(), log),
};

/** Spec and facts of this repository. */
export async function readSource(): Promise<Source> {
  const [spec, facts] = await Promise.all([readSpec(repositoryRoot), readFacts(repositoryRoot)]);
  return { spec, facts: facts as Facts };
}

interface Table {
  readonly clause: string;
  readonly kind: string;
  readonly rows: readonly Row[];
}

/** Checks every row of the tables in a spec. */
export function proveDocument(source: Source, log: ProofOptions['log']): ProofOutcome {
  const counts = new Counts();
  const problems: string[] = [];
  let [rows, differing, total] = [0, 0, 0];
  for (const { clause, kind, rows: of } of source.facts.document['tables'] as Table[]) {
    const check = rowChecks[kind];
    for (const row of of) {
      rows++;
      total++;
      const problem = check === undefined ? `no check for rows of kind ${kind}` : check(row, source, clause);
      counts.add(`rows of ${clause.split(':')[0] ?? clause}`, problem === undefined);
      if (problem !== undefined) problems.push(`${clause}, ${subject(row)}: ${problem}`);
      const observed = kind === 'fact' ? factAt(source, String(row['at']))?.observed : undefined;
      if (observed === undefined) continue;
      differing++;
      log(
        `${clause}, ${row['at'] as string}: documented ${JSON.stringify(row['claim'])}, observed ${JSON.stringify(observed)}`,
      );
    }
  }
  for (const [claim, check] of Object.entries({ ...specChecks, ...eventHooks })) {
    const found = check(source);
    total += found.total;
    for (let i = 0; i < found.total; i++) counts.add(claim, i >= found.problems.length);
    problems.push(...found.problems.map((problem) => `${claim}: ${problem}`));
  }
  for (const problem of problems.slice(0, 20)) log(problem);
  return {
    passed: Math.max(0, total - problems.length),
    total,
    counterExample: problems[0],
    figures: { rows, 'rows where the node says more or other than the document': differing, ...counts.figures() },
  };
}

function subject(row: Row): string {
  return Object.values(row)
    .filter((value) => typeof value === 'string')
    .join(' ');
}
