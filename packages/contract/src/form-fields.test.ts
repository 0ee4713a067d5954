import { deepEqual } from 'node:assert/strict';
import type { TSchema } from 'typebox';
import { test } from 'vitest';
import { FORM_FIELDS, type FormField } from './form-fields.ts';
import { OPERATIONS } from './operations.ts';

type Shape = TSchema & {
  readonly anyOf?: readonly Shape[];
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
};

function memberAt(body: Shape | undefined, path: string): Shape | undefined {
  const member = path.split('.').reduce((shape, name) => shape?.properties?.[name], body);
  return member?.anyOf?.find(({ type }) => type !== 'null') ?? member;
}

test.each(Object.entries<Readonly<Record<string, FormField>>>(FORM_FIELDS))(
  'the fields of %s are members of its body, with a label for every value that it may have',
  (name, fields) => {
    const { body } = OPERATIONS[name as keyof typeof FORM_FIELDS];
    const wrong = Object.entries(fields).filter(([path, { labels = {}, when = [] }]) => {
      const [other, value] = when;
      const {
        items = {},
        enum: values = items.enum ?? [],
        ...member
      } = memberAt(body, path) ?? {
        enum: ['missing'],
      };
      const isKnown = other === undefined || memberAt(body, other)?.enum?.includes(String(value));
      return !isKnown || values.some((one) => !(one in labels)) || Object.keys(member).length === 0;
    });
    deepEqual(wrong, []);
  },
);
