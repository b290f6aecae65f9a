import { join } from 'node:path';
import {
  broadcastAndConfirm,
  type BroadcastMode,
  type BroadcastOutcome,
  type BroadcastRoute,
  connect,
  decodeTx,
  packMsg,
  publicNaming,
  txHash,
  writeTx,
  writeTxBody,
} from '@hubwatch/client';
import { openWebSocket } from '@hubwatch/client/websocket';
import { type Devnode, startDevnode, type TxScript } from '@hubwatch/devnode';
import { type FaultProxy, type FaultPlan, startFaultProxy } from '@hubwatch/devnode/faults';
import { AuthInfo, TxRaw } from '@hubwatch/types/gen/forms/stack/tx/v1beta1/tx';
import { msgUpdateNodeStatus } from '@hubwatch/types/gen/msgs/hub/node/v3/msg-service';
import { allMsgs } from '@hubwatch/types/gen/msgs/all';
import { decodeBinary, encodeBinary } from '@hubwatch/types/runtime/binary';
import type { Msg } from '@hubwatch/types/runtime/msg';
import { Counts } from './counts.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';
import { readBlocks, recordingsFolder } from './recordings.js';

/** The outcome reported to a sender matches the node's handling of the transaction. */
export const broadcastProof: Proof = {
  name: 'broadcast',
  about:
    'Transactions sent over RPC, gRPC and REST, with faults between the hand-over and its answer, get the outcome that the node gave them, and reach it at most once; over real sockets.',
  defaultRuns: 400,
  run: prove,
};

/** Longer than any response takes that arrives eventually. */
const patientMs = 20_000;

/** The node's handling of the transaction. */
const fates = ['included', 'failed', 'rejected', 'known', 'lost', 'late'] as const;
type Fate = (typeof fates)[number];

/** Faults in transit. `answer` faults occur after the node has received the transaction, `request` faults before. */
const faults = [
  'none',
  'none',
  'answer cut',
  'answer reset',
  'no answer',
  'answer garbled',
  'page instead',
  'too many',
  'nobody',
] as const;
type Fault = (typeof faults)[number];

interface Case {
  readonly fate: Fate;
  readonly fault: Fault;
  readonly over: 'rpc' | 'grpc' | 'rest';
  readonly mode: BroadcastMode;
  readonly isWatched: boolean;
}

async function prove({ seed, runs = 400, log }: ProofOptions): Promise<ProofOutcome> {
  const counts = new Counts();
  let counterExample: string | undefined;
  const check = (claim: string, problem: string | undefined): void => {
    counts.add(claim, problem === undefined);
    if (problem !== undefined) counterExample ??= problem;
  };
  for (const bytes of recordedTxs()) check('recorded transactions written again', rewritten(bytes));
  const world = await openWorld();
  const random = new RandomSource(seed);
  try {
    for (let index = 0; index < runs; index++) {
      const run = randomCase(random);
      const sent = await send(world, run, index);
      check(`${run.fault}, ${run.over}`, contradiction(run, sent, world));
    }
  } finally {
    await world.close();
  }
  const most = Math.max(0, ...world.node.received.values());
  // The node received every previously known transaction twice: once through the proof's direct call.
  check('received more than once', most <= 2 ? undefined : `a transaction came in ${most} times`);
  log(`  ${world.node.received.size} transactions came in`);
  const total = Object.values(counts.figures()).reduce((sum, figure) => sum + Number(figure.split(' of ')[1]), 0);
  return { passed: total - counts.failed, total, counterExample, figures: counts.figures() };
}

function randomCase(random: RandomSource): Case {
  const over = random.pick(['rpc', 'grpc', 'rest'] as const);
  return {
    over,
    fate: random.pick(fates),
    fault: random.pick(faults),
    mode: random.pick(
      over === 'rpc' ? (['sync', 'sync', 'async', 'commit'] as const) : (['sync', 'sync', 'async'] as const),
    ),
    isWatched: random.chance(0.3),
  };
}

interface World {
  readonly node: Devnode;
  readonly scripts: Map<string, TxScript>;
  readonly proxies: Readonly<Record<Case['over'], FaultProxy>>;
  readonly routes: Readonly<Record<Case['over'], BroadcastRoute>>;
  readonly nobody: Readonly<Record<Case['over'], BroadcastRoute>>;
  readonly lookup: ReturnType<typeof connect>;
  readonly events: Awaited<ReturnType<typeof openWebSocket>>;
  close(): Promise<void>;
}

async function openWorld(): Promise<World> {
  const scripts = new Map<string, TxScript>();
  const node = await startDevnode({
    mode: 'moving',
    chain: 'chain',
    from: 901_801,
    speed: 'manual',
    shiftTo: 'none',
    script: ({ memo }) => scripts.get(memo) ?? {},
  });
  const [rpc, rest, grpc] = await Promise.all([
    startFaultProxy({ target: node.rpc, mode: 'http' }),
    startFaultProxy({ target: node.rest, mode: 'http' }),
    startFaultProxy({ target: node.grpc, mode: 'grpc' }),
  ]);
  const closed = await startFaultProxy({ target: node.rpc, mode: 'tcp' });
  await closed.down();
  const hub = connect({ grpc: grpc.address, rest: rest.url, rpc: rpc.url, naming: publicNaming });
  const nobody = connect({ grpc: closed.address, rest: closed.url, rpc: closed.url, naming: publicNaming });
  const lookup = connect({ grpc: node.grpc, rest: node.rest, rpc: node.rpc, naming: publicNaming });
  const events = await openWebSocket({ address: node.rpc, naming: publicNaming });
  return {
    node,
    scripts,
    lookup,
    events,
    proxies: { rpc, rest, grpc },
    routes: hub as unknown as World['routes'],
    nobody: nobody as unknown as World['nobody'],
    close: async () => {
      await events.close();
      await Promise.all([hub, nobody, lookup].map((each) => each.close()));
      await Promise.all([rpc, rest, grpc].map((proxy) => proxy.close()));
      await node.close();
    },
  };
}

const codes = {
  rejected: { code: 32, codespace: 'sdk', log: 'account sequence mismatch' },
  failed: { code: 104, codespace: 'node', log: 'failed' },
};

function scriptOf(fate: Fate): TxScript {
  switch (fate) {
    case 'failed':
      return { execute: codes.failed };
    case 'rejected':
      return { check: codes.rejected };
    case 'lost':
      return { isLost: true };
    case 'late':
      return { waits: 3 };
    default:
      return {};
  }
}

function transaction(memo: string): Uint8Array {
  const message = packMsg(msgUpdateNodeStatus, { from: 'sentnode1', status: 1 }, publicNaming);
  const authInfo = encodeBinary(
    AuthInfo,
    { signerInfos: [], fee: { amount: [], gasLimit: 200_000n, payer: '', granter: '' }, tip: undefined },
    publicNaming,
  );
  return writeTx(writeTxBody({ messages: [message], memo }, publicNaming), authInfo, [new Uint8Array(64)]);
}

interface Sent {
  readonly outcome: BroadcastOutcome;
  readonly tx: Uint8Array;
  /** Whether the node received it from the sender before the sender gave up. */
  readonly came: boolean;
}

/** Only the submission has a time limit. A search ends when the node can no longer return a result for the transaction. */
async function send(world: World, run: Case, index: number): Promise<Sent> {
  const { node, scripts, proxies, lookup } = world;
  const memo = `run ${index}`;
  const tx = transaction(memo);
  const hash = txHash(tx);
  scripts.set(memo, scriptOf(run.fate));
  if (run.fate === 'known') await lookup.rpc?.call('broadcast_tx_sync', { tx });
  proxies[run.over].follow(planOf(run.fault));
  let [isHandedOver, isOver, looks] = [false, false, 0];
  const route = told((run.fault === 'nobody' ? world.nobody : world.routes)[run.over], () => (isHandedOver = true));
  const around = told(lookup[run.over] as BroadcastRoute, () => looks++);
  const hasCome = (): boolean => (node.received.get(hash) ?? 0) > Number(run.fate === 'known');
  const giveUp = new AbortController();
  const sending = broadcastAndConfirm(route, tx, {
    mode: run.mode,
    timeoutMs: isAnswered(run) ? patientMs : 120,
    confirmMs: patientMs,
    everyMs: 15,
    lookup: around,
    signal: giveUp.signal,
    ...(run.isWatched ? { events: world.events } : {}),
  }).finally(() => {
    isOver = true;
  });
  let came: boolean | undefined;
  for (let moves = 0; !isOver; ) {
    await Promise.race([sending, new Promise((resolve) => setTimeout(resolve, 10))]);
    const isInBlockSoon = hasCome() && inBlocks.includes(run.fate);
    if (isInBlockSoon && moves < mostMoves) {
      await node.advanceTo(node.position().height + 1);
      moves++;
    } else if (isHandedOver && !isInBlockSoon && looks >= 2 && came === undefined) {
      came = hasCome();
      giveUp.abort();
    }
  }
  const outcome = await sending;
  came ??= hasCome();
  // Clears all waiting transactions, so that the next run starts with an empty mempool.
  await node.advanceTo(node.position().height + 1);
  return { outcome, tx, came: came || 'tx' in outcome };
}

/** Fates in which a block includes the transaction, and the maximum number of blocks until then. */
const inBlocks: readonly Fate[] = ['included', 'failed', 'late'];
const mostMoves = 5;

/** A route that reports when a call has ended. */
function told(route: BroadcastRoute, ended: () => void): BroadcastRoute {
  const plain = route as unknown as { call(...args: unknown[]): Promise<unknown> };
  return { ...plain, call: (...args: unknown[]) => plain.call(...args).finally(ended) } as unknown as BroadcastRoute;
}

/** Whether the node's response arrives. If so, giving up early gains nothing except on a busy machine. */
function isAnswered({ fate, fault, mode }: Case): boolean {
  // These faults do not contact the node.
  if (fault === 'nobody' || fault === 'too many' || fault === 'page instead') return true;
  // A commit of a lost transaction is answered when the node gives up.
  return fault !== 'no answer' && !(mode === 'commit' && fate === 'lost');
}

function planOf(fault: Fault): FaultPlan {
  const onBroadcast = (path: string, body: string): boolean =>
    /txs$|BroadcastTx$/.test(path) || /broadcast_tx/.test(body);
  const answers = {
    'answer cut': { kind: 'cut' },
    'answer reset': { kind: 'reset' },
    'no answer': { kind: 'black-hole' },
    'answer garbled': { kind: 'garble' },
    'page instead': { kind: 'html', status: 502 },
    'too many': { kind: 'too-many' },
  } as const;
  const streams = {
    'answer cut': { kind: 'cut' },
    'answer reset': { kind: 'reset-stream', code: 2 },
    'no answer': { kind: 'black-hole' },
    'answer garbled': { kind: 'garble' },
    'page instead': { kind: 'html', status: 502 },
    'too many': { kind: 'too-many' },
  } as const;
  if (fault === 'none' || fault === 'nobody') return {};
  return {
    answer: ({ path, body }) => (onBroadcast(path, body) ? answers[fault] : undefined),
    stream: (path) => (onBroadcast(path, '') ? streams[fault] : undefined),
  };
}

/** Compares an outcome with the state and actions of the node. Returns the contradiction, if any. */
function contradiction(run: Case, { outcome, tx, came }: Sent, { node }: World): string | undefined {
  const hash = txHash(tx);
  const received = node.received.get(hash) ?? 0;
  const byUs = received - Number(run.fate === 'known');
  const what = `${run.fate} over ${run.over} ${run.mode}, ${run.fault}${run.isWatched ? ', watched' : ''}: ${outcome.outcome}`;
  if (outcome.hash !== hash) return `${what} with the hash ${outcome.hash} of ${hash}`;
  if (byUs > 1) return `${what}, sent ${byUs} times`;
  const expected = rightOutcomes(run, came);
  if (!expected.includes(outcome.outcome))
    return `${what}, which came ${byUs} times, where ${expected.join(' or ')} is right`;
  if (outcome.outcome === 'rejected_by_check_tx' && (outcome.code !== 32 || outcome.log !== codes.rejected.log))
    return `${what} with ${outcome.code} ${outcome.log}`;
  if (outcome.outcome === 'included_and_failed' && outcome.tx.code !== 104) return `${what} with ${outcome.tx.code}`;
  return undefined;
}

function rightOutcomes({ fate, fault, mode }: Case, came: boolean): readonly BroadcastOutcome['outcome'][] {
  const unknown = 'accepted_unknown';
  if (!came) {
    // Certain if nothing was sent or a proxy reported it; otherwise the transaction may have arrived.
    if (fault === 'nobody' || fault === 'too many') return ['refused_before_sending'];
    return [unknown];
  }
  if (fate === 'rejected') {
    // Without a response, or without CheckTx in it, there is no further information.
    return fault === 'none' && mode !== 'async' ? ['rejected_by_check_tx'] : [unknown];
  }
  if (fate === 'known') return fault === 'none' ? ['already_known'] : [unknown];
  if (fate === 'lost') return [unknown];
  return [fate === 'failed' ? 'included_and_failed' : 'included'];
}

/** Bytes of recorded transactions. */
function* recordedTxs(): Generator<Uint8Array> {
  for (const { txs } of readBlocks(join(recordingsFolder, 'chain')))
    for (const { tx } of txs) yield Buffer.from(tx, 'base64');
}

const msgs = new Map(allMsgs.map((msg) => [msg.typeUrl as string, msg]));

/** Compares a transaction that was decoded and encoded again with the original. Returns the difference, if any. */
function rewritten(bytes: Uint8Array): string | undefined {
  const { bodyBytes, authInfoBytes, signatures } = decodeBinary(TxRaw, bytes);
  const { body, authInfo } = decodeTx(bytes, publicNaming);
  if (body === undefined || authInfo === undefined) return `${txHash(bytes)} has no body`;
  const messages = body.messages.map((message) => {
    const msg = msgs.get(message.typeUrl);
    if (msg === undefined || !('value' in message)) throw new Error(`the message ${message.typeUrl} is not known`);
    return packMsg(msg as Msg<object>, message.value as object, publicNaming);
  });
  const again = writeTx(
    writeTxBody({ messages, memo: body.memo, timeoutHeight: body.timeoutHeight }, publicNaming),
    encodeBinary(AuthInfo, authInfo, publicNaming),
    signatures,
  );
  const isEqual = Buffer.from(again).equals(Buffer.from(bytes));
  return isEqual
    ? undefined
    : `${txHash(bytes)} is written as other bytes (${bodyBytes.length} of body, ${authInfoBytes.length} of signers)`;
}
