/** A new seller, or another name for one. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { TextInput } from '@mantine/core';
import { newUuid } from '../api/uuid.ts';
import { texts } from '../texts.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { toast } from '../ui/toasts.tsx';

type Seller = OperatorElement<'listSellers'>;
/** The id is part of the draft: sent again, it is the same seller. */
type Draft = { readonly id: string; readonly name: string };

const words = texts.catalogueForms;

export function SellerDialog(props: { readonly seller?: Seller; readonly onClose: () => void }) {
  const { seller, onClose } = props;
  return (
    <ActionDialog<Draft, never>
      onClose={onClose}
      title={seller === undefined ? words.newSeller : words.renameOf(seller.name)}
      form={`seller:${seller?.id ?? 'new'}`}
      initial={seller ?? { id: newUuid(), name: '' }}
      hasReason={false}
      problems={({ name }) => (name.trim() === '' ? { name: words.nameMissing } : {})}
      check={({ name }) => (name.trim() === seller?.name ? words.nameSame : undefined)}
      fields={({ name }, change, errors) => (
        <TextInput
          label={texts.catalogue.name}
          name="name"
          data-autofocus
          autoComplete="off"
          maxLength={500}
          value={name}
          error={errors['name']}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
      )}
      submit={() => (seller === undefined ? words.createSeller : words.rename)}
      run={({ id, name }, { client, idempotencyKey }) =>
        client
          .putSeller({ params: { sellerId: id }, body: { name: name.trim() } }, { idempotencyKey })
          .withResponse()
      }
      onDone={({ data }) => {
        const { name } = data as Seller;
        toast(seller === undefined ? words.created(name) : words.renamed(name));
      }}
    />
  );
}
