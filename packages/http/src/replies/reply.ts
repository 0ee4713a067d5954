/** What a route replies; reply-writer.ts sends it. */
import type { Readable } from 'node:stream';
import type { HUNG_UP } from '../server/request-record.ts';
import type { Representation } from './representation.ts';

type Headers = Readonly<Record<string, string>>;

export type Reply =
  | {
      readonly status: number;
      /** JSON, unless `headers` has another content-type. */
      readonly bytes: Buffer | string;
      readonly headers?: Headers | undefined;
      /** Of an error, for the log. */
      readonly code?: string | undefined;
    }
  | { readonly status: number; readonly headers?: Headers | undefined }
  /** None: the connection is cut. */
  | { readonly status: typeof HUNG_UP; readonly isCut: true }
  | Representation
  /** Of any length. */
  | {
      readonly status: number;
      readonly stream: Readable;
      readonly contentType: string;
      readonly headers?: Headers | undefined;
    }
  /** Sent while the work continues: each event becomes a line of JSON; an error becomes the last line, an envelope. */
  | { readonly status: number; readonly events: AsyncIterable<readonly object[]> };

export function jsonReply(status: number, body: object, headers: Headers = {}) {
  return { status, bytes: JSON.stringify(body), headers } satisfies Reply;
}
