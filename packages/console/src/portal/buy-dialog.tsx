/** Buys or reserves by hand: a product, or one of its offers. */
import { formatMinor, parsePercent, toMinor } from '@keyport/core/money';
import { priceLine } from '@keyport/core/orders/pricing';
import { Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { appClient, useRead } from '../api/queries.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { amountProblem, readPrice } from '../forms/amounts.ts';
import { common, formatMoney } from '../texts.ts';
import { Facts } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { Link, Time } from '../ui/values.tsx';
import { paths, useGo } from '../url.ts';
import { isCount } from './after-sale.tsx';
import { texts } from './texts.ts';

const UNITS_MAX = 25;
const REFERENCE_MAX = 64;
const TYPING_PAUSE_MS = 300;
const words = texts.buy;

type Draft = { readonly quantity: string; readonly maxPrice: string; readonly reference: string };

export function BuyDialog(props: {
  readonly product: { readonly id: string; readonly name: string };
  /** The price of the offer, or else of the product's cheapest one. */
  readonly price: string;
  readonly offerId?: string;
  readonly isReservation?: boolean;
}) {
  const { product, price, offerId, isReservation = false } = props;
  const operation = isReservation ? 'createReservation' : 'createOrder';
  const { data: account } = useRead('getOwnAccount', {});
  // Sold out: the dialog stays, and the service says so.
  const { data: current } = useRead('getProduct', { params: { productId: product.id } }, { everyMs: 15_000 });
  const offers = current?.offers ?? [];
  const offer = offerId === undefined ? offers[0] : offers.find(({ id }) => id === offerId);
  const unitsMax = Math.min(UNITS_MAX, offer?.quantity ?? UNITS_MAX);
  const go = useGo();
  const discountBasisPoints = parsePercent(account?.discountPercent ?? '0') ?? 0;
  const toSums = ({ quantity, maxPrice }: Draft) => {
    const ceiling = readPrice(maxPrice);
    if (!isCount(quantity, unitsMax) || ceiling === undefined) return undefined;
    const cost = (each: string) =>
      priceLine({ unitPriceMinor: toMinor(each), quantity: Number(quantity), discountBasisPoints });
    return { ...cost(price), most: cost(ceiling).totalPriceMinor };
  };
  const toLine = ({ quantity, maxPrice }: Draft) => {
    const terms = { quantity: Number(quantity), maxPrice: readPrice(maxPrice) ?? maxPrice };
    return offerId === undefined
      ? { auto: { productId: product.id, ...terms } }
      : { manual: { offerId, ...terms } };
  };
  return (
    <ActionDialog<Draft, never, { readonly id: string }>
      title={(isReservation ? texts.catalogue.reserveOf : texts.catalogue.buyOf)(product.name)}
      form={[operation, offerId ?? product.id].join(':')}
      initial={{ quantity: '1', maxPrice: price, reference: '' }}
      fields={({ bind }) => (
        <>
          <TextInput
            label={words.quantity}
            description={
              offer && words.quantityHint(offer.quantity, offerId === undefined && offers.length > 1)
            }
            inputMode="numeric"
            data-autofocus
            {...bind('quantity')}
          />
          <TextInput
            label={words.maxPrice}
            description={words.maxPriceHint}
            inputMode="decimal"
            {...bind('maxPrice')}
          />
          <TextInput label={words.reference} description={words.referenceHint} {...bind('reference')} />
        </>
      )}
      problems={({ quantity, maxPrice, reference }) => ({
        quantity: isCount(quantity, unitsMax) ? undefined : words.quantityWrong(unitsMax),
        maxPrice: amountProblem(maxPrice, common.amountMissing) ?? findTooLow(maxPrice, price),
        reference: reference.trim().length > REFERENCE_MAX ? words.referenceLong(REFERENCE_MAX) : undefined,
      })}
      showPreview={(_, draft) => {
        const sums = toSums(draft);
        if (sums === undefined || findTooLow(draft.maxPrice, price) !== undefined) return words.noSum;
        const { discountMinor, totalPriceMinor, most } = sums;
        const isByBalance = account?.paymentMethod === 'balance' && !isReservation;
        const afterMinor = toMinor(account?.balance ?? '0') - totalPriceMinor;
        return (
          <>
            <SameReference reference={draft.reference.trim()} />
            {isReservation ? <p>{words.reserveSays}</p> : null}
            <Facts
              facts={{
                [words.price(Number(draft.quantity), formatMoney(price))]: money(sums.sumMinor),
                [common.discount]: discountMinor === 0 ? null : money(-discountMinor),
                [isReservation ? words.wouldPay : words.pays]: <strong>{money(totalPriceMinor)}</strong>,
                [words.most]: most > totalPriceMinor ? money(most) : null,
                [words.after]: isByBalance ? (afterMinor < 0 ? words.belowZero : money(afterMinor)) : null,
              }}
            />
          </>
        );
      }}
      submit={(_, draft) => {
        const sums = toSums(draft);
        if (isReservation) return words.reserveSubmit;
        return sums === undefined ? words.plain : words.submit(money(sums.totalPriceMinor));
      }}
      run={(draft, options) => {
        const reference = draft.reference.trim();
        const body = { items: [toLine(draft)], ...(reference !== '' && { reference }) };
        return appClient().call(operation, { body }, options);
      }}
      onDone={({ data: { id } }) => {
        const to = isReservation ? paths.reservations : paths.order(id);
        go(to);
        toast(<Link to={to}>{isReservation ? words.reserved : words.done}</Link>);
      }}
    />
  );
}

function findTooLow(maxPrice: string, price: string): string | undefined {
  const ceiling = readPrice(maxPrice);
  return ceiling !== undefined && toMinor(ceiling) < toMinor(price)
    ? words.belowPrice(formatMoney(price))
    : undefined;
}

/** A person who uses a reference again may be about to buy the same thing twice. */
function SameReference({ reference }: { readonly reference: string }) {
  const [settled] = useDebouncedValue(reference, TYPING_PAUSE_MS);
  const isAsked = settled !== '' && settled.length <= REFERENCE_MAX;
  const { data } = useRead(
    'listOrders',
    { query: { reference: settled, itemsPerPage: 10 } },
    { enabled: isAsked },
  );
  const [latest] = isAsked ? (data?.data ?? []) : [];
  if (latest === undefined) return null;
  return (
    <Text mb={8} c="var(--warn)">
      {words.sameReference} <Link to={paths.order(latest.id)}>{latest.id}</Link>,{' '}
      <Time at={latest.createdAt} />.
    </Text>
  );
}

const money = (minor: number) => formatMoney(formatMinor(minor));
