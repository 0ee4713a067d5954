import { toCategoryId } from '@keyport/core/cells';
import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { common } from '../texts.ts';
import { texts } from './texts.ts';

export type Product = OperatorAnswer<'getCatalogueProduct'>;

export const TEXT_FIELDS = ['platform', 'region', 'publisher', 'developer', 'releaseDate'] as const;
export const ADDRESS_FIELDS = ['coverImage', 'portraitImage', 'thumbnail'] as const;
/** Several addresses, one per line. */
export const ADDRESSES_FIELDS = ['images', 'videos'] as const;
export const RESTRICTION_FIELDS = ['rating', 'descriptors'] as const;
const NULLABLE_FIELDS = [...TEXT_FIELDS, ...ADDRESS_FIELDS] as const;

export const REQUIREMENT_LEVELS = ['minimal', 'recommended'] as const;
export const REQUIREMENT_PARTS = [
  'system',
  'processor',
  'graphics',
  'memory',
  'diskSpace',
  'other',
] as const satisfies readonly (keyof Requirements)[];

type Requirements = NonNullable<NonNullable<Product['requirements']>['minimal']>;
type Level = (typeof REQUIREMENT_LEVELS)[number];

export const toRequirementFields = (level: Level) =>
  REQUIREMENT_PARTS.map((part) => ({ level, part, name: `${level}.${part}` as const }));
export const REQUIREMENT_FIELDS = REQUIREMENT_LEVELS.flatMap(toRequirementFields);

const FIELDS = [
  ...(['name', 'checkoutClass', 'slug', 'categories'] as const),
  ...NULLABLE_FIELDS,
  ...ADDRESSES_FIELDS,
  ...RESTRICTION_FIELDS,
  ...REQUIREMENT_FIELDS.map(({ name }) => name),
];

export type FieldName = (typeof FIELDS)[number];
export type ProductForm = Readonly<Record<FieldName, string>>;
/** Only edited fields, so that concurrent changes by other operators are kept. */
export type ProductChanges = Partial<ProductForm>;

export const NEW_PRODUCT = {
  ...Object.fromEntries(FIELDS.map((name) => [name, ''])),
  checkoutClass: 'standard',
} as ProductForm;

export function toForm(product: Product): ProductForm {
  const { name, checkoutClass, slug, categories, restrictions, requirements } = product;
  const details = NULLABLE_FIELDS.map((field) => [field, product[field] ?? '']);
  const addresses = ADDRESSES_FIELDS.map((field) => [field, (product[field] ?? []).join('\n')]);
  const parts = REQUIREMENT_FIELDS.map((field) => [
    field.name,
    requirements?.[field.level]?.[field.part] ?? '',
  ]);
  return {
    ...NEW_PRODUCT,
    ...Object.fromEntries([...details, ...addresses, ...parts]),
    name,
    checkoutClass,
    slug,
    categories: (categories ?? []).map((category) => category.name).join('\n'),
    rating: restrictions?.rating ?? '',
    descriptors: (restrictions?.descriptors ?? []).join('\n'),
  };
}

/** The members that differ from the stored ones. */
export function changesFrom(before: ProductForm, draft: ProductChanges): ProductChanges {
  const changed = FIELDS.filter((name) => draft[name] !== undefined && draft[name] !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, draft[name]]));
}

type Lists = Pick<Product, 'categories' | 'requirements' | 'restrictions'>;

/** The body members of the changed fields. `before` has the values of members that change only in part. */
export function toBody(changes: ProductChanges, before: Partial<Lists> = {}) {
  const { name, slug, checkoutClass, categories, rating, descriptors } = changes;
  const others = NULLABLE_FIELDS.flatMap((field) => {
    const text = changes[field]?.trim();
    return text === undefined ? [] : [[field, text === '' ? null : text]];
  });
  const addresses = ADDRESSES_FIELDS.flatMap((field) => {
    const text = changes[field];
    return text === undefined ? [] : [[field, orNull(toLines(text))]];
  });
  const hasRequirements = REQUIREMENT_FIELDS.some((field) => changes[field.name] !== undefined);
  return {
    ...(Object.fromEntries(others) as Partial<Pick<Product, (typeof NULLABLE_FIELDS)[number]>>),
    ...(Object.fromEntries(addresses) as Partial<Pick<Product, (typeof ADDRESSES_FIELDS)[number]>>),
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(slug === undefined || slug.trim() === '' ? {} : { slug: slug.trim() }),
    ...(checkoutClass === undefined ? {} : { checkoutClass: checkoutClass as Product['checkoutClass'] }),
    ...(categories === undefined
      ? {}
      : { categories: orNull(toCategories(toLines(categories), before.categories ?? [])) }),
    ...(rating === undefined && descriptors === undefined
      ? {}
      : { restrictions: toRestrictions({ rating, descriptors }, before.restrictions ?? null) }),
    ...(hasRequirements ? { requirements: toRequirements(changes, before.requirements ?? null) } : {}),
  };
}

function toLines(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim() || []);
}

function orNull<Item>(list: Item[]): Item[] | null {
  return list.length === 0 ? null : list;
}

type Category = NonNullable<Product['categories']>[number];

/** Returns each category once, and keeps the ids of `known` categories. */
function toCategories(names: readonly string[], known: readonly Category[] = []): Category[] {
  const left = [...known];
  const categories = names.map((name) => {
    const index = left.findIndex((category) => category.name === name);
    return left.splice(index, index === -1 ? 0 : 1)[0] ?? { id: toCategoryId(name), name };
  });
  return [...new Map(categories.map((category) => [category.id, category])).values()];
}

function toRestrictions(
  changes: { readonly rating: string | undefined; readonly descriptors: string | undefined },
  before: Product['restrictions'],
): Product['restrictions'] {
  const rating = changes.rating?.trim() ?? before?.rating ?? '';
  const descriptors =
    changes.descriptors === undefined ? (before?.descriptors ?? []) : toLines(changes.descriptors);
  return rating === '' && descriptors.length === 0 ? null : { rating, descriptors };
}

/** Leaves out empty levels. */
function toRequirements(changes: ProductChanges, before: Product['requirements']): Product['requirements'] {
  const levels = REQUIREMENT_LEVELS.flatMap((level) => {
    const changed = toRequirementFields(level).flatMap(({ part, name }) => {
      const text = changes[name]?.trim();
      return text === undefined ? [] : [[part, text === '' ? null : text]];
    });
    const parts: Requirements = { ...before?.[level], ...Object.fromEntries(changed) };
    return Object.values(parts).some((text) => text !== null && text !== '') ? [[level, parts]] : [];
  });
  return levels.length === 0 ? null : Object.fromEntries(levels);
}

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const words = texts.catalogueForms;

/** Problems by field, for the given fields. The service checks the other rules. */
export function findProblems(form: ProductChanges): Record<string, string> {
  const { name, slug = '' } = form;
  const isWrong = (address: string) => !isAddress(address);
  const problem = (fields: readonly FieldName[], says: string) =>
    Object.fromEntries(
      fields.flatMap((field) => (toLines(form[field] ?? '').some(isWrong) ? [[field, says]] : [])),
    );
  return {
    ...(name?.trim() === '' ? { name: common.enterAName } : {}),
    ...(slug.trim() === '' || SLUG.test(slug.trim()) ? {} : { slug: words.slugWrong }),
    ...problem(ADDRESS_FIELDS, words.addressWrong),
    ...problem(ADDRESSES_FIELDS, words.addressesWrong),
  };
}

export function isAddress(text: string): boolean {
  return ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '');
}
