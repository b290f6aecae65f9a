import { installIsolated, pack, published } from '@hubwatch/bench/consumers';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { type AskingClient, type ClientSaid, startAskingClient } from './one-of-each/asking-client.js';
import { askDaemon, type DaemonSaid } from './one-of-each/asking-daemon.js';
import { type FailingEndpoint, startFailing } from './one-of-each/failing-endpoint.js';
import { type AskedOver, failureKinds } from './one-of-each/failure-kinds.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';

/** Timeout of a request, in milliseconds. */
const timeoutMs = 2_000;
/** Failing endpoints per daemon. With the working one, this is the number of sources that a poll queries. */
const together = 3;

/** How often a comparison that failed is repeated. A real difference persists. */
const mostRepeats = 3;
/** Number of daemons that run in parallel. */
const atOnce = 2;

/** Shows that client and daemon share one failure table and one pool. */
export const oneOfEach: Proof = {
  name: 'one-of-each',
  about:
    'over real sockets the packed client and daemon give the same code, retryability and next endpoint for a failure',
  defaultRuns: 12,
  run: prove,
};

interface Case {
  readonly no: number;
  readonly kind: string;
  readonly over: AskedOver;
  readonly endpoint: FailingEndpoint;
  readonly client: ClientSaid;
}

/** Cases that one daemon handles. */
interface Group {
  readonly isFinal: boolean;
  readonly members: readonly Case[];
}

async function prove({ seed, runs = 500, log }: ProofOptions): Promise<ProofOutcome> {
  const random = new RandomSource(seed);
  const packed = await pack(published);
  const installation = await installIsolated(packed, { packages: ['types', 'client', 'daemon'] });
  packed.remove();
  const node = await startDevnode({ mode: 'moving', chain: 'chain', speed: 'manual', from: 901_900 });
  const address = node.accounts['node1'];
  if (address === undefined) throw new Error('the recorded chain has no account node1');
  const client = startAskingClient(installation.folder, address, timeoutMs);
  const cases: Case[] = [];
  const problems: string[] = [];
  const codes = new Map<string, number>();
  try {
    const deal = dealer(random);
    for (let no = 0; cases.length < runs; no++) {
      const drawn = await askedByClient(client, node, random, deal(), no);
      // The client could read the response, so that this is not a failure.
      if (drawn.client.code === 'none') await drawn.endpoint.close();
      else cases.push(drawn);
    }
    for (const one of cases) codes.set(one.client.code, (codes.get(one.client.code) ?? 0) + 1);
    const groups = [...groupsOf(cases)];
    const judge = async ({ isFinal, members }: Group): Promise<void> => {
      const options = { node, address, timeoutMs, isFinal };
      const compare = async (): Promise<string[]> =>
        differences(members, await askDaemon(installation, members.map(watchedOf), options), isFinal);
      let found = await compare();
      // The daemon may have polled before it knew all endpoints, or a request may have timed out on a busy machine.
      for (let again = 0; again < mostRepeats && found.length > 0; again++) found = await compare();
      problems.push(...found);
      for (const problem of found) log(problem);
    };
    const worker = async (): Promise<void> => {
      for (let group = groups.shift(); group !== undefined; group = groups.shift()) await judge(group);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  } finally {
    client.end();
    for (const { endpoint } of cases) await endpoint.close();
    await node.close();
    installation.remove();
  }
  return {
    passed: runs - Math.min(runs, problems.length),
    total: runs,
    counterExample: problems[0],
    figures: Object.fromEntries([...codes].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Deals the kinds in random order, equally often. */
function dealer(
  random: RandomSource,
): () => { readonly kind: (typeof failureKinds)[number]; readonly over: AskedOver } {
  const all = failureKinds.flatMap((kind) => kind.over.map((over) => ({ kind, over })));
  let left: typeof all = [];
  return () => {
    if (left.length === 0) left = [...all];
    return left.splice(random.below(left.length), 1)[0] as (typeof all)[number];
  };
}

async function askedByClient(
  client: AskingClient,
  node: Devnode,
  random: RandomSource,
  { kind, over }: ReturnType<ReturnType<typeof dealer>>,
  no: number,
): Promise<Case> {
  const endpoint = await startFailing(kind.make(random, over), over, node);
  const good = { rest: node.rest, abci: node.rpc, grpc: node.grpc }[over];
  return { no, kind: kind.name, over, endpoint, client: await client.ask({ over, failing: endpoint.address, good }) };
}

const watchedOf = ({ over, endpoint }: Case) => ({
  over,
  failing: endpoint.address,
  answersOthers: endpoint.answersOthers,
});

/** Groups of non-final failures, and one group per final failure. */
function groupsOf(cases: readonly Case[]): readonly Group[] {
  const goingOn = cases.filter(({ client }) => client.wentOn);
  const groups = cases.filter(({ client }) => !client.wentOn).map((one) => ({ isFinal: true, members: [one] }));
  for (let from = 0; from < goingOn.length; from += together)
    groups.push({ isFinal: false, members: goingOn.slice(from, from + together) });
  return groups;
}

function differences(cases: readonly Case[], { failures, wentOn }: DaemonSaid, isFinal: boolean): string[] {
  return cases.flatMap(({ no, kind, over, client }, index) => {
    const daemon = failures[index];
    const ofClient = `${client.code} ${client.retryable ? 'retryable' : 'final'}, ${client.wentOn ? 'went on' : 'ended'}`;
    const ofDaemon = `${daemon?.code} ${daemon?.retryable ? 'retryable' : 'final'}, ${wentOn ? 'went on' : 'ended'}`;
    if (ofClient === ofDaemon && wentOn !== isFinal) return [];
    return [
      `case ${no}, ${kind} over ${over}: client ${ofClient} (${client.text}); daemon ${ofDaemon} (${daemon?.text})`,
    ];
  });
}
