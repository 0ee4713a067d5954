/** A new product, or other details of one. Only what was changed is replaced. */
import { KeyportError } from '@keyport/sdk/admin';
import { NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { admin } from '../api/admin.ts';
import { queryClient } from '../api/queries.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { toast } from '../ui/toasts.tsx';
import {
  ADDRESS_FIELDS,
  bodyOf,
  formOf,
  NEW_PRODUCT,
  type Product,
  type ProductForm,
  problemsOf,
  TEXT_FIELDS,
} from './product-fields.ts';

/** What was typed: nothing else is in the way of what others change. */
type Changes = Partial<ProductForm>;
type NewDraft = Changes & { readonly id: string };

const words = texts.catalogueForms;
const PRODUCT_ID = /^[1-9][0-9]{13}$/;

export function NewProductDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const tried = useRef<string>(undefined);
  return (
    <ActionDialog<NewDraft, never>
      onClose={onClose}
      title={words.newProduct}
      form="product:new"
      initial={{ id: '' }}
      hasReason={false}
      problems={({ id, ...changes }) => ({
        ...(PRODUCT_ID.test(id.trim()) ? {} : { id: words.productIdWrong }),
        ...problemsOf({ ...NEW_PRODUCT, ...changes }),
      })}
      fields={(draft, change, errors) => (
        <>
          <TextInput
            label={texts.catalogue.productId}
            description={words.productIdHint}
            name="id"
            data-autofocus
            inputMode="numeric"
            autoComplete="off"
            value={draft.id}
            error={errors['id']}
            onChange={({ currentTarget }) => change({ id: currentTarget.value })}
          />
          <ProductFields form={{ ...NEW_PRODUCT, ...draft }} {...{ change, errors }} />
        </>
      )}
      showPreview={() => words.newProductSays}
      submit={() => words.createProduct}
      run={async ({ id, reason: _reason, ...changes }, { client, idempotencyKey }) => {
        // A retry finds what the first attempt may have created.
        if (tried.current !== idempotencyKey) await requireFree(id.trim());
        tried.current = idempotencyKey;
        const body = { name: '', checkoutClass: 'standard' as const, ...bodyOf(changes) };
        return client
          .putProduct({ params: { productId: id.trim() }, body }, { idempotencyKey })
          .withResponse();
      }}
      onDone={({ data }) => {
        const { id, name } = data as Product;
        toast(words.created(name));
        void queryClient.invalidateQueries();
        void navigate({ to: paths.product(id) });
      }}
    />
  );
}

export function EditProductDialog(props: { readonly product: Product; readonly onClose: () => void }) {
  const { product, onClose } = props;
  const before = formOf(product);
  const changesOf = (draft: Changes) =>
    Object.fromEntries(
      Object.entries(draft).filter(
        ([name, text]) => name in before && text !== before[name as keyof ProductForm],
      ),
    ) as Changes;
  return (
    <ActionDialog<Changes, never>
      onClose={onClose}
      title={words.editOf(product.name)}
      form={`product:${product.id}`}
      initial={{}}
      hasReason={false}
      problems={(draft) => problemsOf({ ...before, ...draft })}
      check={(draft) => (Object.keys(changesOf(draft)).length === 0 ? words.nothingChanged : undefined)}
      fields={(draft, change, errors) => (
        <ProductFields form={{ ...before, ...draft }} {...{ change, errors }} hasFocus />
      )}
      showPreview={() => words.editSays}
      submit={() => words.save}
      run={async (draft, { client, idempotencyKey }) => {
        const params = { productId: product.id };
        const { id: _id, ...present } = await client.getCatalogueProduct({ params });
        const body = { ...present, ...bodyOf(changesOf(draft), present.categories ?? []) };
        return client.putProduct({ params, body }, { idempotencyKey }).withResponse();
      }}
      onDone={({ data }) => {
        toast(words.saved((data as Product).name));
        void queryClient.invalidateQueries();
      }}
    />
  );
}

/** A PUT would replace it. By the list, since an answer 404 is an error for the browser. */
async function requireFree(id: string): Promise<void> {
  const { data } = await admin.listCatalogueProducts({ query: { query: id, limit: 1 } });
  const taken = data.find((product) => product.id === id);
  if (taken === undefined) return;
  const message = words.productIdTaken(taken.name);
  throw new KeyportError({
    status: 409,
    code: 'conflict',
    message,
    errors: [{ code: 'conflict', field: 'body.id', message }],
  });
}

function ProductFields(props: {
  readonly form: ProductForm;
  readonly change: (changes: Changes) => void;
  readonly errors: Readonly<Record<string, string>>;
  readonly hasFocus?: boolean;
}) {
  const { form, change, errors, hasFocus = false } = props;
  const field = (
    name: keyof ProductForm,
    more: { readonly type?: string; readonly description?: string } = {},
  ) => (
    <TextInput
      key={name}
      label={texts.catalogue[name]}
      name={name}
      autoComplete="off"
      value={form[name]}
      error={errors[name]}
      data-autofocus={(hasFocus && name === 'name') || undefined}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
      {...more}
    />
  );
  return (
    <>
      {field('name')}
      <NativeSelect
        label={texts.catalogue.checkoutClass}
        description={words.classHint}
        value={form.checkoutClass}
        data={Object.entries(texts.catalogue.checkoutClasses).map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget }) => change({ checkoutClass: currentTarget.value })}
      />
      <div className="field-grid">
        {TEXT_FIELDS.map((name) => field(name, name === 'releaseDate' ? { type: 'date' } : {}))}
      </div>
      {field('categories', { description: words.categoriesHint })}
      {ADDRESS_FIELDS.map((name) => field(name, { description: words.addressHints[name] }))}
      {field('slug', { description: words.slugHint })}
    </>
  );
}
