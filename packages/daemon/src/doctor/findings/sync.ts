import { clusterMs, tipBlocks } from '../../endpoints/head.js';
import { oneLine, span, utc } from '../../words.js';
import { ageOf, type Diagnosis, lowestOf, newestOf, stateHeights, usualSkew } from '../diagnosis.js';
import { wayTitles } from '../subject.js';
import type { FindingRule } from './finding.js';

export const wrongChain: FindingRule = {
  id: 'wrong-chain',
  find({ subject, engine, application }) {
    const served = engine?.chainId ?? application.chainId ?? application.newest?.chainId;
    if (subject.chainId === undefined || served === undefined || served === subject.chainId) return undefined;
    return {
      says: `It serves ${oneLine(served, 50)}, not ${subject.chainId}`,
      advice: 'Give the address of a node of the right chain; nothing that this one says holds for the other.',
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
        says: `The consensus RPC serves ${oneLine(ids[0], 50)}, and the application ${oneLine(ids[1], 50)}`,
        advice: 'The addresses lead to different nodes: give those of one.',
      };
    const told = [...ways].flatMap(([name, { stateHeight }]) =>
      stateHeight === undefined ? [] : [{ title: wayTitles[name], stateHeight }],
    );
    const [low, high] = told.toSorted((a, b) => Number(a.stateHeight - b.stateHeight)).flatMap((one) => one);
    if (low === undefined || high === undefined || high.stateHeight - low.stateHeight <= tipBlocks) return undefined;
    return {
      says: `${low.title} answers from state ${low.stateHeight}, and ${high.title} from ${high.stateHeight}`,
      advice: 'The addresses lead to different nodes, or to a proxy that mixes several: give those of one.',
    };
  },
};

/** Whether the node waits at the height of its upgrade: the block there is stored and not executed. */
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
      says: `This node stopped for its upgrade ${oneLine(plan.name, 60)} at height ${plan.height}: block ${plan.height} is stored and not executed, its state is that of ${plan.height - 1n}`,
      advice: `Install the release of ${oneLine(plan.name, 60)} and start the node with it. Until then it answers from ${plan.height - 1n} and takes transactions that no block will hold.`,
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
      advice: 'Have its release ready: at that height a node of the old one stops.',
    };
  },
};

export const catchingUp: FindingRule = {
  id: 'catching-up',
  find(diagnosis) {
    const { engine } = diagnosis;
    if (engine?.catchingUp !== true) return undefined;
    const age =
      engine.timeMs === undefined ? '' : `, and its newest block is ${span(ageOf(diagnosis, engine.timeMs))} old`;
    return {
      says: `It says that it is still fetching blocks${age}`,
      advice:
        'Wait, and use nothing that it says of the present meanwhile. If the height does not rise, look at its peers.',
    };
  },
};

/** The block is old, whatever the sync flag says. */
export const oldBlock: FindingRule = {
  id: 'old-block',
  find(diagnosis) {
    const newest = newestOf(diagnosis);
    const { engine } = diagnosis;
    if (newest?.timeMs === undefined || engine?.catchingUp === true) return undefined;
    const ageMs = ageOf(diagnosis, newest.timeMs);
    if (ageMs <= clusterMs) return undefined;
    // A node that waits for its program has no newer block to show.
    if (waitsFor(diagnosis) !== undefined || engine?.consensus === 'hangs') return undefined;
    const age = span(ageMs);
    return {
      says: `${engine === undefined ? '' : 'catching_up says false, but '}its newest block, ${newest.height} of ${utc(newest.timeMs)}, is ${age} old`,
      advice:
        'Compare its height with another node. If that one goes on, look at the log and the peers of this one: an application-hash fault or the lack of peers stops a node like this. If all stand, the chain does.',
    };
  },
};

export const frozen: FindingRule = {
  id: 'frozen',
  find(diagnosis) {
    const { engine, timeoutMs } = diagnosis;
    if (engine?.consensus !== 'hangs' || engine.timeMs === undefined) return undefined;
    return {
      says: `Its consensus hangs: consensus_state gave no answer in ${timeoutMs / 1_000} s, and the newest block is ${span(ageOf(diagnosis, engine.timeMs))} old`,
      advice:
        'Restart it: nothing else ends this. A websocket subscription with a number or time condition on a text attribute can cause it; do not publish /websocket to strangers.',
    };
  },
};

/** Blocks that the state may be behind the block store: usually none or one. */
const usualLag = 10n;

export const stateBehind: FindingRule = {
  id: 'state-behind',
  find(diagnosis) {
    const newest = newestOf(diagnosis);
    const state = lowestOf(stateHeights(diagnosis));
    if (newest === undefined || state === undefined || newest.height - state <= usualLag) return undefined;
    return {
      says: `It has block ${newest.height} and answers from state ${state}, ${newest.height - state} blocks behind`,
      advice: 'What it says of nodes, leases and accounts is old. If it was just started, wait; else look at its log.',
    };
  },
};

export const clockOff: FindingRule = {
  id: 'clock-off',
  find({ engine }) {
    const skew = engine?.skewSeconds;
    if (skew === undefined || Math.abs(skew) <= usualSkew) return undefined;
    return {
      says: `Its clock is ${span(Math.abs(skew) * 1_000)} ${skew > 0 ? 'ahead of' : 'behind'} the clock here`,
      advice: 'See which of the two is wrong, and let it follow a time server (`timedatectl set-ntp true`).',
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
      says: `Its newest block is of ${utc(newest.timeMs)}, ${span(aheadMs)} after the time here`,
      advice: 'Set the clock of this machine, or see whether this chain is a replay.',
    };
  },
};

export const noPeers: FindingRule = {
  id: 'no-peers',
  find(diagnosis) {
    const { engine } = diagnosis;
    if (engine?.peers === undefined || engine.peers.inbound + engine.peers.outbound > 0) return undefined;
    // A chain of one node gets its blocks all the same.
    if (engine.timeMs !== undefined && ageOf(diagnosis, engine.timeMs) <= clusterMs) return undefined;
    return {
      says: 'It has no peers',
      advice: 'Set `seeds` or `persistent_peers` in the `[p2p]` section of config.toml, and let its p2p port through.',
    };
  },
};
