import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** Bundles `code` for Node and imports it, so that a peer runs as the single file that its users ship. */
export async function loadBundle<T>(code: string, resolveDir: string, plugins: readonly Plugin[] = []): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hubwatch-bench-'));
  try {
    const file = join(folder, 'bundle.mjs');
    const { outputFiles } = await build({
      stdin: { contents: code, resolveDir, loader: 'ts' },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      conditions: ['@hubwatch/source'],
      logLevel: 'silent',
      plugins: [...plugins],
    });
    await writeFile(file, outputFiles[0]?.contents ?? '');
    return (await import(pathToFileURL(file).href)) as T;
  } finally {
    await rm(folder, { recursive: true });
  }
}
