/** The details of a product as texts of a form, and back. */
import type { OperatorAnswer } from '@keyport/sdk/admin';
import { texts } from '../texts.ts';

export type Product = OperatorAnswer<'getCatalogueProduct'>;

export const TEXT_FIELDS = ['platform', 'region', 'publisher', 'developer', 'releaseDate'] as const;
export const ADDRESS_FIELDS = ['coverImage', 'portraitImage', 'thumbnail'] as const;
const NULLABLE_FIELDS = [...TEXT_FIELDS, ...ADDRESS_FIELDS] as const;

type FieldName = 'name' | 'checkoutClass' | 'slug' | 'categories' | (typeof NULLABLE_FIELDS)[number];
export type ProductForm = Readonly<Record<FieldName, string>>;

export const NEW_PRODUCT: ProductForm = {
  name: '',
  checkoutClass: 'standard',
  slug: '',
  categories: '',
  platform: '',
  region: '',
  publisher: '',
  developer: '',
  releaseDate: '',
  coverImage: '',
  portraitImage: '',
  thumbnail: '',
};

export function formOf(product: Product): ProductForm {
  const { name, checkoutClass, slug, categories } = product;
  const details = NULLABLE_FIELDS.map((field) => [field, product[field] ?? '']);
  return {
    ...NEW_PRODUCT,
    ...Object.fromEntries(details),
    name,
    checkoutClass,
    slug,
    categories: (categories ?? []).map((category) => category.name).join(', '),
  };
}

type Category = NonNullable<Product['categories']>[number];

/** The members of the body for the fields that were changed. `known`: categories whose ids are kept. */
export function bodyOf(changes: Partial<ProductForm>, known: readonly Category[] = []) {
  const { name, slug, checkoutClass, categories } = changes;
  const others = NULLABLE_FIELDS.flatMap((field) => {
    const text = changes[field]?.trim();
    return text === undefined ? [] : [[field, text === '' ? null : text]];
  });
  return {
    ...(Object.fromEntries(others) as Partial<Pick<Product, (typeof NULLABLE_FIELDS)[number]>>),
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(slug === undefined || slug.trim() === '' ? {} : { slug: slug.trim() }),
    ...(checkoutClass === undefined ? {} : { checkoutClass: checkoutClass as Product['checkoutClass'] }),
    ...(categories === undefined ? {} : { categories: categoriesOf(categories, known) }),
  };
}

function categoriesOf(text: string, known: readonly Category[]): Category[] | null {
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  const idOf = (name: string) => known.find((category) => category.name === name)?.id ?? slugOf(name);
  return names.length === 0 ? null : names.map((name) => ({ id: idOf(name), name }));
}

function slugOf(name: string): string {
  const letters = name.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  return letters.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || name;
}

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const words = texts.catalogueForms;

/** By field. The rest of the rules is left to the service. */
export function problemsOf(form: ProductForm): Record<string, string> {
  const { name, slug } = form;
  const wrong = ADDRESS_FIELDS.filter((field) => form[field].trim() !== '' && !isAddress(form[field].trim()));
  return {
    ...(name.trim() === '' ? { name: words.nameMissing } : {}),
    ...(slug.trim() === '' || SLUG.test(slug.trim()) ? {} : { slug: words.slugWrong }),
    ...Object.fromEntries(wrong.map((field) => [field, words.addressWrong])),
  };
}

function isAddress(text: string): boolean {
  return ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '');
}
