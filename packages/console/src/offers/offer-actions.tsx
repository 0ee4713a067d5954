import { TextInput } from '@mantine/core';
import { admin, queryClient } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { type Action, Actions } from '../forms/actions.tsx';
import { amountProblem, readPrice } from '../forms/amounts.ts';
import { Warning } from '../ui/page.tsx';
import { toast, Undo } from '../ui/toasts.tsx';
import { formatMoney } from '../ui/values.tsx';
import { KeysDialog, WithdrawDialog } from './keys-dialogs.tsx';
import type { Offer } from './offers-data.ts';
import { isUnusual, PriceChange } from './price-change.tsx';
import { texts } from './texts.ts';

const words = texts.offerActions;

export function OfferActions({ offer }: { readonly offer: Offer }) {
  if (!useMay('catalogue')) return null;
  const { productName } = offer;
  const isActive = offer.status === 'active';
  const action = (
    label: string,
    toTitle: (product: string) => string,
    Dialog: typeof PriceDialog,
  ): Action => ({
    label,
    command: toTitle(productName),
    isPrimary: label === words.addKeys,
    dialog: <Dialog offer={offer} />,
  });
  return (
    <Actions
      icon="catalogue"
      actions={[
        action(words.changePrice, words.toPrice, PriceDialog),
        isActive
          ? action(words.pause, words.pauseTitle, StatusDialog)
          : action(words.resume, words.resumeTitle, StatusDialog),
        action(words.withdrawKeys, words.withdrawFrom, WithdrawDialog),
        action(words.addKeys, words.addKeysTo, KeysDialog),
      ]}
    />
  );
}

type Shown = { readonly offer: Offer };

function PriceDialog({ offer }: Shown) {
  return (
    <ActionDialog
      title={words.toPrice(offer.productName)}
      form={`price:${offer.id}`}
      initial={{ price: '' }}
      fields={({ bind }) => (
        <TextInput
          label={words.newPrice}
          description={words.priceHint(formatMoney(offer.price))}
          inputMode="decimal"
          data-autofocus
          {...bind('price')}
        />
      )}
      problems={({ price }) => ({
        price:
          amountProblem(price, words.priceWrong) ??
          (readPrice(price) === offer.price ? words.priceSame : undefined),
      })}
      showPreview={(_, { price }) => {
        const after = readPrice(price);
        return after === undefined ? null : <NewPrice before={offer.price} after={after} />;
      }}
      submit={words.changePrice}
      run={({ price }, options) =>
        admin.updateOffer(
          { params: { offerId: offer.id }, body: { price: readPrice(price) ?? price } },
          options,
        )
      }
      onDone={({ data }) => toast(words.priceSet(formatMoney(data.price)))}
    />
  );
}

function NewPrice(prices: Parameters<typeof isUnusual>[0]) {
  return (
    <>
      {isUnusual(prices) ? <Warning icon="alert">{words.unusual(1)}</Warning> : null}
      <PriceChange {...prices} />
    </>
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
      showPreview={() => (isActive ? words.pauseSays : words.resumeSays(words.units(offer.quantity)))}
      submit={isActive ? words.pause : words.resume}
      run={(_, options) => setStatus(isActive ? 'paused' : 'active', options)}
      onDone={() => toast(<Undo text={isActive ? words.paused : words.resumed} undo={undo} />)}
    />
  );
}
