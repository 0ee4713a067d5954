/** The write's transaction stores the record with the response. A202, A205. */
import { createHmac, type KeyObject } from 'node:crypto';
import { withdrawsByQuantity } from '@keyport/contract/catalogue/offer-changes';
import { errorSpec } from '@keyport/contract/errors';
import { KEY_REQUIRED_RULE, OPERATIONS } from '@keyport/contract/operations';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import type { OpenApproval, WritePreview } from '@keyport/contract/operators/previews';
import { must } from '@keyport/core/assert';
import { decideDuplicate } from '@keyport/core/idempotency';
import { ApiError, invalidField } from '@keyport/http/replies/api-error';
import type { Principal } from '@keyport/http/server/principal';
import {
  keyInProcess,
  REPLAYED_HEADERS,
  readIdempotencyKey,
  replayStatus,
} from '@keyport/http/validation/idempotency-key';
import { audit } from '../../audit/action.ts';
import { deriveKey } from '../../custody/derive-key.ts';
import { unwrap, wrap } from '../../custody/envelope.ts';
import { commitTransactionLikeAWrite } from '../../db/commit-like-a-write.ts';
import type { Database } from '../../db/engines/database.ts';
import type { Tx } from '../../db/schema.ts';
import { runTransaction } from '../../db/transaction.ts';
import type {
  OperationReply,
  RunWrite,
  WriteEffect,
  WriteRequest,
  WriteWork,
  Written,
} from '../operation.ts';
import { requirePermission } from '../permission.ts';
import { canonicalPayload } from './payload.ts';
import { isDryRun, previewReply, requireState, showEffect, stateTag } from './preview.ts';
import * as sql from './records.sql.ts';

export type WriteRunnerDeps = {
  readonly database: Database;
  readonly cooldownMs: number;
  readonly secret: KeyObject;
  /** EUR cents; undefined: no write needs a second operator. */
  readonly approvalAboveMinor: number | undefined;
  readonly requestApproval: RequestApproval;
  readonly listOpenApprovals: (tx: Tx, subject: ApprovalSubject) => Promise<OpenApproval[]>;
};

export type ApprovalSubject = { readonly orderId: string } | { readonly accountId: string };

type NamedOperation = Parameters<RunWrite>[0];

export type RequestApproval = (
  tx: Tx,
  operation: NamedOperation,
  request: WriteRequest,
  wanted: {
    readonly preview: WritePreview;
    readonly stateTag: string;
    readonly approval: NonNullable<WriteEffect['approval']>;
  },
) => Promise<Written>;

/** A205. */
const STORED_REJECTIONS: readonly string[] = ['conflict', 'not-found'];
const IN_FLIGHT_RETRY_AFTER_MS = 1000;

type StoredResponse = {
  readonly data?: unknown;
  readonly rejection?: Pick<ApiError, 'code' | 'message' | 'data' | 'errors'>;
};

type KeyedRequest = sql.WriteReference & { readonly fingerprint: string };

/** Returns the response, or throws the rejection. */
type Answer = () => OperationReply | Promise<OperationReply>;

export function createWriteRunner(deps: WriteRunnerDeps): RunWrite {
  const { database, cooldownMs, secret } = deps;
  const sealingKey = deriveKey(secret, 'write-record/seal');
  const payloadKey = deriveKey(secret, 'write-record/payload');

  async function runOnce(
    tx: Tx,
    request: KeyedRequest,
    work: WriteWork,
    storesRejections: boolean,
  ): Promise<Answer> {
    const { isLocked, nowMicros } = await sql.lockKey(tx, request);
    if (!isLocked) throw keyInProcess(IN_FLIGHT_RETRY_AFTER_MS);
    const record = await sql.findRecord(tx, request);
    if (record !== undefined) {
      const { fingerprint } = request;
      const decision = decideDuplicate({ ...record, body: '' }, { fingerprint, nowMicros, cooldownMs });
      if (decision.kind === 'processing') throw keyInProcess(decision.retryAfterMs);
      if (decision.kind === 'key-reused') throw new ApiError('idempotency-key-already-used');
      const stored: StoredResponse = JSON.parse(
        unwrap(sealingKey, record.answer, toName(request)).toString('utf8'),
      );
      await commitTransactionLikeAWrite(tx);
      return () => replay(record.status, stored);
    }
    const { status, stored, answer } = await carryOut(tx, work, storesRejections);
    const sealed = wrap(sealingKey, Buffer.from(JSON.stringify(stored)), toName(request));
    await sql.insertRecord(tx, request, { fingerprint: request.fingerprint, status, answer: sealed });
    return answer;
  }

  return async (operation, request, work) => {
    if (isDryRun(operation, request)) return rehearse(deps, operation, request, work);
    const guarded = guard(deps, operation, request, work);
    const idempotencyKey = toKey(operation, request);
    if (idempotencyKey === undefined) return toAnswer(await runTransaction(database, {}, guarded))();
    const payload = canonicalPayload(operation, request);
    const fingerprint = createHmac('sha256', payloadKey).update(payload).digest('base64');
    const callerId = toKeyOwner(operation, request.principal);
    const keyed = { callerId, operation: operation.name, idempotencyKey, fingerprint };
    const storesRejections = operation.isAccountWrite !== true;
    const answer = await runTransaction(database, {}, (tx) => runOnce(tx, keyed, guarded, storesRejections));
    return answer();
  };
}

/** Runs the write, then rolls it back. */
async function rehearse(
  deps: WriteRunnerDeps,
  operation: NamedOperation,
  request: WriteRequest,
  work: WriteWork,
): Promise<OperationReply> {
  const { database } = deps;
  const { effect, preview, tag } = await runTransaction(database, { isRehearsal: true }, async (tx) =>
    showWritten(deps, tx, operation, await work(tx)),
  );
  if (effect.codes !== undefined) await recordSearch(database, request, effect.codes);
  requireState(request, tag, preview);
  return previewReply(preview, tag, request.traceId);
}

/** The effect of a write, with the requests about the same order or account that wait for approval. A442. */
async function showWritten(
  { approvalAboveMinor, listOpenApprovals }: WriteRunnerDeps,
  tx: Tx,
  operation: NamedOperation,
  written: Written,
) {
  const effect = must(written.effect, `the effect of ${operation.name}`);
  const orderId = effect.preview.order?.before.id;
  const accountId = effect.approval?.accountId;
  const subject = orderId !== undefined ? { orderId } : accountId !== undefined ? { accountId } : undefined;
  const openApprovals = subject === undefined ? [] : await listOpenApprovals(tx, subject);
  const shown = showEffect(operation, effect, approvalAboveMinor);
  const preview = openApprovals.length === 0 ? shown : { ...shown, openApprovals };
  // The tag of an approval is stored with it, before later requests are made.
  const tag = stateTag(effect, operation.name === 'approveWrite' ? [] : openApprovals);
  return { effect, preview, tag };
}

/** The preview reveals which codes the service holds, as findKey does. Throws forbidden. */
async function recordSearch(
  database: Database,
  { principal, params, traceId }: WriteRequest,
  codes: NonNullable<WriteEffect['codes']>,
): Promise<void> {
  if (principal.role !== 'operator') return;
  requirePermission(principal.operatorRole, OPERATIONS.findKey.permission);
  const { offerId } = params as { readonly offerId?: string };
  const data = { dryRun: true, ...codes, ...(offerId === undefined ? {} : { offerId }) };
  await runTransaction(database, {}, (tx) => audit(tx, { principal, traceId }, 'keys.find', { data }));
}

function guard(
  deps: WriteRunnerDeps,
  operation: NamedOperation,
  request: WriteRequest,
  work: WriteWork,
): WriteWork {
  if (operation.hasPreview !== true) return work;
  return async (tx) => {
    await sql.begin(tx, 'unapproved');
    const written = await work(tx);
    const { effect, preview: shown, tag } = await showWritten(deps, tx, operation, written);
    requireState(request, tag, shown);
    if (!shown.needsApproval) return written;
    await sql.undo(tx, 'unapproved');
    const { openApprovals: _others, ...preview } = shown;
    const approval = must(effect.approval, 'what needs approval');
    return deps.requestApproval(tx, operation, request, { preview, stateTag: stateTag(effect), approval });
  };
}

/** A37, A202. */
export function toKeyOwner({ isAccountWrite }: OperationSpec, principal: Principal): string {
  return isAccountWrite === true && principal.role === 'reseller' ? principal.accountId : principal.clientId;
}

/** So that a stored response cannot move to another record. */
function toName(reference: sql.WriteReference): string {
  return `write-record/${sql.toText(reference)}`;
}

/** Throws validation-error. */
function toKey({ idempotency }: OperationSpec, { headers, body }: WriteRequest): string | undefined {
  const { 'idempotency-key': header } = headers as { 'idempotency-key'?: string };
  if (header !== undefined) return readIdempotencyKey(header);
  if (idempotency === 'required' || (idempotency === 'required-by-quantity' && withdrawsByQuantity(body))) {
    throw invalidField('headers.idempotency-key', KEY_REQUIRED_RULE);
  }
  return undefined;
}

async function carryOut(
  tx: Tx,
  work: WriteWork,
  storesRejections: boolean,
): Promise<{ readonly status: number; readonly stored: StoredResponse; readonly answer: Answer }> {
  await sql.begin(tx, 'work');
  try {
    const written = await work(tx);
    const { status, data } = written;
    return { status, stored: data === undefined ? {} : { data }, answer: toAnswer(written) };
  } catch (error) {
    if (!storesRejections || !(error instanceof ApiError) || !STORED_REJECTIONS.includes(error.code))
      throw error;
    await sql.undo(tx, 'work');
    const { code, message, data, errors } = error;
    const answer = () => {
      throw error;
    };
    return { status: errorSpec(code).status, stored: { rejection: { code, message, data, errors } }, answer };
  }
}

function toAnswer({ status, data, onCommitted }: Written): Answer {
  return async () => {
    await onCommitted?.();
    return toReply(status, data);
  };
}

function replay(status: number, { data, rejection }: StoredResponse): OperationReply {
  if (rejection === undefined) return { ...toReply(replayStatus(status), data), headers: REPLAYED_HEADERS };
  throw new ApiError(rejection.code, { ...rejection, headers: REPLAYED_HEADERS });
}

function toReply(status: number, data: unknown): OperationReply {
  return data === undefined ? { status: 204 } : { status, data };
}
