import { Group, Radio, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { admin } from '../api/admin.ts';
import { queryClient } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { ReviewButton, useWaitingApprovals } from '../approvals/approval-parts.tsx';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { Actions } from '../forms/actions.tsx';
import type { Fields } from '../forms/fields.tsx';
import {
  formatAmount,
  submitText,
  toastApproval,
  typedAmount,
  WritePreviewFacts,
} from '../operate/write-preview.tsx';
import { common } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import { Link } from '../ui/values.tsx';
import { paths } from '../url.ts';
import type { Claim } from './claim-parts.tsx';
import { texts } from './texts.ts';

export const DECISIONS = ['replace', 'refund', 'reject'] as const;
export type Decision = (typeof DECISIONS)[number];

type Draft = { readonly decisions: Readonly<Record<string, Decision>>; readonly answer: string };

export function DecideButton({ claim }: { readonly claim: Claim }) {
  const approvals = useWaitingApprovals({ orderId: claim.orderId });
  if (!useMay('orders') || claim.status !== 'open') return null;
  const { decide } = texts;
  return (
    <>
      <ReviewButton approvals={approvals} />
      <Actions
        icon="claims"
        actions={[
          {
            label: decide,
            command: decide,
            letter: 'd',
            isPrimary: approvals === undefined || approvals.length === 0,
            dialog: <DecideDialog claim={claim} />,
          },
        ]}
      />
    </>
  );
}

function DecideDialog({ claim }: { readonly claim: Claim }) {
  const { id, keys, available } = claim;
  const usual: Decision = available >= keys.length ? 'replace' : 'refund';
  const initial: Draft = { decisions: Object.fromEntries(keys.map((key) => [key.id, usual])), answer: '' };
  const toInput = ({ decisions, answer }: Draft) => ({
    params: { claimId: id },
    body: {
      decisions: keys.map((key) => ({ keyId: key.id, decision: decisions[key.id] ?? usual })),
      ...(answer.trim() === '' ? {} : { answer: answer.trim() }),
    },
  });
  return (
    <ActionDialog
      title={texts.decideTitle(common.claimReasons[claim.reason])}
      form={`claim:${id}`}
      initial={initial}
      fields={(form) => <DecisionFields claim={claim} form={form} />}
      preview={(draft) => admin.preview('decideClaim', toInput(draft))}
      showPreview={(preview) => <WritePreviewFacts preview={preview} />}
      submit={(preview, draft) => {
        const [decision, ...others] = new Set(keys.map((key) => draft.decisions[key.id] ?? usual));
        const text = texts.submit(others.length === 0 ? decision : undefined, keys.length);
        return preview?.needsApproval === true ? submitText(preview, text, () => text) : text;
      }}
      typed={typedAmount}
      run={(draft, options) => admin.decideClaim(toInput(draft), options)}
      onDone={({ isWaiting, preview }) => {
        void queryClient.invalidateQueries({ queryKey: ['getAnyClaim'] });
        if (isWaiting) return toastApproval(formatAmount(preview?.amount ?? '0.00'));
        toast(<Link to={paths.claims}>{texts.done}</Link>);
      }}
    />
  );
}

function DecisionFields({ claim, form }: { readonly claim: Claim; readonly form: Fields<Draft> }) {
  const { draft, change, errors } = form;
  const decide = (keyId: string, decision: string) => {
    const chosen = DECISIONS.find((one) => one === decision);
    if (chosen !== undefined) change({ decisions: { ...draft.decisions, [keyId]: chosen } });
  };
  return (
    <>
      {claim.keys.map(({ id, masked }) => (
        <Radio.Group
          key={id}
          label={texts.toKey(masked)}
          value={draft.decisions[id] ?? null}
          onChange={(decision) => decide(id, decision)}
        >
          <Group gap="md" mt={6}>
            {DECISIONS.map((decision) => (
              <Radio key={decision} value={decision} label={texts.decisions[decision]} />
            ))}
          </Group>
        </Radio.Group>
      ))}
      <Answer value={draft.answer} error={errors['answer']} onChange={(answer) => change({ answer })} />
    </>
  );
}

export function Answer(props: {
  readonly value: string;
  readonly error?: ReactNode;
  readonly onChange: (answer: string) => void;
}) {
  return (
    <Textarea
      label={texts.answer}
      description={texts.answerHint}
      autosize
      minRows={2}
      value={props.value}
      error={props.error}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
    />
  );
}
