import type { Database } from '../db/engines/database.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import { changeOperator, createOperator, inviteOperator, resetCredentials } from './change-operator.ts';
import type { InvitationDeps } from './invitations.ts';
import { readOperator, readOperators } from './read-operators.ts';
import type { Ways } from './ways.ts';

export function buildOperatorHandlers(
  deps: InvitationDeps & { readonly database: Database; readonly ways: Ways },
): Pick<
  OperationHandlers,
  | 'listOperators'
  | 'createOperator'
  | 'getOperator'
  | 'updateOperator'
  | 'inviteOperator'
  | 'resetOperatorCredentials'
> {
  const { database } = deps;
  return {
    listOperators: (request) => readOperators(database, request),
    getOperator: async (request) => ({
      status: 200,
      data: await readOperator(database.kysely, request),
    }),
    createOperator: (request) => async (tx) => ({
      status: 201,
      data: await createOperator(tx, deps, request),
    }),
    updateOperator: (request) => async (tx) => ({
      status: 200,
      data: await changeOperator(tx, deps, request),
    }),
    inviteOperator: (request) => async (tx) => ({
      status: 201,
      data: await inviteOperator(tx, deps, request),
    }),
    resetOperatorCredentials: (request) => async (tx) => ({
      status: 201,
      data: await resetCredentials(tx, deps, request),
    }),
  };
}
