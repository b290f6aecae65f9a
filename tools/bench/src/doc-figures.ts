import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Benchmark } from './benchmark.js';
import { wholeConnect } from './bundle-connect.js';
import { following } from './bundle-follow.js';
import { oneRestQuery, serviceQuery } from './bundle-rest.js';
import { bundleSize, initialSize, kB } from './bundle.js';
import { workspace } from './consumers/index.js';

/** Pages with bundle sizes: `<!-- figure NAME -->12.8 kB<!-- /figure -->`. */
const pages = ['docs/browsers.md', 'docs/following.md', 'packages/client/README.md'];

const figurePattern = /(<!-- figure ([\w-]+) -->)([^<]*)(<!-- \/figure -->)/g;

/** Measures the sizes in the pages, in bytes, by name. */
async function measuredFigures(): Promise<Readonly<Record<string, number>>> {
  return {
    query: await bundleSize(await oneRestQuery()),
    service: await bundleSize(await serviceQuery()),
    connect: await bundleSize(wholeConnect),
    follow: await initialSize(following),
    'follow-whole': await bundleSize(following),
  };
}

/** Formats a figure for the pages, such as `12.8 kB`. */
const shown = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/** A figure in a page and its measured value. */
interface DocFigure {
  readonly page: string;
  readonly name: string;
  readonly said: string;
  /** `undefined` for an unknown name. */
  readonly bytes: number | undefined;
}

/** All figures in the pages. */
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

/** Measures the bundle sizes in the pages and updates them. */
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
