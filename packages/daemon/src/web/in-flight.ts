import type { Socket } from 'node:net';

/** Maximum number of concurrent requests; health checks are not counted. */
const mostRequests = 16;
/** Maximum number of concurrent requests per connection; further pipelined requests get no response. */
const mostOfConnection = 4;

/** Result of admitting a request. `ignored`: its connection is about to be closed. */
export type Admission = 'admitted' | 'busy' | 'ignored';

/** Bounds the work and memory that clients can cause, including clients that do not read their responses. */
export class InFlight {
  #requests = 0;
  readonly #ofConnection = new Map<Socket, number>();
  readonly #closing = new WeakSet<Socket>();

  admit(socket: Socket, isCheap: boolean): Admission {
    if (this.#closing.has(socket) || socket.destroyed) return 'ignored';
    const ofConnection = this.#ofConnection.get(socket) ?? 0;
    if (ofConnection >= mostOfConnection) {
      this.#closing.add(socket);
      return 'busy';
    }
    if (!isCheap && this.#requests >= mostRequests) return 'busy';
    this.#ofConnection.set(socket, ofConnection + 1);
    if (!isCheap) this.#requests += 1;
    return 'admitted';
  }

  /** Call when the response was sent or its connection was closed. */
  done(socket: Socket, isCheap: boolean): void {
    const left = (this.#ofConnection.get(socket) ?? 1) - 1;
    if (left === 0) this.#ofConnection.delete(socket);
    else this.#ofConnection.set(socket, left);
    if (!isCheap) this.#requests -= 1;
  }

  isClosing(socket: Socket): boolean {
    return this.#closing.has(socket);
  }
}
