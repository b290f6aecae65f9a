import { type Consumer, makeConsumer, pack } from './consumers/index.js';
import { median } from './median.js';

/** Modules of one import, by their name in the figures. */
export type Imports = Readonly<Record<string, readonly string[]>>;

/**
 * Median time in milliseconds of each import in fresh processes, alternating, with the packages installed from
 * tarballs; `thirdParty` packages are those of the workspace.
 */
export async function importTimes<I extends Imports>(
  imports: I,
  runs: number,
  thirdParty: readonly string[],
): Promise<Record<keyof I, number>> {
  const packed = await pack(['types', 'client']);
  const consumer = await makeConsumer(packed, { packages: ['types', 'client'], thirdParty });
  packed.remove();
  try {
    const times = Object.entries(imports).map(([name, modules]) => ({ name, modules, all: [] as number[] }));
    for (let run = 0; run < runs; run++) {
      for (const { modules, all } of times) all.push(await measure(consumer, modules));
    }
    return Object.fromEntries(times.map(({ name, all }) => [name, median(all)])) as Record<keyof I, number>;
  } finally {
    consumer.remove();
  }
}

async function measure(consumer: Consumer, modules: readonly string[]): Promise<number> {
  const imports = modules.map((name) => `import(${JSON.stringify(name)})`).join(', ');
  const code = `const began = performance.now(); await Promise.all([${imports}]); console.log(performance.now() - began);`;
  const { code: status, text } = await consumer.node('--input-type=module', '-e', code);
  if (status !== 0) throw new Error(`import of ${modules.join(', ')} failed: ${text}`);
  return Number(text);
}
