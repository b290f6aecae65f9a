import { isDeepStrictEqual } from 'node:util';
import { connect, publicNaming } from '@hubwatch/client';
import { writeAbciRequest } from '@hubwatch/client/abci';
import { writeGrpcRequest } from '@hubwatch/client/grpc';
import { writeRestRequest } from '@hubwatch/client/rest';
import { readRpcResult, type RpcMethod } from '@hubwatch/client/rpc';
import { decodeTx, packMsg, writeTxBody } from '@hubwatch/client/tx';
import { eventQuery, readChainEvent } from '@hubwatch/client/websocket';
import { readSpec } from '@hubwatch/codegen';
import { startDevnode } from '@hubwatch/devnode';
import { TxBody } from '@hubwatch/types/gen/forms/stack/tx/v1beta1/tx';
import { msgGrant } from '@hubwatch/types/gen/msgs/stack/authz/v1beta1/msg';
import { messageByName } from '@hubwatch/types/gen/registry';
import { decodeBinary, encodeBinary } from '@hubwatch/types/runtime/binary';
import { decodeBinary as decodeFast, fromJson as fromJsonFast, fromJsonText } from '@hubwatch/types/runtime/decode';
import { fromJson, toGatewayJson } from '@hubwatch/types/runtime/json';
import type { AnyMethod } from '@hubwatch/types/runtime/method';
import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import { fromProtoJson, toProtoJson } from '@hubwatch/types/runtime/proto-json';
import type { MessageTable } from '@hubwatch/types/runtime/table';
import { repositoryRoot } from './availability-types.js';
import { Counts } from './counts.js';
import { parametersOf } from './golden-requests.js';
import { knownMethods } from './known-methods.js';
import { carryingFields, eventOf, markedFields, type Named, plainTable, textOf } from './marked-fields.js';
import { wireText, wordLeft } from './network-words.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';
import { chainFolders } from './recorded-chain.js';
import { abciResult, readBlocks, type ReadGroup, readGroups, type ReadRow, type RecordedBlock } from './recordings.js';
import { recordedEvents, recordedResults } from './rpc-recordings.js';

/** Names inside texts are mapped like all other names. */
export const namesInText: Proof = {
  name: 'names-in-text',
  about:
    'Every text that the spec marks, and every recorded request, response and transaction, is the same under neutral names and under those of the network.',
  defaultRuns: 3,
  run: prove,
};

type Form = Readonly<Record<string, unknown>>;
type Check = (claim: string, place: string, good: boolean | undefined | string) => void;

async function prove({ seed, runs, reads, chain, log }: ProofOptions): Promise<ProofOutcome> {
  const counts = new Counts();
  const problems: string[] = [];
  let total = 0;
  const check: Check = (claim, place, found) => {
    total++;
    const good = found === true || found === undefined;
    counts.add(claim, good);
    if (!good) problems.push(`${claim}, ${place}${typeof found === 'string' ? `: ${found}` : ''}`);
  };
  const spec = await readSpec(repositoryRoot);
  const marked = markedFields(spec);
  const carrying = new Set(carryingFields());
  for (const name of Object.keys(spec.names.fields)) check('marks of the spec in the tables', name, carrying.has(name));
  for (const name of carrying) check('marks of the tables in the spec', name, Object.hasOwn(spec.names.fields, name));
  for (let run = 0; run < (runs ?? 3); run++) {
    for (const [index, { name, carries, table, field }] of marked.entries()) {
      const world = seed + run * 1_000_003 + index;
      const write = (named: Named): Form => {
        const random = new RandomSource(world);
        const text = (): string => textOf(carries, random, named);
        if (field.oneof !== undefined) return { messageRequest: { $case: field.prop, value: text() } };
        return { [field.prop]: field.repeated ? [text(), text()] : text() };
      };
      checkForm(check, `${name}, seed ${world}`, table, write);
    }
    for (const name of spec.names.events) {
      const world = seed + run;
      const write = (named: Named): Form => ({ ...eventOf(new RandomSource(world), named) });
      checkForm(check, `${name}, seed ${world}`, messageByName(name) as MessageTable, write);
    }
  }
  const random = new RandomSource(seed);
  // Without a number of runs, all recordings are checked.
  const some = <T>(list: readonly T[], share: number): readonly T[] =>
    runs === undefined ? list : list.filter(() => random.chance(share));
  checkReads(check, some([...readGroups(reads)], 0.05 * (runs ?? 1)));
  checkRpc(check);
  for (const folder of chainFolders(chain)) checkTxs(check, some([...readBlocks(folder)], 0.05 * (runs ?? 1)));
  checkSigned(check);
  await checkSockets(check);
  for (const problem of problems.slice(0, 20)) log(problem);
  return { passed: total - problems.length, total, counterExample: problems[0], figures: counts.figures() };
}

const same: Named = (text) => text;

/** Encodes and decodes one form under both namings with every codec. */
function checkForm(check: Check, place: string, table: MessageTable, write: (named: Named) => Form): void {
  const plain = plainTable(table);
  const whole = (form: Form): Form => decodeBinary(plain, encodeBinary(plain, form)) as Form;
  const [neutral, wire] = [whole(write(same)), whole(write(wireText))];
  for (const [words, form, naming] of [
    ['network', wire, publicNaming],
    ['neutral', neutral, identityNaming],
  ] as const) {
    const bytes = encodeBinary(table, neutral, naming);
    check(`marked fields written, ${words}`, place, isDeepStrictEqual(decodeBinary(plain, bytes), form));
    check(`marked fields read, ${words}`, place, isDeepStrictEqual(decodeBinary(table, bytes, naming), neutral));
    check(
      `marked fields read by compiled code, ${words}`,
      place,
      isDeepStrictEqual(decodeFast(table, bytes, naming), neutral),
    );
    const text = toGatewayJson(table, neutral, naming);
    check(`marked fields printed, ${words}`, place, text === toGatewayJson(plain, form));
    for (const read of [fromJson, fromJsonFast]) {
      check(
        `marked fields of JSON, ${words}`,
        place,
        isDeepStrictEqual(read(table, JSON.parse(text), naming), neutral),
      );
    }
    const proto = toProtoJson(table, neutral, naming);
    check(`marked fields of protobuf JSON, ${words}`, place, proto === toProtoJson(plain, form));
    check(
      `marked fields of protobuf JSON, ${words}`,
      place,
      isDeepStrictEqual(fromProtoJson(table, JSON.parse(proto), naming), neutral),
    );
  }
}

/** Recorded requests are described with neutral names, also inside texts, and were sent with the network's names. */
function checkReads(check: Check, groups: readonly (readonly [string, ReadGroup])[]): void {
  for (const [group, rows] of groups) {
    const method = knownMethods.get((rows.grpc ?? rows.rest)?.neutral_method ?? '');
    if (method === undefined) continue;
    for (const row of Object.values(rows)) checkRequest(check, group, method, row);
    if (rows.grpc?.got.code !== 0) continue;
    const bytes = Buffer.from(rows.grpc.got.body ?? '', 'base64');
    checkResponse(check, group, method, bytes);
    const abci = (abciResult(rows.abci)?.response as { value?: string } | undefined)?.value;
    if (abci !== undefined && rows.grpc.unpinned !== true)
      checkResponse(check, group, method, Buffer.from(abci, 'base64'));
    if (rows.rest?.got.status !== 200) continue;
    const form = fromJsonText(method.response, rows.rest.got.body ?? '', publicNaming);
    check('responses over rest without a word of the network', group, wordLeft(form));
    const neutral = toGatewayJson(method.response, form as object, identityNaming);
    check(
      'responses over rest as under neutral names',
      group,
      isDeepStrictEqual(fromJsonText(method.response, neutral, identityNaming), form),
    );
  }
}

function checkResponse(check: Check, group: string, method: AnyMethod, bytes: Uint8Array): void {
  const form = decodeBinary(method.response, bytes, publicNaming);
  check('responses as bytes without a word of the network', group, wordLeft(form));
  const neutral = encodeBinary(method.response, form as object, identityNaming);
  check(
    'responses as bytes as under neutral names',
    group,
    isDeepStrictEqual(decodeBinary(method.response, neutral), form),
  );
}

function checkRequest(check: Check, group: string, method: AnyMethod, row: ReadRow): void {
  const { request, sent, transport } = row;
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return;
  // Identifiers of ibc clients are data and are never mapped, but the description of the request maps them.
  const described: unknown = JSON.parse(JSON.stringify(request).replaceAll('07-bft', '07-tendermint'));
  const form = fromProtoJson(method.request, described) as object;
  const height = row.height === null ? undefined : BigInt(row.height);
  const claim = `requests over ${transport} in neutral names`;
  if (transport === 'grpc') {
    const { path, message } = writeGrpcRequest(method, form, height, publicNaming);
    check(claim, group, path === sent.path && Buffer.from(message).toString('base64') === sent.message);
  } else if (transport === 'abci') {
    const { path, data } = writeAbciRequest(method, form, height, publicNaming);
    const { params } = JSON.parse(sent.body ?? '{}') as { params: Record<string, unknown> };
    check(claim, group, path === params['path'] && data === params['data']);
  } else {
    const written = writeRestRequest(method, form, height, publicNaming);
    if (written.body !== undefined) return;
    const equal = isDeepStrictEqual(parametersOf(written.target), parametersOf(sent.target ?? ''));
    check(claim, group, equal || `${written.target} where ${sent.target} was sent`);
  }
}

/** Results that contain raw JSON are returned unchanged: the application's genesis and the state of the consensus rounds. */
const given: ReadonlySet<string> = new Set(['genesis', 'genesis_chunked', 'consensus_state', 'dump_consensus_state']);

function checkRpc(check: Check): void {
  for (const { method, id, result } of recordedResults()) {
    if (given.has(method)) continue;
    // The application name is chosen by the node.
    const read = readRpcResult(method as RpcMethod, result, publicNaming) as { readonly data?: unknown };
    const rest =
      method === 'abci_info' ? Object.fromEntries(Object.entries(read).filter(([name]) => name !== 'data')) : read;
    check(
      'results of the consensus RPC without a word of the network',
      id,
      isFailure(read) ? undefined : wordLeft(rest),
    );
  }
  for (const { kind, data } of recordedEvents()) {
    check('events of the websocket without a word of the network', kind, wordLeft(readChainEvent(data, publicNaming)));
  }
}

/** The text of a refusal quotes names as the node knows them. */
function isFailure(result: object): boolean {
  return 'log' in result && 'code' in result && result.code !== 0;
}

function checkTxs(check: Check, blocks: readonly RecordedBlock[]): void {
  for (const { height, txs } of blocks) {
    for (const { tx, hash } of txs) {
      const { body } = decodeTx(Buffer.from(tx, 'base64'), publicNaming);
      if (body === undefined) continue;
      check('transactions without a word of the network', `${hash} at ${height}`, wordLeft(body.messages));
      const neutral = decodeBinary(TxBody, encodeBinary(TxBody, body, identityNaming));
      check('transactions as under neutral names', `${hash} at ${height}`, isDeepStrictEqual(neutral, body));
    }
  }
}

/** Checks a transaction to be signed: a grant, which names a message inside a text. */
function checkSigned(check: Check): void {
  const value = {
    granter: 'a',
    grantee: 'b',
    grant: {
      authorization: {
        typeUrl: '/stack.authz.v1beta1.GenericAuthorization',
        value: { msg: '/hub.node.v3.MsgUpdateNodeStatusRequest' },
      },
    },
  } as const;
  const bytes = writeTxBody({ messages: [packMsg(msgGrant, value, publicNaming)] }, publicNaming);
  const text = Buffer.from(bytes).toString('latin1');
  check(
    'signed transactions',
    'grant',
    text.includes('/sentinel.node.v3.MsgUpdateNodeStatusRequest') && !/hub\.|stack\./.test(text),
  );
  const [message] = decodeBinary(TxBody, bytes, publicNaming).messages;
  const held = (message?.value as typeof value | undefined)?.grant.authorization.value.msg;
  check('signed transactions', 'grant read again', held === value.grant.authorization.value.msg);
}

/** Checks the client against the simulated node, which uses the network's names. */
async function checkSockets(check: Check): Promise<void> {
  const node = await startDevnode({ mode: 'moving', chain: 'chain', speed: 'manual', from: 902_400, shiftTo: 'none' });
  const hub = connect({ rpc: node.rpc, naming: publicNaming });
  try {
    const action = '/hub.node.v3.MsgUpdateNodeStatusRequest';
    const typed = await hub.rpc.call('tx_search', { query: eventQuery('Tx').is('message.action', action) });
    check('searches over sockets', 'typed', typed.totalCount > 0n);
    const text = await hub.rpc.call('tx_search', { query: `message.action='${action}'` });
    check('searches over sockets', 'text', text.totalCount === typed.totalCount);
    const none = await hub.rpc.call('tx_search', { query: `transfer.sender='${action}'` });
    check('searches over sockets', 'an attribute without names', none.totalCount === 0n);
    const blocks = await hub.rpc.call('block_search', {
      query: eventQuery('NewBlock').exists('hub.lease.v1.EventPay.lease_id'),
    });
    check('searches over sockets', 'blocks', blocks.totalCount > 0n);
    const { code } = await hub.rpc.call('abci_query', { path: '/hub.node.v3.QueryService/QueryParams' });
    check('searches over sockets', 'path of a query', code === 0);
    check(
      'searches over sockets',
      'results',
      typed.txs.map(({ result }) => wordLeft(result)).find((left) => left !== undefined),
    );
  } finally {
    await hub.close();
    await node.close();
  }
}
