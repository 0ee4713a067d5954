/** The mapping travels as the first line of the body, since its dictionaries can be longer than any URL. */
import type { ImportKind } from '@keyport/contract/catalogue/imports';
import { invalidField } from '@keyport/http/replies/api-error';
import type { Database } from '../../db/engines/database.ts';
import { listSellerNames } from '../import-lists.sql.ts';
import { sellerKey } from './mapping.ts';
import { type Mapping, readMapping } from './mapping-file.ts';

const MAPPING_SIZE_BYTES_MAX = 16 * 1_048_576;
const LINE_FEED = 0x0a;

/** Throws validation-error. `rest` is the file: what follows the first line. */
export async function openMapping(
  database: Database,
  chunks: AsyncIterable<Buffer>,
  kind: ImportKind,
): Promise<{ readonly mapping: Mapping; readonly rest: AsyncIterable<Buffer> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const { first, rest } = await takeLine(iterator);
  const mapping = readMapping(decoded(first), kind);
  const namesSellers = Object.values(mapping.fields).some(({ read }) => read === 'seller');
  return {
    mapping: namesSellers ? { ...mapping, sellers: await loadSellers(database) } : mapping,
    rest: joined(rest, iterator),
  };
}

/** Leaves out a byte order mark. */
function decoded(line: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(line);
  } catch {
    throw invalidField('mapping', 'is not valid UTF-8; write it in UTF-8');
  }
}

async function takeLine(iterator: AsyncIterator<Buffer>): Promise<{ first: Buffer; rest: Buffer }> {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  for (;;) {
    const { value, done } = await iterator.next();
    if (done === true) return { first: Buffer.concat(pieces), rest: Buffer.alloc(0) };
    const end = value.indexOf(LINE_FEED);
    if (end !== -1) {
      return { first: Buffer.concat([...pieces, value.subarray(0, end)]), rest: value.subarray(end + 1) };
    }
    pieces.push(value);
    sizeBytes += value.length;
    if (sizeBytes > MAPPING_SIZE_BYTES_MAX) {
      throw invalidField('mapping', 'must be one line of at most 16 MiB; write it without line ends');
    }
  }
}

async function* joined(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let { value, done } = await rest.next(); done !== true; { value, done } = await rest.next())
    yield value;
}

async function loadSellers(database: Database): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>();
  for (const { id, name } of await listSellerNames(database.db)) {
    const key = sellerKey(name);
    ids.set(key, [...(ids.get(key) ?? []), id]);
  }
  return ids;
}
