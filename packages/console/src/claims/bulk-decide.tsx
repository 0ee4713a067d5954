/** Decides all keys of several claims alike. */
import { Radio } from '@mantine/core';
import { useState } from 'react';
import { admin } from '../api/admin.ts';
import { texts as approvalTexts } from '../approvals/texts.ts';
import { type BulkAction, BulkDialog, countWaiting, type Plan, type Ready } from '../operate/bulk-dialog.tsx';
import { computeSum } from '../orders/order-data.ts';
import { common, formatCount, formatMoney } from '../texts.ts';
import { Answer, DECISIONS, type Decision } from './decide-dialog.tsx';
import { texts } from './texts.ts';

type ClaimPlan = Plan & { readonly keys: readonly string[] };

export function BulkDecide(props: {
  readonly ids: readonly string[];
  readonly onFailed: (ids: readonly string[]) => void;
}) {
  const [decision, setDecision] = useState<Decision>('replace');
  const [answer, setAnswer] = useState('');
  const toInput = (claimId: string, keys: readonly string[]) => ({
    params: { claimId },
    body: {
      decisions: keys.map((keyId) => ({ keyId, decision })),
      ...(answer.trim() === '' ? {} : { answer: answer.trim() }),
    },
  });
  const action: BulkAction<ClaimPlan> = {
    key: ['decideClaim', decision],
    title: (count) => texts.bulk.title(texts.decisions[decision], count),
    name: (id) => <code>{id.slice(0, 12)}</code>,
    async preview(claimId) {
      const claim = await admin.getAnyClaim({ params: { claimId } });
      const keys = claim.keys.map(({ id }) => id);
      const { preview, etag } = await admin.preview('decideClaim', toInput(claimId, keys));
      return { amount: preview.amount, etag: etag || undefined, isWaiting: preview.needsApproval, keys };
    },
    send: ({ id, plan }, _, options) => admin.decideClaim(toInput(id, plan.keys), options).withResponse(),
    toFacts,
    ...(decision === 'refund' ? { toTyped: toSum } : {}),
    done: texts.bulk.done,
    stopped: texts.bulk.stopped,
    isDangerous: decision === 'reject',
  };
  return (
    <BulkDialog action={action} {...props}>
      <Radio.Group
        label={texts.bulk.decision}
        value={decision}
        onChange={(value) => setDecision(DECISIONS.find((one) => one === value) ?? decision)}
      >
        {DECISIONS.map((one) => (
          <Radio key={one} mt={6} value={one} label={texts.decisions[one]} />
        ))}
      </Radio.Group>
      <Answer value={answer} onChange={setAnswer} />
    </BulkDialog>
  );
}

const toSum = (ready: readonly Ready<ClaimPlan>[]) => computeSum(ready.map(({ plan }) => plan.amount));

function toFacts(ready: readonly Ready<ClaimPlan>[]) {
  const waiting = countWaiting(ready);
  return {
    [texts.bulk.possible]: formatCount(ready.length),
    [texts.keysTitle]: formatCount(ready.reduce((count, { plan }) => count + plan.keys.length, 0)),
    [common.amount]: formatMoney(toSum(ready)),
    [approvalTexts.statuses.pending]: waiting > 0 ? formatCount(waiting) : null,
  };
}
