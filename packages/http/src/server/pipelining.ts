/**
 * Requests that are sent on one connection without waiting are worked on one after the other (RFC 9112 section 9.3.2): none
 * overtakes one that changes something, and a connection takes one turn of the service at a time. A243.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of a connection that wait; a caller that sends more reads no answers. About 2 KB each. */
const WAITING_MAX = 1_000;

export class Pipelining {
  readonly #waitingCounts = new WeakMap<Socket, number>();

  /** Calls `go` at once, or when all earlier requests of the connection have been answered; never when it ends before. */
  inTurn({ socket }: IncomingMessage, response: ServerResponse, go: () => void): void {
    // An answer gets the socket when it is its turn to be sent: there is nothing before it.
    if (response.socket !== null) {
      go();
      return;
    }
    const waitingCount = this.#waitingCounts.get(socket) ?? 0;
    if (waitingCount === WAITING_MAX) {
      socket.destroy();
      return;
    }
    this.#waitingCounts.set(socket, waitingCount + 1);
    response.once('socket', () => {
      this.#waitingCounts.set(socket, (this.#waitingCounts.get(socket) ?? 1) - 1);
      go();
    });
  }
}
