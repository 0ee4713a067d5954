/**
 * A write that takes effect once, even if the program crashes: its idempotency key is on disk before the request is sent, so
 * the next run sends the same request with the same key.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Keyport } from '../keyport.ts';
import type { CallOptions } from '../options.ts';
import { KeyportError } from '../requests/errors.ts';
import { codeOf, createFile, removeFile, replaceFile } from './durable-files.ts';
import { JournalError } from './journal-error.ts';

/** Final rejections: nothing was made, and the same key returns the same response. */
const REJECTIONS: readonly string[] = [
  'cart-validation-error',
  'offer-not-available',
  'max-price-exceeded',
  'product-excluded',
  'insufficient-funds',
  'payment-went-wrong',
  'payment-not-configured',
];

/** `order` and `reservation`: set once it is made. */
type Journal<Request, Made> = {
  readonly keyport: 'order' | 'reservation';
  readonly baseUrl: string;
  readonly idempotencyKey: string;
  readonly request: Request;
  readonly order?: Made;
  readonly reservation?: Made;
};

export type Write<Request, Made> = {
  readonly kind: 'order' | 'reservation';
  readonly request: Request;
  readonly send: (request: Request, options: CallOptions) => PromiseLike<Made>;
  /** The name of the function that writes the journal, for messages. */
  readonly by: string;
  /** For a damaged journal: the possible outcome, and where to look. */
  readonly suspicion: string;
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Throws a JournalError if the file is damaged or belongs to a different write; nothing is sent then. */
export async function writeOnce<Request, Made extends { readonly id: string }>(
  { baseUrl }: Pick<Keyport, 'baseUrl'>,
  journalFile: string,
  write: Write<Request, Made>,
  options: CallOptions,
): Promise<Made> {
  const { kind, request, send } = write;
  const file = resolve(journalFile);
  const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
  const { journal, isNew } = await openJournal(file, write, {
    keyport: kind,
    baseUrl,
    idempotencyKey,
    request,
  });
  const before = journal[kind];
  if (before !== undefined) return before;
  try {
    const made = await send(journal.request, { ...options, idempotencyKey: journal.idempotencyKey });
    await replaceFile(file, [textOf({ ...journal, [kind]: made })]);
    return made;
  } catch (error) {
    if (error instanceof KeyportError && isRejection(error.code, isNew)) await removeFile(file);
    throw error;
  }
}

/** An earlier run may have sent a request that is no longer valid. */
function isRejection(code: string, isNew: boolean): boolean {
  return REJECTIONS.includes(code) || (isNew && code === 'validation-error');
}

/** The existing journal, or a new one. */
async function openJournal<Request, Made extends { readonly id: string }>(
  file: string,
  write: Write<Request, Made>,
  wanted: Journal<Request, Made>,
): Promise<{ readonly journal: Journal<Request, Made>; readonly isNew: boolean }> {
  const found = await readIfThere(file);
  const isNew = found === undefined && (await createFile(file, textOf(wanted)));
  if (isNew) return { journal: wanted, isNew };
  // Another process may have created it in the meantime.
  const journal = parseJournal(file, write, found ?? (await readFile(file, 'utf8')));
  if (canonical(journal.request) !== canonical(wanted.request)) {
    throw new JournalError(
      file,
      `it belongs to a different purchase: ${JSON.stringify(journal.request)}. Use one file for each purchase.`,
    );
  }
  if (journal[write.kind] === undefined && journal.baseUrl !== wanted.baseUrl) {
    throw new JournalError(
      file,
      `the request was sent to ${journal.baseUrl}, so only that service knows what happened. Use that baseUrl.`,
    );
  }
  return { journal, isNew };
}

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
}

function parseJournal<Request, Made extends { readonly id: string }>(
  file: string,
  { kind, by, suspicion }: Write<Request, Made>,
  text: string,
): Journal<Request, Made> {
  try {
    const journal = JSON.parse(text) as Journal<Request, Made>;
    const made = journal[kind];
    const isWhole =
      journal.keyport === kind &&
      UUID.test(journal.idempotencyKey) &&
      typeof journal.baseUrl === 'string' &&
      typeof journal.request === 'object' &&
      (made === undefined || typeof made.id === 'string');
    if (isWhole) return journal;
  } catch {
    // Thrown below.
  }
  throw new JournalError(
    file,
    `it is damaged, or no journal of ${by}. ${suspicion} before you remove the file.`,
  );
}

function textOf(journal: object): string {
  return `${JSON.stringify(journal, null, 2)}\n`;
}

/** The same text for the same request, whatever the order of its members. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .map(([name, member]) => `${name}:${canonical(member)}`)
    .sort()
    .join()}}`;
}
