import type { Readable } from 'node:stream';
import type { HUNG_UP } from '../server/request-record.ts';
import type { Representation } from './representation.ts';

type Headers = Readonly<Record<string, string>>;

export type Reply =
  | {
      readonly status: number;
      readonly bytes: Buffer | string;
      readonly headers?: Headers | undefined;
      readonly code?: string | undefined;
    }
  | { readonly status: number; readonly headers?: Headers | undefined }
  | { readonly status: typeof HUNG_UP; readonly isCut: true }
  | Representation
  | {
      readonly status: number;
      readonly stream: Readable;
      readonly contentType: string;
      readonly headers?: Headers | undefined;
    };

export function jsonReply(status: number, body: object, headers: Headers = {}) {
  return { status, bytes: JSON.stringify(body), headers } satisfies Reply;
}
