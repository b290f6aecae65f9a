import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Benchmark } from './benchmark.js';
import { bundleSize, publicModule } from './bundle.js';
import { kB, serviceQuery } from './bundle-query.js';
import { hubQueries } from './bundle-hub.js';
import { workspace } from './consumers/index.js';

/** Pages that say how much a bundle is: `<!-- figure NAME -->12.8 kB<!-- /figure -->`. */
const pages = ['docs/browsers.md', 'docs/following.md', 'packages/client/README.md'];

const figurePattern = /(<!-- figure ([\w-]+) -->)([^<]*)(<!-- \/figure -->)/g;

const service = 'methods/hub/node/v3/query-service';

/** Sizes that the pages give, in bytes, by their name. */
async function measuredFigures(): Promise<Readonly<Record<string, number>>> {
  const full = await publicModule(service);
  const small = `import { queryNode } from '${await publicModule(`small/${service}`)}';`;
  const [rest, abci] = ['rest', 'abci'].map((name) => `import { ${name} } from '@hubwatch/client/small/${name}';`);
  return {
    query: await bundleSize(`import { createRestTransport } from '@hubwatch/client/rest';
      import { identityNaming as naming } from '@hubwatch/types/runtime/naming-profile';
      import { queryNode } from '${full}';
      export const node = (address, request) => createRestTransport({ address, naming }).call(queryNode, request);`),
    service: await bundleSize(await serviceQuery()),
    connect: await bundleSize("export { connect } from '@hubwatch/client';"),
    follow: await bundleSize("export { followChain } from '@hubwatch/client/follow';"),
    'small-query': await bundleSize(`${rest} ${small}
      export const node = (url, address) => rest(url)(queryNode, { address });`),
    'small-both': await bundleSize(`${rest} ${abci} ${small}
      export const node = (kind, url, address) => (kind ? rest : abci)(url)(queryNode, { address });`),
    'small-hub': await bundleSize(await hubQueries()),
    'small-watch': await bundleSize("export { watchBlocks } from '@hubwatch/client/small/watch';"),
  };
}

/** A figure as pages have it, `12.8 kB`. */
const shown = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/** A figure of a page beside what was measured. */
interface DocFigure {
  readonly page: string;
  readonly name: string;
  readonly said: string;
  /** `undefined` for a name that nobody measures. */
  readonly bytes: number | undefined;
}

/** Every figure that the pages give. */
export async function docFigures(): Promise<readonly DocFigure[]> {
  const measured = await measuredFigures();
  return pages.flatMap((page) =>
    [...readFileSync(join(workspace, page), 'utf8').matchAll(figurePattern)].map(([, , name = '', said = '']) => ({
      page,
      name,
      said,
      bytes: measured[name],
    })),
  );
}

/** Measures what the pages say of bundles, and writes it into them. */
export const docFiguresBenchmark: Benchmark = {
  name: 'doc-figures',
  about: 'bundle sizes that the pages give, measured and written into them',
  async run({ log }) {
    const figures = await docFigures();
    const byName = new Map(figures.map(({ name, bytes }) => [name, bytes]));
    for (const page of pages) {
      const file = join(workspace, page);
      const text = readFileSync(file, 'utf8');
      const written = text.replace(figurePattern, (whole, head: string, name: string, _: string, tail: string) => {
        const bytes = byName.get(name);
        return bytes === undefined ? whole : head + shown(bytes) + tail;
      });
      if (written !== text) log(`${page} written`);
      writeFileSync(file, written);
    }
    const stale = figures.filter(({ said, bytes }) => bytes === undefined || said !== shown(bytes));
    return {
      figure: stale.length,
      target: figures.length,
      unit: 'figures written anew',
      figures: Object.fromEntries([...byName].map(([name, bytes]) => [name, kB(bytes ?? 0)])),
    };
  },
};
