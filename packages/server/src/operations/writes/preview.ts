import { createHash } from 'node:crypto';
import { dataEnvelope } from '@keyport/contract/envelope';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import { IF_MATCH_RULE, type OpenApproval, WritePreview } from '@keyport/contract/operators/previews';
import { ApiError, invalidField } from '@keyport/http/replies/api-error';
import type { OperationReply, WriteEffect, WriteRequest } from '../operation.ts';
import { toSerializer } from '../serializer.ts';

const serialize = toSerializer(dataEnvelope(WritePreview));

export function isDryRun({ hasPreview }: OperationSpec, { body }: WriteRequest): boolean {
  const { dryRun }: { readonly dryRun?: boolean } = Object(body);
  return hasPreview === true && dryRun === true;
}

/** Equal on all nodes. A write that was previewed before a request of `open` was made does not happen. */
export function stateTag({ state }: WriteEffect, open: readonly OpenApproval[] = []): string {
  const whole = open.length === 0 ? state : [state, open.map(({ id }) => id)];
  return `"${createHash('sha256').update(JSON.stringify(whole)).digest('base64url')}"`;
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
export function requireState({ headers }: WriteRequest, tag: string, preview: WritePreview): void {
  const { 'if-match': wanted } = headers as { readonly 'if-match'?: string };
  if (wanted === undefined) return;
  if (wanted.trim() === '*' || readTags(wanted).includes(tag)) return;
  throw new ApiError('state-changed', { data: preview, headers: { etag: tag } });
}

/** Weak tags match none: If-Match compares strongly (RFC 9110). */
function readTags(header: string): string[] {
  const tags = header.split(',').map((tag) => tag.trim());
  if (tags.every((tag) => /^(?:W\/)?"[\x21\x23-\x7e]*"$/.test(tag))) return tags;
  throw invalidField('headers.if-match', IF_MATCH_RULE);
}
