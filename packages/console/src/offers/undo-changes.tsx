/** Undoes a change of many offers, as its entry in the audit log lists it. */
import { Button } from '@mantine/core';
import { useRef } from 'react';
import { admin } from '../api/admin.ts';
import { useMay } from '../api/session.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { openDialog } from '../forms/closing.tsx';
import { common } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import type { Offer } from './offers-data.ts';
import { texts } from './texts.ts';

type Terms = Pick<Offer, 'price' | 'status'>;
export type Changed = { readonly offerId: string; readonly before: Terms; readonly after: Terms };

const words = texts.offerActions.undo;

export function UndoChanges({ changes }: { readonly changes: readonly Changed[] }) {
  return useMay('catalogue') ? (
    <Button size="compact-xs" variant="subtle" onClick={() => openDialog(<UndoDialog changes={changes} />)}>
      {common.undo}…
    </Button>
  ) : null;
}

/** Leaves out offers that were changed again. */
function UndoDialog({ changes }: { readonly changes: readonly Changed[] }) {
  const unchanged = useRef<readonly Changed[]>([]);
  const toInput = (reason: string) => ({
    body: { reason, changes: unchanged.current.map(({ offerId, before }) => ({ offerId, ...before })) },
  });
  return (
    <ActionDialog
      title={words.title(changes.length)}
      form={`undo:${changes[0]?.offerId}:${changes.length}`}
      hasReason
      preview={async ({ reason }) => {
        unchanged.current = changes;
        const { preview } = await admin.preview('changeOffers', toInput(reason));
        const now = new Map(preview.offers?.map(({ offerId, before }) => [offerId, before]));
        unchanged.current = changes.filter(({ offerId, after: { price, status } }) => {
          const terms = now.get(offerId);
          return terms?.price === price && terms.status === status;
        });
        if (unchanged.current.length === 0) return { preview: unchanged.current, etag: '' };
        const { etag } = await admin.preview('changeOffers', toInput(reason));
        return { preview: unchanged.current, etag };
      }}
      showPreview={(left = []) => words.says(left.length, changes.length - left.length)}
      hasEffect={({ length }) => length > 0}
      submit={(left = []) => words.submit(left.length)}
      run={({ reason }, options) => admin.changeOffers(toInput(reason), options)}
      onDone={({ data }) => toast(words.done(data.length))}
    />
  );
}
