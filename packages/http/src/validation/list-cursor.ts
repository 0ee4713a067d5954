/**
 * A cursor contains a row's key values, so the position survives changes to the row. It is bound to its list,
 * filters and order.
 */
import { createHash } from 'node:crypto';
import { CURSOR_LIMIT_DEFAULT, CURSOR_RULE, type CursorMeta } from '@keyport/contract/envelope';
import { invalidField } from '../replies/api-error.ts';

const FORMS = {
  number: /^(?:0|-?[1-9][0-9]{0,15})$/,
  amount: /^[0-9]{1,40}$/,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  text: /^[^\0]{0,100}$/su,
} as const;

type KeyForm = keyof typeof FORMS;

export type ListQuery = { readonly cursor?: string | undefined; readonly limit?: number | undefined };

export type WantedPage = { readonly after: readonly string[] | undefined; readonly limit: number };

/** `identity` names the list. Throws validation-error for another list's cursor. */
export function wantedPage(
  { cursor, limit = CURSOR_LIMIT_DEFAULT }: ListQuery,
  identity: readonly unknown[],
  forms: readonly KeyForm[],
): WantedPage {
  if (cursor === undefined) return { after: undefined, limit };
  const [digest, ...after] = parse(cursor);
  const hasForm =
    after.length === forms.length && forms.every((form, place) => FORMS[form].test(after[place] ?? ''));
  if (digest !== computeDigest(identity) || !hasForm || encode([digest, ...after]) !== cursor)
    throw invalidField('query.cursor', CURSOR_RULE);
  return { after, limit };
}

export function cursorMeta(next: readonly string[] | undefined, identity: readonly unknown[]): CursorMeta {
  return {
    nextCursor: next === undefined ? null : encode([computeDigest(identity), ...next]),
    hasMore: next !== undefined,
  };
}

/** Whether a parameter needs cursors. Throws validation-error if there are page numbers too. */
export function isByCursor<
  Query extends ListQuery & { readonly page?: number; readonly itemsPerPage?: number },
>(query: Query, onlyByCursor: readonly (keyof Query & string)[]): boolean {
  const byCursor = ['cursor', 'limit', ...onlyByCursor].find(
    (name) => query[name as keyof Query] !== undefined,
  );
  if (byCursor === undefined) return false;
  const paged = (['page', 'itemsPerPage'] as const).find((name) => query[name] !== undefined);
  if (paged === undefined) return true;
  throw invalidField(`query.${paged}`, `cannot be combined with ${byCursor}: use limit and cursor`);
}

function computeDigest(identity: readonly unknown[]): string {
  const text = JSON.stringify(identity, (_, value) => value ?? null);
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

function encode(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

function parse(cursor: string): string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts.map(String) : [];
  } catch {
    return [];
  }
}
