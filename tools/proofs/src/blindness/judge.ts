import { nodeAddresses, nodeNames, roundMs, type Told } from './daemon.js';
import type { Network } from './endpoints.js';
import { allWays, type Episode, endpointNames, type Span } from './world.js';

interface Heard extends Told {
  readonly atMs: number;
  readonly subject: string;
}

const second = 1_000;
const minute = 60 * second;

/** Compares notifications with the truth. The script is its only source of truth. */
export class Judge {
  readonly all: Heard[] = [];
  readonly #network: Network;
  /** Times of rounds whose responses reached the daemon. */
  readonly #looks: number[] = [];
  /** Periods without observations: the process was stopped or stalled. */
  readonly #blind: Span[] = [];
  /** Periods in which the process was stalled; a scripted stall that falls into another one never starts. */
  readonly #stalls: Span[] = [];
  #problem: string | undefined;

  constructor(network: Network) {
    this.#network = network;
  }

  looked(atMs: number): void {
    this.#looks.push(atMs);
  }

  stopped(atMs: number): void {
    this.#blind.push({ fromMs: atMs, toMs: atMs + roundMs });
  }

  stalled(fromMs: number, toMs: number): void {
    this.#blind.push({ fromMs, toMs });
    this.#stalls.push({ fromMs, toMs });
    // The rest of the round is requested when the process resumes.
    this.#looks.push(toMs);
  }

  told({ kind, rule, title }: Told): void {
    const heard: Heard = { kind, rule, title, atMs: this.#network.nowMs, subject: title.split(':')[0] ?? '' };
    this.all.push(heard);
    const isFiring = kind === 'firing';
    const wrong = isFiring ? this.#falseAlert(heard) : this.#falseRecovery(heard);
    if (wrong !== undefined) this.#problem ??= `at ${heard.atMs / second} s: [${kind}] ${rule} "${title}": ${wrong}`;
  }

  /** Returns the first problem of the whole history, if any. */
  problem(): string | undefined {
    return this.#problem ?? this.#missing() ?? this.#lastWords();
  }

  /** Whether a condition was true at every observation that the daemon could make within the last `holdMs`. */
  #held(holdMs: number, isSo: (ms: number) => boolean, untilMs = this.#network.nowMs): boolean {
    // At the end of a stall requests time out, so nothing was observed then.
    const looks = this.#seen().filter((ms) => ms <= untilMs && ms > this.#network.nowMs - holdMs);
    const last = this.#looks.findLast((ms) => ms <= untilMs);
    return [...looks, ...(last === undefined ? [] : [last])].every(isSo);
  }

  #falseAlert({ rule, subject, atMs, title }: Heard): string | undefined {
    const { truth } = this.#network;
    const { world } = truth;
    const last = this.#looks.at(-1) ?? 0;
    const wasSo = (holdMs: number, isSo: (ms: number) => boolean, untilMs?: number): string | undefined =>
      this.#held(holdMs, isSo, untilMs) ? undefined : 'it was not so for the whole hold';
    switch (rule) {
      case 'HubEndpointDown': {
        if (title.endsWith('no answer over websocket'))
          return this.#network.wasRefusedSince(subject, atMs - 2 * minute) ? undefined : 'a websocket was opened';
        return wasSo(2 * minute, (ms) => allWays.some((way) => !truth.isUp(subject, way, ms)));
      }
      case 'HubOwnNodeDown':
        return wasSo(40 * second, (ms) => truth.isAllDown(subject, ms));
      case 'HubAllEndpointsDown':
        return wasSo(40 * second, (ms) => endpointNames.every((name) => truth.isAllDown(name, ms)));
      case 'HubChainHalted': {
        const wrong = wasSo(20 * second, (ms) => truth.hasHalted(ms));
        if (wrong !== undefined || !title.includes('upgrade height')) return wrong;
        return truth.upgrade(last)?.isWaiting === true ? undefined : 'no upgrade was due';
      }
      case 'HubHeightStalled':
        // Endpoints are compared at the end of a round; until then the previous comparison is valid.
        return wasSo(40 * second, (ms) => this.#isStill(ms), atMs - 1);
      case 'HubNodeInactive':
        return this.#readState(subject) === false ? undefined : 'the node was active when it was last read';
      case 'NodeTrouble':
        return truth.hasTrouble(nodeNames.indexOf(subject as never), atMs) ? undefined : 'there was no trouble';
      case 'HubwatchStarved':
        return this.#stalls.some(({ toMs }) => toMs <= atMs && toMs > atMs - 6 * minute) ? undefined : 'it ran';
      case 'HubwatchClockJumped':
        return world.jumps.some((one) => one.atMs <= atMs && one.atMs > atMs - 11 * minute) ? undefined : 'no step';
      default:
        return 'nothing of the kind was so';
    }
  }

  #falseRecovery({ rule, subject, atMs }: Heard): string | undefined {
    const { truth } = this.#network;
    const { world } = truth;
    const last = this.#looks.at(-1) ?? 0;
    const before = this.#looks.findLast((ms) => ms < last) ?? 0;
    const isOver = (isStill: boolean): string | undefined => (isStill ? 'it went on' : undefined);
    switch (rule) {
      case 'HubEndpointDown':
        return isOver(
          allWays.some((way) => !truth.isUp(subject, way, last)) || truth.isWebsocketBlocked(subject, last),
        );
      case 'HubOwnNodeDown':
        return isOver(truth.isAllDown(subject, last));
      case 'HubAllEndpointsDown':
        return isOver(endpointNames.every((name) => truth.isAllDown(name, last)));
      case 'HubChainHalted':
        // A block between the last two observations counts as progress, regardless of later events.
        return isOver(truth.hasHalted(last) && truth.height(last) === truth.height(before));
      case 'HubHeightStalled':
        // Progress within the last minute counts: an endpoint is reported as stuck only after a minute.
        return isOver(
          [before, last].every((ms) => this.#isStill(ms)) &&
            truth.shownHeight('own', last) ===
              truth.shownHeight('own', this.#seen().findLast((ms) => ms <= last - minute) ?? 0),
        );
      case 'HubNodeInactive':
        return isOver(this.#readState(subject) === false);
      case 'NodeTrouble':
        return isOver(truth.hasTrouble(nodeNames.indexOf(subject as never), atMs));
      case 'HubwatchStarved':
        return isOver(this.#lostMs(atMs - 9 * minute) >= 20 * second);
      case 'HubwatchClockJumped':
        return isOver(world.jumps.some((one) => one.atMs <= atMs && one.atMs > atMs - 9 * minute));
      default:
        return 'nothing of the kind was so';
    }
  }

  /** Observations with at least one result. */
  #seen(): readonly number[] {
    return this.#looks.filter((ms) => !this.#stalls.some(({ toMs }) => toMs === ms));
  }

  #isStill(ms: number): boolean {
    const { truth } = this.#network;
    return truth.has('stuck', ms) || truth.upgrade(ms)?.isWaiting === true;
  }

  /** Duration of stalls since a given time. */
  #lostMs(sinceMs: number): number {
    return this.#stalls.reduce((sum, { fromMs, toMs }) => sum + Math.max(0, toMs - Math.max(fromMs, sinceMs)), 0);
  }

  /** Whether a node was active when an endpoint last returned its record. */
  #readState(name: string): boolean | undefined {
    const node = nodeNames.indexOf(name as never);
    const atMs = this.#network.readMs.get(nodeAddresses[node] ?? '');
    return atMs === undefined ? undefined : this.#network.truth.node(node, atMs).isActive;
  }

  /** Finds an episode that lasted long enough, was observable, and was not reported. */
  #missing(): string | undefined {
    const { world } = this.#network.truth;
    for (const one of world.episodes) {
      const due = dueOf(one);
      const isDisturbed = [
        ...this.#blind,
        ...(one.kind === 'inactive' ? world.unread.filter(({ node }) => node === one.node) : []),
      ].some(({ fromMs, toMs }) => toMs > one.fromMs - 2 * minute && fromMs < one.toMs);
      if (due === undefined || isDisturbed || one.toMs - one.fromMs < due.withinMs) continue;
      if (one.kind === 'websocket' && !world.hasWebsocket) continue;
      const isTold = this.all.some(
        ({ kind, rule, subject, atMs }) =>
          kind === 'firing' &&
          rule === due.rule &&
          (due.subject === undefined || due.subject === subject) &&
          atMs >= one.fromMs &&
          atMs <= one.fromMs + due.withinMs,
      );
      if (!isTold) return `${due.rule} ${due.subject ?? ''} was not told of ${JSON.stringify(one)}`;
    }
    for (const { fromMs, toMs } of this.#stalls) {
      const isSeen = toMs - fromMs >= 20 * second;
      const isQuiet = this.#blind.some(
        (one) => one.toMs !== toMs && one.toMs > fromMs - 11 * minute && one.fromMs < toMs + minute,
      );
      if (!isSeen || isQuiet || toMs + minute > world.lengthMs) continue;
      if (!this.all.some(({ rule, kind, atMs }) => rule === 'HubwatchStarved' && kind === 'firing' && atMs >= fromMs))
        return `the stall at ${fromMs / second} s was not told`;
    }
    return undefined;
  }

  /** In the quiet period at the end every network alert is resolved, and the recovery was reported. */
  #lastWords(): string | undefined {
    const last = new Map(this.all.map((one) => [`${one.rule} ${one.subject}`, one]));
    const endMs = this.#network.truth.world.lengthMs;
    if (this.#blind.some(({ toMs }) => toMs > endMs - 2 * minute)) return undefined;
    for (const { kind, rule, title } of last.values())
      if (kind === 'firing' && !rule.startsWith('Hubwatch')) return `the last word is [firing] ${rule} "${title}"`;
    return undefined;
  }
}

/** The alert that an episode requires, and its deadline. */
const dueOf = (
  episode: Episode,
): { readonly rule: string; readonly subject?: string; readonly withinMs: number } | undefined => {
  switch (episode.kind) {
    case 'all_down':
      return { rule: 'HubAllEndpointsDown', withinMs: 60 * second + 3 * roundMs };
    case 'halt':
      return { rule: 'HubChainHalted', withinMs: 240 * second + 4 * roundMs };
    case 'upgrade':
      return { rule: 'HubChainHalted', withinMs: 60 * second };
    case 'stuck':
      return { rule: 'HubHeightStalled', subject: 'own', withinMs: 120 * second + 4 * roundMs };
    case 'inactive':
      return { rule: 'HubNodeInactive', subject: nodeNames[episode.node] ?? '', withinMs: 60 * second + 5 * roundMs };
    case 'trouble':
      return { rule: 'NodeTrouble', subject: nodeNames[episode.node] ?? '', withinMs: 2 * roundMs };
    case 'websocket':
      return { rule: 'HubEndpointDown', subject: episode.endpoint, withinMs: 180 * second + 120 * second };
    case 'down': {
      const { endpoint, ways } = episode;
      if (endpoint === 'ref') return undefined;
      if (endpoint === 'own' && ways.length === allWays.length)
        return { rule: 'HubOwnNodeDown', subject: endpoint, withinMs: 60 * second + 3 * roundMs };
      return { rule: 'HubEndpointDown', subject: endpoint, withinMs: 180 * second + 4 * roundMs };
    }
  }
};
