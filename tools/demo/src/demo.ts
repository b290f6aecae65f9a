import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { type App, createLogger, demoClock, parseConfig, startApp, stopSignal } from '@hubwatch/daemon';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { demoConfig } from './demo-config.js';
import { type Mailbox, startMailbox } from './mailbox.js';

export interface DemoOptions {
  /** `day`, `chain`, or a folder in the same format. */
  readonly chain: string;
  readonly from: number | undefined;
  /** Chain seconds per second. */
  readonly speed: number;
  readonly ports: Readonly<Record<'web' | 'grpc' | 'rest' | 'rpc', number | undefined>>;
  /** `host:port` of a mail server to use instead of the built-in mailbox. */
  readonly smtp: string | undefined;
  readonly mailTo: string;
}

/** Documented ports, used if they are free. */
const standardPorts = { web: 9190, grpc: 9090, rest: 1317, rpc: 26657 };

/** Heights a few minutes before the first incident of the two included recordings. */
const startHeights: Readonly<Record<string, number>> = { day: 902_330, chain: 901_880 };

/** Log file of the monitor, because mails and log lines in one terminal are hard to read. */
const logName = 'hubwatch.log';

const home = resolve(import.meta.dirname, '../../../.hubwatch');

/** Runs node, monitor and mailbox until a signal arrives. Returns the exit code. */
export async function runDemo(options: DemoOptions): Promise<number> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const ended = stopSignal();
  const folder = await claimFolder();
  const parts: { close(): Promise<void> }[] = [];
  try {
    const node = await startDevnode({
      mode: 'moving',
      chain: options.chain,
      speed: options.speed,
      ...(await nodePorts(options)),
      ...fromOf(options),
    });
    parts.unshift(node);
    const mailbox =
      options.smtp === undefined
        ? await startMailbox(join(folder, 'mail'), (subject) => say(`mail     ${subject}`))
        : undefined;
    if (mailbox !== undefined) parts.unshift(mailbox);
    const app = await startMonitor(node, mailbox, folder, options);
    parts.unshift(app);
    announce(say, { node, app, mailbox, folder, options });
    await ended;
    return 0;
  } catch (error) {
    throw isPortTaken(error)
      ? new Error(
          `${(error as Error).message}\nThat port is in use: name another one, or leave the option out to take a free one.`,
          { cause: error },
        )
      : error;
  } finally {
    for (const part of parts) await part.close();
  }
}

async function startMonitor(
  node: Devnode,
  mailbox: Mailbox | undefined,
  folder: string,
  options: DemoOptions,
): Promise<App> {
  const web = `127.0.0.1:${await portOrFree(options.ports.web, standardPorts.web)}`;
  const smtp = mailbox === undefined ? (options.smtp ?? '') : `${mailbox.host}:${mailbox.port}`;
  const text = demoConfig({
    node,
    web,
    smtp,
    mailTo: options.mailTo,
    store: join(folder, 'store.db'),
    nodes: watchedOf(node, 'node'),
    providers: watchedOf(node, 'prov'),
    accounts: watchedOf(node, 'acc'),
  });
  const file = join(folder, 'hubwatch.yml');
  await writeFile(file, text);
  const { startWallMs, startChainMs, speed } = node.clock;
  return startApp(parseConfig(text, file), {
    clock: demoClock({ startWallMs, startChainMs, speed }),
    logger: createLogger('warn', join(folder, logName)),
    demo: { speed: options.speed },
  });
}

/** Recreates `.hubwatch/demo`, or uses a folder next to it if another running demo uses that one. */
async function claimFolder(): Promise<string> {
  const standard = join(home, 'demo');
  const owner = Number(await readFile(join(standard, 'pid'), 'utf8').catch(() => ''));
  const folder = owner > 0 && owner !== process.pid && isRunning(owner) ? join(home, `demo-${process.pid}`) : standard;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'pid'), String(process.pid));
  return folder;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Accounts of the recording whose short name starts with `kind`, as account addresses, also for nodes and providers. */
function watchedOf({ accounts }: Devnode, kind: string): { alias: string; address: string }[] {
  return Object.entries(accounts)
    .filter(([alias]) => alias.startsWith(kind))
    .map(([alias, address]) => ({ alias, address }));
}

async function nodePorts({ ports }: DemoOptions) {
  const [grpc, rest, rpc] = await Promise.all(
    (['grpc', 'rest', 'rpc'] as const).map((name) => portOrFree(ports[name], standardPorts[name])),
  );
  return { ports: { grpc: grpc ?? 0, rest: rest ?? 0, rpc: rpc ?? 0 } };
}

function fromOf({ chain, from }: DemoOptions): { from?: number } {
  const height = from ?? startHeights[chain];
  return height === undefined ? {} : { from: height };
}

/** The requested port if given, else the documented one if it is free on loopback, else 0: the system chooses. */
async function portOrFree(asked: number | undefined, standard: number): Promise<number> {
  if (asked !== undefined) return asked;
  const isFree = await new Promise<boolean>((done) => {
    const probe = createServer();
    probe.once('error', () => done(false));
    probe.listen(standard, '127.0.0.1', () => probe.close(() => done(true)));
  });
  return isFree ? standard : 0;
}

interface Running {
  readonly node: Devnode;
  readonly app: App;
  readonly mailbox: Mailbox | undefined;
  readonly folder: string;
  readonly options: DemoOptions;
}

function announce(say: (line: string) => void, { node, app, mailbox, folder, options }: Running): void {
  const here = (path: string): string => relative(process.cwd(), path) || '.';
  say(`
hubwatch watches a replayed chain (${node.chainId}, ${options.speed} chain seconds per second). Ctrl-C ends it.

  status page      ${app.address()}/
  metrics          ${app.address()}/metrics
  node, gRPC       ${node.grpc}
  node, REST       ${node.rest}
  node, RPC        ${node.rpc}
  mails            ${mailbox === undefined ? `to ${options.mailTo} through ${options.smtp ?? ''}` : here(mailbox.folder)}
  configuration    ${here(join(folder, 'hubwatch.yml'))}
  log              ${here(join(folder, logName))}
`);
}

function isPortTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === 'EADDRINUSE') || isPortTaken(error.cause);
}
