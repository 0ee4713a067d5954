import { deepEqual } from 'node:assert/strict';
import type { TSchema } from 'typebox';
import { test } from 'vitest';
import { LIST_FILTERS, type ListFilter } from './list-filters.ts';
import type { OperationSpec } from './operations/operation-spec.ts';
import { OPERATIONS } from './operations.ts';

test.each(Object.entries<Readonly<Record<string, ListFilter>>>(LIST_FILTERS))(
  'the filters of %s are parameters of its query, whose values all have a label',
  (name, filters) => {
    const { query }: OperationSpec = OPERATIONS[name as keyof typeof LIST_FILTERS];
    const known: Readonly<Record<string, TSchema & { enum?: readonly string[] }>> = query?.properties ?? {};
    const wrong = Object.entries(filters).filter(([filter, { days = [filter], labels, isTabs }]) => {
      const values = known[filter]?.enum ?? [];
      const others = Object.keys(labels ?? {}).filter((one) => values.length > 0 && !values.includes(one));
      const isLabelled = labels === undefined || values.every((value) => value in labels);
      return !days.every((one) => one in known) || !isLabelled || others.length > (isTabs ? 1 : 0);
    });
    deepEqual(wrong, []);
  },
);
