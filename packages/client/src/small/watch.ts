import { bytes, int64, timestamp, uint32 } from '@hubwatch/types/runtime/small/kinds';
import { readJson } from '@hubwatch/types/runtime/small/read-json';
import { type SmallKind, string, table } from '@hubwatch/types/runtime/small/table';
import type { Timestamp } from '@hubwatch/types/runtime/values';
import { type SmallError, type SmallOptions, transport } from './transport.js';

/** An event; `type` is as on the wire. */
export interface SmallEvent {
  readonly type: string;
  /** Values of typed events are JSON texts with their own quotes. */
  readonly attributes: readonly { readonly key: string; readonly value: string }[];
}

/** A block with what its execution brought. */
export interface SmallBlock {
  readonly height: bigint;
  readonly time: Timestamp | undefined;
  readonly chainId: string;
  /** Upper-case hex. */
  readonly hash: string;
  readonly txs: readonly Uint8Array[];
  /** One for each transaction. */
  readonly results: readonly {
    /** 0 where it succeeded. */
    readonly code: number;
    readonly log: string;
    readonly gasWanted: bigint;
    readonly gasUsed: bigint;
    readonly events: readonly SmallEvent[];
  }[];
  /** Events of the block itself, in the order of its execution. */
  readonly events: readonly SmallEvent[];
}

export interface WatchOptions extends SmallOptions {
  /** First height; by default the one after the newest block. */
  readonly from?: bigint;
  /** Milliseconds without a frame after which the websocket is opened again. Default 20 000. */
  readonly silenceMs?: number;
}

/** The part of the platform's WebSocket that is used; its type is known in browsers and from Node 22 on only. */
interface PlatformSocket {
  onopen: () => void;
  onerror: (() => void) | undefined;
  onclose: (() => void) | undefined;
  onmessage: (event: { readonly data: string }) => void;
  send(text: string): void;
  close(): void;
}

interface Json {
  readonly error?: { readonly message: string; readonly data?: string };
  readonly result: unknown;
}

/** Asks the consensus RPC: a route that ends with a height, and what its result is read as. */
const get = /* @__PURE__ */ transport<'rest'>(
  'route',
  readJson,
  ({ route }, height) => `${route as string}${height as string}`,
  ({ error, result }: Json) => [
    result,
    0,
    // A lost block is told as a lost state is, so that the same code is read of it.
    error && (error.data ?? error.message).replace(/^(?=height \d+ is not)/, 'state at '),
  ],
);

type Get = <T>(
  method: { readonly route: string; readonly response: SmallKind<T> },
  height: unknown,
) => Promise<{ readonly message: T }>;

const event = /* @__PURE__ */ table('type,attributes*', () => [string, table('key,value')]);

const status = {
  route: '/status',
  response: /* @__PURE__ */ table<{ syncInfo: { latestBlockHeight: bigint } }>('sync_info!', () => [
    table('latest_block_height', () => [int64]),
  ]),
};

const block = {
  route: '/block?height=',
  response: /* @__PURE__ */ table<{
    blockId: { hash: string };
    block: { header: { height: bigint; time: Timestamp | undefined; chainId: string }; data: { txs: Uint8Array[] } };
  }>('block_id!,block!', () => [
    table('hash'),
    table('header!,data!', () => [
      table('height,time,chain_id', () => [int64, timestamp]),
      table('txs*', () => [bytes]),
    ]),
  ]),
};

const results = {
  route: '/block_results?height=',
  response: /* @__PURE__ */ table<{
    height: bigint;
    txsResults: SmallBlock['results'];
    beginBlockEvents: SmallEvent[];
    endBlockEvents: SmallEvent[];
    finalizeBlockEvents: SmallEvent[];
  }>('height,txs_results*,begin_block_events*,end_block_events*,finalize_block_events*', () => [
    int64,
    table('code,log,gas_wanted,gas_used,events*', () => [uint32, string, int64, int64, event]),
    event,
    event,
    event,
  ]),
};

/**
 * Blocks of a chain by height, each once and in order, whatever the connections do: a websocket tells how far the chain is,
 * and blocks are read by height, so that what came while it was away is read too. While it cannot be had, the node is asked
 * for its head between the attempts. Ends when the caller leaves the loop or `signal` aborts.
 *
 * @param url base URL of the consensus RPC, without a closing slash
 * @throws SmallError for a height that the node no longer holds or never held, and for an answer that cannot be read
 */
export async function* watchBlocks(url: string, options: WatchOptions = {}): AsyncGenerator<SmallBlock, void> {
  const { from, silenceMs = 2e4, signal } = options;
  const ask = get(url, options) as unknown as Get;
  let head = 0n;
  let failures = 0;
  let isOver = signal?.aborted;
  let wake: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Ends the wait of the listener. */
  let stir: (() => void) | undefined;
  const end = (): void => {
    isOver = true;
    clearTimeout(timer);
    stir?.();
    wake?.();
  };
  const see = (height: bigint): void => {
    if (height > head) head = height;
    wake?.();
  };
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      stir = resolve;
      timer = setTimeout(resolve, ms);
    });
  const pauseMs = (count: number): number => Math.random() * Math.min(5e3, 500 * 2 ** count);
  // One that fails is made again with the next connection.
  const look = (): Promise<void> =>
    ask(status, '').then(
      ({ message }) => see(message.syncInfo.latestBlockHeight),
      () => undefined,
    );

  const listen = async (): Promise<void> => {
    while (!isOver) {
      await look();
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- it is set while this waits
      if (isOver) break;
      const socket = new (globalThis as unknown as { WebSocket: new (url: string) => PlatformSocket }).WebSocket(
        `${url.replace('http', 'ws')}/websocket`,
      );
      const lost = pause(silenceMs);
      socket.onclose = socket.onerror = stir;
      socket.onopen = () =>
        socket.send(`{"jsonrpc":"2.0","id":1,"method":"subscribe","params":["tm.event='NewBlockHeader'"]}`);
      socket.onmessage = ({ data }) => {
        clearTimeout(timer);
        timer = setTimeout(stir as () => void, silenceMs);
        try {
          const { result } = JSON.parse(data) as { result: { data?: { value: { header: { height: string } } } } };
          // What came before the acknowledgement was not told.
          if (result.data) see(BigInt(result.data.value.header.height));
          else void look();
          failures = 0;
        } catch {
          // A refusal, or no frame of a node: a new connection may do better.
          stir?.();
        }
      };
      await lost;
      socket.close();
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- it is set while this waits
      if (!isOver) await pause(pauseMs(failures++));
    }
  };

  signal?.addEventListener('abort', end);
  const listening = listen();
  try {
    let height = from;
    for (let tries = 0; !isOver; ) {
      // Not before the head is known: without `from` it says where to begin.
      const isThere = head && head >= (height ??= head + 1n);
      const read = isThere && (await readBlock(ask, height as bigint, tries++));
      if (read) {
        tries = 0;
        yield read;
        height = read.height + 1n;
      } else {
        await Promise.race([
          listening,
          new Promise<void>((resolve) => {
            wake = resolve;
            if (isThere) setTimeout(resolve, pauseMs(tries));
          }),
        ]);
      }
    }
  } finally {
    end();
  }
}

/**
 * A block and what its execution brought; `undefined` where another attempt may find it.
 *
 * @throws SmallError where none would
 */
async function readBlock(ask: Get, height: bigint, tries: number): Promise<SmallBlock | undefined> {
  try {
    const [{ message: read }, { message: ran }] = await Promise.all([ask(block, height), ask(results, height)]);
    const { header, data } = read.block;
    // A cache on the way, or another node that is behind.
    if (header.height !== height || ran.height !== height) return undefined;
    return {
      ...header,
      hash: read.blockId.hash,
      txs: data.txs,
      results: ran.txsResults,
      events: [...ran.beginBlockEvents, ...ran.endBlockEvents, ...ran.finalizeBlockEvents],
    };
  } catch (error) {
    // Lost for ever, or an answer that is no better for the tenth time.
    if ((tries > 9 ? /height_n|decode|limit/ : /height_n/).test((error as SmallError).code)) throw error;
    return undefined;
  }
}
