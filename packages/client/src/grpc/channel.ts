import { backoffMs } from '../backoff.js';
import { pause, systemClock } from '../clock.js';
import { leftMs } from '../deadline.js';
import type { CallLimits } from '../options.js';
import type { Place } from '../place.js';
import { type GrpcAddress, readGrpcAddress } from './address.js';
import { type GrpcAnswer, type GrpcMessage, unary } from './call.js';
import { GrpcConnection } from './connection.js';
import { UnprocessedError } from './unprocessed-error.js';

/** Maximum age of a connection. Its replacement resolves the host name again, in case the address has changed. */
const mostAgeMs = 600_000;
/** Maximum number of consecutive connections without a response. After that, calls are not retried. */
const mostFruitless = 10;
/** Pauses between connections to a server that closes every connection. */
const fruitlessBackoff = { firstMs: 2, mostMs: 1_000 };

/**
 * Connections to one address: one for new calls, and a replaced one that finishes its pending calls. A connection is replaced
 * every ten minutes, and when a call fails during which no bytes arrived on it. A call that the server never processed is
 * retried on the next connection (transparent retry).
 */
class GrpcChannel {
  private readonly address: GrpcAddress;
  private readonly nowMs: () => number;
  private current: GrpcConnection | undefined;
  private replaced: GrpcConnection | undefined;
  private fruitless = 0;
  private isClosed = false;

  /** @throws HubError `invalid_argument` if the text is not an address */
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

  /** Limits the channel to two connections: closes the previously replaced one, even if it has pending calls. */
  private replace(): void {
    this.replaced?.destroy();
    this.replaced = this.current;
    this.current = undefined;
    this.replaced?.retire();
  }
}

/** Handle of one user of a channel. Closing the last handle closes the channel. */
export interface SharedChannel {
  /** @throws HubError as any call */
  call(message: GrpcMessage, limits: CallLimits, place: Place): Promise<GrpcAnswer>;
  close(): void;
}

const channels = new Map<string, { readonly channel: GrpcChannel; users: number }>();

/**
 * Returns a handle of the channel to an address. Transports, naming detection and reflection share this channel, so that they
 * open at most two sockets together.
 *
 * @throws HubError `invalid_argument` if the text is not an address
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
