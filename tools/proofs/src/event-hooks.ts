import { join } from 'node:path';
import { publicNaming } from '@hubwatch/client';
import type { EventHooks } from '@hubwatch/codegen';
import { TxBody, TxRaw } from '@hubwatch/types/gen/forms/stack/tx/v1beta1/tx';
import { decodeBinary } from '@hubwatch/types/runtime/binary';
import { anyMembers } from './any-members.js';
import { type RecordedTx, readBlocks, recordingsFolder } from './recordings.js';
import type { SpecCheck } from './spec-checks.js';

/** Position of a recorded event in its block. */
type Place = 'begin' | 'end' | { readonly messages: readonly string[] };

interface Sighting {
  readonly type: string;
  readonly place: Place;
  count: number;
}

/** Recorded hub events are emitted where the spec declares them. */
export const eventHooks: Readonly<Record<string, SpecCheck>> = {
  'recorded events of hub from the hook that the spec names': ({ spec }) => {
    const { emitted = {} } = spec.events;
    const seen = sightings();
    const problems = seen.filter(({ type, place }) => !isNamed(emitted[type], place));
    return {
      total: seen.reduce((sum, { count }) => sum + count, 0),
      problems: problems.map(({ type, place }) => `${type} ${describe(place)}`),
    };
  },
};

function isNamed(hooks: EventHooks | undefined, place: Place): boolean {
  if (place === 'begin') return hooks?.begin_block !== undefined;
  // A passed proposal executes its messages at the end of a block.
  if (place === 'end') return hooks?.tx !== undefined;
  return place.messages.some((message) => hooks?.tx?.includes(message) === true);
}

function describe(place: Place): string {
  return typeof place === 'string' ? `at ${place} of a block` : `by ${place.messages.join(', ')}`;
}

let known: readonly Sighting[] | undefined;

/** The recorded events, with identical ones counted together. */
function sightings(): readonly Sighting[] {
  if (known !== undefined) return known;
  const found = new Map<string, Sighting>();
  const add = (type: string, place: Place): void => {
    if (!type.startsWith('hub.')) return;
    const key = `${type} ${describe(place)}`;
    const sighting = found.get(key);
    if (sighting === undefined) found.set(key, { type, place, count: 1 });
    else sighting.count++;
  };
  for (const folder of ['day', 'chain']) {
    for (const block of readBlocks(join(recordingsFolder, folder))) {
      for (const { type } of block.begin_block) add(type, 'begin');
      for (const tx of block.txs) {
        const messages = messagesOf(tx);
        for (const { type } of tx.events) add(type, { messages });
      }
      for (const { type } of block.end_block) add(type, 'end');
    }
  }
  known = [...found.values()];
  return known;
}

/** Names of the messages in a transaction, including those sent on another account's behalf. */
function messagesOf({ tx }: RecordedTx): string[] {
  const raw = decodeBinary(TxRaw, Buffer.from(tx, 'base64'));
  const body = decodeBinary(TxBody, raw.bodyBytes, publicNaming);
  return [...anyMembers(TxBody, body as never)].map(({ typeUrl }) => typeUrl.slice(1));
}
