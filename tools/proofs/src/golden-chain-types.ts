import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { publicNaming } from '@hubwatch/client';
import { typedEvents } from '@hubwatch/types/gen/events/typed';
import { TxMsgData } from '@hubwatch/types/gen/forms/stack/base/abci/v1beta1/abci';
import { AuthInfo, TxBody, TxRaw } from '@hubwatch/types/gen/forms/stack/tx/v1beta1/tx';
import { decodeBinary, encodeBinary } from '@hubwatch/types/runtime/binary';
import { fromEvent } from '@hubwatch/types/runtime/event';
import { toGatewayJson } from '@hubwatch/types/runtime/json';
import type { MessageTable } from '@hubwatch/types/runtime/table';
import { anyMembers } from './any-members.js';
import { Counts } from './counts.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { settled } from './settled.js';
import { type RecordedEvent, type RecordedTx, readBlocks, recordingsFolder } from './recordings.js';

/** The types represent all data that a chain contained. */
export const goldenChainTypes: Proof = {
  name: 'golden-chain-types',
  about:
    'Every transaction, its result and typed events in the recorded chains decode, and are written again as they were.',
  run: (options) => settled(() => prove(options)),
};

function prove({ chain, log }: ProofOptions): ProofOutcome {
  const folders = chain === undefined ? ['day', 'chain'].map((name) => join(recordingsFolder, name)) : [chain];
  const counts = new Counts();
  const problems: string[] = [];
  const check = (claim: string, place: string, problem: string | undefined): void => {
    counts.add(claim, problem === undefined);
    if (problem !== undefined) problems.push(`${claim}, ${place}: ${problem}`);
  };
  for (const folder of folders) {
    for (const block of readBlocks(folder)) {
      for (const tx of block.txs) {
        check('transactions', `${tx.hash} at ${block.height}`, checkTx(tx));
        counts.add('messages of a transaction printed as the node does', hasSameMessages(tx));
        if (tx.data !== null) check('results', `${tx.hash} at ${block.height}`, checkResult(tx.data));
      }
      for (const event of eventsOf(block)) check('typed events', `${event.type} at ${block.height}`, checkEvent(event));
    }
  }
  for (const problem of problems.slice(0, 20)) log(problem);
  const total = counts.total('transactions') + counts.total('results') + counts.total('typed events');
  return { passed: total - problems.length, total, counterExample: problems[0], figures: counts.figures() };
}

function* eventsOf(block: {
  readonly begin_block: readonly RecordedEvent[];
  readonly txs: readonly RecordedTx[];
  readonly end_block: readonly RecordedEvent[];
}): Generator<RecordedEvent> {
  for (const events of [block.begin_block, ...block.txs.map((tx) => tx.events), block.end_block]) {
    // Types without a dot are plain events, which have no message.
    for (const event of events) if (event.type.includes('.')) yield event;
  }
}

/** Returns the error in a transaction, if any: undecoded messages, or different bytes after encoding it again. */
function checkTx({ tx }: RecordedTx): string | undefined {
  const bytes = Buffer.from(tx, 'base64');
  try {
    const raw = decodeBinary(TxRaw, bytes);
    const body = decodeBinary(TxBody, raw.bodyBytes, publicNaming);
    const authInfo = decodeBinary(AuthInfo, raw.authInfoBytes, publicNaming);
    const unread = unreadMessage(TxBody, body) ?? unreadMessage(AuthInfo, authInfo);
    if (unread !== undefined) return unread;
    const again = encodeBinary(TxRaw, {
      bodyBytes: encodeBinary(TxBody, body, publicNaming),
      authInfoBytes: encodeBinary(AuthInfo, authInfo, publicNaming),
      signatures: raw.signatures,
    });
    return bytes.equals(again) ? undefined : 'the bytes written again differ';
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns the error in the responses of a transaction's messages, if any. */
function checkResult(data: string): string | undefined {
  const bytes = Buffer.from(data, 'base64');
  try {
    const result = decodeBinary(TxMsgData, bytes, publicNaming);
    const unread = unreadMessage(TxMsgData, result);
    if (unread !== undefined) return unread;
    return bytes.equals(encodeBinary(TxMsgData, result, publicNaming)) ? undefined : 'the bytes written again differ';
  } catch (error) {
    return (error as Error).message;
  }
}

/** The first message in an Any field whose type is unknown there. */
function unreadMessage(table: MessageTable, form: object): string | undefined {
  for (const { field, typeUrl, isKnown } of anyMembers(table, form as Readonly<Record<string, unknown>>)) {
    if (!isKnown) return `${typeUrl} is none of the messages that ${field} is known to hold`;
  }
  return undefined;
}

function hasSameMessages({ tx, messages }: RecordedTx): boolean {
  const raw = decodeBinary(TxRaw, Buffer.from(tx, 'base64'));
  const text = toGatewayJson(TxBody, decodeBinary(TxBody, raw.bodyBytes, publicNaming), publicNaming);
  const printed = JSON.parse(text) as { messages: unknown };
  return isDeepStrictEqual(printed.messages, asOnWire(messages));
}

/** The recording has neutral type URLs as Any types, and the network's own words inside texts. */
function asOnWire(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(asOnWire);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [
      name,
      name === '@type' ? publicNaming.typeToWire(value as string) : asOnWire(value),
    ]),
  );
}

/** Returns the error in an event, if any: an attribute without a field, or a different text when it is printed again. */
function checkEvent({ type, attributes }: RecordedEvent): string | undefined {
  const table: MessageTable | undefined = Object.hasOwn(typedEvents, type) ? typedEvents[type]?.() : undefined;
  if (table === undefined) return 'no message describes it';
  const unknown = attributes.find(([key]) => !table.fields.some((field) => field.name === key));
  if (unknown !== undefined) return `attribute ${unknown[0]} is no field of its message`;
  try {
    const form = fromEvent(
      table,
      attributes.map(([key, value]) => ({ key, value })),
      publicNaming,
    );
    const printed = JSON.parse(toGatewayJson(table, form as object, publicNaming)) as Record<string, unknown>;
    const other = attributes.find(([key, value]) => !isDeepStrictEqual(printed[key], JSON.parse(value)));
    return other === undefined
      ? undefined
      : `${other[0]} is ${other[1]} and printed ${JSON.stringify(printed[other[0]])}`;
  } catch (error) {
    return (error as Error).message;
  }
}
