import type { Benchmark } from './benchmark.js';
import { importTimes } from './import-time.js';

/** Milliseconds of importing the installed package in a fresh process, as its users do. */
export const importTypes: Benchmark = {
  name: 'import-types',
  about: 'import of all tables and methods of the types package, installed from its tarball',
  async run({ runs = 15 }) {
    const times = await importTimes(
      {
        whole: ['@hubwatch/types', '@hubwatch/types/gen/registry', '@hubwatch/types/gen/methods/all'],
        service: ['@hubwatch/types/gen/methods/hub/node/v3/query-service'],
        form: ['@hubwatch/types/gen/forms/hub/node/v3/node'],
        bare: ['node:path'],
      },
      runs,
    );
    return {
      figure: times.whole,
      target: 80,
      unit: 'ms',
      figures: {
        'methods of one service': `${times.service.toFixed(1)} ms`,
        'one form': `${times.form.toFixed(1)} ms`,
        'a built-in module': `${times.bare.toFixed(1)} ms`,
      },
    };
  },
};
