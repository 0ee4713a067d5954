/**
 * Keeps the order of requests that are sent on one connection without waiting (RFC 9112 section 9.3.2): reads may be worked on
 * together, but nothing overtakes a request that may change something, nor does that overtake what was sent before it. A243.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY']);

/** Requests that wait behind one that changes something; a caller that sends more reads no answers. About 2 KB each. */
const WAITING_MAX = 1_000;

type Line = {
  /** The answer to the last request that may change something. */
  barrier: ServerResponse | undefined;
  waitingCount: number;
};

export class Pipelining {
  readonly #lines = new WeakMap<Socket, Line>();

  /** Calls `go` at once, or when all earlier requests of the connection have been answered; never when it ends before. */
  inTurn(request: IncomingMessage, response: ServerResponse, go: () => void): void {
    const { socket, method = '' } = request;
    const isSafe = SAFE_METHODS.has(method);
    // An answer gets the socket when it is its turn to be sent: there is nothing before it.
    const isFirst = response.socket !== null;
    if (isSafe && (isFirst || !this.#isBarred(socket))) {
      go();
      return;
    }
    const line = this.#lines.get(socket) ?? { barrier: undefined, waitingCount: 0 };
    this.#lines.set(socket, line);
    if (!isSafe) line.barrier = response;
    if (isFirst) {
      go();
      return;
    }
    line.waitingCount += 1;
    if (line.waitingCount > WAITING_MAX) {
      socket.destroy();
      return;
    }
    response.once('socket', () => {
      line.waitingCount -= 1;
      go();
    });
  }

  #isBarred(socket: Socket): boolean {
    const barrier = this.#lines.get(socket)?.barrier;
    return barrier !== undefined && !barrier.writableFinished;
  }
}
