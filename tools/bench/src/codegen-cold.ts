import type { Benchmark } from './benchmark.js';
import { CodegenCopy, peerName } from './codegen-runs.js';
import { median } from './median.js';

/** Duration of generating everything from scratch, as a whole process, divided by that of the peer, which emits wire types only. */
export const codegenCold: Benchmark = {
  name: 'codegen-cold',
  about: `hubwatch-codegen generate into an empty folder, every file of the types package, beside ${peerName}`,
  run({ runs = 5, log }) {
    const copy = new CodegenCopy();
    try {
      const [ours, theirs]: [number[], number[]] = [[], []];
      let summary = '';
      for (let run = 0; run < runs; run++) {
        copy.clear();
        const { seconds, code, text } = copy.generate();
        if (code !== 0) throw new Error(`generate failed: ${text}`);
        summary = text.trim();
        ours.push(seconds);
        theirs.push(copy.peer());
      }
      log(`  ${summary}`);
      return Promise.resolve({
        figure: median(ours) / median(theirs),
        target: 0.6,
        unit: `× ${peerName}`,
        figures: {
          ours: `${median(ours).toFixed(2)} s`,
          [`${peerName}, wire types only`]: `${median(theirs).toFixed(2)} s`,
        },
      });
    } finally {
      copy.remove();
    }
  },
};
