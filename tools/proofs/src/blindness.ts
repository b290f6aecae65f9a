import type { Clock } from '@hubwatch/client';
import { emptyDisk, nodeAddresses, type Process, roundMs, startProcess, type Told } from './blindness/daemon.js';
import { Network, startMs } from './blindness/endpoints.js';
import { Judge } from './blindness/judge.js';
import { inSpan, randomWorld, Truth } from './blindness/world.js';
import { Counts } from './counts.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';
import { VirtualClock } from './virtual-clock.js';

/**
 * Notifications are true even if the daemon cannot see the network, is starved of CPU time, is restarted, or has a
 * wrong clock.
 */
export const blindness: Proof = {
  name: 'blindness',
  about:
    'Random histories of outages, halts, lapses, restarts, stalls, clock steps, reconnects and partial answers, through the real checks, rules and alerts: no false alert, no false recovery, only the same subject inhibited, blindness reported.',
  defaultRuns: 10_000,
  run: prove,
};

async function prove({ seed, runs = 10_000, log }: ProofOptions): Promise<ProofOutcome> {
  const counts = new Counts();
  const problems: string[] = [];
  for (let run = 0; run < runs; run += 1) {
    const truth = new Truth(randomWorld(new RandomSource(seed + run * 7_919)));
    const { problem, told } = await live(truth);
    for (const one of told) counts.add(`${one.rule} ${one.kind}`, true);
    if (problem === undefined) continue;
    problems.push(`run ${run}: ${problem} in ${JSON.stringify(truth.world)}`);
    if (problems.length <= 10) log(problems.at(-1) ?? '');
  }
  return { passed: runs - problems.length, total: runs, counterExample: problems[0], figures: counts.figures() };
}

/** Plays one history and returns its notifications and the first error in them. */
async function live(truth: Truth): Promise<{ readonly problem: string | undefined; readonly told: readonly Told[] }> {
  const { world } = truth;
  const network = new Network(truth, nodeAddresses);
  const base = new VirtualClock(startMs);
  let jumpedMs = 0;
  const clock: Clock = {
    nowMs: () => base.nowMs() + jumpedMs,
    monotonicMs: () => base.monotonicMs(),
    setTimeout: (fn, ms) => base.setTimeout(fn, ms),
  };
  const disk = emptyDisk();
  const judge = new Judge(network);
  let process: Process | undefined;
  const pass = async (toMs: number): Promise<void> => {
    const sinceMs = network.nowMs;
    network.nowMs = toMs;
    base.set(startMs + toMs);
    network.pushBlocks(sinceMs);
    await settle();
  };
  for (let atMs = 0; atMs < world.lengthMs; atMs += roundMs) {
    jumpedMs = world.jumps.reduce((sum, one) => sum + (one.atMs <= atMs ? one.byMs : 0), 0);
    await pass(atMs);
    if (world.restarts.some((one) => inSpan(one, atMs))) {
      await process?.stop();
      process = undefined;
      judge.stopped(atMs);
      continue;
    }
    process ??= startProcess(network, clock, disk, (told) => judge.told(told));
    const stall = world.stalls.find(({ fromMs }) => fromMs >= atMs && fromMs < atMs + roundMs);
    if (stall === undefined) {
      judge.looked(atMs);
      await process.round();
      continue;
    }
    // The round is in progress when the process stalls; its pending requests time out when the process resumes.
    network.isStalled = true;
    const round = process.round();
    await settle();
    base.skip(startMs + stall.toMs);
    network.nowMs = stall.toMs;
    judge.stalled(atMs, stall.toMs);
    network.timeOut();
    await round;
    atMs = Math.ceil(stall.toMs / roundMs) * roundMs - roundMs;
  }
  await process?.stop();
  return { problem: judge.problem(), told: judge.all };
}

const settle = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
