import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Benchmark } from './benchmark.js';
import { kB } from './bundle-query.js';
import { bundleSize, publicModule, stockWire } from './bundle.js';

const gen = fileURLToPath(new URL('../../../packages/types/src/gen/', import.meta.url));

/** Every query of the hub's own modules with both codecs and both transports of a browser. */
export const bundleHub: Benchmark = {
  name: 'bundle-hub',
  about: 'browser bundle of all hub queries over REST and abci, gzip, public names, beside the codecs of ts-proto',
  async run() {
    const services = await hubServices();
    const queries = exportsOf(services);
    const ours = await bundleSize(await hubQueries());
    const stock = (await modules('messages/hub', /(?:querier|query)\.ts$/))
      .map((path, i) => `export * as m${i} from '@hubwatch/types/gen/${path}';`)
      .join('\n');
    return {
      figure: ours / 1000,
      target: 6.5,
      unit: 'kB',
      figures: {
        'methods and tables alone': kB(await bundleSize(queries)),
        services: services.length,
        'ts-proto, codecs alone': kB(await bundleSize(stock, [stockWire])),
      },
    };
  },
};

/** Code that has every query of the hub's own modules with both transports. */
export async function hubQueries(): Promise<string> {
  return `${exportsOf(await hubServices())}
      export { rest } from '@hubwatch/client/small/rest';
      export { abci } from '@hubwatch/client/small/abci';`;
}

async function hubServices(): Promise<readonly string[]> {
  const paths = await modules('small/methods/hub', /query-service\.ts$/);
  return Promise.all(paths.map(publicModule));
}

function exportsOf(services: readonly string[]): string {
  return services.map((module, i) => `export * as s${i} from '${module}';`).join('\n');
}

async function modules(folder: string, name: RegExp): Promise<string[]> {
  const files = await readdir(gen + folder, { recursive: true });
  return files
    .filter((file) => name.test(file))
    .sort()
    .map((file) => `${folder}/${file.replaceAll('\\', '/').replace(/\.ts$/, '')}`);
}
