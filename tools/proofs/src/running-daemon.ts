import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The monitor in a separate process that can be killed. */
export interface RunningDaemon {
  /** Base URL of its web server. */
  readonly url: string;
  /**
   * Reads a path. Each request uses its own connection: a kept-alive one would be closed by the daemon between the
   * reads of a proof that plays blocks. @throws Error with the daemon's output if it has ended
   */
  read(path: string): Promise<string>;
  /** Ends the process like a power cut. */
  kill(): Promise<void>;
}

/**
 * Starts `hubwatch run`, with additional Node options, in an environment. @throws Error with its output if it ends
 * before it listens
 */
export async function runDaemon(
  folder: string,
  config: unknown,
  nodeOptions: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Promise<RunningDaemon> {
  const file = join(folder, 'hubwatch.yml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(config));
  const child = spawn(process.execPath, [...nodeOptions, ...programOf(), 'run', '--config', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  const printed = printedBy(child);
  const url = await listening(child, printed);
  return {
    url,
    read: async (path) => {
      const ended = child.exitCode ?? child.signalCode;
      if (ended !== null) throw new Error(`hubwatch ended with ${ended}: ${printed()}`);
      return text(get(`${url}${path}`, { agent: false }));
    },
    async kill() {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGKILL')) await ended;
    },
  };
}

/** Built programs run directly; those of a source tree run with the same loader as this file. */
function programOf(): readonly string[] {
  const folder = dirname(createRequire(import.meta.url).resolve('@hubwatch/daemon/package.json'));
  return import.meta.url.endsWith('.ts')
    ? ['--conditions=@hubwatch/source', '--import', 'tsx', join(folder, 'src/main.ts')]
    : [join(folder, 'dist/main.js')];
}

/** Collects the end of a program's output. */
function printedBy(child: ChildProcess): () => string {
  let tail = '';
  const take = (chunk: Buffer): void => {
    tail = `${tail}${chunk.toString()}`.slice(-2_000);
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  return () => tail;
}

function listening(child: ChildProcess, printed: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const url = /status page (http:\/\/\S+?)\/\s/.exec(printed())?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`hubwatch ended with ${code}: ${printed()}`)));
  });
}

async function text(request: ClientRequest): Promise<string> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.setEncoding('utf8');
  let body = '';
  for await (const chunk of response) body += chunk as string;
  return body;
}
