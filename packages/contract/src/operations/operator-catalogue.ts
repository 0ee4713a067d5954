import { Type } from 'typebox';
import * as Imports from '../catalogue/imports.ts';
import * as Listings from '../catalogue/listings.ts';
import * as OfferChanges from '../catalogue/offer-changes.ts';
import * as StockKeys from '../catalogue/stock-keys.ts';
import { created, cursorList, NO_CONTENT, ok, operatorRows, toRows } from './builders.ts';

const catalogue = operatorRows('Operator: catalogue', 'catalogue');
const upload = toRows({ audience: 'operator', budget: 'none', tag: 'Operator: catalogue', method: 'POST' });

export const CATALOGUE_OPERATIONS = {
  listSellers: catalogue.read('/admin/v1/sellers', {
    summary: 'List sellers',
    description: 'Sorted by id or by name.',
    ...cursorList(Listings.SellersQuery, Listings.Seller),
  }),
  listCatalogueProducts: catalogue.read('/admin/v1/products', {
    summary: 'List products, on offer or not',
    description: 'Sorted by id or by name, with offers and units on sale.',
    ...cursorList(Listings.CatalogueProductsQuery, Listings.ListedProduct),
  }),
  listOffers: catalogue.read('/admin/v1/offers', {
    summary: 'List offers, active or paused',
    description: 'Sorted by id, or by price for a single product.',
    ...cursorList(Listings.OffersQuery, Listings.ListedOffer),
  }),
  listOfferHistory: catalogue.read('/admin/v1/offers/{offerId}/history', {
    summary: 'List the price and status history of an offer',
    description: 'Each entry has the time from which it applied; newest first unless `sort` is ASC.',
    ...cursorList(Listings.OfferHistoryQuery, Listings.OfferVersion),
  }),
  listOfferKeys: catalogue.read('/admin/v1/offers/{offerId}/keys', {
    summary: 'List the keys of an offer with their states',
    description: 'In the order in which they were added, without their codes.',
    ...cursorList(StockKeys.OfferKeysQuery, StockKeys.OfferKey),
  }),
  putSeller: catalogue.put('/admin/v1/sellers/{sellerId}', {
    summary: 'Create or change a seller',
    description: 'Returns 201 if the seller is new, otherwise 200.',
    body: Listings.SellerBody,
    responses: created(Listings.Seller),
  }),
  getSeller: catalogue.read('/admin/v1/sellers/{sellerId}', {
    summary: 'Get a seller',
    description: 'A single seller by its id.',
    responses: ok(Listings.Seller),
  }),
  putProduct: catalogue.put('/admin/v1/products/{productId}', {
    summary: 'Create or change a product',
    description: 'Replaces all details of the product: missing members become null.',
    body: Listings.ProductBody,
    responses: created(Listings.CatalogueProduct),
  }),
  getCatalogueProduct: catalogue.read('/admin/v1/products/{productId}', {
    summary: 'Get a product, on offer or not',
    description: 'All its details and its checkout class.',
    responses: ok(Listings.CatalogueProduct),
  }),
  putOffer: catalogue.put('/admin/v1/offers/{offerId}', {
    summary: 'Create or change an offer',
    description: 'Its product and seller must exist and cannot be changed later.',
    body: Listings.OfferBody,
    responses: created(Listings.CatalogueOffer),
    errors: ['conflict'],
  }),
  getOffer: catalogue.read('/admin/v1/offers/{offerId}', {
    summary: 'Get an offer',
    description: 'With its price, its status and the number of units in each state.',
    responses: ok(Listings.CatalogueOffer),
  }),
  updateOffer: catalogue.patch('/admin/v1/offers/{offerId}', {
    summary: "Change an offer's price, or pause or resume it",
    description: 'Missing members stay unchanged.',
    body: Listings.OfferPatchBody,
    responses: ok(Listings.CatalogueOffer),
  }),
  changeOffers: catalogue.post('/admin/v1/offers/changes', {
    idempotency: 'required-by-quantity',
    hasPreview: true,
    summary: 'Change prices, statuses and keys of many offers',
    description:
      'In one transaction: all changes or none, and an error names every impossible change by its position. Within a change, keys are withdrawn before new ones are added. The response has the offers in the order of the changes.',
    body: OfferChanges.OfferChangesBody,
    bodySizeBytesMax: 512 * 1024,
    responses: ok(Type.Array(OfferChanges.ChangedOffer)),
    errors: ['conflict'],
  }),
  addKeys: catalogue.post('/admin/v1/offers/{offerId}/keys', {
    hasPreview: true,
    summary: 'Add keys to an offer',
    description:
      'A code that the service already holds, from any seller, is counted as a duplicate and skipped. White space and invisible characters at the ends of a code, `="…"`, quotes and a leading apostrophe are removed. Cells that a spreadsheet has spoilt (`8.96529E+19`, `#NAME?`, `####`) are rejected.',
    body: StockKeys.KeysBody,
    responses: created(StockKeys.KeysAdded),
  }),
  withdrawKeys: catalogue.post('/admin/v1/offers/{offerId}/keys/withdraw', {
    idempotency: 'required-by-quantity',
    hasPreview: true,
    summary: 'Withdraw unsold keys of an offer from stock',
    description:
      'Either by quantity or by code. A withdrawn key is never sold, and its code counts as a duplicate.',
    body: StockKeys.KeysWithdrawBody,
    responses: ok(StockKeys.KeysWithdrawn),
    errors: ['conflict'],
  }),
  restartFeeds: catalogue.post('/admin/v1/catalogue/restart-feeds', {
    summary: 'Restart the change feed for all readers',
    description:
      'After the database was restored from a backup, resellers may have seen changes that are no longer stored. Within seconds, every earlier cursor starts from the beginning on every node.',
    body: Listings.RestartFeedsBody,
    responses: NO_CONTENT,
  }),
  importLines: upload('/admin/v1/imports/{kind}', {
    permission: 'catalogue',
    summary: 'Import sellers, products, offers, prices or keys',
    description:
      'NDJSON or CSV, streamed, of any size, plain or with `Content-Encoding: gzip`. A line is the body of the matching PUT with its id; a `prices` line has the price and, optionally, the status of an existing offer, identified by `id` or by `productId` and `sellerId`. Invalid lines are reported and skipped; valid ones are stored. Of several lines about a record, the last one counts. The response comes after the last line; `GET /admin/v1/imports?importId=…` shows the progress. If the connection ends, so does the import: send it again, and lines that are stored are unchanged.',
    query: Imports.ImportQuery,
    headers: Imports.ImportHeaders,
    hasStreamedBody: true,
    responses: ok(Imports.ImportResult),
    errors: ['conflict', 'request-timeout', 'unsupported-media-type'],
  }),
  listImports: catalogue.read('/admin/v1/imports', {
    summary: 'List imports and their results',
    description: 'Newest first by default. Running imports are listed with their progress.',
    ...cursorList(Imports.ImportRunsQuery, Imports.ImportRunRecord),
  }),
  listImportRejects: catalogue.read('/admin/v1/imports/{runId}/rejects', {
    summary: 'List the rejected lines of an import',
    description: 'In the order of the file, with the reasons.',
    ...cursorList(Imports.ImportRejectsQuery, Imports.ImportReject),
  }),
  restoreImport: catalogue.unkeyed('/admin/v1/imports/{runId}/restore', {
    summary: 'Restore what an import with deleteMissing took off sale',
    description:
      'The keys that the import withdrew become available and the offers that it paused active again, except those that have changed since or that a later import with deleteMissing omits too. A retry changes nothing.',
    body: Imports.ImportRestoreBody,
    responses: ok(Imports.ImportRestored),
    errors: ['conflict'],
  }),
  undoImport: catalogue.unkeyed('/admin/v1/imports/{runId}/undo', {
    summary: 'Undo an import of prices, offers or keys',
    description:
      'Restores prices and statuses, pauses added offers, withdraws added keys, and puts what the import took off sale back on sale. If any of it has since been sold or changed, nothing is undone: 409 with the reason. Units ordered during the undo are `kept`. A retry completes the undo, or changes nothing.',
    body: Imports.ImportUndoBody,
    responses: ok(Imports.ImportUndone),
    errors: ['conflict'],
  }),
} as const;
