import { Type } from 'typebox';
import { itemsPerPage, Page } from './formats.ts';
import { filledText, oneOf, toQuery } from './schema.ts';

export const PagingQuery = toQuery({ page: Page, itemsPerPage: itemsPerPage(100) });

export const AcceptHeaders = Type.Object({ accept: Type.Optional(Type.String()) });

export const search = (finds: string) =>
  filledText(200, {
    description: `${finds} Every word must match the beginning of a word; case and accents do not matter.`,
    'x-rule': 'must be words to search for: 1 to 200 characters',
  });

/** The first order is the default. */
export const sortBy = <const Orders extends readonly string[]>(orders: Orders) =>
  oneOf(orders, `The order of the list; a minus reverses it. Default: ${orders[0]}.`);

export const newestFirst = oneOf(['ASC', 'DESC'], 'ASC: oldest first; DESC: newest first (default).');

export const flag = (description: string) => oneOf(['true', 'false'], description);
export const BY_CREATION = ['createdAt', '-createdAt'] as const;

export const ClientIdInput = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'Client id.',
  'x-rule': 'must be a client id',
});

export const TraceIdInput = Type.String({
  pattern: '^[0-9a-f]{32}$',
  description: 'Trace id of a request.',
  'x-rule': 'must be a trace id: 32 hexadecimal digits in lower case',
});
