import { publicNaming } from '@hubwatch/client';
import { readRpcResult, type RpcMethod } from '@hubwatch/client/rpc';
import { readChainEvent } from '@hubwatch/client/websocket';
import { typedEvents } from '@hubwatch/types/gen/events/typed';
import { decodeBinary as walkBinary } from '@hubwatch/types/runtime/binary';
import { decodeBinary, fromJsonText } from '@hubwatch/types/runtime/decode';
import { readEvent, type TypedAttribute } from '@hubwatch/types/runtime/event';
import { fromJson as walkJson, parseJson } from '@hubwatch/types/runtime/json';
import { type Absence, type IsVisited, type Path, withoutFields, withoutMembers } from './absent-members.js';
import { Counts } from './counts.js';
import { divergence } from './divergence.js';
import { knownMethods } from './known-methods.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';
import { chainFolders } from './recorded-chain.js';
import { readBlocks, type ReadGroup, readGroups } from './recordings.js';
import { recordedEvents, recordedResults } from './rpc-recordings.js';
import { settled } from './settled.js';

/** An absent member affects nothing but itself. */
export const optionalMembers: Proof = {
  name: 'optional-members',
  about:
    'Each member of each recorded response, dropped, null and empty in turn: the rest is read as before, no list is shorter.',
  defaultRuns: 60,
  run: (options) => settled(() => prove(options)),
};

/**
 * Consensus RPC members without which a response is meaningless: its height, its hash, its count, or the object that
 * contains them. Such a response is refused with the name of the member.
 */
const neededMembers: Readonly<Record<string, RegExp>> = {
  status: /^sync_info(\.(latest|earliest)_block_height)?$/,
  net_info: /^n_peers$/,
  block: /^block\.header(\.height)?$/,
  block_by_hash: /^block\.header(\.height)?$/,
  block_results: /^height$/,
  block_search: /^(total_count|blocks\.\d+\.block\.header(\.height)?)$/,
  header: /^header\.height$/,
  header_by_hash: /^header\.height$/,
  blockchain: /^block_metas\.\d+\.header(\.height)?$/,
  commit: /^signed_header(\.header(\.height)?)?$/,
  tx: /^(hash|height)$/,
  tx_search: /^(total_count|txs\.\d+(\.hash|\.height))$/,
  validators: /^(count|total)$/,
  abci_info: /^response$/,
  abci_query: /^response(\.code)?$/,
  unconfirmed_txs: /^(n_txs|total)$/,
  num_unconfirmed_txs: /^(n_txs|total)$/,
  broadcast_tx_async: /^code$/,
  broadcast_tx_sync: /^code$/,
  genesis: /^genesis$/,
  consensus_state: /^round_state(\.(height|round|step|height\/round\/step))?$/,
  dump_consensus_state: /^round_state(\.(height|round|step|height\/round\/step))?$/,
  'event NewBlock': /^(type|value|value\.block|value\.block\.header(\.height)?)$/,
  'event NewBlockHeader': /^(type|value|value\.header(\.height)?)$/,
  'event Tx': /^(type|value|value\.TxResult(\.height)?)$/,
};

/** Parts of a response that the client returns unchanged under one name. */
const givenWhole: readonly RegExp[] = [
  / round_state\./,
  / genesis\.app_state\./,
  /Query\/SmartContractState#\S* data\./,
];

class Checks {
  readonly counts = new Counts();
  readonly problems: string[] = [];
  passed = 0;
  total = 0;

  /** Checks one response with one member absent. */
  check<T>(
    claim: string,
    place: string,
    whole: unknown,
    { how, path, value }: Absence<T>,
    read: (value: T) => unknown,
  ) {
    const needed = neededMembers[claim]?.test(path.join('.')) ?? false;
    const problem = this.problemOf(
      whole,
      `${place} ${path.join('.')}`,
      path,
      needed,
      () => read(value),
      claim === 'typed events' ? 1 : 0,
    );
    this.total++;
    if (problem === undefined) this.passed++;
    else this.problems.push(`${claim}, ${place}: ${path.join('.')} ${how}: ${problem}`);
    this.counts.add(claim, problem === undefined);
  }

  private problemOf(
    whole: unknown,
    at: string,
    path: Path,
    needed: boolean,
    read: () => unknown,
    least: number,
  ): string | undefined {
    let form: unknown;
    try {
      form = read();
    } catch (error) {
      const { message } = error as Error;
      if (!needed) return message;
      return message.includes(String(path.at(-1))) ? undefined : `the refusal does not name the member: ${message}`;
    }
    const other = divergence(whole, form);
    if (other === undefined || givenWhole.some((one) => one.test(at))) return undefined;
    const [asked, lost] = [indicesOf(path), indicesOf(other)];
    if (other.length >= least && lost.length >= asked.length && asked.every((index, level) => lost[level] === index))
      return undefined;
    return `${other.join('.') || 'the whole response'} is another`;
  }
}

const indicesOf = (path: Path): Path => path.filter((part) => typeof part === 'number');

function prove({ reads, chain, runs, seed, log }: ProofOptions): ProofOutcome {
  const random = new RandomSource(seed);
  const checks = new Checks();
  // Visits the first record of a list and a random one: all records have the same members.
  const isVisited: IsVisited = (index, count) => index < 1 || (runs === undefined && random.below(count) < 1);
  const sample = <T>(list: readonly T[]): readonly T[] =>
    runs === undefined ? list : Array.from({ length: Math.min(runs, list.length) }, () => random.pick(list));
  checkReads(checks, sample([...readGroups(reads)]), isVisited);
  for (const { method, id, result } of sample([...recordedResults()])) {
    const read = (value: unknown): unknown => readRpcResult(method as RpcMethod, value, publicNaming);
    const whole = read(result);
    for (const absence of withoutMembers(result, isVisited)) checks.check(method, id, whole, absence, read);
  }
  for (const { kind, data } of sample([...recordedEvents()])) {
    const read = (value: unknown): unknown => readChainEvent(value, publicNaming);
    const whole = read(data);
    for (const absence of withoutMembers(data, isVisited)) checks.check(`event ${kind}`, kind, whole, absence, read);
  }
  for (const folder of chainFolders(chain)) checkEvents(checks, folder, random, runs);
  for (const problem of checks.problems.slice(0, 40)) log(problem);
  const { passed, total, problems, counts } = checks;
  return { passed, total, counterExample: problems[0], figures: counts.figures() };
}

/** Checks reads over REST and over gRPC, with both decoders. `abci_query` returns the same bytes as gRPC. */
function checkReads(checks: Checks, groups: readonly (readonly [string, ReadGroup])[], isVisited: IsVisited) {
  for (const [group, { grpc, rest }] of groups) {
    const method = knownMethods.get(grpc?.neutral_method ?? rest?.neutral_method ?? '');
    if (method === undefined) continue;
    const { response } = method;
    if (rest?.got.status === 200) {
      const json = parseJson(rest.got.body ?? '');
      const whole = walkJson(response, json, publicNaming);
      for (const absence of withoutMembers(json, isVisited)) {
        checks.check('rest', group, whole, absence, (value) => walkJson(response, value, publicNaming));
        checks.check('rest, compiled', group, whole, absence, (value) =>
          fromJsonText(response, JSON.stringify(value, exact), publicNaming),
        );
      }
    }
    if (grpc?.got.code === 0) {
      const bytes = Buffer.from(grpc.got.body ?? '', 'base64');
      const whole = walkBinary(response, bytes, publicNaming);
      for (const absence of withoutFields(response, bytes, publicNaming, isVisited)) {
        checks.check('grpc', group, whole, absence, (value) => walkBinary(response, value, publicNaming));
        checks.check('grpc, compiled', group, whole, absence, (value) => decodeBinary(response, value, publicNaming));
      }
    }
  }
}

/**
 * Numbers beyond 2^53 do not occur unquoted in these values; a bigint from the exact reader is written in its original
 * form.
 */
function exact(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

/** Checks typed events of a chain: an absent attribute gets its default, an unreadable one is reported. */
function checkEvents(checks: Checks, folder: string, random: RandomSource, runs: number | undefined): void {
  const blocks = [...readBlocks(folder)];
  const some = runs === undefined ? blocks : Array.from({ length: runs }, () => random.pick(blocks));
  for (const { height, begin_block, txs, end_block } of some) {
    for (const { type, attributes } of [...begin_block, ...txs.flatMap(({ events }) => events), ...end_block]) {
      const table = Object.hasOwn(typedEvents, type) ? typedEvents[type]?.() : undefined;
      if (table === undefined) continue;
      const json = attributes.map(([key, value]) => ({ key, value }));
      const read = (value: unknown): unknown => {
        const list = (value as Partial<TypedAttribute>[]).map(({ key = '', value: text = null }) => ({
          key: (key as string | null) ?? '',
          value: text,
        }));
        return readEvent(table, list, publicNaming).value;
      };
      const whole = read(json);
      for (const absence of withoutMembers(json, () => true)) {
        // Attributes become members: their indices are not list indices of the form.
        checks.check('typed events', `${type} at ${height}`, whole, { ...absence, path: ['attributes'] }, read);
      }
    }
  }
}
