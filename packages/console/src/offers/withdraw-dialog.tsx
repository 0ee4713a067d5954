/** Takes unsold keys out of stock: as many, or those with these codes. The codes are secrets, so they are in no draft. */
import type { WritePreview } from '@keyport/sdk/admin';
import { Textarea, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { admin } from '../api/admin.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { SelectField } from '../forms/fields.tsx';
import { texts } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import type { Offer } from './offer-data.ts';

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
  const inputOf = ({ by, quantity, reason }: Draft & { readonly reason: string }) => ({
    params: { offerId: offer.id },
    body: { reason, ...(by === 'quantity' ? { quantity: Number(quantity) } : { codes: [...codes.current] }) },
  });
  const problemOf = ({ by, quantity }: Draft) => {
    if (by === 'codes') return codes.current.length === 0 ? words.codesMissing : undefined;
    return /^[1-9]\d{0,5}$/.test(quantity.trim()) ? undefined : words.quantityWrong;
  };
  return (
    <ActionDialog
      onClose={onClose}
      title={words.withdrawFrom(offer.productName)}
      form={`withdraw:${offer.id}`}
      initial={INITIAL}
      isDangerous
      fields={({ draft, change, errors, bind }) => (
        <>
          <SelectField label={words.withdrawBy} choices={words.withdrawWays} {...bind('by')} />
          {draft.by === 'quantity' ? (
            <TextInput label={words.quantity} inputMode="numeric" {...bind('quantity')} />
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
      preview={(draft) => admin.preview('withdrawKeys', inputOf(draft))}
      showPreview={(preview) => (preview === undefined ? null : <Effect preview={preview} />)}
      hasEffect={({ units }) => units.withdrawn > 0}
      submit={(preview) => words.withdraw(preview?.units.withdrawn ?? 0)}
      run={(draft, options) => admin.withdrawKeys(inputOf(draft), options)}
      onDone={({ data }) => toast(words.withdrawn(data.withdrawn))}
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
