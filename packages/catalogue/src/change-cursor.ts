/** A125, A127. */
import { decodeFeedCursor, encodeFeedCursor } from './feed-cursor.ts';

export type ChangeCursor = {
  readonly epoch: string;
  /** The newest stamp when the reader started; the reader never saw products removed earlier. */
  readonly startedMicros: number;
  readonly afterMicros: number;
};

export function encodeCursor({ epoch, startedMicros, afterMicros }: ChangeCursor): string {
  return encodeFeedCursor({ epoch, places: [BigInt(startedMicros), BigInt(afterMicros)] });
}

export function decodeCursor(text: string): ChangeCursor | undefined {
  const cursor = decodeFeedCursor(text, 2);
  if (cursor === undefined) return undefined;
  const [startedMicros = -1, afterMicros = -1] = cursor.places.map(Number);
  const areStamps = [startedMicros, afterMicros].every(
    (micros) => Number.isSafeInteger(micros) && micros >= 0,
  );
  return areStamps ? { epoch: cursor.epoch, startedMicros, afterMicros } : undefined;
}
