/** Adds keys to an offer; shows first how many are new. The codes are secrets, so they are in no draft. */
import type { WritePreview } from '@keyport/sdk/admin';
import { Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { admin } from '../api/admin.ts';
import { useMay } from '../api/session.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { texts } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import type { Offer } from './offer-data.ts';

/** `edits` counts what was typed, so that the preview follows it. */
type Draft = { readonly edits: number };
type Preview = Pick<WritePreview, 'units' | 'stock'> & { readonly asked: number };

const KEYS_MAX = 1000;
const INITIAL: Draft = { edits: 0 };
const words = texts.offerActions;

export function KeysDialog({ offer, onClose }: { readonly offer: Offer; readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const typed = useRef<readonly string[]>([]);
  const inputOf = () => ({
    params: { offerId: offer.id },
    body: { keys: [...new Set(typed.current)].map((code) => ({ code })) },
  });
  // A preview reveals which codes the service holds, as a search for a key does.
  const mayPreview = useMay('orders');
  return (
    <ActionDialog
      onClose={onClose}
      title={words.addKeysTo(offer.productName)}
      form={`keys:${offer.id}`}
      initial={INITIAL}
      hasReason={false}
      fields={({ draft, change, errors }) => (
        <Textarea
          label={words.codes}
          data-field="keys"
          description={words.codesHint}
          className="codes"
          data-autofocus
          autosize
          minRows={6}
          maxRows={16}
          spellCheck={false}
          autoComplete="off"
          value={text}
          error={errors['keys']}
          onChange={({ currentTarget: { value } }) => {
            setText(value);
            typed.current = value.split('\n').flatMap((line) => line.trim() || []);
            change({ edits: draft.edits + 1 });
          }}
        />
      )}
      problems={() => {
        const { length } = inputOf().body.keys;
        if (length === 0) return { keys: words.codesMissing };
        return { keys: length > KEYS_MAX ? words.codesTooMany(length) : undefined };
      }}
      {...(mayPreview && {
        preview: async () => {
          const input = inputOf();
          const { preview, etag } = await admin.preview('addKeys', input);
          return { preview: { ...preview, asked: input.body.keys.length }, etag };
        },
      })}
      showPreview={(preview: Preview | undefined) =>
        preview === undefined ? null : (
          <Effect preview={preview} twice={typed.current.length - preview.asked} quantity={offer.quantity} />
        )
      }
      hasEffect={({ units }) => units.added > 0}
      submit={(preview) =>
        words.addCount(preview?.units.added ?? (mayPreview ? 0 : inputOf().body.keys.length))
      }
      run={(_, options) => admin.addKeys(inputOf(), options)}
      onDone={({ data: { added, duplicates } }) => toast(words.added(added, duplicates))}
    />
  );
}

function Effect(props: { readonly preview: Preview; readonly twice: number; readonly quantity: number }) {
  const { preview, twice, quantity } = props;
  const { units, stock, asked } = preview;
  const { before, after } = stock[0] ?? { before: quantity, after: quantity };
  return (
    <>
      <p>{words.addSays(units.added, asked - units.added, before, after)}</p>
      {twice > 0 ? <p>{words.codesTwice(twice)}</p> : null}
    </>
  );
}
