/** A125, A127. */
import { decodeFeedCursor, encodeFeedCursor } from './feed-cursor.ts';

export type ChangeCursor = {
  readonly epoch: string;
  /** The newest stamp when the reader started; the reader never saw products removed earlier. */
  readonly startedMicros: number;
  readonly afterMicros: number;
  /** Part of the cursor, so that a reader who changes the filter starts over instead of keeping stale products. */
  readonly orderableOnly: boolean;
};

const ORDERABLE_ONLY = 1n;

export function encodeCursor({ epoch, startedMicros, afterMicros, orderableOnly }: ChangeCursor): string {
  const places = [BigInt(startedMicros), BigInt(afterMicros), ...(orderableOnly ? [ORDERABLE_ONLY] : [])];
  return encodeFeedCursor({ epoch, places });
}

export function decodeCursor(text: string): ChangeCursor | undefined {
  const cursor = decodeFeedCursor(text, 2) ?? decodeFeedCursor(text, 3);
  if (cursor === undefined) return undefined;
  const [startedMicros = -1, afterMicros = -1] = cursor.places.map(Number);
  const orderableOnly = cursor.places.length === 3;
  if (orderableOnly && cursor.places[2] !== ORDERABLE_ONLY) return undefined;
  const areStamps = [startedMicros, afterMicros].every(
    (micros) => Number.isSafeInteger(micros) && micros >= 0,
  );
  return areStamps ? { epoch: cursor.epoch, startedMicros, afterMicros, orderableOnly } : undefined;
}
