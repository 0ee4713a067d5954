/** A new product, or other details of one. Only what was changed is replaced. */
import { KeyportError } from '@keyport/sdk/admin';
import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { admin } from '../api/admin.ts';
import { PRODUCT_ID } from '../api/ids.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { toast } from '../ui/toasts.tsx';
import {
  bodyOf,
  changesFrom,
  formOf,
  NEW_PRODUCT,
  type Product,
  type ProductChanges,
  problemsOf,
} from './product-fields.ts';
import { ProductFields } from './product-form.tsx';

type NewDraft = ProductChanges & { readonly id: string };

const words = texts.catalogueForms;

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
        void navigate({ to: paths.product(id) });
      }}
    />
  );
}

export function EditProductDialog(props: { readonly product: Product; readonly onClose: () => void }) {
  const { product, onClose } = props;
  const before = formOf(product);
  const changesOf = (draft: ProductChanges) => changesFrom(before, draft);
  return (
    <ActionDialog<ProductChanges, never>
      onClose={onClose}
      title={words.editOf(product.name)}
      form={`product:${product.id}`}
      hasReason={false}
      problems={(draft) => problemsOf(changesOf(draft))}
      check={(draft) => (Object.keys(changesOf(draft)).length === 0 ? words.nothingChanged : undefined)}
      fields={(draft, change, errors) => (
        <ProductFields form={{ ...before, ...draft }} {...{ change, errors }} hasFocus />
      )}
      showPreview={() => words.editSays}
      submit={() => words.save}
      run={async (draft, { client, idempotencyKey }) => {
        const params = { productId: product.id };
        const changes = changesOf(draft);
        const { id: _id, slug, ...present } = await client.getCatalogueProduct({ params });
        // An emptied slug is made from the name again.
        const kept = changes.slug === undefined ? { slug } : {};
        const body = { ...kept, ...present, ...bodyOf(changes, present) };
        return client.putProduct({ params, body }, { idempotencyKey }).withResponse();
      }}
      onDone={({ data }) => toast(words.saved((data as Product).name))}
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
