/** A new seller, or another name for one. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { TextInput } from '@mantine/core';
import { admin } from '../api/admin.ts';
import { newUuid } from '../api/uuid.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { texts } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';

type Seller = OperatorElement<'listSellers'>;
/** The id is part of the draft: sent again, it is the same seller. */
type Draft = { readonly id: string; readonly name: string };

const words = texts.catalogueForms;

export function SellerDialog(props: { readonly seller?: Seller; readonly onClose: () => void }) {
  const { seller, onClose } = props;
  const initial: Draft = seller ?? { id: newUuid(), name: '' };
  return (
    <ActionDialog
      onClose={onClose}
      title={seller === undefined ? words.newSeller : words.renameOf(seller.name)}
      form={`seller:${seller?.id ?? 'new'}`}
      initial={initial}
      hasReason={false}
      problems={({ name }) => (name.trim() === '' ? { name: texts.common.enterAName } : {})}
      check={({ name }) => (name.trim() === seller?.name ? words.nameSame : undefined)}
      fields={({ bind }) => (
        <TextInput
          label={texts.common.name}
          data-autofocus
          autoComplete="off"
          maxLength={500}
          {...bind('name')}
        />
      )}
      submit={seller === undefined ? words.createSeller : words.rename}
      run={({ id, name }, options) =>
        admin.putSeller({ params: { sellerId: id }, body: { name: name.trim() } }, options)
      }
      onDone={({ data: { name } }) => toast(seller === undefined ? words.created(name) : words.renamed(name))}
    />
  );
}
