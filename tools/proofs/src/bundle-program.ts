import { build } from 'esbuild';
import { join } from 'node:path';

/**
 * Writes a program of this package as one file, except for the native library: it starts faster than many.
 *
 * @param entry path in `src`
 * @param folder below this package, so that the program finds what is not bundled
 */
export async function bundleProgram(entry: string, folder: string): Promise<string> {
  const outfile = join(folder, 'program.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, '../src', entry)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@hubwatch/source'],
    external: ['libsql'],
    // Some of what is bundled is not written as modules.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    outfile,
    logLevel: 'silent',
  });
  return outfile;
}
