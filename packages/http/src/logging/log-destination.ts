/**
 * pino's own destination ends the process after a failed write, retries forever at exit, and buffers without
 * limit. This one drops lines if the reader is slow or the disk is full.
 */
import { fstatSync, write, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import type { DestinationStream } from 'pino';

/** In characters, enough for about 20,000 requests. */
const WAITING_SIZE_MAX = 4 * 1024 * 1024;

const WRITE_INTERVAL_MS = 100;

const FLUSH_TIMEOUT_MS = 1_000;

export type LogDestination = DestinationStream & { flush(done: () => void): void };

/** At exit, a pipe may accept only some of the remaining lines. */
export function openLogDestination(fd: 1 | 2): LogDestination {
  const writeText = writerTo(fd);
  let waitingSize = 0;
  let waiting: string[] = [];
  let isWriting = false;
  let written: Promise<void> = Promise.resolve();

  function takeWaiting(): string {
    const text = waiting.join('');
    waiting = [];
    waitingSize = 0;
    return text;
  }

  /** A failed write drops its lines, because a retry could repeat half a line. */
  function writeNow(): Promise<void> {
    written = written.then(() => writeText(takeWaiting())).catch(() => {});
    return written;
  }

  async function writeWaiting(): Promise<void> {
    await writeNow();
    isWriting = false;
    if (waiting.length > 0) writeSoon();
  }

  function writeSoon(): void {
    isWriting = true;
    setTimeout(() => void writeWaiting(), WRITE_INTERVAL_MS).unref();
  }

  process.on('exit', () => {
    try {
      writeSync(fd, takeWaiting());
    } catch {
      // The process is ending, so nothing can report the failure.
    }
  });
  return {
    write(line) {
      if (waitingSize + line.length > WAITING_SIZE_MAX) return;
      waiting.push(line);
      waitingSize += line.length;
      if (!isWriting) writeSoon();
    },
    flush(done) {
      const late = setTimeout(done, FLUSH_TIMEOUT_MS);
      void writeNow().then(() => {
        clearTimeout(late);
        done();
      });
    },
  };
}

/** A pipe without a reader would block the main thread and the exit forever. */
function writerTo(fd: number): (text: string) => Promise<void> {
  const stats = fstatSync(fd);
  if (!stats.isFIFO() && !stats.isSocket()) return (text) => writeToFile(fd, text);
  const socket = new Socket({ fd, readable: false, writable: true });
  socket.on('error', () => {});
  socket.unref();
  return (text) =>
    new Promise((resolve, reject) => {
      socket.write(text, (error) => (error ? reject(error) : resolve()));
    });
}

const writeBytes = promisify(write);

async function writeToFile(fd: number, text: string): Promise<void> {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) bytes = bytes.subarray((await writeBytes(fd, bytes)).bytesWritten);
}
