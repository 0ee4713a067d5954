/**
 * Bodies that are streamed may take any time, as long as bytes keep coming: they are taken out of the request
 * time-out and get a time-out on silence instead.
 */
import type { IncomingMessage } from 'node:http';

/** Connections whose request may take as long as it wants. */
const unhurried = new WeakSet<object>();

export function isUnhurried(socket: object): boolean {
  return unhurried.has(socket);
}

/** Until the body has arrived, only silence of the sender longer than `silenceMaxMs` ends the request. */
export function allowLongUpload(request: IncomingMessage, silenceMaxMs: number): void {
  const { socket } = request;
  const onSilence = () => {
    // Bytes that wait here to be read mean that we are the slow side.
    if (request.readableLength > 0) socket.setTimeout(silenceMaxMs);
    else socket.destroy();
  };
  unhurried.add(socket);
  socket.setTimeout(silenceMaxMs);
  socket.on('timeout', onSilence);
  request.once('close', () => {
    unhurried.delete(socket);
    socket.off('timeout', onSilence);
    socket.setTimeout(0);
  });
}
