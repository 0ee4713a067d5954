/** Schemas of the operator interface (R23). Same formats and the same envelope as the reseller's. */
import { Type } from 'typebox';
import { itemsPerPage, oneOf, Page } from './formats.ts';

export const PagingQuery = Type.Object({
  page: Type.Optional(Page),
  itemsPerPage: Type.Optional(itemsPerPage(100)),
});

/** Which of its forms a response has is asked for with this header. */
export const StatementHeaders = Type.Object({ accept: Type.Optional(Type.String()) });

export const YES_OR_NO = ['true', 'false'] as const;

export const search = (finds: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '\\S',
      description: `${finds} All words must be found, each as the beginning of a word; case and accents do not matter.`,
      'x-rule': 'must be words to look for: 1 to 200 characters',
    }),
  );

/** The first one is the default. */
export const sortBy = <const Orders extends readonly string[]>(orders: Orders) =>
  Type.Optional(
    oneOf(orders, `The order of the list; a minus turns it round. ${orders[0]} when it is left out.`),
  );

export const newestFirst = Type.Optional(
  oneOf(['ASC', 'DESC'], 'ASC oldest first, DESC newest first (default).'),
);

export const YES = Type.Optional(oneOf(['true', 'false'], 'true: only those.'));

export const BY_CREATION = ['createdAt', '-createdAt'] as const;

export const TraceIdInput = Type.String({
  pattern: '^[0-9a-f]{32}$',
  description: 'Trace id of a request.',
  'x-rule': 'must be a trace id: 32 hexadecimal digits in lower case',
});
