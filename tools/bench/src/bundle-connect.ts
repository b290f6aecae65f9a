import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Benchmark } from './benchmark.js';
import { bundleSize, kB } from './bundle.js';

const gen = fileURLToPath(new URL('../../../packages/types/src/gen/', import.meta.url));

/** Code that includes every browser transport. */
export const wholeConnect = "export { connect } from '@hubwatch/client';";

/** Bundle size of `connect`: every browser transport, without methods. */
export const bundleConnect: Benchmark = {
  name: 'bundle-connect',
  about: 'browser bundle of connect with all transports, gzip, beside the codecs of all hub queries of ts-proto',
  async run() {
    const stock = (await modules('messages/hub', /(?:querier|query)\.ts$/))
      .map((path, i) => `export * as m${i} from '@hubwatch/types/gen/${path}';`)
      .join('\n');
    const services = (await modules('methods/hub', /query-service\.ts$/))
      .map((path, i) => `export * as s${i} from '@hubwatch/types/gen/${path}';`)
      .join('\n');
    return {
      figure: (await bundleSize(wholeConnect)) / 1000,
      target: 20,
      unit: 'kB',
      figures: {
        'with all queries of the hub': kB(await bundleSize(`${wholeConnect}\n${services}`)),
        'ts-proto, codecs of these queries alone': kB(await bundleSize(stock)),
      },
    };
  },
};

async function modules(folder: string, name: RegExp): Promise<string[]> {
  const files = await readdir(gen + folder, { recursive: true });
  return files
    .filter((file) => name.test(file))
    .sort()
    .map((file) => `${folder}/${file.replaceAll('\\', '/').replace(/\.ts$/, '')}`);
}
