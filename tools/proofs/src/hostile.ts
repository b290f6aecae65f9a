import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unitEnvironment } from '@hubwatch/bench/consumers';
import { startDevnode } from '@hubwatch/devnode';
import { type HostileKind, hostileKinds, type SocketCount } from './hostile-peers.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { type RunningDaemon, runDaemon } from './running-daemon.js';
import { RandomSource } from './random-source.js';
import { type TurnFigures, writeTurnMeter } from './turn-meter.js';

/** Maximum number of simultaneous sockets per transport. */
const mostSockets = 2;
const mostRssBytes = 150e6;
/**
 * Longest event loop turn in processor time. The wider limit applies if the machine does not schedule the processes in
 * time.
 */
const longestTurnMs = { quiet: 50, busy: 200 };

/** Poll interval and count of the daemon, and the judged properties. */
export interface HostileSetting {
  /** Milliseconds between polls. */
  readonly everyMs: number;
  readonly timeoutMs: number;
  readonly polls: number;
  /** Whether memory and event loop turns are judged, which is only meaningful for the built daemon. */
  readonly isMeasured: boolean;
}

/** Reasons of failed requests by endpoint and interface. */
function reasonsIn(page: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const line = /^hubwatch_request_failures_total\{([^}]*)\} (\d+)/gm;
  for (const [, labels = '', count] of page.matchAll(line)) {
    const of = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1] ?? '';
    if (count === '0') continue;
    const key = `${of('endpoint')} ${of('transport')}`;
    found.set(key, (found.get(key) ?? new Set()).add(of('reason')));
  }
  return found;
}

function reconnectsIn(page: string, endpoint: string): string[] {
  const line = new RegExp(
    `^hubwatch_websocket_reconnects_total\\{endpoint="${endpoint}",reason="([a-z]+)"\\} [1-9]`,
    'gm',
  );
  return [...page.matchAll(line)].map(([, reason = '']) => reason);
}

type PeerAddresses = Readonly<Record<'rpc' | 'rest' | 'grpc', string>>;

function startPeers(): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts');
  const execArgv = isSource ? ['--conditions=@hubwatch/source', '--import', 'tsx'] : [];
  return fork(new URL(`./hostile-process.${isSource ? 'ts' : 'js'}`, import.meta.url), { execArgv });
}

/** Next message of a process. @throws Error if it ends first, or sends none because it is stuck */
async function messageOf(child: ChildProcess): Promise<unknown> {
  const signal = AbortSignal.timeout(60_000);
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`the hostile peers ended with ${String(code)}`);
  });
  const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [unknown];
  return message;
}

/** The numbers below `many` in a seeded random order. */
function shuffled(many: number, random: RandomSource): number[] {
  return Array.from({ length: many }, (_, no) => ({ no, at: random.bits() }))
    .sort((one, other) => one.at - other.at)
    .map(({ no }) => no);
}

/** Runs the daemon with the hostile peers as endpoints, in an order determined by the seed. */
export async function besideHostiles(
  { seed, log }: Pick<ProofOptions, 'seed' | 'log'>,
  setting: HostileSetting,
): Promise<ProofOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-hostile-'));
  const meter = writeTurnMeter(folder);
  const node = await startDevnode({ mode: 'moving', chain: 'chain', speed: 'manual', from: 901_900 });
  const hostiles = startPeers();
  let daemon: RunningDaemon | undefined;
  try {
    const addresses = (await messageOf(hostiles)) as readonly PeerAddresses[];
    const peers = shuffled(addresses.length, new RandomSource(seed)).map((no, index) => ({
      name: `hostile-${index}`,
      no,
      kind: hostileKinds[no] as HostileKind,
      at: addresses[no] as PeerAddresses,
    }));
    const endpoints = [
      { name: 'good', role: 'own', rpc: node.rpc, rest: node.rest, grpc: node.grpc, naming: 'public' },
      ...peers.map(({ name, at }) => ({ name, ...at, naming: 'public' })),
    ];
    const ms = (value: number): string => `${value}ms`;
    daemon = await runDaemon(
      folder,
      {
        endpoints,
        poll: { endpoints: ms(setting.everyMs), timeout: ms(setting.timeoutMs) },
        web: { listen: '127.0.0.1:0' },
        store: { path: join(folder, 'hubwatch.db') },
        log: { level: 'error' },
      },
      [`--import=${meter.module}`],
      { ...process.env, ...unitEnvironment() },
    );
    const faultsIn = (page: string): string[] => [
      ...peers.flatMap(({ name, kind }) => wrongReasons(page, name, kind)),
      ...harmOf(page, 'good', isStarved(figuresSince(meter.file))),
      ...(/^hub_endpoint_up\{[^}]*endpoint="good"[^}]*\} 1/m.test(page) ? [] : ['the good endpoint is not up']),
      ...(/^hubwatch_websocket_connected\{endpoint="good"\} 1/m.test(page)
        ? []
        : ['the good endpoint has no websocket']),
    ];
    const { page, polls, started } = await polled(daemon, setting, meter.file, (now) => faultsIn(now).length === 0);
    const figures = figuresOf(figuresSince(meter.file), started);
    const faults = [...faultsIn(page), ...(setting.isMeasured ? harmToSelf(figures) : [])];
    hostiles.send('counts');
    const counts = (await messageOf(hostiles)) as readonly (readonly SocketCount[])[];
    for (const { kind, no } of peers) {
      for (const { server, most } of counts[no] ?? []) {
        if (most > mostSockets) faults.push(`${kind.name}: ${most} sockets over ${server}`);
      }
    }
    for (const fault of faults) log(fault);
    // Each peer: reasons and sockets of three interfaces and the websocket. The good endpoint: up, websocket, four transports.
    const total = peers.length * 8 + 6 + (setting.isMeasured ? 2 : 0);
    return {
      passed: total - Math.min(total, faults.length),
      total,
      counterExample: faults.length === 0 ? undefined : faults[0],
      figures: { peers: peers.length, polls, ...shown(figures) },
    };
  } finally {
    await daemon?.kill();
    hostiles.kill('SIGKILL');
    await node.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Longest wait for every reason to appear, in milliseconds: a busy machine is late, not wrong. */
const patienceMs = 180_000;

/**
 * The metrics page after this many polls, or later if it is not yet as expected.
 *
 * @returns started: number of figures until the end of the first poll, during which the program loads its modules
 */
async function polled(
  daemon: RunningDaemon,
  { everyMs, polls }: HostileSetting,
  figuresFile: string,
  isExpected: (page: string) => boolean,
): Promise<{ readonly page: string; readonly polls: number; readonly started: number }> {
  const startedMs = performance.now();
  let started: number | undefined;
  for (let round = 1; ; round++) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    started ??= figuresSince(figuresFile).length;
    const page = await daemon.read('/metrics');
    const isOver = performance.now() - startedMs > Math.max(patienceMs, polls * everyMs);
    if ((round >= polls && isExpected(page)) || isOver) return { page, polls: round, started };
  }
}

/**
 * Contradictions to the expected reasons of a peer. A request delayed by a lack of processor time may additionally be a
 * `timeout`.
 */
function wrongReasons(page: string, name: string, kind: HostileKind): string[] {
  const reasons = reasonsIn(page);
  const wrong = (['rpc', 'rest', 'grpc'] as const).flatMap((transport) => {
    const found = [...(reasons.get(`${name} ${transport}`) ?? [])];
    const right = kind.reasons[transport];
    const isRight =
      right.some((reason) => found.includes(reason)) && found.every((one) => right.includes(one) || one === 'timeout');
    return isRight
      ? []
      : [`${kind.name} over ${transport}: ${found.join(', ') || 'no failure'}, not ${right.join(' or ')}`];
  });
  const ended = reconnectsIn(page, name);
  const isHeard = kind.listening === undefined || kind.listening.some((reason) => ended.includes(reason));
  return isHeard ? wrong : [...wrong, `${kind.name} over the websocket: ${ended.join(', ') || 'no end'}`];
}

/** The recording behind the good endpoint lacks some calls, which fail with an error: it causes these reasons itself. */
const ownReasons: readonly string[] = ['grpc', 'http'];

/**
 * Requests to the good endpoint that failed for a reason other than the node's own answer. If the machine does not
 * schedule the processes in time, a request may be late regardless of the other endpoints.
 */
function harmOf(page: string, endpoint: string, mayBeLate: boolean): string[] {
  const allowed = mayBeLate ? [...ownReasons, 'timeout'] : ownReasons;
  return [...reasonsIn(page)].flatMap(([key, reasons]) => {
    const foreign = [...reasons].filter((reason) => !allowed.includes(reason));
    return key.startsWith(`${endpoint} `) && foreign.length > 0 ? [`${key}: ${foreign.join(', ')}`] : [];
  });
}

/** Whether the machine did not schedule the daemon: a long time between two turns with little processor time. */
function isStarved(seconds: readonly TurnFigures[]): boolean {
  return seconds.some(({ wallMs, cpuMs }) => wallMs > 200 && wallMs > 2 * cpuMs);
}

/** Figures for each second since the start of the program. */
function figuresSince(file: string): readonly TurnFigures[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as TurnFigures);
}

interface Figures {
  readonly turnCpuMs: number;
  readonly turnWallMs: number;
  readonly rssBytes: number;
  readonly seconds: number;
  readonly machine: 'busy' | 'quiet';
}

/** Memory figures since the start of the program, turn figures since the end of the start-up. */
function figuresOf(all: readonly TurnFigures[], started: number): Figures {
  const settled = all.slice(started);
  const most = (of: (figures: TurnFigures) => number): number => Math.max(0, ...settled.map(of));
  return {
    turnCpuMs: most(({ cpuMs }) => cpuMs),
    turnWallMs: most(({ wallMs }) => wallMs),
    rssBytes: most(({ mostRssBytes }) => mostRssBytes),
    seconds: settled.length,
    machine: isStarved(settled) ? 'busy' : 'quiet',
  };
}

const shown = ({ turnCpuMs, turnWallMs, rssBytes, seconds, machine }: Figures): Record<string, string | number> => ({
  'longest turn, processor': `${turnCpuMs.toFixed(0)} ms (limit ${longestTurnMs[machine]} ms on a ${machine} machine)`,
  'longest turn, wall': `${turnWallMs.toFixed(0)} ms`,
  'most RSS': `${(rssBytes / 1e6).toFixed(0)} MB (limit ${mostRssBytes / 1e6} MB)`,
  seconds,
});

function harmToSelf({ turnCpuMs, rssBytes, machine }: Figures): string[] {
  const limitMs = longestTurnMs[machine];
  return [
    ...(rssBytes > mostRssBytes ? [`RSS of ${(rssBytes / 1e6).toFixed(0)} MB`] : []),
    ...(turnCpuMs > limitMs ? [`a turn of ${turnCpuMs.toFixed(0)} ms of processor time, limit ${limitMs} ms`] : []),
  ];
}

export const hostile: Proof = {
  name: 'hostile',
  about:
    'beside 24 hostile endpoints of distinct kinds the daemon names the right reason for each, keeps a good endpoint unaffected, opens two sockets per transport at most, and stays within its memory and turns',
  defaultRuns: 1,
  run: (options) => {
    const polls = options.runs ?? 12;
    return besideHostiles(options, { everyMs: 5_000, timeoutMs: 4_000, polls, isMeasured: true });
  },
};
