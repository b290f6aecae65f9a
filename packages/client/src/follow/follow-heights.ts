import type { NewBlockEvent } from '../websocket/subscription.js';
import type { HeadWatch } from './head-watch.js';
import { joinSignals } from '../signals.js';
import { type Gap, readSurely, type SureReader } from './read-surely.js';

/** Source of the item for a height. */
export interface HeightSource<T> {
  /** The item of a pushed block; `undefined` if the pushed event is incomplete. */
  ofEvent(event: NewBlockEvent): T | undefined;
  /** Reads the item by height; data in the pushed event need not be read again. */
  read(height: bigint, pushed: NewBlockEvent | undefined, signal: AbortSignal): Promise<T>;
}

/** Number of heights that are read concurrently while catching up. */
const readAhead = 4n;

/**
 * Yields every height from `from` on, once and in order. Pushed blocks are used if available. All other heights are
 * read, so that the result does not depend on the websocket or on the speed of the reader.
 */
export async function* followHeights<T>(
  source: HeightSource<T>,
  from: bigint | undefined,
  watch: HeadWatch,
  reader: SureReader,
  signals: readonly (AbortSignal | undefined)[],
): AsyncGenerator<T | Gap, void, undefined> {
  const leave = watch.use();
  const ended = new AbortController();
  const over = joinSignals([...signals, ended.signal]).signal;
  const ahead = new Map<bigint, Promise<T | Gap>>();
  try {
    let next = from ?? (await newest(watch, over)) + 1n;
    while (!over.aborted) {
      const pushed = watch.pushed(next);
      const given = pushed && source.ofEvent(pushed);
      if (given !== undefined) {
        ahead.delete(next);
        yield given;
        next++;
        continue;
      }
      const head = watch.head;
      if (head === undefined || head < next) {
        await watch.changed(over);
        continue;
      }
      for (let height = next; height <= head && height < next + readAhead; height++) {
        if (ahead.has(height)) continue;
        const event = watch.pushed(height);
        if (event !== undefined && height > next) continue;
        const reading = underOwnSignal(over, (own) =>
          readSurely(reader, height, (until) => source.read(height, event, until), own),
        );
        // The failure is reported when iteration reaches that height.
        reading.catch(() => undefined);
        ahead.set(height, reading);
      }
      const item = await (ahead.get(next) as Promise<T | Gap>);
      ahead.delete(next);
      if (isGap(item)) {
        reader.tell({ kind: 'gap', from: item.from, to: item.to });
        for (const height of ahead.keys()) if (height <= item.to) ahead.delete(height);
        next = item.to + 1n;
      } else {
        reader.tell({ kind: 'filled', height: next });
        next++;
      }
      yield item;
    }
  } catch (error) {
    // After the iteration has been ended, a failure is not reported.
    if (!over.aborted) throw error;
  } finally {
    ended.abort();
    leave();
  }
}

export function isGap(item: unknown): item is Gap {
  return (item as { kind?: unknown }).kind === 'gap';
}

/**
 * Runs one read with its own signal. All its requests add listeners, and Node warns about a signal with more than ten.
 */
async function underOwnSignal<T>(outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController();
  const pass = (): void => own.abort(outer.reason);
  if (outer.aborted) pass();
  else outer.addEventListener('abort', pass, { once: true });
  try {
    return await work(own.signal);
  } finally {
    outer.removeEventListener('abort', pass);
  }
}

async function newest(watch: HeadWatch, signal: AbortSignal): Promise<bigint> {
  while (watch.head === undefined && !signal.aborted) await watch.changed(signal);
  return watch.head ?? 0n;
}
