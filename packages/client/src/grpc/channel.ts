import { backoffMs } from '../backoff.js';
import { pause, systemClock } from '../clock.js';
import { leftMs } from '../deadline.js';
import type { CallLimits } from '../options.js';
import type { Place } from '../place.js';
import { type GrpcAddress, readGrpcAddress } from './address.js';
import { type GrpcAnswer, type GrpcMessage, unary } from './call.js';
import { GrpcConnection } from './connection.js';
import { UnprocessedError } from './unprocessed-error.js';

/** Age at which a connection is replaced, so that a name whose address changed is looked up again. */
const mostAgeMs = 600_000;
/** Connections in a row without an answer after which calls are not made again. */
const mostFruitless = 10;
/** Pauses between connections, for a server that closes each one. */
const fruitlessBackoff = { firstMs: 2, mostMs: 1_000 };

/**
 * Connections to one address: one that takes calls, and one that is replaced and still has some. A connection is replaced when
 * nothing came on it during a call that timed out, and every ten minutes. A call that the server never processed is made again
 * on the next connection (transparent retry).
 */
class GrpcChannel {
  private readonly address: GrpcAddress;
  private readonly nowMs: () => number;
  private current: GrpcConnection | undefined;
  private replaced: GrpcConnection | undefined;
  private fruitless = 0;
  private isClosed = false;

  /** @throws HubError `invalid_argument` when the text is no address */
  constructor(address: string, nowMs: () => number = () => performance.now()) {
    this.address = readGrpcAddress(address);
    this.nowMs = nowMs;
  }

  /** @throws HubError as any call */
  async call(message: GrpcMessage, limits: CallLimits, place: Place): Promise<GrpcAnswer> {
    for (;;) {
      const connection = this.take();
      const receivedBytes = connection.receivedBytes;
      connection.begin();
      try {
        const answer = await unary(connection, message, limits, place);
        this.fruitless = 0;
        return answer;
      } catch (error) {
        if (connection === this.current && connection.receivedBytes === receivedBytes) this.replace();
        if (!(error instanceof UnprocessedError)) throw error;
        if (this.isClosed || this.fruitless >= mostFruitless || leftMs(limits) <= 0) throw error.failure;
        if (this.fruitless > 0) await pause(systemClock, backoffMs(this.fruitless, fruitlessBackoff), limits.signal);
      } finally {
        connection.end();
      }
    }
  }

  close(): void {
    this.isClosed = true;
    this.current?.destroy();
    this.replaced?.destroy();
  }

  private take(): GrpcConnection {
    const { current } = this;
    if (current !== undefined && (!current.isOpen || this.nowMs() - current.openedAtMs >= mostAgeMs)) {
      if (!current.isOpen) this.fruitless++;
      this.replace();
    }
    this.current ??= new GrpcConnection(this.address, this.nowMs());
    return this.current;
  }

  /** At most two connections: the one that was replaced before is ended, whatever calls it still has. */
  private replace(): void {
    this.replaced?.destroy();
    this.replaced = this.current;
    this.current = undefined;
    this.replaced?.retire();
  }
}

/** The part of a channel that one user has; it ends with the last of them. */
export interface SharedChannel {
  /** @throws HubError as any call */
  call(message: GrpcMessage, limits: CallLimits, place: Place): Promise<GrpcAnswer>;
  close(): void;
}

const channels = new Map<string, { readonly channel: GrpcChannel; users: number }>();

/**
 * The channel to an address, which all its users share: transports, the search for a naming, and reflection together open two
 * sockets at most.
 *
 * @throws HubError `invalid_argument` when the text is no address
 */
export function shareChannel(address: string): SharedChannel {
  const shared = channels.get(address) ?? { channel: new GrpcChannel(address), users: 0 };
  channels.set(address, shared);
  shared.users++;
  let isClosed = false;
  return {
    call: (message, limits, place) => shared.channel.call(message, limits, place),
    close: () => {
      if (isClosed) return;
      isClosed = true;
      if (--shared.users > 0) return;
      channels.delete(address);
      shared.channel.close();
    },
  };
}
