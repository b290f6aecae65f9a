import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { publicProfile } from '@hubwatch/types/gen/naming/public';
import { createNaming } from '@hubwatch/types/runtime/naming-profile';
import { build, type Plugin } from 'esbuild';

const here = import.meta.dirname;
const types = resolve(here, '../../../packages/types/src');

/** Bytes of what a browser loads for `code`: bundled and minified by esbuild, then gzip at level 9. */
export async function bundleSize(code: string, plugins: readonly Plugin[] = [publicNames]): Promise<number> {
  return gzipSync(await bundle(code, plugins), { level: 9 }).length;
}

export async function bundle(code: string, plugins: readonly Plugin[] = [publicNames]): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: here, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['@hubwatch/source'],
    legalComments: 'none',
    logLevel: 'silent',
    plugins: [...plugins],
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('esbuild gave no output');
  return file.contents;
}

const naming = createNaming(publicProfile);

/** The public network's names in the generated constants, as a package has them whose names are burnt in. */
export const publicNames: Plugin = {
  name: 'public-names',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]gen[\\/](forms|methods|any)[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text
        .split('\n')
        .map((line) =>
          /^import |^} from /.test(line) ? line : line.replace(/'([^' ]*)'/g, (_, name: string) => `'${burnt(name)}'`),
        )
        .join('\n');
      return { contents, loader: 'ts' };
    });
  },
};

function burnt(name: string): string {
  if (name.startsWith('/')) return naming.routeToWire(name);
  return name.includes('.') ? naming.typeToWire(name) : name;
}

/** Stock ts-proto: the committed wire types on the reader and writer that ts-proto itself imports. */
export const stockWire: Plugin = {
  name: 'stock-wire',
  setup(builder) {
    builder.onResolve({ filter: /runtime[\\/]wire\.js$/ }, () =>
      builder.resolve('@bufbuild/protobuf/wire', { resolveDir: types, kind: 'import-statement' }),
    );
  },
};
