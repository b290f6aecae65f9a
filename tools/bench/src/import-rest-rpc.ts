import type { Benchmark } from './benchmark.js';
import { importTimes } from './import-time.js';

/** Milliseconds until a program that asks a node over REST and consensus RPC has its client. */
export const importRestRpc: Benchmark = {
  name: 'import-rest-rpc',
  about: 'import of the REST and RPC entries of the client, installed from its tarball',
  async run({ runs = 15 }) {
    const times = await importTimes(
      {
        both: ['@hubwatch/client/rest', '@hubwatch/client/rpc'],
        rest: ['@hubwatch/client/rest'],
        rpc: ['@hubwatch/client/rpc'],
        connect: ['@hubwatch/client'],
        bare: ['node:path'],
      },
      runs,
    );
    return {
      figure: times.both,
      target: 30,
      unit: 'ms',
      figures: {
        'REST alone': `${times.rest.toFixed(1)} ms`,
        'RPC alone': `${times.rpc.toFixed(1)} ms`,
        'the main entry': `${times.connect.toFixed(1)} ms`,
        'a built-in module': `${times.bare.toFixed(1)} ms`,
      },
    };
  },
};
