import { KeyportError } from '@keyport/sdk-source/requests/errors';
import { TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { admin } from '../api/admin.ts';
import { PRODUCT_ID } from '../api/ids.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { common } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import { paths, useGo } from '../url.ts';
import {
  changesFrom,
  findProblems,
  NEW_PRODUCT,
  type Product,
  type ProductChanges,
  toBody,
  toForm,
} from './product-fields.ts';
import { ProductFields } from './product-form.tsx';
import { texts } from './texts.ts';

type NewDraft = ProductChanges & { readonly id: string };

const words = texts.catalogueForms;

/** 14 digits, of which the first is not 0. */
function randomId(): string {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return String(10_000_000 + (high % 90_000_000)) + String(low % 1_000_000).padStart(6, '0');
}

export function NewProductDialog() {
  const go = useGo();
  const tried = useRef<string>(undefined);
  const [initial] = useState<NewDraft>(() => ({ id: randomId() }));
  return (
    <ActionDialog
      title={common.newProduct}
      form="product:new"
      initial={initial}
      problems={({ id, ...changes }) => ({
        ...(PRODUCT_ID.test(id.trim()) ? {} : { id: words.productIdWrong }),
        ...findProblems({ ...NEW_PRODUCT, ...changes }),
      })}
      fields={({ draft, change, errors, bind }) => (
        <>
          <TextInput
            label={texts.catalogue.productId}
            description={words.productIdHint}
            data-autofocus
            inputMode="numeric"
            autoComplete="off"
            {...bind('id')}
          />
          <ProductFields form={{ ...NEW_PRODUCT, ...draft }} change={change} errors={errors} />
        </>
      )}
      showPreview={() => words.newProductSays}
      submit={words.createProduct}
      run={async ({ id, reason: _reason, ...changes }, options) => {
        // A retry skips this check, since the first attempt may have created the product.
        if (tried.current !== options.idempotencyKey) await requireFree(id.trim());
        tried.current = options.idempotencyKey;
        const body = { name: '', checkoutClass: 'standard' as const, ...toBody(changes) };
        return admin.putProduct({ params: { productId: id.trim() }, body }, options).withResponse();
      }}
      onDone={({ data: { id, name } }) => {
        go(paths.product(id));
        toast(words.created(name));
      }}
    />
  );
}

export function EditProductDialog(props: { readonly product: Product }) {
  const { product } = props;
  const before = toForm(product);
  const toChanges = (draft: ProductChanges) => changesFrom(before, draft);
  const initial: ProductChanges = {};
  return (
    <ActionDialog
      title={common.editOf(product.name)}
      form={`product:${product.id}`}
      initial={initial}
      problems={(draft) => findProblems(toChanges(draft))}
      check={(draft) => (Object.keys(toChanges(draft)).length === 0 ? words.nothingChanged : undefined)}
      fields={({ draft, change, errors }) => (
        <ProductFields form={{ ...before, ...draft }} change={change} errors={errors} hasFocus />
      )}
      showPreview={() => words.editSays}
      submit={words.save}
      run={async (draft, options) => {
        const params = { productId: product.id };
        const changes = toChanges(draft);
        const { id: _id, slug, ...present } = await admin.getCatalogueProduct({ params });
        // If the slug was cleared, the service derives it from the name again.
        const kept = changes.slug === undefined ? { slug } : {};
        const body = { ...kept, ...present, ...toBody(changes, present) };
        return admin.putProduct({ params, body }, options).withResponse();
      }}
      onDone={({ data }) => toast(words.saved(data.name))}
    />
  );
}

/** A PUT would replace a product with this id. Reads the list, since browsers log a 404 as an error. */
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
