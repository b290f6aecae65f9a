import { spawnSync } from 'node:child_process';
import type { Benchmark } from './benchmark.js';
import { median } from './median.js';

/** Milliseconds of importing the built packages in a fresh process, as their users do. */
export const importTypes: Benchmark = {
  name: 'import-types',
  about: 'import of all tables and methods of the types package, and of the REST and RPC client, from dist',
  run({ runs = 9 }) {
    const types: number[] = [];
    const client: number[] = [];
    const bare: number[] = [];
    for (let i = 0; i < runs; i++) {
      types.push(measure(['@hubwatch/types', '@hubwatch/types/gen/registry', '@hubwatch/types/gen/methods/all']));
      client.push(measure(['@hubwatch/client/rest', '@hubwatch/client/rpc']));
      bare.push(measure(['node:path']));
    }
    const [all, entry] = [median(types), median(client)];
    return Promise.resolve({
      figure: Math.max(all, (entry * 80) / 30),
      target: 80,
      unit: 'ms',
      figures: {
        'whole types': `${all.toFixed(1)} ms (target 80)`,
        'REST and RPC client': `${entry.toFixed(1)} ms (target 30)`,
        'a built-in module': `${median(bare).toFixed(1)} ms`,
      },
    });
  },
};

function measure(modules: readonly string[]): number {
  const imports = modules.map((name) => `import(${JSON.stringify(name)})`).join(', ');
  const code = `const began = performance.now(); await Promise.all([${imports}]); console.log(performance.now() - began);`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  if (status !== 0) throw new Error(`import of ${modules.join(', ')} failed, are the packages built? ${stderr}`);
  return Number(stdout);
}
