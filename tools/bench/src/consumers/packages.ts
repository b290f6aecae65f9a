import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Root of the workspace. */
export const workspace = resolve(import.meta.dirname, '../../../..');

/** Folder names of the published packages, dependents last. */
export const published = ['types', 'client', 'codegen', 'daemon'] as const;
export type Published = (typeof published)[number];

export interface Tarball {
  readonly name: Published;
  readonly file: string;
  /** Paths in the package, with sizes in bytes. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly packedBytes: number;
  readonly unpackedBytes: number;
}

export interface Packed<P extends Published = Published> {
  readonly tarballs: Readonly<Record<P, Tarball>>;
  remove(): void;
}

/**
 * Runs `npm pack` into a separate folder, which gives the content that `npm publish` would upload. Builds a package
 * that was never built.
 */
export async function pack<P extends Published>(names: readonly P[]): Promise<Packed<P>> {
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-packed-'));
  const unbuilt = names.filter((name) => !existsSync(join(workspace, 'packages', name, 'dist/index.d.ts')));
  if (unbuilt.length > 0) {
    const nx = join(workspace, 'node_modules/nx/dist/bin/nx.js');
    const projects = unbuilt.map((name) => `@hubwatch/${name}`).join(',');
    await run(process.execPath, [nx, 'run-many', '-t', 'build', '-p', projects], { cwd: workspace });
  }
  const packed = await Promise.all(names.map((name) => packOne(name, folder)));
  return {
    tarballs: Object.fromEntries(packed.map((tarball) => [tarball.name, tarball])) as Packed<P>['tarballs'],
    remove: () => {
      rmSync(folder, { recursive: true });
    },
  };
}

interface PackReport {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

async function packOne(name: Published, folder: string): Promise<Tarball> {
  const cwd = join(workspace, 'packages', name);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd,
    maxBuffer: 16 * 1024 * 1024,
  });
  // npm 10 and 11 print an array, npm 12 an object keyed by name.
  const report = Object.values(JSON.parse(stdout) as Record<string, PackReport>)[0];
  if (report === undefined) throw new Error(`npm pack of ${name} reported nothing`);
  const { filename, files, size, unpackedSize } = report;
  return { name, file: join(folder, filename), files, packedBytes: size, unpackedBytes: unpackedSize };
}
