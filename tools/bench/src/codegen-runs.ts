import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { workspace } from './consumers/index.js';

const cli = join(workspace, 'packages/codegen/dist/main.js');
const require = createRequire(import.meta.url);
const buf = join(dirname(require.resolve('@bufbuild/buf/package.json')), 'bin/buf');
const tsProto = require.resolve('ts-proto/protoc-gen-ts_proto');

/** The peer: ts-proto as in its readme, run by buf over the same files. */
export const peerName = 'buf and stock ts-proto';

/** A copy of the types package's inputs, without generated files. */
export class CodegenCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'hubwatch-bench-'));
  readonly #peerConfig = join(this.folder, 'buf.gen.yaml');

  constructor() {
    if (!existsSync(cli)) throw new Error(`${cli} is missing: build the packages, as npm run bench does`);
    for (const path of ['proto', 'hubwatch-codegen.yml']) {
      cpSync(join(workspace, path), join(this.folder, path), { recursive: true });
    }
    const plugin = { local: [process.execPath, tsProto], out: 'peer', strategy: 'all', opt: ['forceLong=bigint'] };
    writeFileSync(
      this.#peerConfig,
      JSON.stringify({ version: 'v2', inputs: [{ directory: 'proto' }], plugins: [plugin] }),
    );
  }

  /** Removes all generated files, including the stamp. */
  clear(): void {
    for (const path of ['packages', 'node_modules', 'peer']) {
      rmSync(join(this.folder, path), { recursive: true, force: true });
    }
    mkdirSync(join(this.folder, 'packages/types/src'), { recursive: true });
  }

  /** Runs our command line; returns the duration of the whole process in seconds, and its exit code. */
  generate(...flags: string[]): { readonly seconds: number; readonly code: number; readonly text: string } {
    return this.#run([cli, 'generate', ...flags]);
  }

  /** Runs the peer over the same proto files; returns the duration in seconds. */
  peer(): number {
    const { seconds, code, text } = this.#run([buf, 'generate', '--template', this.#peerConfig]);
    if (code !== 0) throw new Error(`${peerName} failed: ${text}`);
    return seconds;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  #run(args: readonly string[]) {
    const began = performance.now();
    const ran = spawnSync(process.execPath, args, { cwd: this.folder, encoding: 'utf8' });
    const seconds = (performance.now() - began) / 1000;
    return { seconds, code: ran.status ?? 1, text: ran.stdout + ran.stderr };
  }
}
