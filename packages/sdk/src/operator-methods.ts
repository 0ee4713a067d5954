// Made from the contract by `npm run openapi`. Do not edit.

import type { Call } from './call.ts';
import type { OperatorAnswer, OperatorInput } from './operator-types.ts';
import type { CallOptions } from './options.ts';

/** A method for each operation. */
export interface OperatorMethods {
  /** Get a judgement of a reseller's client. As the reseller gets it. The webhook endpoints of its account are tried for it. */
  getClientCheckup(input: OperatorInput<'getClientCheckup'>, options?: CallOptions): Call<OperatorAnswer<'getClientCheckup'>>;
  /** Create an account. An account without a payment method can read and cannot order. Its programs need a client: create one next. Send an Idempotency-Key to make a retry safe: without one, a retry creates another account. */
  createAccount(input: OperatorInput<'createAccount'>, options?: CallOptions): Call<OperatorAnswer<'createAccount'>>;
  /** List accounts. By creation time, oldest first, unless `sort` says otherwise. With page numbers and a total, or by cursor: `query`, `status` and `sort` need the cursor. */
  listAccounts(input?: OperatorInput<'listAccounts'>, options?: CallOptions): Call<OperatorAnswer<'listAccounts'>>;
  /** Get an account. With its status, payment method, balance and limits. */
  getAccount(input: OperatorInput<'getAccount'>, options?: CallOptions): Call<OperatorAnswer<'getAccount'>>;
  /** Change an account. Only the fields that are given change. Null takes a value away. */
  updateAccount(input: OperatorInput<'updateAccount'>, options?: CallOptions): Call<OperatorAnswer<'updateAccount'>>;
  /** Create a client of an account. The secret is shown once. Send an Idempotency-Key to make a retry safe: without one, a retry creates another client. */
  createClient(input: OperatorInput<'createClient'>, options?: CallOptions): Call<OperatorAnswer<'createClient'>>;
  /** List the clients of an account. Disabled ones too. Secrets are never shown. */
  listClients(input: OperatorInput<'listClients'>, options?: CallOptions): Call<OperatorAnswer<'listClients'>>;
  /** List the clients of all accounts and of operators. Disabled ones too. Secrets are never shown. */
  listAllClients(input?: OperatorInput<'listAllClients'>, options?: CallOptions): Call<OperatorAnswer<'listAllClients'>>;
  /** Say where a client may call from, and what an operator's may do. What is left out stays. It counts within 5 seconds on every node: from any other address the client gets no token, and its tokens are rejected. A list that your own client does not fit locks you out. */
  updateClient(input: OperatorInput<'updateClient'>, options?: CallOptions): Call<OperatorAnswer<'updateClient'>>;
  /** Create a client of an operator. For a program that operates the service. The secret is shown here only. */
  createOperatorClient(input: OperatorInput<'createOperatorClient'>, options?: CallOptions): Call<OperatorAnswer<'createOperatorClient'>>;
  /** Give a client a second secret. Both secrets work; a third retires the oldest. Send an Idempotency-Key to make a retry safe: without one, a retry creates another secret, which may retire the one in use. */
  createClientSecret(input: OperatorInput<'createClientSecret'>, options?: CallOptions): Call<OperatorAnswer<'createClientSecret'>>;
  /** Enable a disabled client again. With the secrets that it had, and with its tokens that have not expired. A client whose secret leaked is better replaced by a new one. A client that is not disabled stays as it is. */
  enableClient(input: OperatorInput<'enableClient'>, options?: CallOptions): Call<OperatorAnswer<'enableClient'>>;
  /** Disable a client. Its tokens are rejected within 5 seconds on every node. */
  disableClient(input: OperatorInput<'disableClient'>, options?: CallOptions): Call<OperatorAnswer<'disableClient'>>;
  /** Book a deposit. The same reference again answers the first deposit with 200; with another amount it is a conflict. */
  createDeposit(input: OperatorInput<'createDeposit'>, options?: CallOptions): Call<OperatorAnswer<'createDeposit'>>;
  /** Correct a balance. What is booked is never changed: a correction is a booking of its own. It cannot take more than the balance. The same reference again answers the first adjustment with 200; with anything else different it is a conflict. */
  createAdjustment(input: OperatorInput<'createAdjustment'>, options?: CallOptions): Call<OperatorAnswer<'createAdjustment'>>;
  /** Book a payout. Money of the balance that was sent back to the reseller; at most the balance. The same reference again answers the first payout with 200; with another amount it is a conflict. */
  createPayout(input: OperatorInput<'createPayout'>, options?: CallOptions): Call<OperatorAnswer<'createPayout'>>;
  /** List the webhook endpoints of an account. Oldest first, with why one is disabled. Secrets are never shown. */
  listAccountWebhookEndpoints(input: OperatorInput<'listAccountWebhookEndpoints'>, options?: CallOptions): Call<OperatorAnswer<'listAccountWebhookEndpoints'>>;
  /** Get a webhook endpoint of an account. As its reseller sees it. */
  getAccountWebhookEndpoint(input: OperatorInput<'getAccountWebhookEndpoint'>, options?: CallOptions): Call<OperatorAnswer<'getAccountWebhookEndpoint'>>;
  /** List the deliveries to a webhook endpoint of an account. As its reseller sees them, with the address of a host that is not public. */
  listAccountWebhookDeliveries(input: OperatorInput<'listAccountWebhookDeliveries'>, options?: CallOptions): Call<OperatorAnswer<'listAccountWebhookDeliveries'>>;
  /** List the webhook endpoints of all accounts. With why one is disabled, and how many deliveries wait or have failed. */
  listAllWebhookEndpoints(input?: OperatorInput<'listAllWebhookEndpoints'>, options?: CallOptions): Call<OperatorAnswer<'listAllWebhookEndpoints'>>;
  /** Disable or enable a webhook endpoint of an account. Events of the time while it is disabled are not sent later: the reseller can replay them. The reseller cannot enable what an operator disabled. */
  updateAccountWebhookEndpoint(input: OperatorInput<'updateAccountWebhookEndpoint'>, options?: CallOptions): Call<OperatorAnswer<'updateAccountWebhookEndpoint'>>;
  /** Send a delivery to a webhook endpoint of an account again. At once, whatever its status, and with retries like the first time. */
  redeliverAccountWebhook(input: OperatorInput<'redeliverAccountWebhook'>, options?: CallOptions): Call<OperatorAnswer<'redeliverAccountWebhook'>>;
  /** Get the statement of an account. Every movement of the prepaid balance from createdAtFrom to createdAtTo, both included, oldest first unless `sort` is DESC, with the balance after it. With `Accept: text/csv` the whole range as a CSV file: its first record is the opening balance and its last one the closing balance. */
  getStatement(input: OperatorInput<'getStatement'>, options?: CallOptions): Call<OperatorAnswer<'getStatement'>>;
  /** List the statements of all accounts. Of every account the balances before and after the range, both ends included, and the sums between them, by name. With `Accept: text/csv` every movement as a CSV file: the first record of an account is its opening balance and the last one its closing balance; the last record of all is their total. Accounts without a balance and a movement are left out of it. */
  listStatements(input?: OperatorInput<'listStatements'>, options?: CallOptions): Call<OperatorAnswer<'listStatements'>>;
  /** Get the trial balance. What every ledger account has moved and holds at a moment (now, if none is given), the house accounts first. It adds up to zero. */
  getTrialBalance(input?: OperatorInput<'getTrialBalance'>, options?: CallOptions): Call<OperatorAnswer<'getTrialBalance'>>;
  /** Get what was booked day by day. By UTC days, at most 400. With `Accept: text/csv` as a CSV file. */
  getDailyBooks(input?: OperatorInput<'getDailyBooks'>, options?: CallOptions): Call<OperatorAnswer<'getDailyBooks'>>;
  /** Get what was sold for each seller. Charges and refunds that were booked on UTC days, at most 400, by the seller of the order. With `Accept: text/csv` as a CSV file. */
  getSellerSales(input?: OperatorInput<'getSellerSales'>, options?: CallOptions): Call<OperatorAnswer<'getSellerSales'>>;
  /** List sellers. By id or by name. */
  listSellers(input?: OperatorInput<'listSellers'>, options?: CallOptions): Call<OperatorAnswer<'listSellers'>>;
  /** List products, on offer or not. By id or by name, with what is on sale of each. */
  listCatalogueProducts(input?: OperatorInput<'listCatalogueProducts'>, options?: CallOptions): Call<OperatorAnswer<'listCatalogueProducts'>>;
  /** List offers, active or paused. By id, or those of a product by price. */
  listOffers(input?: OperatorInput<'listOffers'>, options?: CallOptions): Call<OperatorAnswer<'listOffers'>>;
  /** List the prices and statuses that an offer has had. Each since when, newest first unless `sort` is ASC. */
  listOfferHistory(input: OperatorInput<'listOfferHistory'>, options?: CallOptions): Call<OperatorAnswer<'listOfferHistory'>>;
  /** List the keys of an offer with their states. In the order in which they were added. Never with the codes themselves. */
  listOfferKeys(input: OperatorInput<'listOfferKeys'>, options?: CallOptions): Call<OperatorAnswer<'listOfferKeys'>>;
  /** Create or change a seller. 201 when it is new, otherwise 200. */
  putSeller(input: OperatorInput<'putSeller'>, options?: CallOptions): Call<OperatorAnswer<'putSeller'>>;
  /** Get a seller. A seller of the catalogue by its id. */
  getSeller(input: OperatorInput<'getSeller'>, options?: CallOptions): Call<OperatorAnswer<'getSeller'>>;
  /** Create or change a product. Replaces all its details: a field that is left out becomes null. */
  putProduct(input: OperatorInput<'putProduct'>, options?: CallOptions): Call<OperatorAnswer<'putProduct'>>;
  /** Get a product, on offer or not. All its details as they were put, and its checkout class. */
  getCatalogueProduct(input: OperatorInput<'getCatalogueProduct'>, options?: CallOptions): Call<OperatorAnswer<'getCatalogueProduct'>>;
  /** Create or change an offer. Its product and seller must exist; an offer never moves to another product or seller. */
  putOffer(input: OperatorInput<'putOffer'>, options?: CallOptions): Call<OperatorAnswer<'putOffer'>>;
  /** Get an offer. With its price, its status and how many of its units are in each state. */
  getOffer(input: OperatorInput<'getOffer'>, options?: CallOptions): Call<OperatorAnswer<'getOffer'>>;
  /** Change an offer's price, or pause or resume it. What is left out stays as it is. */
  updateOffer(input: OperatorInput<'updateOffer'>, options?: CallOptions): Call<OperatorAnswer<'updateOffer'>>;
  /** Change many offers at once: prices, statuses, keys. All of it happens in one transaction, or nothing: then every change that stands in the way is named by its place. In a change keys are withdrawn before others are added. The answer has the offers in the order of the changes. */
  changeOffers(input: OperatorInput<'changeOffers'>, options?: CallOptions): Call<OperatorAnswer<'changeOffers'>>;
  /** Add keys to an offer. A code that the service already holds, from whatever seller, is counted as a duplicate and left out. */
  addKeys(input: OperatorInput<'addKeys'>, options?: CallOptions): Call<OperatorAnswer<'addKeys'>>;
  /** Take unsold keys of an offer out of stock, for good. Either this many, or those with the given codes. A withdrawn key is never sold again, and adding its code again is a duplicate. */
  withdrawKeys(input: OperatorInput<'withdrawKeys'>, options?: CallOptions): Call<OperatorAnswer<'withdrawKeys'>>;
  /** Let every reader of the change feed start over. For after the database was restored from a backup: what resellers have seen since the backup is then not what is stored. Every cursor of before starts from the beginning, on every node within seconds. */
  restartFeeds(input: OperatorInput<'restartFeeds'>, options?: CallOptions): Call<OperatorAnswer<'restartFeeds'>>;
  /** List imports with what came of them. Newest first unless `sort` says otherwise. One that is running is listed too, with how far it is. */
  listImports(input?: OperatorInput<'listImports'>, options?: CallOptions): Call<OperatorAnswer<'listImports'>>;
  /** List the rejected lines of an import. In their order, with why. With `Accept: text/csv` all that are kept as a CSV file. */
  listImportRejects(input: OperatorInput<'listImportRejects'>, options?: CallOptions): Call<OperatorAnswer<'listImportRejects'>>;
  /** Put back on sale what an import with deleteMissing took off sale. Its withdrawn keys become available and its paused offers active again, except those that were changed since or that a later import with deleteMissing leaves out too. Repeating the request changes nothing. */
  restoreImport(input: OperatorInput<'restoreImport'>, options?: CallOptions): Call<OperatorAnswer<'restoreImport'>>;
  /** Undo an import of prices, offers or keys. Prices and statuses go back, offers that it added are paused, keys that it added are withdrawn, and what it took off sale goes back on sale. 409 with the reason when something of it was sold or changed since; nothing is undone then. What is ordered while it is being undone is `kept`. Repeating the request does what is left, or changes nothing. */
  undoImport(input: OperatorInput<'undoImport'>, options?: CallOptions): Call<OperatorAnswer<'undoImport'>>;
  /** List the orders of all accounts. By page numbers with a total, as in the order history, or by cursor: `query`, `productId`, `offerId`, `sellerId`, `imported` and `traceId` need the cursor. */
  listAllOrders(input?: OperatorInput<'listAllOrders'>, options?: CallOptions): Call<OperatorAnswer<'listAllOrders'>>;
  /** Get an order with its status log. The log has every change of the status: when, by whom and why. */
  getAnyOrder(input: OperatorInput<'getAnyOrder'>, options?: CallOptions): Call<OperatorAnswer<'getAnyOrder'>>;
  /** Hold an order. From pending, pending_payment or processing. */
  holdOrder(input: OperatorInput<'holdOrder'>, options?: CallOptions): Call<OperatorAnswer<'holdOrder'>>;
  /** Release a held order. It goes back to where it came from and on from there. */
  releaseOrder(input: OperatorInput<'releaseOrder'>, options?: CallOptions): Call<OperatorAnswer<'releaseOrder'>>;
  /** Cancel an unpaid order. Its units go back to stock. An order that is paid is refunded instead. */
  cancelOrder(input: OperatorInput<'cancelOrder'>, options?: CallOptions): Call<OperatorAnswer<'cancelOrder'>>;
  /** Refund an order, whole or in part. Before delivery only whole. A part gives back the price of its units less their share of the discount; the last refund gives back what is left. */
  refundOrder(input: OperatorInput<'refundOrder'>, options?: CallOptions): Call<OperatorAnswer<'refundOrder'>>;
  /** List the keys of an order, masked. Those that it has, and those that were replaced. Never with the codes themselves. */
  listOrderKeys(input: OperatorInput<'listOrderKeys'>, options?: CallOptions): Call<OperatorAnswer<'listOrderKeys'>>;
  /** Replace a key of a delivered order. The key that `keyId` or `code` names leaves the order and is never sold again; the order gets another key of the same offer. No money moves. The reseller reads the new key with those of the order, for as long after the replacement as after completion. An order with one key needs neither. */
  replaceKey(input: OperatorInput<'replaceKey'>, options?: CallOptions): Call<OperatorAnswer<'replaceKey'>>;
  /** Find the order, the offer and the seller of a key by its code. Letter case, blanks and dashes do not matter. The code is not stored or logged; the audit log has which key was found. */
  findKey(input: OperatorInput<'findKey'>, options?: CallOptions): Call<OperatorAnswer<'findKey'>>;
  /** List the payments that are not settled. Charges whose outcome is open and refunds that the provider has not confirmed, oldest first unless `sort` says otherwise. */
  listPayments(input?: OperatorInput<'listPayments'>, options?: CallOptions): Call<OperatorAnswer<'listPayments'>>;
  /** Ask the payment provider about a payment now. As the service does by itself, and without waiting for its time: an open charge is looked up and settled, a refund is reported again. */
  retryPayment(input: OperatorInput<'retryPayment'>, options?: CallOptions): Call<OperatorAnswer<'retryPayment'>>;
  /** List the orders that checkout rejected. Of the last 30 days, with what was asked for and what the reseller was told; newest first unless `sort` says otherwise. */
  listRejections(input?: OperatorInput<'listRejections'>, options?: CallOptions): Call<OperatorAnswer<'listRejections'>>;
  /** List writes that wait for a second person, and those that did. Newest first. */
  listApprovals(input?: OperatorInput<'listApprovals'>, options?: CallOptions): Call<OperatorAnswer<'listApprovals'>>;
  /** Get a write that waits for a second person. While it is pending, `ETag` is the state of its `preview`. */
  getApproval(input: OperatorInput<'getApproval'>, options?: CallOptions): Call<OperatorAnswer<'getApproval'>>;
  /** Approve a write of somebody else, which carries it out. It happens with this approval or not at all, in the state that it meets. Needs the permission that the write itself needs. */
  approveWrite(input: OperatorInput<'approveWrite'>, options?: CallOptions): Call<OperatorAnswer<'approveWrite'>>;
  /** Reject a write that waits, or withdraw your own. It is never carried out. */
  rejectWrite(input: OperatorInput<'rejectWrite'>, options?: CallOptions): Call<OperatorAnswer<'rejectWrite'>>;
  /** List operators. The people who operate the service, oldest first. */
  listOperators(input?: OperatorInput<'listOperators'>, options?: CallOptions): Call<OperatorAnswer<'listOperators'>>;
  /** Create an operator. With a link that signs in once, within 48 hours. It is shown here only: send it to the operator. */
  createOperator(input: OperatorInput<'createOperator'>, options?: CallOptions): Call<OperatorAnswer<'createOperator'>>;
  /** Get an operator. With the role, the status and the time of the last request. */
  getOperator(input: OperatorInput<'getOperator'>, options?: CallOptions): Call<OperatorAnswer<'getOperator'>>;
  /** Change, disable or enable an operator. It counts from the next request, on every node. Disabling also removes all credentials. The last admin who can sign in stays one. */
  updateOperator(input: OperatorInput<'updateOperator'>, options?: CallOptions): Call<OperatorAnswer<'updateOperator'>>;
  /** Make a new link that signs an operator in. It works once, within 48 hours, and replaces earlier ones. It is shown here only. */
  inviteOperator(input: OperatorInput<'inviteOperator'>, options?: CallOptions): Call<OperatorAnswer<'inviteOperator'>>;
  /** Remove an operator's credentials and make a new link. Ends all sessions and removes the password, passkeys, single sign-on link and earlier links. The new link works once, within 48 hours, and is shown here only. */
  resetOperatorCredentials(input: OperatorInput<'resetOperatorCredentials'>, options?: CallOptions): Call<OperatorAnswer<'resetOperatorCredentials'>>;
  /** List key reveals and operator actions. Newest first, with page numbers and a total, or by cursor: `accountId`, `traceId`, `actionsOnly` and `sort` need the cursor. */
  listAudit(input?: OperatorInput<'listAudit'>, options?: CallOptions): Call<OperatorAnswer<'listAudit'>>;
  /** Check that no entry of the audit log was removed, changed or moved. Reads the whole log. */
  verifyAudit(input?: OperatorInput<'verifyAudit'>, options?: CallOptions): Call<OperatorAnswer<'verifyAudit'>>;
  /** Get orders, turnover, refunds and rejections over time. By UTC hours or days, those that hold `from` and `to` included; at most 744 hours or 400 days. Orders are those that were placed in a bucket, so they are what the list of orders shows for the same times; turnover, refunds and rejections are of the time at which they happened. Exact at the moment of the answer. */
  getSummary(input?: OperatorInput<'getSummary'>, options?: CallOptions): Call<OperatorAnswer<'getSummary'>>;
  /** Get what waits for a person. Held orders, payments and refunds that are open, approvals, offers that run out, webhook endpoints that fail, and broken invariants. */
  getAttention(input?: OperatorInput<'getAttention'>, options?: CallOptions): Call<OperatorAnswer<'getAttention'>>;
  /** Get what runs: version, mode, database, nodes, settings, master keys, lag, last verification. Version, mode, settings and the lag of the catalogue are those of the node that answers. */
  getSystem(input?: OperatorInput<'getSystem'>, options?: CallOptions): Call<OperatorAnswer<'getSystem'>>;
  /** Check every invariant of books, stock, records and the catalogue in memory. The catalogue in memory (I66) is that of the node that answers. */
  verifyInvariants(input?: OperatorInput<'verifyInvariants'>, options?: CallOptions): Call<OperatorAnswer<'verifyInvariants'>>;
}
