/** Operators: sellers, products, offers, keys and imports. */
import { Type } from 'typebox';
import {
  ImportReject,
  ImportRejectsHeaders,
  ImportRejectsQuery,
  ImportRestoreBody,
  ImportRestored,
  ImportRunRecord,
  ImportRunsQuery,
  ImportUndoBody,
  ImportUndone,
} from '../catalogue/import-runs.ts';
import { ImportHeaders, ImportQuery, ImportResult } from '../catalogue/imports.ts';
import { ChangedOffer, OfferChangesBody } from '../catalogue/offer-changes.ts';
import {
  CatalogueOffer,
  ListedOffer,
  OfferBody,
  OfferHistoryQuery,
  OfferPatchBody,
  OffersQuery,
  OfferVersion,
  RestartFeedsBody,
} from '../catalogue/operator-offers.ts';
import {
  CatalogueProduct,
  CatalogueProductsQuery,
  ListedProduct,
  ProductBody,
  Seller,
  SellerBody,
  SellersQuery,
} from '../catalogue/operator-products.ts';
import {
  KeysAdded,
  KeysBody,
  KeysWithdrawBody,
  KeysWithdrawn,
  OfferKey,
  OfferKeysQuery,
} from '../catalogue/stock-keys.ts';
import { created, cursorPages, NO_CONTENT, ok, operatorRows, rowsOf } from './builders.ts';

const catalogue = operatorRows('Operator: catalogue');

const upload = rowsOf({ audience: 'operator', budget: 'none', tag: 'Operator: catalogue', method: 'POST' });

export const CATALOGUE_OPERATIONS = {
  listSellers: catalogue.read('/admin/v1/sellers', {
    summary: 'List sellers',
    description: 'By id or by name.',
    query: SellersQuery,
    responses: cursorPages(Seller),
  }),
  listCatalogueProducts: catalogue.read('/admin/v1/products', {
    summary: 'List products, on offer or not',
    description: 'By id or by name, with what is on sale of each.',
    query: CatalogueProductsQuery,
    responses: cursorPages(ListedProduct),
  }),
  listOffers: catalogue.read('/admin/v1/offers', {
    summary: 'List offers, active or paused',
    description: 'By id, or those of a product by price.',
    query: OffersQuery,
    responses: cursorPages(ListedOffer),
  }),
  listOfferHistory: catalogue.read('/admin/v1/offers/{offerId}/history', {
    summary: 'List the prices and statuses that an offer has had',
    description: 'Each since when, newest first unless `sort` is ASC.',
    query: OfferHistoryQuery,
    responses: cursorPages(OfferVersion),
  }),
  listOfferKeys: catalogue.read('/admin/v1/offers/{offerId}/keys', {
    summary: 'List the keys of an offer with their states',
    description: 'In the order in which they were added. Never with the codes themselves.',
    query: OfferKeysQuery,
    responses: cursorPages(OfferKey),
  }),
  putSeller: catalogue.put('/admin/v1/sellers/{sellerId}', {
    permission: 'catalogue',
    summary: 'Create or change a seller',
    description: '201 when it is new, otherwise 200.',
    body: SellerBody,
    responses: created(Seller),
  }),
  getSeller: catalogue.read('/admin/v1/sellers/{sellerId}', {
    summary: 'Get a seller',
    description: 'A seller of the catalogue by its id.',
    responses: ok(Seller),
  }),
  putProduct: catalogue.put('/admin/v1/products/{productId}', {
    permission: 'catalogue',
    summary: 'Create or change a product',
    description: 'Replaces all its details: a field that is left out becomes null.',
    body: ProductBody,
    responses: created(CatalogueProduct),
  }),
  getCatalogueProduct: catalogue.read('/admin/v1/products/{productId}', {
    summary: 'Get a product, on offer or not',
    description: 'All its details as they were put, and its checkout class.',
    responses: ok(CatalogueProduct),
  }),
  putOffer: catalogue.put('/admin/v1/offers/{offerId}', {
    permission: 'catalogue',
    summary: 'Create or change an offer',
    description: 'Its product and seller must exist; an offer never moves to another product or seller.',
    body: OfferBody,
    responses: created(CatalogueOffer),
    errors: ['conflict'],
  }),
  getOffer: catalogue.read('/admin/v1/offers/{offerId}', {
    summary: 'Get an offer',
    description: 'With its price, its status and how many of its units are in each state.',
    responses: ok(CatalogueOffer),
  }),
  updateOffer: catalogue.patch('/admin/v1/offers/{offerId}', {
    permission: 'catalogue',
    summary: "Change an offer's price, or pause or resume it",
    description: 'What is left out stays as it is.',
    body: OfferPatchBody,
    responses: ok(CatalogueOffer),
  }),
  changeOffers: catalogue.post('/admin/v1/offers/changes', {
    permission: 'catalogue',
    idempotency: 'required-by-quantity',
    hasPreview: true,
    summary: 'Change many offers at once: prices, statuses, keys',
    description:
      'All of it happens in one transaction, or nothing: then every change that stands in the way is named by its place. In a change keys are withdrawn before others are added. The answer has the offers in the order of the changes.',
    body: OfferChangesBody,
    bodySizeBytesMax: 512 * 1024,
    responses: ok(Type.Array(ChangedOffer)),
    errors: ['conflict'],
  }),
  addKeys: catalogue.post('/admin/v1/offers/{offerId}/keys', {
    permission: 'catalogue',
    hasPreview: true,
    summary: 'Add keys to an offer',
    description:
      'A code that the service already holds, from whatever seller, is counted as a duplicate and left out.',
    body: KeysBody,
    responses: created(KeysAdded),
  }),
  withdrawKeys: catalogue.post('/admin/v1/offers/{offerId}/keys/withdraw', {
    permission: 'catalogue',
    idempotency: 'required-by-quantity',
    hasPreview: true,
    summary: 'Take unsold keys of an offer out of stock, for good',
    description:
      'Either this many, or those with the given codes. A withdrawn key is never sold again, and adding its code again is a duplicate.',
    body: KeysWithdrawBody,
    responses: ok(KeysWithdrawn),
    errors: ['conflict'],
  }),
  restartFeeds: catalogue.post('/admin/v1/catalogue/restart-feeds', {
    permission: 'catalogue',
    summary: 'Let every reader of the change feed start over',
    description:
      'For after the database was restored from a backup: what resellers have seen since the backup is then not what is stored. Every cursor of before starts from the beginning, on every node within seconds.',
    body: RestartFeedsBody,
    responses: NO_CONTENT,
  }),
  importLines: upload('/admin/v1/imports/{kind}', {
    permission: 'catalogue',
    summary: 'Import sellers, products, offers, prices or keys',
    description:
      'NDJSON or CSV, streamed, of any size, as it is or with `Content-Encoding: gzip`. A line is the body of the matching PUT with its id; a line of prices has the price and, optionally, the status of an offer that exists, which `id` names, or `productId` and `sellerId`. A bad line is reported and skipped, the good ones are kept. With `Accept: application/x-ndjson` the answer begins while the body is read: a line for every rejected line and every batch that is kept, and in the end the result or an error.',
    query: ImportQuery,
    headers: ImportHeaders,
    hasStreamedBody: true,
    responses: ok(ImportResult),
    ndjsonExample:
      '{"rejected":{"line":7,"message":"name is required and must be a text of 1 to 500 characters, not only blanks."}}\n{"committed":{"line":1000,"read":1000,"written":999,"unchanged":0,"rejected":1,"skipped":0,"rejectedBefore":0}}\n{"result":{"read":1000,"written":999,"unchanged":0,"rejected":1,"skipped":0,"rejectedBefore":0,"errors":[{"line":7,"message":"name is required and must be a text of 1 to 500 characters, not only blanks."}],"removed":0,"dryRun":false}}\n',
    errors: ['conflict', 'request-timeout', 'unsupported-media-type'],
  }),
  listImports: catalogue.read('/admin/v1/imports', {
    summary: 'List imports with what came of them',
    description:
      'Newest first unless `sort` says otherwise. One that is running is listed too, with how far it is.',
    query: ImportRunsQuery,
    responses: cursorPages(ImportRunRecord),
  }),
  listImportRejects: catalogue.read('/admin/v1/imports/{runId}/rejects', {
    summary: 'List the rejected lines of an import',
    description: 'In their order, with why. With `Accept: text/csv` all that are kept as a CSV file.',
    query: ImportRejectsQuery,
    headers: ImportRejectsHeaders,
    responses: cursorPages(ImportReject),
    csvExample:
      'line,message\r\n7,"name is required and must be a text of 1 to 500 characters, not only blanks."\r\n',
  }),
  restoreImport: catalogue.unkeyed('/admin/v1/imports/{runId}/restore', {
    permission: 'catalogue',
    summary: 'Put back on sale what an import with deleteMissing took off sale',
    description:
      'Its withdrawn keys become available and its paused offers active again, except those that were changed since or that a later import with deleteMissing leaves out too. Repeating the request changes nothing.',
    body: ImportRestoreBody,
    responses: ok(ImportRestored),
    errors: ['conflict'],
  }),
  undoImport: catalogue.unkeyed('/admin/v1/imports/{runId}/undo', {
    permission: 'catalogue',
    summary: 'Undo an import of prices, offers or keys',
    description:
      'Prices and statuses go back, offers that it added are paused, keys that it added are withdrawn, and what it took off sale goes back on sale. 409 with the reason when something of it was sold or changed since; nothing is undone then. What is ordered while it is being undone is `kept`. Repeating the request does what is left, or changes nothing.',
    body: ImportUndoBody,
    responses: ok(ImportUndone),
    errors: ['conflict'],
  }),
} as const;
