/** Operators see shared views and their own, and change only their own. Administrators may delete shared views. */
import type { SavedView } from '@keyport/contract/operators/desk';
import { must } from '@keyport/core/assert';
import { conflict, requireFound } from '@keyport/http/replies/api-error';
import { audit } from '../audit/action.ts';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { hasPermission } from '../operations/permission.ts';
import { deleteView, listViews, lockView, type ViewRow, writeView } from './views.sql.ts';

export async function readViews({ db }: Database, { query, principal }: OperationRequest<'listViews'>) {
  const rows = await listViews(db, query.list, principal.clientId);
  return rows.map((row) => show(row, principal.clientId));
}

export async function putView(tx: Tx, request: OperationRequest<'putView'>) {
  const { params, principal, body } = request;
  const id = params.viewId.toLowerCase();
  const owner = principal.clientId;
  const before = await lockView(tx, id);
  if (before !== undefined && before.owner !== owner)
    throw conflict('This view belongs to another operator; nothing changed. Save it under a different id.');
  const row = must(await writeView(tx, { id, owner, ...body }), 'the view that was written');
  await audit(tx, request, 'view.put', { data: { viewId: id, ...body } });
  return { status: before === undefined ? 201 : 200, data: show(row, owner) } as const;
}

/** Throws not-found for views that the caller may not delete. */
export async function removeView(tx: Tx, request: OperationRequest<'deleteView'>): Promise<void> {
  const { params, principal } = request;
  const view = await lockView(tx, params.viewId);
  const isOwn = view?.owner === principal.clientId;
  const mayDelete = isOwn || (view?.shared === true && hasPermission(principal.operatorRole, 'administer'));
  const { id, list, name } = requireFound(mayDelete ? view : undefined, 'view');
  await deleteView(tx, id);
  await audit(tx, request, 'view.delete', { data: { viewId: id, list, name } });
}

function show({ owner, ...row }: ViewRow, reader: string): SavedView {
  return { ...row, own: owner === reader };
}
