import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from './availability-types.js';

/** A folder inside the repository, so that generated code can resolve the runtime that it imports. */
export class EmittedBatch {
  readonly folder: string;

  constructor() {
    const parent = join(repositoryRoot, 'tools/proofs/.nx');
    mkdirSync(parent, { recursive: true });
    this.folder = mkdtempSync(join(parent, 'hostile-'));
    writeFileSync(join(this.folder, 'package.json'), '{ "type": "module" }\n');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Type-checks all files in one run of the native compiler. @returns the first error */
  typeFault(): string | undefined {
    const config = {
      extends: relative(this.folder, join(repositoryRoot, 'tsconfig.base.json')),
      compilerOptions: { noEmit: true, composite: false, incremental: false, customConditions: ['@hubwatch/source'] },
      include: ['./*/out'],
    };
    writeFileSync(join(this.folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(repositoryRoot, 'node_modules/@typescript/native/bin/tsc');
    const { stdout, stderr, status } = spawnSync(process.execPath, [tsc, '-p', this.folder, '--pretty', 'false'], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    return status === 0 ? undefined : `${stdout}${stderr}`.split('\n')[0];
  }

  /** Imports every module in a separate process. @returns side effects of an import, or its error */
  effectOfImports(): string | undefined {
    const modules = readdirSync(this.folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.split('/')[1] === 'out' && path.endsWith('.ts'))
      .map((path) => urlOf(join(this.folder, path)));
    const program = `
      import { readFileSync } from 'node:fs';
      const state = () => JSON.stringify([
        Object.getOwnPropertyNames(globalThis).filter((name) => !/^__esbuild|^__name$/.test(name)),
        ...[Object, Array, Function, Promise, Map].flatMap((type) => [Object.getOwnPropertyNames(type.prototype), Object.getOwnPropertyNames(type)]),
      ]);
      const before = state();
      for (const url of JSON.parse(readFileSync(0, 'utf8'))) {
        await import(url);
        if (globalThis.PWNED !== undefined || state() !== before) { console.log('effect of ' + url); process.exit(1); }
      }
      console.log('imported');`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '-C', '@hubwatch/source', '--input-type=module', '-e', program],
      { cwd: repositoryRoot, encoding: 'utf8', input: JSON.stringify(modules), maxBuffer: 2 ** 28 },
    );
    return stdout.trim() === 'imported' ? undefined : `${stdout}${stderr}`.trim().slice(0, 2000);
  }
}

/** Escapes a path for use in a URL. */
function urlOf(path: string): string {
  return pathToFileURL(path).href;
}
