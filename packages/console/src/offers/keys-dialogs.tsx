import { foldCode, readCode } from '@keyport/core/product-code';
import type { WritePreview } from '@keyport/sdk-source/admin';
import { Textarea, type TextareaProps, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { admin } from '../api/admin.ts';
import { useMay } from '../api/session.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { type Fields, SelectField } from '../forms/fields.tsx';
import { toast } from '../ui/toasts.tsx';
import type { Offer } from './offers-data.ts';
import { texts } from './texts.ts';

const words = texts.offerActions;
const KEYS_MAX = 1000;

/** Counts edits, so that each one updates the preview. */
type Typed = { readonly edits: number };

type More = Pick<TextareaProps, 'description' | 'minRows' | 'maxRows'> & { readonly 'data-autofocus'?: true };

/** A field of keys, one per line. They are secrets, so no draft contains them. */
function useCodes(name: string) {
  const [text, setText] = useState('');
  const typed = useRef<readonly string[]>([]);
  const field = (
    { draft, errors, change }: Pick<Fields<Typed>, 'draft' | 'errors' | 'change'>,
    more: More,
  ) => (
    <Textarea
      label={words.codes}
      data-field={name}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      autosize
      spellCheck={false}
      autoComplete="off"
      value={text}
      error={errors[name]}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        typed.current = value.split('\n').flatMap((line) => (line.trim() === '' ? [] : line));
        change({ edits: draft.edits + 1 });
      }}
      {...more}
    />
  );
  return {
    field,
    toLines: () => typed.current,
    /** Lines are compared as the service compares codes. The first spelling of a code counts. */
    toCodes: () =>
      [...new Map(typed.current.toReversed().map((line) => [foldCode(line), line])).values()].reverse(),
  };
}

type Preview = Pick<WritePreview, 'units' | 'stock'> & { readonly asked: number };

export function KeysDialog({ offer }: { readonly offer: Offer }) {
  const { field, toLines, toCodes } = useCodes('keys');
  const toInput = () => ({
    params: { offerId: offer.id },
    body: { keys: toCodes().map((code) => ({ code })) },
  });
  // A preview reveals which codes the service holds, as a search for a key does.
  const mayPreview = useMay('orders');
  return (
    <ActionDialog
      title={words.addKeysTo(offer.productName)}
      form={`keys:${offer.id}`}
      initial={{ edits: 0 }}
      fields={(form) =>
        field(form, {
          description: words.codesHint,
          minRows: 6,
          maxRows: 16,
          'data-autofocus': true,
        })
      }
      problems={() => {
        const { length } = toInput().body.keys;
        if (length === 0) return { keys: words.codesMissing };
        if (length > KEYS_MAX) return { keys: words.codesTooMany(length) };
        const wrong = toLines().flatMap((line, index) => {
          const read = readCode(line);
          return 'problem' in read ? words.codeWrong(index + 1, read.problem) : [];
        });
        return { keys: wrong[0] };
      }}
      {...(mayPreview && {
        preview: async () => {
          const input = toInput();
          const { preview, etag } = await admin.preview('addKeys', input);
          return { preview: { ...preview, asked: input.body.keys.length }, etag };
        },
      })}
      showPreview={(preview: Preview | undefined) =>
        preview === undefined ? null : (
          <Added
            preview={preview}
            twice={toLines().length - preview.asked}
            trimmed={toCodes().filter(isTrimmed).length}
            quantity={offer.quantity}
          />
        )
      }
      hasEffect={({ units }) => units.added > 0}
      submit={(preview) =>
        words.addCount(preview?.units.added ?? (mayPreview ? 0 : toInput().body.keys.length))
      }
      run={(_, options) => admin.addKeys(toInput(), options)}
      onDone={({ data: { added, duplicates } }) => toast(words.added(added, duplicates))}
    />
  );
}

function isTrimmed(line: string): boolean {
  const read = readCode(line);
  return 'isTrimmed' in read && read.isTrimmed;
}

function Added(props: {
  readonly preview: Preview;
  readonly twice: number;
  readonly trimmed: number;
  readonly quantity: number;
}) {
  const { preview, twice, trimmed, quantity } = props;
  const { units, stock, asked } = preview;
  const { before, after } = stock[0] ?? { before: quantity, after: quantity };
  return (
    <>
      <p>{words.addSays(units.added, asked - units.added, before, after)}</p>
      {twice > 0 ? <p>{words.codesTwice(twice)}</p> : null}
      {trimmed > 0 ? <p>{words.codesTrimmed(trimmed)}</p> : null}
    </>
  );
}

type Withdrawal = { readonly by: 'quantity' | 'codes'; readonly quantity: string; readonly edits: number };

const NOTHING: Withdrawal = { by: 'quantity', quantity: '', edits: 0 };

export function WithdrawDialog({ offer }: { readonly offer: Offer }) {
  const { field, toCodes } = useCodes('codes');
  // A preview by code reveals which codes the service holds, as a search for a key does.
  const maySearch = useMay('orders');
  const isHidden = ({ by }: Withdrawal) => by === 'codes' && !maySearch;
  const toInput = ({ by, quantity, reason }: Withdrawal & { readonly reason: string }) => ({
    params: { offerId: offer.id },
    body: { reason, ...(by === 'quantity' ? { quantity: Number(quantity) } : { codes: toCodes() }) },
  });
  const findProblem = ({ by, quantity }: Withdrawal) => {
    if (by === 'codes') return toCodes().length === 0 ? words.codesMissing : undefined;
    return /^[1-9]\d{0,5}$/.test(quantity.trim()) ? undefined : words.quantityWrong;
  };
  return (
    <ActionDialog
      title={words.withdrawFrom(offer.productName)}
      form={`withdraw:${offer.id}`}
      hasReason
      initial={NOTHING}
      isDangerous
      fields={(form) => (
        <>
          <SelectField label={words.withdrawBy} choices={words.withdrawWays} {...form.bind('by')} />
          {form.draft.by === 'quantity' ? (
            <TextInput label={words.quantity} inputMode="numeric" {...form.bind('quantity')} />
          ) : (
            field(form, { minRows: 4, maxRows: 12 })
          )}
        </>
      )}
      problems={(draft) => ({ [draft.by]: findProblem(draft) })}
      isEmpty={({ by, quantity }) => by === 'quantity' && /^0*$/.test(quantity.trim())}
      preview={async (draft) =>
        isHidden(draft) ? { preview: undefined, etag: '' } : admin.preview('withdrawKeys', toInput(draft))
      }
      showPreview={(preview) => (preview === undefined ? null : <Withdrawn preview={preview} />)}
      hasEffect={(preview) => preview === undefined || preview.units.withdrawn > 0}
      submit={(preview, draft) =>
        words.withdraw(preview?.units.withdrawn ?? (isHidden(draft) ? toCodes().length : 0))
      }
      run={(draft, options) => admin.withdrawKeys(toInput(draft), options)}
      onDone={({ data }) => toast(words.withdrawn(data.withdrawn))}
    />
  );
}

function Withdrawn({ preview }: { readonly preview: WritePreview }) {
  const { units, stock, notWithdrawn = [] } = preview;
  return (
    <>
      <p>{words.withdrawSays(units.withdrawn, stock[0]?.before, stock[0]?.after)}</p>
      {notWithdrawn.length === 0 ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        <ul className="rows" aria-label={words.keptList} tabIndex={0}>
          {notWithdrawn.map(({ index, reason, orderId }) => (
            <li key={index}>
              <span className="grow">{words.codeAt(index + 1)}</span>
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
