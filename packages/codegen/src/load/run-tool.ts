import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { CodegenError } from '../codegen-error.js';

/** Path of a script in an installed package, regardless of where npm has installed it. */
export function scriptOfPackage(packageName: string, script: string): string {
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve(`${packageName}/package.json`)), script);
}

/** Runs a Node script and returns its stdout. */
export function runTool(what: string, script: string, args: readonly string[], input?: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // A fixed locale and zone: the output of a tool must not depend on its environment.
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC', NO_COLOR: '1' };
    const child = spawn(process.execPath, [script, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', (cause) => reject(new CodegenError(`${what} could not be started: ${cause.message}`, { cause })));
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(out));
      else {
        const how = code === null ? `ended by ${signal}` : `exit code ${code}`;
        reject(new CodegenError(`${what} failed (${how}):\n${Buffer.concat(err).toString('utf8').trim()}`));
      }
    });
    // A tool that ends early closes its stdin; its exit code reports the reason.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
