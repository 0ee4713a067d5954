/** Operators: approvals, and the operators themselves. */
import { PagingQuery } from '../lists.ts';
import { Approval, ApprovalsQuery, ApproveBody, RejectBody } from '../operators/approvals.ts';
import { InvitedOperator, Operator, OperatorCreateBody, OperatorPatchBody } from '../operators/people.ts';
import { created, cursorPages, ok, operatorRows, pages } from './builders.ts';

const approvals = operatorRows('Operator: approvals');
const people = operatorRows('Operator: people');

export const PEOPLE_OPERATIONS = {
  listApprovals: approvals.read('/admin/v1/approvals', {
    summary: 'List writes that wait for a second person, and those that did',
    description: 'Newest first.',
    query: ApprovalsQuery,
    responses: cursorPages(Approval),
  }),
  getApproval: approvals.read('/admin/v1/approvals/{approvalId}', {
    summary: 'Get a write that waits for a second person',
    description: 'While it is pending, `ETag` is the state of its `preview`.',
    responses: ok(Approval),
  }),
  approveWrite: approvals.post('/admin/v1/approvals/{approvalId}/approve', {
    permission: 'approve',
    hasPreview: true,
    summary: 'Approve a write of somebody else, which carries it out',
    description:
      'It happens with this approval or not at all, in the state that it meets. Needs the permission that the write itself needs.',
    body: ApproveBody,
    responses: ok(Approval),
    errors: ['conflict'],
  }),
  rejectWrite: approvals.post('/admin/v1/approvals/{approvalId}/reject', {
    permission: 'approve',
    summary: 'Reject a write that waits, or withdraw your own',
    description: 'It is never carried out.',
    body: RejectBody,
    responses: ok(Approval),
    errors: ['conflict'],
  }),
  listOperators: people.read('/admin/v1/operators', {
    summary: 'List operators',
    description: 'The people who operate the service, oldest first.',
    query: PagingQuery,
    responses: pages(Operator),
  }),
  createOperator: people.post('/admin/v1/operators', {
    permission: 'administer',
    summary: 'Create an operator',
    description:
      'With a link that signs in once, within 48 hours. It is shown here only: send it to the operator.',
    body: OperatorCreateBody,
    responses: created(InvitedOperator),
    errors: ['conflict'],
  }),
  getOperator: people.read('/admin/v1/operators/{operatorId}', {
    summary: 'Get an operator',
    description: 'With the role, the status and the time of the last request.',
    responses: ok(Operator),
  }),
  updateOperator: people.patch('/admin/v1/operators/{operatorId}', {
    permission: 'administer',
    summary: 'Change, disable or enable an operator',
    description:
      'It counts from the next request, on every node. Disabling also removes all credentials. The last admin who can sign in stays one.',
    body: OperatorPatchBody,
    responses: ok(Operator),
    errors: ['conflict'],
  }),
  inviteOperator: people.post('/admin/v1/operators/{operatorId}/invite', {
    permission: 'administer',
    summary: 'Make a new link that signs an operator in',
    description: 'It works once, within 48 hours, and replaces earlier ones. It is shown here only.',
    responses: created(InvitedOperator),
    errors: ['conflict'],
  }),
  resetOperatorCredentials: people.post('/admin/v1/operators/{operatorId}/reset-credentials', {
    permission: 'administer',
    summary: "Remove an operator's credentials and make a new link",
    description:
      'Ends all sessions and removes the password, passkeys, single sign-on link and earlier links. The new link works once, within 48 hours, and is shown here only.',
    responses: created(InvitedOperator),
    errors: ['conflict'],
  }),
} as const;
