import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseExposition } from './exposition.js';
import { eventually } from './eventually.js';

const root = resolve(import.meta.dirname, '../../..');

/** Nx passes information to its tasks through the environment; a command typed by a user has none of it. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(NX_|VITEST|NODE_ENV|npm_)/.test(name)),
);

interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exit: Promise<number | null>;
}

/** Starts through npm, like a user, in a separate process group, so that it can be signalled like by a terminal. */
function start(args: readonly string[]): Started {
  const child = spawn('npm', ['start', '--silent', '--', ...args], {
    detached: true,
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const read = (chunk: Buffer): void => void (text += chunk.toString());
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  return { child, output: () => text, exit: new Promise((done) => child.once('close', done)) };
}

describe('npm start', () => {
  it('start: prints working addresses, shows a moving head, and Ctrl-C ends everything with exit code 0', async () => {
    const started = start(['--speed', '600']);
    const address = await eventually('the metrics address', () => /metrics +(http:\S+)/.exec(started.output())?.[1]);
    const head = async (): Promise<number> => {
      const samples = parseExposition(await (await fetch(address)).text());
      return samples.get('hub_head_height{}') ?? 0;
    };
    const first = await eventually('a head', async () => (await head()) || undefined);
    await eventually('the head moves', async () => ((await head()) > first ? true : undefined));
    process.kill(-(started.child.pid ?? 0), 'SIGINT');
    expect(await started.exit).toBe(0);
    expect(started.output()).not.toMatch(/"level"|Error/);
  });

  it.each([
    [['--speed', 'fast'], '--speed fast: allowed is a number from 0.1 to 10000'],
    [['--port', '70000'], '--port 70000: allowed is a whole number from 1 to 65535'],
    [['--chian', 'day'], '--chian'],
    [['--smtp', 'foo'], '--smtp "foo": allowed is HOST:PORT'],
    [['--mail-to', 'nobody'], '--mail-to "nobody": allowed is one mail address'],
    [['--config', 'x.yml', '--speed', '1'], '--speed belongs to the demo'],
  ])('start: %j is rejected with the allowed values', async (args, message) => {
    const { exit, output } = start(args);
    expect(await exit).toBe(2);
    expect(output()).toContain(message);
    expect(output()).not.toMatch(/^\s+at /m);
  });

  it('start: an unknown chain is rejected with the available ones', async () => {
    const { exit, output } = start(['--chain', 'night']);
    expect(await exit).toBe(1);
    expect(output()).toContain('allowed are day, chain');
    expect(output()).not.toMatch(/^\s+at /m);
  });

  it('start: two demos run concurrently, each with its own folder and ports', async () => {
    const first = start([]);
    const page = /status page +(http:\S+)/;
    const firstPage = await eventually('the first page', () => page.exec(first.output())?.[1]);
    const second = start([]);
    const secondPage = await eventually('the second page', () => page.exec(second.output())?.[1]);
    expect(secondPage).not.toBe(firstPage);
    const folderOf = (text: string): string | undefined => /configuration +(\S+)\//.exec(text)?.[1];
    expect(folderOf(second.output())).not.toBe(folderOf(first.output()));
    for (const { child, exit } of [second, first]) {
      process.kill(-(child.pid ?? 0), 'SIGINT');
      expect(await exit).toBe(0);
    }
  });

  it('start: --help explains every option', async () => {
    const { exit, output } = start(['--help']);
    expect(await exit).toBe(0);
    for (const option of [
      'config',
      'chain',
      'from',
      'speed',
      'port',
      'grpc-port',
      'rest-port',
      'rpc-port',
      'smtp',
      'mail-to',
      'help',
    ]) {
      expect(output()).toContain(`--${option}`);
    }
  });
});
