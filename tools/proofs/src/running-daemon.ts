import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The monitor as a process of its own, which can be killed. */
export interface RunningDaemon {
  /** Base URL of its web server. */
  readonly url: string;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

/** Starts `hubwatch run`. @throws Error with what it printed when it ends before it listens */
export async function runDaemon(folder: string, config: unknown): Promise<RunningDaemon> {
  const file = join(folder, 'hubwatch.yml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(config));
  const child = spawn(process.execPath, [...programOf(), 'run', '--config', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await listening(child);
  return {
    url,
    async kill() {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGKILL')) await ended;
    },
  };
}

/** Built programs run as they are, those of a source tree through the loader that runs this file. */
function programOf(): readonly string[] {
  const folder = dirname(createRequire(import.meta.url).resolve('@hubwatch/daemon/package.json'));
  return import.meta.url.endsWith('.ts')
    ? ['--conditions=@hubwatch/source', '--import', 'tsx', join(folder, 'src/main.ts')]
    : [join(folder, 'dist/main.js')];
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const take = (chunk: Buffer): void => {
      text += chunk.toString();
      const url = /status page (http:\/\/\S+?)\/\s/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`hubwatch ended with ${code}: ${text.slice(-2_000)}`)));
  });
}
