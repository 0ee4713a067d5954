/** The cursor of the event feed: how far a reader of one account has come. A301. */
import { decodeFeedCursor, encodeFeedCursor } from '@keyport/catalogue/feed-cursor';

export type EventCursor = {
  /** The history that the events belong to: a lower-case UUID. */
  readonly epoch: string;
  /** Every event up to this id was shown. */
  readonly afterId: string;
};

/** 39 characters. */
export function encodeEventCursor({ epoch, afterId }: EventCursor, accountId: string): string {
  return encodeFeedCursor({ epoch, places: [BigInt(afterId)] }, accountId);
}

export function decodeEventCursor(text: string, accountId: string): EventCursor | undefined {
  const cursor = decodeFeedCursor(text, 1, accountId);
  return cursor && { epoch: cursor.epoch, afterId: String(cursor.places[0]) };
}
