import type { Database } from '../db/engines/database.ts';
import { type OperationHandlers, replyOk, replyWith } from '../operations/operation.ts';
import {
  changePerson,
  createPerson,
  formatFor,
  formatMember,
  formatOperator,
  invitePerson,
  type PeopleDeps,
  readMembersOf,
  readOperator,
  readPeople,
  resetCredentials,
} from './people.ts';

export function buildPeopleHandlers(database: Database, operatorDeps: PeopleDeps, memberDeps: PeopleDeps) {
  const operators = buildWrites(operatorDeps, formatOperator);
  const members = buildWrites(memberDeps, formatMember);
  return {
    listOperators: ({ query, principal }) =>
      readPeople(database, query, null, (row) => formatFor(principal, row)),
    getOperator: (request) => replyOk(readOperator(database.db, request)),
    createOperator: (request) => operators.create({ ...request, accountId: null }),
    updateOperator: (request) => operators.change(toOperator(request)),
    inviteOperator: (request) => operators.invite(toOperator(request)),
    resetOperatorCredentials: (request) => operators.reset(toOperator(request)),
    listMembers: ({ query, principal }) => readPeople(database, query, principal.accountId, formatMember),
    createMember: (request) => members.create({ ...request, accountId: request.principal.accountId }),
    updateMember: (request) => members.change(toMember(request, request.principal)),
    inviteMember: (request) => members.invite(toMember(request, request.principal)),
    resetMemberCredentials: (request) => members.reset(toMember(request, request.principal)),
    listAccountMembers: (request) => readMembersOf(database, request),
    createAccountMember: (request) => members.create({ ...request, ...request.params }),
    updateAccountMember: (request) => members.change(toMember(request, request.params)),
    inviteAccountMember: (request) => members.invite(toMember(request, request.params)),
    resetAccountMemberCredentials: (request) => members.reset(toMember(request, request.params)),
  } satisfies Partial<OperationHandlers>;
}

type PersonRow = Parameters<typeof formatMember>[0];

function buildWrites<Shown>(deps: PeopleDeps, format: (row: PersonRow) => Shown) {
  const show = async <Result extends { readonly person: PersonRow }>(written: Promise<Result>) => {
    const { person, ...rest } = await written;
    return { ...format(person), ...rest };
  };
  return {
    create: (request: Parameters<typeof createPerson>[2]) =>
      replyWith(201, (tx) => show(createPerson(tx, deps, request))),
    change: (request: Parameters<typeof changePerson>[2]) =>
      replyWith(200, (tx) => show(changePerson(tx, deps, request))),
    invite: (request: Parameters<typeof invitePerson>[2]) =>
      replyWith(201, (tx) => show(invitePerson(tx, deps, request))),
    reset: (request: Parameters<typeof resetCredentials>[2]) =>
      replyWith(201, (tx) => show(resetCredentials(tx, deps, request))),
  };
}

function toOperator<Request extends { readonly params: { readonly operatorId: string } }>(request: Request) {
  return { ...request, accountId: null, personId: request.params.operatorId };
}

function toMember<Request extends { readonly params: { readonly memberId: string } }>(
  request: Request,
  { accountId }: { readonly accountId: string },
) {
  return { ...request, accountId, personId: request.params.memberId };
}
