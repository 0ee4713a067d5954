/** Price, pause, keys in and out. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { admin } from '../api/admin.ts';
import { queryClient } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { texts } from '../texts.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { amountProblem, readPrice } from '../ui/amounts.ts';
import { useCommands } from '../ui/commands.ts';
import { toast } from '../ui/toasts.tsx';
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
      <Button size="xs" variant="default" onClick={() => setOpen('price')}>
        {words.price}…
      </Button>
      <Button size="xs" variant="default" onClick={() => setOpen('status')}>
        {offer.status === 'active' ? words.pause : words.resume}…
      </Button>
      <Button size="xs" variant="default" onClick={() => setOpen('withdraw')}>
        {words.withdrawKeys}…
      </Button>
      <Button size="xs" onClick={() => setOpen('keys')}>
        {words.addKeys}…
      </Button>
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
    <ActionDialog<{ readonly price: string }, never>
      onClose={onClose}
      title={words.priceOf(offer.productName)}
      form={`price:${offer.id}`}
      initial={{ price: '' }}
      hasReason={false}
      fields={({ price }, change, errors) => (
        <TextInput
          label={words.newPrice}
          description={words.priceHint(formatMoney(offer.price))}
          name="price"
          inputMode="decimal"
          data-autofocus
          value={price}
          error={errors['price']}
          onChange={({ currentTarget }) => change({ price: currentTarget.value })}
        />
      )}
      problems={({ price }) => ({
        price:
          amountProblem(price, words.priceWrong) ??
          (readPrice(price) === offer.price ? words.priceSame : undefined),
      })}
      submit={() => words.setPrice}
      run={({ price }, { client, idempotencyKey }) =>
        client
          .updateOffer(
            { params: { offerId: offer.id }, body: { price: readPrice(price) ?? price } },
            { idempotencyKey },
          )
          .withResponse()
      }
      onDone={({ data }) => toast(words.priceSet(formatMoney((data as Offer).price)))}
    />
  );
}

function StatusDialog({ offer, onClose }: Shown) {
  const words = texts.offerActions;
  const isActive = offer.status === 'active';
  const setStatus = (status: Offer['status'], client: typeof admin, options = {}) =>
    client.updateOffer({ params: { offerId: offer.id }, body: { status } }, options).withResponse();
  const undo = async () => {
    await setStatus(offer.status, admin);
    void queryClient.invalidateQueries();
  };
  return (
    <ActionDialog
      onClose={onClose}
      title={isActive ? words.pauseTitle(offer.productName) : words.resumeTitle(offer.productName)}
      form={`status:${offer.id}`}
      hasReason={false}
      showPreview={() => (isActive ? words.pauseSays : words.resumeSays(words.units(offer.quantity)))}
      submit={() => (isActive ? words.pause : words.resume)}
      run={(_, { client, idempotencyKey }) =>
        setStatus(isActive ? 'paused' : 'active', client, { idempotencyKey })
      }
      onDone={() => {
        toast(
          <>
            {isActive ? words.paused : words.resumed}{' '}
            <Button size="compact-xs" variant="subtle" onClick={() => void undo()}>
              {words.undo}
            </Button>
          </>,
        );
      }}
    />
  );
}
