import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { publicPackage } from '@hubwatch/bench/consumers';
import type { AnyMethod, TransportKind } from '@hubwatch/types/runtime/method';
import type { SmallMethod } from '@hubwatch/types/runtime/small/method';
import { build } from 'esbuild';

/** Methods by `<service>/<method>`, under the names of the public network. */
export interface PublicMethods {
  readonly full: ReadonlyMap<string, AnyMethod>;
  readonly small: ReadonlyMap<string, SmallMethod<AnyMethod, TransportKind>>;
}

let made: Promise<PublicMethods> | undefined;

/** Those of the package that `generate --profile public` makes, so that recorded answers need no naming; once a process. */
export function publicMethods(): Promise<PublicMethods> {
  return (made ??= loadMethods());
}

async function loadMethods(): Promise<PublicMethods> {
  const { folder } = await publicPackage();
  const load = async (module: string): Promise<unknown> =>
    import(pathToFileURL(await loadable(join(folder, 'src/gen', module))).href);
  const { allMethods } = (await load('methods/all.ts')) as { allMethods: readonly AnyMethod[] };
  const { allSmallMethods } = (await load('small/methods/all.ts')) as { allSmallMethods: PublicMethods['small'] };
  return {
    full: new Map(allMethods.map((method) => [`${method.service}/${method.name}`, method])),
    small: allSmallMethods,
  };
}

/** Where TypeScript runs as it is, that is the file; else it is bundled, with our packages left outside. */
async function loadable(file: string): Promise<string> {
  if (import.meta.url.endsWith('.ts')) return file;
  const outfile = file.replace(/\.ts$/, '.bundle.mjs');
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'silent',
  });
  return outfile;
}
