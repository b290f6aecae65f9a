import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { publicProfile } from '@hubwatch/types/gen/naming/public';
import { createNaming } from '@hubwatch/types/runtime/naming-profile';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { publicPackage } from './consumers/index.js';

const here = import.meta.dirname;
const naming = createNaming(publicProfile);

/** Size of the code that a browser loads for `code`, in bytes: bundled and minified by esbuild, then gzip at level 9. */
export async function bundleSize(code: string): Promise<number> {
  return gzipSync(await bundle(code), { level: 9 }).length;
}

/**
 * Size of the code that a browser loads at start, in bytes: as `bundleSize`, but with code splitting. Modules that the
 * code imports dynamically are in files of their own, which do not count.
 */
export async function initialSize(code: string): Promise<number> {
  const { outputFiles, metafile } = await build({
    ...(await buildOptions(code)),
    splitting: true,
    metafile: true,
    outdir: 'out',
  });
  const { outputs } = metafile;
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === '<stdin>');
  if (entry === undefined) throw new Error('esbuild gave no entry');
  const initial = new Set([entry]);
  // Files that are added to a set while it is iterated are visited too.
  for (const path of initial) {
    for (const { kind, path: imported } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement') initial.add(imported);
    }
  }
  const files = outputFiles.filter(({ path }) => initial.has(relative(process.cwd(), path)));
  if (files.length !== initial.size) throw new Error('esbuild gave not every file');
  return files.reduce((bytes, { contents }) => bytes + gzipSync(contents, { level: 9 }).length, 0);
}

/** `code` may import `@hubwatch/types-public`, the package with the fixed names of the public network. */
export async function bundle(code: string): Promise<Uint8Array> {
  const { outputFiles } = await build(await buildOptions(code));
  const [file] = outputFiles;
  if (file === undefined) throw new Error('esbuild gave no output');
  return file.contents;
}

async function buildOptions(code: string) {
  const { name, folder } = await publicPackage();
  return {
    stdin: { contents: code, resolveDir: here, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['@hubwatch/source'],
    alias: { [name]: join(folder, 'src') },
    legalComments: 'none',
    logLevel: 'silent',
    plugins: [browserFiles],
  } satisfies BuildOptions;
}

const client = resolve(here, '../../../packages/client');

/** Browser replacements from the client's manifest: the manifest refers to built files, while sources are bundled here. */
const browserFiles: Plugin = {
  name: 'browser-files',
  setup(builder) {
    const { browser } = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8')) as {
      readonly browser: Readonly<Record<string, string>>;
    };
    const source = (file: string): string => join(client, file.replace('/dist/', '/src/'));
    const replaced = new Map(Object.entries(browser).map(([from, to]) => [source(from), source(to)]));
    builder.onResolve({ filter: /^\.{1,2}\/.*\.js$/ }, ({ path, resolveDir }) => {
      const file = replaced.get(join(resolveDir, path));
      return file === undefined ? undefined : { path: file.replace(/\.js$/, '.ts') };
    });
  },
};

/** Module in the package with public names for a neutral path below `gen`. */
export async function publicModule(path: string): Promise<string> {
  const { name } = await publicPackage();
  return `${name}/gen/${naming.routeToWire(path)}`;
}

/** Formats a size for benchmark output. */
export function kB(bytes: number): string {
  return `${(bytes / 1000).toFixed(3)} kB`;
}
