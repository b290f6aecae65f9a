import { build } from 'esbuild';
import { join } from 'node:path';

/**
 * Bundles a program of this package into one file, except for the native library, because one file loads faster than many.
 *
 * @param entry path in `src`
 * @param folder output folder below this package, so that the program can resolve modules that are not bundled
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
    // Some bundled packages are CommonJS and call `require`.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    outfile,
    logLevel: 'silent',
  });
  return outfile;
}
