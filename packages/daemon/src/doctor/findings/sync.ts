import { clusterMs, tipBlocks } from '../../endpoints/head.js';
import { oneLine, span, utc } from '../../words.js';
import { ageOf, type Diagnosis, lowestOf, newestOf, stateHeights, usualSkew } from '../diagnosis.js';
import { wayTitles } from '../subject.js';
import type { FindingRule } from './finding.js';

export const wrongChainFinding: FindingRule = {
  id: 'wrong-chain',
  find({ subject, engine, application }) {
    const served = engine?.chainId ?? application.chainId ?? application.newest?.chainId;
    if (subject.chainId === undefined || served === undefined || served === subject.chainId) return undefined;
    return {
      says: `The node serves ${oneLine(served, 50)}, not ${subject.chainId}`,
      advice: 'Use a node of the right chain; data from this one does not apply to it.',
    };
  },
};

/** The addresses belong to nodes of different chains, or far apart on one. */
export const differentNodes: FindingRule = {
  id: 'different-nodes',
  find({ engine, application, ways }) {
    const ids = [engine?.chainId, application.chainId];
    if (ids[0] !== undefined && ids[1] !== undefined && ids[0] !== ids[1])
      return {
        says: `The consensus RPC serves ${oneLine(ids[0], 50)}, but the application serves ${oneLine(ids[1], 50)}`,
        advice: 'The addresses belong to different nodes. Use the addresses of one node.',
      };
    const told = [...ways].flatMap(([name, { stateHeight }]) =>
      stateHeight === undefined ? [] : [{ title: wayTitles[name], stateHeight }],
    );
    const [low, high] = told.toSorted((a, b) => Number(a.stateHeight - b.stateHeight)).flatMap((one) => one);
    if (low === undefined || high === undefined || high.stateHeight - low.stateHeight <= tipBlocks) return undefined;
    return {
      says: `${low.title} answers from state ${low.stateHeight}, but ${high.title} from ${high.stateHeight}`,
      advice:
        'The addresses belong to different nodes, or to a proxy with several nodes behind it. Use the addresses of one node.',
    };
  },
};

/** Whether the node waits at the height of its upgrade: the block there is stored but not executed. */
const waitsFor = (diagnosis: Diagnosis): { readonly name: string; readonly height: bigint } | undefined => {
  const { plan } = diagnosis.application;
  const newest = newestOf(diagnosis);
  const state = lowestOf(stateHeights(diagnosis));
  if (plan === undefined || plan === 'none' || newest === undefined || state === undefined) return undefined;
  return newest.height === plan.height && state + 1n === plan.height ? plan : undefined;
};

export const stoppedForUpgrade: FindingRule = {
  id: 'stopped-for-upgrade',
  find(diagnosis) {
    const plan = waitsFor(diagnosis);
    if (plan === undefined) return undefined;
    return {
      says: `This node stopped for its upgrade ${oneLine(plan.name, 60)} at height ${plan.height}: block ${plan.height} is stored but not executed, and the state is at ${plan.height - 1n}`,
      advice: `Install the release of ${oneLine(plan.name, 60)} and start the node with it. Until then it answers from ${plan.height - 1n} and accepts transactions that no block will hold.`,
    };
  },
};

export const upgradeAhead: FindingRule = {
  id: 'upgrade-ahead',
  find(diagnosis) {
    const { plan } = diagnosis.application;
    const newest = newestOf(diagnosis);
    if (plan === undefined || plan === 'none' || newest === undefined || newest.height >= plan.height) return undefined;
    return {
      says: `The upgrade ${oneLine(plan.name, 60)} is planned for height ${plan.height}, in ${plan.height - newest.height} blocks`,
      advice: 'Prepare its release: a node with the old release stops at that height.',
    };
  },
};

export const catchingUp: FindingRule = {
  id: 'catching-up',
  find(diagnosis) {
    const { engine } = diagnosis;
    if (engine?.catchingUp !== true) return undefined;
    const age =
      engine.timeMs === undefined ? '' : `, and its latest block is ${span(ageOf(diagnosis, engine.timeMs))} old`;
    return {
      says: `The node reports that it is still catching up${age}`,
      advice: 'Wait, and do not use its data as current meanwhile. If the height does not rise, check its peers.',
    };
  },
};

/** The block is old, regardless of the sync flag. */
export const oldBlock: FindingRule = {
  id: 'old-block',
  find(diagnosis) {
    const newest = newestOf(diagnosis);
    const { engine } = diagnosis;
    if (newest?.timeMs === undefined || engine?.catchingUp === true) return undefined;
    const ageMs = ageOf(diagnosis, newest.timeMs);
    if (ageMs <= clusterMs) return undefined;
    // A node that waits for its new binary has no newer block.
    if (waitsFor(diagnosis) !== undefined || engine?.consensus === 'hangs') return undefined;
    const age = span(ageMs);
    return {
      says: `${engine === undefined ? '' : 'The node reports in sync, but '}its latest block, ${newest.height} of ${utc(newest.timeMs)}, is ${age} old`,
      advice:
        'Compare its height with another node. If the other node continues, check the log and the peers of this one: an application-hash fault or a lack of peers can stop a node. If all nodes have stopped, the chain is halted.',
    };
  },
};

export const frozen: FindingRule = {
  id: 'frozen',
  find(diagnosis) {
    const { engine, timeoutMs } = diagnosis;
    if (engine?.consensus !== 'hangs' || engine.timeMs === undefined) return undefined;
    return {
      says: `Its consensus hangs: consensus_state did not answer within ${timeoutMs / 1_000} s, and the latest block is ${span(ageOf(diagnosis, engine.timeMs))} old`,
      advice:
        'Restart the node: only a restart helps. A websocket subscription with a number or time condition on a text attribute can cause it; do not publish /websocket.',
    };
  },
};

/** Number of blocks that the state may lag behind the block store: usually 0 or 1. */
const usualLag = 10n;

export const stateBehindFinding: FindingRule = {
  id: 'state-behind',
  find(diagnosis) {
    const newest = newestOf(diagnosis);
    const state = lowestOf(stateHeights(diagnosis));
    if (newest === undefined || state === undefined || newest.height - state <= usualLag) return undefined;
    return {
      says: `The node has block ${newest.height} but answers from state ${state}, ${newest.height - state} blocks behind`,
      advice:
        'Its data about nodes, leases and accounts is outdated. If it was just started, wait; otherwise check its log.',
    };
  },
};

export const clockOff: FindingRule = {
  id: 'clock-off',
  find({ engine }) {
    const skew = engine?.skewSeconds;
    if (skew === undefined || Math.abs(skew) <= usualSkew) return undefined;
    return {
      says: `The clock of the node is ${span(Math.abs(skew) * 1_000)} ${skew > 0 ? 'ahead of' : 'behind'} the local clock`,
      advice: 'Check which of the two is wrong, and synchronise it with a time server (`timedatectl set-ntp true`).',
    };
  },
};

export const fromTheFuture: FindingRule = {
  id: 'block-of-the-future',
  find(diagnosis) {
    const newest = newestOf(diagnosis);
    if (newest?.timeMs === undefined) return undefined;
    const aheadMs = -ageOf(diagnosis, newest.timeMs);
    if (aheadMs <= 60_000) return undefined;
    return {
      says: `The latest block has the time ${utc(newest.timeMs)}, ${span(aheadMs)} after the local time`,
      advice: 'Set the clock of this machine, or check whether this chain is a replay.',
    };
  },
};

export const noPeers: FindingRule = {
  id: 'no-peers',
  find(diagnosis) {
    const { engine } = diagnosis;
    if (engine?.peers === undefined || engine.peers.inbound + engine.peers.outbound > 0) return undefined;
    // A chain with one node produces blocks without peers.
    if (engine.timeMs !== undefined && ageOf(diagnosis, engine.timeMs) <= clusterMs) return undefined;
    return {
      says: 'The node has no peers',
      advice: 'Set `seeds` or `persistent_peers` in the `[p2p]` section of config.toml, and open its p2p port.',
    };
  },
};
