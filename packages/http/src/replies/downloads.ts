/**
 * Answers that are streamed may take any time, as long as the reader takes bytes: only the limit on silence counts for
 * them (connections.ts). They never pile up in memory, since the stream waits for its reader.
 */
import type { ServerResponse } from 'node:http';

/** Connections whose answer has no time limit. */
const longDownloads = new WeakSet<object>();

export function isLongDownload(socket: object): boolean {
  return longDownloads.has(socket);
}

/** Until the answer has been sent. */
export function allowLongDownload(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null) return;
  longDownloads.add(socket);
  response.once('close', () => longDownloads.delete(socket));
}
