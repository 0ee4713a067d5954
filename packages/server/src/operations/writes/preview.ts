import { createHash } from 'node:crypto';
import { dataEnvelope } from '@keyport/contract/envelope';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import { IF_MATCH_RULE, WritePreview } from '@keyport/contract/operators/previews';
import { ApiError, invalidField } from '@keyport/http/replies/api-error';
import fastJson from 'fast-json-stringify';
import type { OperationReply, WriteEffect, WriteRequest } from '../operation.ts';

const serialize = fastJson(dataEnvelope(WritePreview));

export function isDryRun({ hasPreview }: OperationSpec, { body }: WriteRequest): boolean {
  const { dryRun }: { readonly dryRun?: boolean } = Object(body);
  return hasPreview === true && dryRun === true;
}

/** Equal on all nodes. */
export function stateTag({ state }: WriteEffect): string {
  return `"${createHash('sha256').update(JSON.stringify(state)).digest('base64url')}"`;
}

/** `approvalAboveMinor` undefined: nothing needs approval. */
export function showEffect(
  { mayNeedApproval }: OperationSpec,
  { preview, approval }: WriteEffect,
  approvalAboveMinor: number | undefined,
): WritePreview {
  const needsApproval =
    mayNeedApproval === true &&
    approval !== undefined &&
    approvalAboveMinor !== undefined &&
    approval.sumMinor > approvalAboveMinor;
  return structuredClone({ dryRun: true, ...preview, needsApproval }) as WritePreview;
}

export function previewReply(preview: WritePreview, tag: string, traceId: string): OperationReply {
  return { status: 200, headers: { etag: tag }, bytes: serialize({ traceId, data: preview }) };
}

/** Throws state-changed. */
export function requireState({ headers }: WriteRequest, effect: WriteEffect, preview: WritePreview): void {
  const { 'if-match': wanted } = headers as { readonly 'if-match'?: string };
  if (wanted === undefined) return;
  const tag = stateTag(effect);
  if (wanted.trim() === '*' || readTags(wanted).includes(tag)) return;
  throw new ApiError('state-changed', { data: preview, headers: { etag: tag } });
}

/** Weak tags match none: If-Match compares strongly (RFC 9110). */
function readTags(header: string): string[] {
  const tags = header.split(',').map((tag) => tag.trim());
  if (tags.every((tag) => /^(?:W\/)?"[\x21\x23-\x7e]*"$/.test(tag))) return tags;
  throw invalidField('headers.if-match', IF_MATCH_RULE);
}
