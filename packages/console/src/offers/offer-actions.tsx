import { admin } from '../api/admin.ts';
import { queryClient } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { type Action, Actions } from '../forms/actions.tsx';
import { readPrice } from '../forms/amounts.ts';
import { Operate } from '../operate/operate.tsx';
import { Warning } from '../ui/page.tsx';
import { Undo } from '../ui/toasts.tsx';
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
          ? action(words.pause.submit, words.pause.title, StatusDialog)
          : action(words.resume.submit, words.resume.title, StatusDialog),
        action(words.withdrawKeys, words.withdrawFrom, WithdrawDialog),
        action(words.addKeys, words.addKeysTo, KeysDialog),
      ]}
    />
  );
}

type Shown = { readonly offer: Offer };

function PriceDialog({ offer }: Shown) {
  return (
    <Operate
      operation="updateOffer"
      params={{ offerId: offer.id }}
      title={words.toPrice(offer.productName)}
      problems={({ price }) => (readPrice(String(price)) === offer.price ? { price: words.priceSame } : {})}
      says={({ price }) => <NewPrice before={offer.price} after={readPrice(String(price))} />}
      submit={words.changePrice}
      done={({ price }) => words.priceSet(formatMoney(price))}
    />
  );
}

function NewPrice({
  before,
  after = before,
}: {
  readonly before: string;
  readonly after: string | undefined;
}) {
  const prices = { before, after };
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
