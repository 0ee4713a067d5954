/** A301. */
import { decodeFeedCursor, encodeFeedCursor } from '@keyport/catalogue/feed-cursor';

export type EventCursor = {
  /** A lower-case UUID. */
  readonly epoch: string;
  readonly afterId: string;
};

export function encodeEventCursor({ epoch, afterId }: EventCursor, accountId: string): string {
  return encodeFeedCursor({ epoch, places: [BigInt(afterId)] }, accountId);
}

export function decodeEventCursor(text: string, accountId: string): EventCursor | undefined {
  const cursor = decodeFeedCursor(text, 1, accountId);
  return cursor && { epoch: cursor.epoch, afterId: String(cursor.places[0]) };
}
