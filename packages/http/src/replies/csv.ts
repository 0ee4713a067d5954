import { Readable } from 'node:stream';
import type { Reply } from './reply.ts';

export function csvReply(name: string, records: Iterable<string> | AsyncIterable<string>) {
  return {
    status: 200,
    stream: Readable.from(records),
    contentType: 'text/csv; charset=utf-8; header=present',
    headers: { 'content-disposition': `attachment; filename="${name}.csv"` },
  } as const satisfies Reply;
}
