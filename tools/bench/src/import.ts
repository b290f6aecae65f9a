import type { Benchmark } from './benchmark.js';
import { importTimes } from './import-time.js';

const peer = '@cosmjs/stargate';

/** Upper limit of an import, as a share of the peer's import. */
const shares = { restRpc: 0.12, types: 0.25 } as const;

const shown = (ms: number, peerMs: number): string => `${ms.toFixed(1)} ms, ${(ms / peerMs).toFixed(3)} of the peer`;

/** Import time in fresh processes, compared with the usual client for such chains. */
export const importBenchmark: Benchmark = {
  name: 'import',
  about: `import of the REST and RPC entries, and of all tables of types, from tarballs, beside ${peer}; the worse of both shares`,
  async run({ runs = 15 }) {
    const times = await importTimes(
      {
        restRpc: ['@hubwatch/client/rest', '@hubwatch/client/rpc'],
        types: ['@hubwatch/types', '@hubwatch/types/gen/registry', '@hubwatch/types/gen/methods/all'],
        peer: [peer],
        rest: ['@hubwatch/client/rest'],
        rpc: ['@hubwatch/client/rpc'],
        main: ['@hubwatch/client'],
        service: ['@hubwatch/types/gen/methods/hub/node/v3/query-service'],
        form: ['@hubwatch/types/gen/forms/hub/node/v3/node'],
        bare: ['node:path'],
      },
      runs,
      [peer, 'ws'],
    );
    return {
      figure: Math.max(times.restRpc / times.peer / shares.restRpc, times.types / times.peer / shares.types),
      target: 1,
      unit: 'of what is allowed',
      figures: {
        [`REST and RPC (at most ${shares.restRpc})`]: shown(times.restRpc, times.peer),
        [`all tables of types (at most ${shares.types})`]: shown(times.types, times.peer),
        [peer]: `${times.peer.toFixed(1)} ms`,
        'REST alone': shown(times.rest, times.peer),
        'RPC alone': shown(times.rpc, times.peer),
        'the main entry': shown(times.main, times.peer),
        'methods of one service': shown(times.service, times.peer),
        'one form': shown(times.form, times.peer),
        'a built-in module': shown(times.bare, times.peer),
      },
    };
  },
};
