import { join } from 'node:path';
import {
  BlockStream,
  type HubState,
  type RecordedBlock,
  type RecordedEvent,
  StateHistory,
} from '@hubwatch/devnode/chain';
import { typedEvents } from '@hubwatch/types/gen/events/typed';
import { fromEvent } from '@hubwatch/types/runtime/event';
import { fromJson } from '@hubwatch/types/runtime/json';
import type { MessageTable } from '@hubwatch/types/runtime/table';
import { readTimestamp } from '@hubwatch/types/runtime/time';
import type { Timestamp } from '@hubwatch/types/runtime/values';
import { recordingsFolder } from './recordings.js';

/** A block of a recorded chain with the state before it. */
export interface Step {
  readonly block: RecordedBlock;
  readonly before: HubState;
}

/** Every block after the first, in order. */
export function* steps(folder: string): Generator<Step> {
  const blocks = new BlockStream(folder);
  const states = new StateHistory(folder);
  for (let height = blocks.first + 1; height <= blocks.last; height++) {
    yield { block: blocks.block(height), before: states.at(height - 1) };
  }
}

/** Folders of the recorded chains, or the requested one. */
export function chainFolders(chain: string | undefined): readonly string[] {
  return chain === undefined ? ['chain', 'day'].map((name) => join(recordingsFolder, name)) : [chain];
}

/** Decodes the events of a type, in order. */
export function eventsOf<T>(events: readonly RecordedEvent[], table: MessageTable<T>): readonly T[] {
  return events
    .filter(({ type }) => type === table.name && Object.hasOwn(typedEvents, type))
    .map((event) => formOf(event, table));
}

function formOf<T>({ attributes }: RecordedEvent, table: MessageTable<T>): T {
  return fromEvent(
    table,
    attributes.map(([key, value]) => ({ key, value })),
  );
}

/** Decodes records in the gateway's format. */
export function formsOf<T>(table: MessageTable<T>, records: readonly unknown[]): readonly T[] {
  return records.map((record) => fromJson(table, record));
}

/** Whether a block with this time has reached a deadline. */
export function isReached(at: Timestamp | undefined, blockTime: string): boolean {
  const time = readTimestamp(blockTime);
  if (at === undefined || time === undefined) return false;
  return at.seconds === time.seconds ? at.nanos <= time.nanos : at.seconds < time.seconds;
}
