import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { TextInput } from '@mantine/core';
import { admin } from '../api/admin.ts';
import { queryClient } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { type Action, Actions } from '../forms/actions.tsx';
import { amountProblem, readPrice } from '../forms/amounts.ts';
import { Operate } from '../operate/operate.tsx';
import { common, formatMoney } from '../texts.ts';
import { Warning } from '../ui/page.tsx';
import { toast, Undo } from '../ui/toasts.tsx';
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
          ? action(words.pause.submit, words.pause.title, StatusDialog)
          : action(words.resume.submit, words.resume.title, StatusDialog),
        action(words.withdrawKeys, words.withdrawFrom, WithdrawDialog),
        action(words.addKeys, words.addKeysTo, KeysDialog),
      ]}
    />
  );
}

type Shown = { readonly offer: Offer };

type Prices = Readonly<Record<'before' | 'after', { readonly price: string }>>;

/** The change of many offers with one, because it has a preview: a price that changed in another tab is seen first. */
function PriceDialog({ offer: { id, productName } }: Shown) {
  const toInput = ({ price }: { readonly price: string }) => ({
    body: { changes: [{ offerId: id, price: readPrice(price) ?? price }] },
  });
  return (
    <ActionDialog<{ readonly price: string }, readonly Prices[], OperatorAnswer<'changeOffers'>>
      title={words.toPrice(productName)}
      form={`price:${id}`}
      initial={{ price: '' }}
      fields={({ bind }) => (
        <TextInput label={words.newPrice} inputMode="decimal" data-autofocus {...bind('price')} />
      )}
      problems={({ price }) => ({ price: amountProblem(price, common.amountMissing) })}
      preview={async (draft) => {
        const { preview, etag } = await admin.preview('changeOffers', toInput(draft));
        return { preview: preview.offers ?? [], etag };
      }}
      showPreview={([prices] = []) =>
        prices === undefined ? (
          words.priceSame
        ) : (
          <NewPrice before={prices.before.price} after={prices.after.price} />
        )
      }
      hasEffect={({ length }) => length > 0}
      run={(draft, options) => admin.changeOffers(toInput(draft), options)}
      submit={words.changePrice}
      onDone={({ data }) => toast(words.priceSet(formatMoney(data[0]?.price ?? '')))}
    />
  );
}

function NewPrice(prices: { readonly before: string; readonly after: string }) {
  return (
    <>
      {isUnusual(prices) ? <Warning icon="alert">{words.unusual(1)}</Warning> : null}
      <PriceChange {...prices} /> {words.seen}
    </>
  );
}

function StatusDialog({ offer: { id, status, quantity, productName } }: Shown) {
  const { done, ...shown } = status === 'active' ? words.pause : words.resume;
  const params = { offerId: id };
  const undo = async () => {
    await admin.updateOffer({ params, body: { status } });
    void queryClient.invalidateQueries();
  };
  return (
    <Operate
      operation="updateOffer"
      params={params}
      body={{ status: status === 'active' ? 'paused' : 'active' }}
      of={productName}
      {...shown}
      says={words.statusSays[status](words.units(quantity))}
      done={<Undo text={done} undo={undo} />}
    />
  );
}
