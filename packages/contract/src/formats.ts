import { ORDER_ID_PATTERN, PRODUCT_ID_PATTERN, UUID_FORM } from '@keyport/core/ids';
import { PRICE_PATTERN } from '@keyport/core/money';
import { type TSchema, Type } from 'typebox';
import { filledText } from './schema.ts';

export const CURRENCY = 'EUR';
export const ITEMS_PER_PAGE = [10, 20, 50, 100] as const;
export const PAGE_MAX = 100_000;
export const LINE_QUANTITY_MAX = 25;
export const PRODUCT_IDS_MAX = 20;
export const TOTAL_QUANTITY_MAX = 1_000_000;
export const OFFERS_PER_PRODUCT_MAX = 3;

/** No lookahead: tools in Go, Rust and Python reject it. */
const AMOUNT_PATTERN = '^(0\\.(0[1-9]|[1-9][0-9]?)|[1-9][0-9]{0,10}(\\.[0-9]{1,2})?)$';

export const ProductId = Type.String({
  pattern: PRODUCT_ID_PATTERN,
  description: 'Product id: 14 digits, the first not 0.',
  // From the demo catalogue, so that examples can be sent unchanged.
  examples: ['10000004314318'],
  'x-rule': 'must be a product id: a string of exactly 14 digits, the first not 0',
});

export const OrderId = Type.String({
  pattern: ORDER_ID_PATTERN,
  description: 'Order id: 14 to 16 digits, as a string because it can exceed 2^53.',
  examples: ['2174556001234567'],
  'x-rule': 'must be an order id: a string of 14 to 16 digits',
});

export const UuidInput = Type.String({
  pattern: `^${UUID_FORM}$`,
  description: 'UUID, 8-4-4-4-12 hexadecimal digits, any case.',
  examples: ['0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111'],
  'x-rule': 'must be a UUID of the form 8-4-4-4-12, such as 0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111',
});

export const EXAMPLE_IDEMPOTENCY_KEY = '6f1c2a52-8b0d-4a55-9d1e-0c6a8f2b7e10';

export const IdempotencyKey = Type.String({
  pattern: `^(${UUID_FORM}|"${UUID_FORM}")$`,
  description:
    'A UUID: a new one for every new order, the same one when you retry. It may be in double quotes. The nil UUID is rejected.',
  examples: [EXAMPLE_IDEMPOTENCY_KEY],
  'x-rule': `must be exactly one header with a UUID such as ${EXAMPLE_IDEMPOTENCY_KEY}`,
});

export const Uuid = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  description: 'Lower-case UUID.',
  examples: ['0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111'],
});

/** `format` rejects control characters, because not every regex dialect has a pattern for them. */
export const Reference = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^\\S(.*\\S)?$',
  format: 'printable',
  description: 'Your own order number: 1 to 64 printable characters, without a blank at either end.',
  examples: ['A-1001'],
  'x-rule': 'must be 1 to 64 printable characters without a blank at either end, such as A-1001',
});

export const Price = Type.String({
  pattern: PRICE_PATTERN,
  description: 'Unsigned decimal as a string (PriceType).',
  examples: ['12.30'],
});

export const SignedAmount = Type.String({
  pattern: '^-?(0|[1-9][0-9]{0,15})(\\.[0-9]{1,12})?$',
  description: 'Signed decimal as a string.',
  examples: ['-12.30'],
});

export const OfferPrice = Type.String({
  pattern: '^[0-9]+(\\.[0-9]{0,2})?$',
  description: 'Price in EUR, two decimals.',
  examples: ['12.30'],
});

export const MaxPrice = Type.String({
  pattern: AMOUNT_PATTERN,
  maxLength: 14,
  description:
    'The highest unit price that you accept: a string, above 0, below 100000000000, at most 2 decimals (MaxPrice).',
  examples: ['15.00'],
  'x-rule': 'must be a string such as "15.00": above 0, below 100000000000, with at most 2 decimals',
});

export const AmountInput = Type.String({
  pattern: AMOUNT_PATTERN,
  maxLength: 14,
  description: 'Amount in EUR: a string, above 0, at most 2 decimals.',
  examples: ['250.00'],
  'x-rule': 'must be a string such as "250.00": above 0, below 100000000000, with at most 2 decimals',
});

export const PercentInput = Type.String({
  pattern: '^(100(\\.0{1,2})?|[1-9]?[0-9](\\.[0-9]{1,2})?)$',
  description: 'Percentage from 0 to 100, at most 2 decimals.',
  examples: ['2.50'],
  'x-rule': 'must be a string such as "5" or "2.50": a percentage from 0 to 100 with at most 2 decimals',
});

export const DateTime = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}Z$',
  format: 'date-time',
  description: 'RFC 3339 date-time in UTC with microseconds.',
  examples: ['2026-11-21T09:30:00.123456Z'],
});

export const DateTimeInput = Type.String({
  maxLength: 64,
  format: 'date-time',
  description:
    'RFC 3339 date-time with a zone. Times before 1970 or after 2199 count as the nearest of these years.',
  examples: ['2026-11-21T09:30:00Z'],
  'x-rule': 'must be an RFC 3339 date-time with a zone, such as 2026-11-21T09:30:00Z',
});

export const CalendarDate = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
  format: 'date',
  description: 'ISO 8601 calendar date.',
  examples: ['2024-03-15'],
  'x-rule': 'must be a calendar date such as 2024-03-15',
});

export const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217 currency code.',
  examples: ['EUR'],
});

export const Page = Type.Integer({
  minimum: 1,
  maximum: PAGE_MAX,
  default: 1,
  description: 'Page number, starting at 1.',
  'x-rule': `must be a whole number from 1 to ${PAGE_MAX}`,
});

export function itemsPerPage(defaultValue: (typeof ITEMS_PER_PAGE)[number]) {
  return Type.Integer({
    enum: [...ITEMS_PER_PAGE],
    default: defaultValue,
    description: `Items per page: ${ITEMS_PER_PAGE.join(', ')}.`,
    'x-rule': `must be one of ${ITEMS_PER_PAGE.join(', ')}`,
  });
}

/** With this filter a list can be read while elements come and go: the position does not depend on other elements. */
export function after<Id extends TSchema>(id: Id, element: string) {
  return {
    ...id,
    description: `Only elements that follow the ${element} with this id in the list's order; \`page\` and the totals count only these.`,
  };
}

export const Name = filledText(500);

export const reasonFor = (log: string) =>
  filledText(500, {
    description: `The reason, for the ${log}.`,
    'x-rule': 'must give the reason in 1 to 500 characters',
  });

export const Reason = reasonFor('status log');
