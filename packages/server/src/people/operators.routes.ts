import type { Database } from '../db/engines/database.ts';
import { type OperationHandlers, replyOk, replyWith } from '../operations/operation.ts';
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
    getOperator: (request) => replyOk(readOperator(database.db, request)),
    createOperator: (request) => replyWith(201, (tx) => createOperator(tx, deps, request)),
    updateOperator: (request) => replyWith(200, (tx) => changeOperator(tx, deps, request)),
    inviteOperator: (request) => replyWith(201, (tx) => inviteOperator(tx, deps, request)),
    resetOperatorCredentials: (request) => replyWith(201, (tx) => resetCredentials(tx, deps, request)),
  } satisfies Partial<OperationHandlers>;
}
