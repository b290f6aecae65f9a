import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { ByteFault } from './fault.js';
import { garble } from './garble.js';
import { reset } from './reset.js';

/** Writes bytes to a client in order and applies a fault. */
export class FaultyWriter {
  readonly #socket: Socket;
  readonly #fault: ByteFault | undefined;
  readonly #lost: () => void;
  #sent = 0;
  #struck = false;
  #tail: Promise<void> = Promise.resolve();

  /** @param lost called when the connection to the node must be closed */
  constructor(socket: Socket, fault: ByteFault | undefined, lost: () => void = () => undefined) {
    this.#socket = socket;
    this.#fault = fault;
    this.#lost = lost;
    if (fault?.kind === 'delay') this.#tail = after(fault.ms);
    else if (fault !== undefined && fault.kind !== 'drip' && fault.kind !== 'garble' && (fault.after ?? 0) === 0) {
      this.#strike();
    }
  }

  /** Resolves when the bytes were sent or discarded. */
  write(bytes: Uint8Array): Promise<void> {
    this.#tail = this.#tail.then(() => this.#pass(bytes));
    return this.#tail;
  }

  /** Ends the connection normally unless the fault ended it in another way. */
  end(): void {
    void this.#tail.then(() => {
      if (!this.#struck) this.#socket.end();
    });
  }

  async #pass(bytes: Uint8Array): Promise<void> {
    const fault = this.#fault;
    if (this.#struck) return;
    if (fault === undefined || fault.kind === 'delay') return this.#send(bytes);
    if (fault.kind === 'drip') {
      for (let at = 0; at < bytes.length && !this.#socket.destroyed; at += fault.bytes) {
        if (at > 0) await after(fault.everyMs);
        await this.#send(bytes.subarray(at, at + fault.bytes));
      }
      return;
    }
    const left = (fault.after ?? 0) - this.#sent;
    if (left >= bytes.length) return this.#send(bytes);
    if (fault.kind === 'garble') return this.#send(left < 0 ? bytes : garble(bytes, left));
    // Flush to the kernel first: a reset discards data that is still buffered here.
    await new Promise((resolve) => this.#socket.write(bytes.subarray(0, left), resolve));
    this.#strike();
  }

  async #send(bytes: Uint8Array): Promise<void> {
    if (this.#socket.destroyed) return;
    this.#sent += bytes.length;
    if (bytes.length === 0 || this.#socket.write(bytes)) return;
    await Promise.race([once(this.#socket, 'drain'), once(this.#socket, 'close')]).catch(() => undefined);
  }

  #strike(): void {
    this.#struck = true;
    switch (this.#fault?.kind) {
      case 'cut':
        this.#socket.end();
        this.#lost();
        break;
      case 'reset':
        reset(this.#socket);
        break;
      case 'black-hole':
        this.#socket.pause();
        break;
      case 'half-open':
        this.#lost();
        this.#socket.resume();
        break;
      default:
    }
  }
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
