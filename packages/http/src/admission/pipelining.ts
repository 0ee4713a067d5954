import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Each takes about 2 KB. A client that sends more does not read its responses. */
const WAITING_MAX = 1_000;

export class Pipelining {
  readonly #waitingCounts = new WeakMap<Socket, number>();

  /** Calls `go` after the connection's earlier responses, unless the connection ends first. */
  inTurn({ socket }: IncomingMessage, response: ServerResponse, go: () => void): void {
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
