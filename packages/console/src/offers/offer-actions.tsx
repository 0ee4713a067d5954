/** Price, pause, keys in and out. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { admin } from '../api/admin.ts';
import { queryClient } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { amountProblem, readPrice } from '../forms/amounts.ts';
import { texts } from '../texts.ts';
import { useCommands } from '../ui/commands.ts';
import { toast, Undo } from '../ui/toasts.tsx';
import { formatMoney } from '../ui/values.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import type { Offer } from './offer-data.ts';
import { WithdrawDialog } from './withdraw-dialog.tsx';

type DialogName = 'price' | 'status' | 'keys' | 'withdraw';

export function OfferActions({ offer }: { readonly offer: Offer }) {
  const may = useMay('catalogue');
  const [open, setOpen] = useState<DialogName>();
  const words = texts.offerActions;
  const titles = {
    price: words.priceOf(offer.productName),
    status: (offer.status === 'active' ? words.pauseTitle : words.resumeTitle)(offer.productName),
    withdraw: words.withdrawFrom(offer.productName),
    keys: words.addKeysTo(offer.productName),
  };
  const labels = {
    price: texts.common.changePrice,
    status: offer.status === 'active' ? words.pause : words.resume,
    withdraw: words.withdrawKeys,
    keys: words.addKeys,
  };
  useCommands(() =>
    (may ? (['price', 'status', 'withdraw', 'keys'] as const) : []).map((name) => ({
      label: titles[name],
      icon: 'catalogue',
      run: () => setOpen(name),
    })),
  );
  if (!may) return null;
  const shown = { offer, onClose: () => setOpen(undefined) };
  return (
    <>
      {(['price', 'status', 'withdraw', 'keys'] as const).map((name) => (
        <Button
          key={name}
          size="xs"
          variant={name === 'keys' ? 'filled' : 'default'}
          onClick={() => setOpen(name)}
        >
          {labels[name]}…
        </Button>
      ))}
      {open === 'price' ? <PriceDialog {...shown} /> : null}
      {open === 'status' ? <StatusDialog {...shown} /> : null}
      {open === 'keys' ? <KeysDialog {...shown} /> : null}
      {open === 'withdraw' ? <WithdrawDialog {...shown} /> : null}
    </>
  );
}

type Shown = { readonly offer: Offer; readonly onClose: () => void };

function PriceDialog({ offer, onClose }: Shown) {
  const words = texts.offerActions;
  return (
    <ActionDialog
      onClose={onClose}
      title={words.priceOf(offer.productName)}
      form={`price:${offer.id}`}
      initial={{ price: '' }}
      hasReason={false}
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
      submit={texts.common.changePrice}
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

function StatusDialog({ offer, onClose }: Shown) {
  const words = texts.offerActions;
  const isActive = offer.status === 'active';
  const setStatus = (status: Offer['status'], options = {}) =>
    admin.updateOffer({ params: { offerId: offer.id }, body: { status } }, options);
  const undo = async () => {
    await setStatus(offer.status);
    void queryClient.invalidateQueries();
  };
  return (
    <ActionDialog
      onClose={onClose}
      title={isActive ? words.pauseTitle(offer.productName) : words.resumeTitle(offer.productName)}
      form={`status:${offer.id}`}
      hasReason={false}
      showPreview={() => (isActive ? words.pauseSays : words.resumeSays(words.units(offer.quantity)))}
      submit={isActive ? words.pause : words.resume}
      run={(_, options) => setStatus(isActive ? 'paused' : 'active', options)}
      onDone={() => toast(<Undo text={isActive ? words.paused : words.resumed} undo={undo} />)}
    />
  );
}
