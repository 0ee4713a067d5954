import { PagingQuery } from '../lists.ts';
import * as Approvals from '../operators/approvals.ts';
import * as People from '../operators/people.ts';
import { created, cursorList, ok, operatorRows, pages } from './builders.ts';

const approvals = operatorRows('Operator: approvals', 'approve');
const people = operatorRows('Operator: people', 'administer');

export const PEOPLE_OPERATIONS = {
  listApprovals: approvals.read('/admin/v1/approvals', {
    summary: 'List pending and decided approvals',
    description: 'Writes that need a second operator, newest first.',
    ...cursorList(Approvals.ApprovalsQuery, Approvals.Approval),
  }),
  getApproval: approvals.read('/admin/v1/approvals/{approvalId}', {
    summary: 'Get a write that needs approval',
    description: 'While it is pending, the `ETag` identifies the state of its `preview`.',
    responses: ok(Approvals.Approval),
  }),
  approveWrite: approvals.post('/admin/v1/approvals/{approvalId}/approve', {
    hasPreview: true,
    summary: "Approve another operator's pending write and apply it",
    description:
      'The write is applied to the current state together with this approval, or neither takes effect. The caller also needs the permission for the write.',
    body: Approvals.ApproveBody,
    responses: ok(Approvals.Approval),
    errors: ['conflict'],
  }),
  rejectWrite: approvals.post('/admin/v1/approvals/{approvalId}/reject', {
    summary: 'Reject a pending write, or withdraw your own',
    description: 'The write is never applied.',
    body: Approvals.RejectBody,
    responses: ok(Approvals.Approval),
    errors: ['conflict'],
  }),
  listOperators: people.read('/admin/v1/operators', {
    summary: 'List operators',
    description: 'The people who operate the service, oldest first.',
    query: PagingQuery,
    responses: pages(People.Operator),
  }),
  createOperator: people.post('/admin/v1/operators', {
    givesAccess: true,
    summary: 'Create an operator',
    description:
      'The response contains a sign-in link that works once, within 48 hours. The link is shown only here: send it to the operator.',
    body: People.OperatorCreateBody,
    responses: created(People.InvitedOperator),
    errors: ['conflict'],
  }),
  getOperator: people.read('/admin/v1/operators/{operatorId}', {
    summary: 'Get an operator',
    description: 'With the role, the status and the time of the last request.',
    responses: ok(People.Operator),
  }),
  updateOperator: people.patch('/admin/v1/operators/{operatorId}', {
    summary: 'Change, disable or enable an operator',
    description:
      'The change takes effect with the next request, on every node. Disabling also removes all credentials and ends what the operator issued to others: unused sign-in links, secrets and clients. The response lists them in `ended`; a disabled client can be enabled again. With `keepIssued` they keep working, such as when a colleague leaves. The last admin who can sign in must stay an admin.',
    body: People.OperatorPatchBody,
    responses: ok(People.ChangedOperator),
    errors: ['conflict'],
  }),
  inviteOperator: people.post('/admin/v1/operators/{operatorId}/invite', {
    givesAccess: true,
    summary: 'Create a new sign-in link for an operator',
    description:
      'The link works once, within 48 hours, and replaces earlier links. It is shown only here. No one invites themselves.',
    responses: created(People.InvitedOperator),
    errors: ['conflict'],
  }),
  resetOperatorCredentials: people.post('/admin/v1/operators/{operatorId}/reset-credentials', {
    givesAccess: true,
    summary: "Remove an operator's credentials and create a new sign-in link",
    description:
      'Ends all sessions and removes the password, passkeys, single sign-on link and earlier links, and ends what the operator issued to others: unused sign-in links, secrets and clients (`ended`). No one resets themselves. The new link works once, within 48 hours, and is shown only here.',
    responses: created(People.InvitedOperator),
    errors: ['conflict'],
  }),
} as const;
