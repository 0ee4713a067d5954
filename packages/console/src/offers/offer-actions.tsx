import { TextInput } from '@mantine/core';
import { admin, queryClient } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { type Action, Actions } from '../forms/actions.tsx';
import { amountProblem, readPrice } from '../forms/amounts.ts';
import { plural, texts } from '../texts.ts';
import { toast, Undo } from '../ui/toasts.tsx';
import { formatMoney } from '../ui/values.tsx';
import { KeysDialog, WithdrawDialog } from './keys-dialogs.tsx';
import type { Offer } from './offers-data.ts';

const words = texts.offerActions;

export function OfferActions({ offer }: { readonly offer: Offer }) {
  if (!useMay('catalogue')) return null;
  const { productName } = offer;
  const isActive = offer.status === 'active';
  const action = (
    label: string,
    titleOf: (product: string) => string,
    Dialog: typeof PriceDialog,
  ): Action => ({
    label,
    command: titleOf(productName),
    isPrimary: label === 'Add keys',
    dialog: <Dialog offer={offer} />,
  });
  return (
    <Actions
      icon="catalogue"
      actions={[
        action('Change price', words.priceOf, PriceDialog),
        isActive
          ? action('Pause', words.pauseTitle, StatusDialog)
          : action('Resume', words.resumeTitle, StatusDialog),
        action('Withdraw keys', words.withdrawFrom, WithdrawDialog),
        action('Add keys', words.addKeysTo, KeysDialog),
      ]}
    />
  );
}

type Shown = { readonly offer: Offer };

function PriceDialog({ offer }: Shown) {
  return (
    <ActionDialog
      title={words.priceOf(offer.productName)}
      form={`price:${offer.id}`}
      initial={{ price: '' }}
      fields={({ bind }) => (
        <TextInput
          label="New price in EUR"
          description={`It is ${formatMoney(offer.price)} now. Resellers see the new price within seconds.`}
          inputMode="decimal"
          data-autofocus
          {...bind('price')}
        />
      )}
      problems={({ price }) => ({
        price:
          amountProblem(price, words.priceWrong) ??
          (readPrice(price) === offer.price ? 'The price is unchanged.' : undefined),
      })}
      submit="Change price"
      run={({ price }, options) =>
        admin.updateOffer(
          { params: { offerId: offer.id }, body: { price: readPrice(price) ?? price } },
          options,
        )
      }
      onDone={({ data }) => toast(`Price changed to ${formatMoney(data.price)}`)}
    />
  );
}

function StatusDialog({ offer }: Shown) {
  const isActive = offer.status === 'active';
  const setStatus = (status: Offer['status'], options = {}) =>
    admin.updateOffer({ params: { offerId: offer.id }, body: { status } }, options);
  const undo = async () => {
    await setStatus(offer.status);
    void queryClient.invalidateQueries();
  };
  return (
    <ActionDialog
      title={isActive ? words.pauseTitle(offer.productName) : words.resumeTitle(offer.productName)}
      form={`status:${offer.id}`}
      showPreview={() =>
        isActive
          ? 'The offer is not sold until an operator resumes it. Existing orders continue.'
          : `It goes back on sale, with ${plural(offer.quantity, 'unit')}.`
      }
      submit={isActive ? 'Pause' : 'Resume'}
      run={(_, options) => setStatus(isActive ? 'paused' : 'active', options)}
      onDone={() => toast(<Undo text={isActive ? 'Offer paused' : 'Offer resumed'} undo={undo} />)}
    />
  );
}
