import { once } from 'node:events';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';

/** Maximum number of sockets to an origin. */
const mostSockets = 2;

/** Milliseconds after which an idle socket is closed. A node drops it after 10 s. */
const idleMs = 8_000;

const origins = new Map<string, Origin>();
/** Survives the removal of an origin. */
const slowOrigins = new Set<string>();

/**
 * Sockets of one origin: scheme, host and port. Requests of all transports share two with callers that open their own
 * socket. The queue of an agent is unsuitable: it connects for requests that were aborted while they waited.
 */
export class Origin {
  readonly agent: HttpAgent;
  private readonly name: string;
  private inUse = 0;
  private readonly waiting: (() => void)[] = [];

  private constructor(name: string) {
    this.name = name;
    const options = { keepAlive: true, maxSockets: mostSockets, timeout: idleMs };
    this.agent = name.startsWith('https:')
      ? new HttpsAgent({ ...options, ALPNProtocols: ['http/1.1'] })
      : new HttpAgent(options);
  }

  /** The origin of a URL. It is removed when it has no more sockets. */
  static of(url: string): Origin {
    const { origin: name } = new URL(url);
    const origin = origins.get(name) ?? new Origin(name);
    origins.set(name, origin);
    return origin;
  }

  /** Whether its addresses need longer to connect than the 250 ms that Node allows for each but the last. */
  get isSlow(): boolean {
    return slowOrigins.has(this.name);
  }

  /** Allows more time for its addresses from now on. */
  slowDown(): void {
    slowOrigins.add(this.name);
  }

  /**
   * Waits for one of the two sockets, in order of arrival.
   *
   * @returns function that releases the socket; call it once, when the socket is closed or idle
   * @throws the reason of the signal when it aborts first
   */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.inUse === mostSockets) await this.next(signal);
    else this.inUse++;
    return () => {
      const next = this.waiting.shift();
      if (next !== undefined) return next();
      this.inUse--;
      this.forgetIfUnused();
    };
  }

  /** Like `take`, for a caller that opens its own socket: idle sockets are closed for it. */
  async hold(signal: AbortSignal): Promise<() => void> {
    const free = await this.take(signal);
    await this.closeIdle(mostSockets - this.inUse);
    return free;
  }

  /** Closes idle sockets until the given number is left. */
  async closeIdle(left: number): Promise<void> {
    await Promise.all(
      this.idle.slice(left).map(async (socket) => {
        const closed = once(socket, 'close');
        socket.destroy();
        await closed;
      }),
    );
  }

  /** Registers a new socket of the agent. */
  opened(socket: Socket): void {
    socket.once('close', () => this.forgetIfUnused());
  }

  private get idle(): readonly Socket[] {
    return Object.values(this.agent.freeSockets).flatMap((sockets) => sockets ?? []);
  }

  private forgetIfUnused(): void {
    if (this.inUse === 0 && this.idle.length === 0) origins.delete(this.name);
  }

  private next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(take), 1);
        reject(signal.reason as Error);
      };
      this.waiting.push(take);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
