import type { NewBlockEvent } from '../websocket/subscription.js';
import type { HeadWatch } from './head-watch.js';
import { joinSignals } from '../signals.js';
import { type Gap, readSurely, type SureReader } from './read-surely.js';

/** How the item of a height is come by. */
export interface HeightSource<T> {
  /** The item of a pushed block; `undefined` where the push does not hold all of it. */
  ofEvent(event: NewBlockEvent): T | undefined;
  /** The item read by height; what was pushed of it need not be read. */
  read(height: bigint, pushed: NewBlockEvent | undefined, signal: AbortSignal): Promise<T>;
}

/** Heights that are read at the same time while catching up. */
const readAhead = 4n;

/**
 * Every height from `from` on, once and in order. Pushed blocks are taken where there are any; all others are read by
 * height, so that nothing depends on how the websocket fares or how slow the reader is.
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
        // Whoever gets to that height gets the failure.
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
    // Who ends the iteration wants no failure of it.
    if (!over.aborted) throw error;
  } finally {
    ended.abort();
    leave();
  }
}

export function isGap(item: unknown): item is Gap {
  return (item as { kind?: unknown }).kind === 'gap';
}

/** A signal for one reading: its requests all listen, and Node warns of a signal with more than ten listeners. */
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
