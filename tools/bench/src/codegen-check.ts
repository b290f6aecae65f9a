import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Benchmark } from './benchmark.js';
import { CodegenCopy, peerName } from './codegen-runs.js';
import { median } from './median.js';

const changed = 'packages/types/src/gen/forms/hub/node/v3/node.ts';

/** Duration of a check without changes, as a whole process, divided by that of a generation from scratch. */
export const codegenCheck: Benchmark = {
  name: 'codegen-check',
  about: `hubwatch-codegen generate --check after a run, compared with a generation from scratch and with ${peerName}`,
  run({ runs = 15 }) {
    const copy = new CodegenCopy();
    try {
      const [checks, cold, theirs]: [number[], number[], number[]] = [[], [], []];
      for (let run = 0; run < runs; run++) {
        if (run % 5 === 0) {
          theirs.push(copy.peer());
          copy.clear();
          const full = copy.generate();
          if (full.code !== 0) throw new Error(`generate failed: ${full.text}`);
          cold.push(full.seconds);
        }
        const { seconds, code, text } = copy.generate('--check');
        if (code !== 0) throw new Error(`the check failed: ${text}`);
        checks.push(seconds);
      }
      mustFindOneByte(copy);
      return Promise.resolve({
        figure: median(checks) / median(cold),
        target: 0.08,
        unit: '× generation from scratch',
        figures: {
          check: `${median(checks).toFixed(3)} s`,
          'generation from scratch': `${median(cold).toFixed(2)} s`,
          [peerName]: `${median(theirs).toFixed(2)} s`,
        },
      });
    } finally {
      copy.remove();
    }
  },
};

/** Verifies that the fast check still detects a change: a different byte with equal size and modification time. */
function mustFindOneByte(copy: CodegenCopy): void {
  const file = join(copy.folder, changed);
  const { atime, mtime } = statSync(file);
  writeFileSync(file, readFileSync(file, 'utf8').replace('status_at timestamp!', 'status_as timestamp!'));
  utimesSync(file, atime, mtime);
  const { code, text } = copy.generate('--check');
  if (code !== 1 || !text.includes(changed))
    throw new Error(`a changed byte was not found (exit code ${code}): ${text}`);
}
