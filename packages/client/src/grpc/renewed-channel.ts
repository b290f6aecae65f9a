import type { Client } from '@grpc/grpc-js';
import { HubError } from '../error.js';

/** Time-outs in a row after which a channel is opened anew. */
const mostTimeouts = 3;
/** Age at which a channel is opened anew. */
const mostAgeMs = 600_000;

interface Opened {
  readonly client: Client;
  readonly atMs: number;
  timeouts: number;
  calls: number;
}

/**
 * A channel that asks for the addresses of its name again. A name that moved while the old host refuses is seen by grpc-js
 * itself, one whose old host is silent or still answers is not: a connection that stands is never looked at again. So the
 * channel is opened anew after three time-outs in a row, and every ten minutes. Calls that are under way end on the old one.
 */
export class RenewedChannel {
  private readonly open: () => Client;
  private readonly nowMs: () => number;
  private opened: Opened;
  private isClosed = false;

  constructor(open: () => Client, nowMs: () => number = () => performance.now()) {
    this.open = open;
    this.nowMs = nowMs;
    this.opened = this.next();
  }

  /** Makes a call on the channel. */
  async call<T>(work: (client: Client) => Promise<T>): Promise<T> {
    if (this.isDue()) this.renew();
    const opened = this.opened;
    opened.calls++;
    try {
      const answer = await work(opened.client);
      opened.timeouts = 0;
      return answer;
    } catch (error) {
      // Any other failure is an answer, of the host or of the way to it, or of the caller, who says nothing about either.
      const code = error instanceof HubError ? error.code : undefined;
      if (code === 'timeout') opened.timeouts++;
      else if (code !== 'cancelled') opened.timeouts = 0;
      throw error;
    } finally {
      opened.calls--;
      if (opened !== this.opened && opened.calls === 0) opened.client.close();
    }
  }

  close(): void {
    this.isClosed = true;
    this.opened.client.close();
  }

  private isDue(): boolean {
    const { timeouts, atMs } = this.opened;
    return !this.isClosed && (timeouts >= mostTimeouts || this.nowMs() - atMs >= mostAgeMs);
  }

  private renew(): void {
    const before = this.opened;
    this.opened = this.next();
    if (before.calls === 0) before.client.close();
  }

  private next(): Opened {
    return { client: this.open(), atMs: this.nowMs(), timeouts: 0, calls: 0 };
  }
}
