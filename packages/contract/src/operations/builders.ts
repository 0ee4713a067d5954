import { type TObject, type TSchema, Type } from 'typebox';
import {
  countedEnvelope,
  cursorEnvelope,
  dataEnvelope,
  pageEnvelope,
  pageOrCursorEnvelope,
} from '../envelope.ts';
import type { ErrorCode } from '../errors.ts';
import type { Permission } from '../roles.ts';
import type { OperationSpec } from './operation-spec.ts';
import { PATH_PARAMETERS } from './path-parameters.ts';

type Parameters = typeof PATH_PARAMETERS;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

type ParametersOf<Path extends string> = [NamesIn<Path>] extends [never]
  ? unknown
  : { readonly params: TObject<Pick<Parameters, NamesIn<Path> & keyof Parameters>> };

export const KEY_ERRORS = ['idempotency-key-processing', 'idempotency-key-already-used'] as const;

type Row<Common, Path extends string, Own> = Omit<Common, keyof Own> &
  Own &
  ParametersOf<Path> & { readonly path: Path };

type Part = Partial<OperationSpec>;

/** `missing` is the error for a path that names no existing resource. */
export function toRows<const Common extends Part>(common: Common, missing?: ErrorCode) {
  return <const Path extends string, const Own extends Part>(
    path: Path,
    own: Own,
  ): Row<Common, Path, Own> => {
    const params = Object.entries(PATH_PARAMETERS).filter(([name]) => path.includes(`{${name}}`));
    const errors = own.errors ?? common.errors ?? [];
    const row = {
      ...common,
      ...own,
      path,
      ...(params.length === 0 ? {} : { params: Type.Object(Object.fromEntries(params)) }),
      errors: params.length > 0 && missing !== undefined ? [missing, ...errors] : errors,
    };
    return row as unknown as Row<Common, Path, Own>;
  };
}

/** Every write takes an Idempotency-Key, except `unkeyed` ones. */
export function rowsByMethod<const Common extends Part>(common: Common) {
  const write = { ...common, idempotency: 'accepted' } as const;
  return {
    read: toRows({ ...common, method: 'GET' }, 'not-found'),
    post: toRows({ ...write, method: 'POST' }, 'not-found'),
    put: toRows({ ...write, method: 'PUT' }),
    patch: toRows({ ...write, method: 'PATCH' }, 'not-found'),
    delete: toRows({ ...write, method: 'DELETE' }, 'not-found'),
    unkeyed: toRows({ ...common, method: 'POST' }, 'not-found'),
  };
}

/** Writes require `permission`, reads only `view`. */
export function operatorRows<const Tag extends string, const Needed extends Permission>(
  tag: Tag,
  permission: Needed,
) {
  const common = { audience: 'operator', budget: 'none', tag } as const;
  return {
    ...rowsByMethod({ ...common, permission }),
    read: toRows({ ...common, method: 'GET', permission: 'view' }, 'not-found'),
  };
}

export function ok<Data extends TSchema>(data: Data) {
  return { 200: dataEnvelope(data) };
}

/** 200: a replay, or the resource already existed. */
export function created<Data extends TSchema>(data: Data) {
  return { 201: dataEnvelope(data), 200: dataEnvelope(data) };
}

export function accepted<Data extends TSchema>(data: Data) {
  return { 202: dataEnvelope(data) };
}

export const NO_CONTENT = { 204: null };

export function pages<Item extends TSchema>(item: Item) {
  return { 200: pageEnvelope(item) };
}

export function cursorPages<Item extends TSchema>(item: Item) {
  return { 200: cursorEnvelope(item) };
}

/** A list of operators. */
export function cursorList<Query extends TObject, Item extends TSchema>(query: Query, item: Item) {
  return { query, responses: { 200: countedEnvelope(item) } };
}

export function pagesOrCursorPages<Item extends TSchema>(item: Item) {
  return { 200: pageOrCursorEnvelope(item) };
}
