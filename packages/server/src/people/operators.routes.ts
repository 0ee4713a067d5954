import type { Database } from '../db/engines/database.ts';
import { type OperationHandlers, shown, written } from '../operations/operation.ts';
import type { InvitationDeps } from './invitations.ts';
import {
  changeOperator,
  createOperator,
  inviteOperator,
  readOperator,
  readOperators,
  resetCredentials,
} from './operators.ts';
import type { Ways } from './ways.ts';

export function buildOperatorHandlers(
  deps: InvitationDeps & { readonly database: Database; readonly ways: Ways },
) {
  const { database } = deps;
  return {
    listOperators: (request) => readOperators(database, request),
    getOperator: (request) => shown(readOperator(database.db, request)),
    createOperator: (request) => written(201, (tx) => createOperator(tx, deps, request)),
    updateOperator: (request) => written(200, (tx) => changeOperator(tx, deps, request)),
    inviteOperator: (request) => written(201, (tx) => inviteOperator(tx, deps, request)),
    resetOperatorCredentials: (request) => written(201, (tx) => resetCredentials(tx, deps, request)),
  } satisfies Partial<OperationHandlers>;
}
