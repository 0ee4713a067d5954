/** Takes unsold keys out of stock: as many, or those with these codes. The codes are secrets, so they are in no draft. */
import type { OperatorAnswer } from '@keyport/sdk/admin';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { admin } from '../api/admin.ts';
import { texts } from '../texts.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { toast } from '../ui/toasts.tsx';
import type { WritePreview } from '../ui/write-preview.tsx';
import type { Offer } from './offer-data.ts';

type Withdrawn = OperatorAnswer<'withdrawKeys'>;
/** `edits` counts what was typed into the field of codes, so that the preview follows it. */
type Draft = { readonly by: 'quantity' | 'codes'; readonly quantity: string; readonly edits: number };

const words = texts.offerActions;
const INITIAL: Draft = { by: 'quantity', quantity: '', edits: 0 };

export function WithdrawDialog({ offer, onClose }: { readonly offer: Offer; readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const codes = useRef<readonly string[]>([]);
  const type = (typed: string) => {
    setText(typed);
    const lines = typed.split('\n').map((line) => line.trim());
    codes.current = [...new Set(lines.filter((line) => line !== ''))];
  };
  const params = { offerId: offer.id };
  const keysOf = ({ by, quantity }: Draft) =>
    by === 'quantity' ? { quantity: Number(quantity) } : { codes: [...codes.current] };
  const problemOf = ({ by, quantity }: Draft) => {
    if (by === 'codes') return codes.current.length === 0 ? words.codesMissing : undefined;
    return /^[1-9]\d{0,5}$/.test(quantity.trim()) ? undefined : words.quantityWrong;
  };
  return (
    <ActionDialog<Draft, WritePreview | undefined>
      onClose={onClose}
      title={words.withdrawFrom(offer.productName)}
      form={`withdraw:${offer.id}`}
      initial={INITIAL}
      isDangerous
      fields={(draft, change, errors) => (
        <>
          <NativeSelect
            label={words.withdrawBy}
            value={draft.by}
            data={Object.entries(words.withdrawWays).map(([value, label]) => ({ value, label }))}
            onChange={({ currentTarget }) => change({ by: currentTarget.value as Draft['by'] })}
          />
          {draft.by === 'quantity' ? (
            <TextInput
              label={words.quantity}
              name="quantity"
              inputMode="numeric"
              value={draft.quantity}
              error={errors['quantity']}
              onChange={({ currentTarget }) => change({ quantity: currentTarget.value })}
            />
          ) : (
            <Textarea
              label={words.codes}
              data-field="codes"
              className="codes"
              autosize
              minRows={4}
              maxRows={12}
              spellCheck={false}
              autoComplete="off"
              value={text}
              error={errors['codes']}
              onChange={({ currentTarget }) => {
                type(currentTarget.value);
                change({ edits: draft.edits + 1 });
              }}
            />
          )}
        </>
      )}
      problems={(draft) => ({ [draft.by]: problemOf(draft) })}
      isEmpty={({ by, quantity }) => by === 'quantity' && /^0*$/.test(quantity.trim())}
      preview={async (draft) => {
        if (problemOf(draft) !== undefined) return { data: undefined, response: new Response() };
        const body = { ...keysOf(draft), reason: draft.reason, dryRun: true };
        const { data, response } = await admin.withdrawKeys({ params, body }).withResponse();
        return { data: data as unknown as WritePreview, response };
      }}
      showPreview={(preview) => (preview === undefined ? null : <Effect preview={preview} />)}
      hasEffect={(preview) => (preview?.units.withdrawn ?? 0) > 0}
      submit={(preview) => words.withdraw(preview?.units.withdrawn ?? 0)}
      run={(draft, { client, idempotencyKey }) =>
        client
          .withdrawKeys({ params, body: { ...keysOf(draft), reason: draft.reason } }, { idempotencyKey })
          .withResponse()
      }
      onDone={({ data }) => toast(words.withdrawn((data as Withdrawn).withdrawn))}
    />
  );
}

function Effect({ preview }: { readonly preview: WritePreview }) {
  const { units, stock, notWithdrawn = [] } = preview;
  return (
    <>
      <p>{words.withdrawSays(units.withdrawn, stock[0]?.before, stock[0]?.after)}</p>
      {notWithdrawn.length === 0 ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
        <ul className="changes" aria-label={words.keptList} tabIndex={0}>
          {notWithdrawn.map(({ index, reason, orderId }) => (
            <li key={index}>
              <span>{words.codeAt(index + 1)}</span>
              <span>
                {words.kept[reason]} {orderId}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
