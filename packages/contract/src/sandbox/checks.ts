export type CheckText = {
  readonly title: string;
  readonly why: string;
  readonly howTo: string;
  readonly judged: string;
  readonly rehearse: string;
};

export const CHECKS = {
  'order-retries': {
    title: 'A retried order has the same key and the same payload',
    why: 'After a lost response, 5xx or 409 the order may have been placed; after `order-not-paid` or `held` it was placed. Ordering again with a new key buys twice.',
    howTo:
      'Keep the Idempotency-Key and the payload of an order until its outcome is known, and retry with both unchanged. Read the order before you buy again. Send your own order number as `reference`: it tells your customers apart.',
    judged:
      'After an unknown outcome (no response, 5xx, 409 idempotency-key-processing), a retry with the same key and the same payload passes. An order for the same product and the same `reference` (or both without one) with a new key fails, whatever its quantity, its price and its kind (auto or manual), unless the order, the history or the events were read in between, the first key is used again later, or ten minutes have passed. A product that is ordered or reserved again with the same `reference` and another key fails, even if the first order was read, until that order is canceled or closed, or the reservation was released or has expired; if a customer needs more units than an order can have, send a `reference` for each part, such as `17-1` and `17-2`. Giving up does not fail, and neither do orders for other customers while an order is held or not paid.',
    rehearse: 'Send an order with `Keyport-Scenario: lost-answer`, and another with `unavailable`.',
  },
  'one-payload-per-key': {
    title: 'Every order has its own key',
    why: 'An order without a key is rejected with 400. A key with a different payload is rejected with 422, and the second order is not placed.',
    howTo: 'Create a new UUID for every new order, and store it with the order.',
    judged:
      'Two payloads with one key fail, and so do the orders of two reservations with one key. Differences in notation do not matter, and a request that was rejected early (400 validation-error, 401, 403, 413, 415, 429) or because its reservation has ended does not use up its key. Three consecutive orders without a valid key fail.',
    rehearse: 'Place two different orders.',
  },
  'retry-after': {
    title: 'Retries wait long enough',
    why: 'A retry that comes too early gets the same response and adds load to a busy service.',
    howTo:
      'Wait for the seconds in `Retry-After` or the milliseconds in `error.data.retryAfterMs` before you retry. Without them, double the pause with each retry.',
    judged:
      'An earlier retry fails. An order with the same key is a retry; so is any other request with the same address and token. Different requests may be sent. Three retries within half a second after no response, 5xx, 408 or 409 fail too.',
    rehearse: 'Send a request with `Keyport-Scenario: rate-limited`.',
  },
  'token-after-401': {
    title: 'A 401 is followed by a new token',
    why: 'A rejected token stays rejected. Retries with it never succeed.',
    howTo: 'After a 401, get a new token and retry once with it.',
    judged:
      'The same request with the rejected token fails, unless another token is used afterwards. Requests that were already in progress are not counted.',
    rehearse: 'Send a request with `Keyport-Scenario: error:unauthorized`.',
  },
  'token-reuse': {
    title: 'A token is used for many requests',
    why: 'A token is valid for an hour. A new token for every request doubles the time that each takes.',
    howTo:
      'Keep the token until shortly before `expires_in` seconds have passed, and share it among requests.',
    judged:
      'Five tokens within ten seconds, ten within a minute or thirty within an hour, one after the other and each used for one or two requests, fail. Concurrent processes with their own tokens pass, and so does a process that restarts and retries with the same key.',
    rehearse: 'Send a few requests.',
  },
  'ids-as-text': {
    title: 'Ids are kept as text',
    why: 'An order id does not fit a JavaScript number or a floating-point number. A rounded id names no order, or another one.',
    howTo:
      'Store ids as strings, also in your database, and never convert them with `Number`, `parseInt` or `float`.',
    judged:
      'A request fails if its path, query or body has the number to which a JavaScript number rounds the id of one of your orders or items. In the sandbox every order id is one that is rounded.',
    rehearse: 'Place an order and read it.',
  },
  'keys-in-time': {
    title: 'Keys are fetched in time',
    why: 'They can be read for 48 hours after completion. Later, only your account manager can help.',
    howTo: 'Fetch and store the keys as soon as an order is complete.',
    judged:
      'A complete order fails if its keys window ends before its keys were read. Three orders that have been complete for an hour fail if no keys were ever read. Later reads of keys that were read in time pass.',
    rehearse: 'Place an order and fetch its keys.',
  },
  'keys-polling': {
    title: 'Keys are polled at most once a second',
    why: 'An order that is waiting for a payment or a review takes minutes. Each read is logged.',
    howTo: 'Wait at least a second between two reads of an order that is not complete, or follow the events.',
    judged:
      'Three reads of the keys of an incomplete order, each less than 0.75 s after the previous one, fail; for a complete order, five do.',
    rehearse: 'Send an order with `Keyport-Scenario: held`, wait for its keys, and release it.',
  },
  'catalogue-following': {
    title: 'The catalogue is followed by its changes',
    why: 'Few products change in a minute. Reading all of them again takes minutes, and you see changes late.',
    howTo:
      'Read the catalogue once, then follow `GET /export/v1/product-offers/changes` with its cursor, or poll with `updatedAtFrom`.',
    judged:
      'Reading a catalogue of several pages three times within an hour without following its changes in between fails. So do ten reads of page 1 within ten seconds or thirty within an hour, apart from the last one before an order or a reservation, and five reads of the change feed from its start within a minute. 304 responses and filtered lists are not counted.',
    rehearse: 'Let your client synchronize the catalogue and run for a while.',
  },
  'details-batches': {
    title: 'Details are requested 20 at a time',
    why: 'One request for 20 products is much faster than 20 requests.',
    howTo: 'Collect ids and send up to 20 of them as `productIds[]`.',
    judged:
      'Five requests within two seconds for at most four products each, all different, fail. Occasional requests for single products pass.',
    rehearse: 'Let your client read the details of a few dozen products.',
  },
  'max-price': {
    title: 'A rejection for price, stock or funds is not retried blindly',
    why: 'The same order fails again: the price is above your maximum, the units are sold out, or the balance is too low.',
    howTo: 'Read the product (for funds: the account) and decide: a new order with a new key, or none.',
    judged:
      'After `max-price-exceeded`, `offer-not-available`, `insufficient-funds`, `payment-went-wrong`, `payment-not-configured` or `order-not-paid`, two retries of the same payload with new keys, each within a minute, fail, unless the catalogue (for funds: the account or the events; for an unpaid order: the order, the history or the events) was read in between. So do three retries with the same key (except after `order-not-paid`), and one retry after `max-price-exceeded` within a second. A different payload or a longer pause passes.',
    rehearse: 'Send an order with `Keyport-Scenario: error:max-price-exceeded`.',
  },
  'webhook-signature': {
    title: 'The webhook endpoint rejects a wrong signature',
    why: 'Anyone can send requests to your endpoint. Only the signature shows which are ours.',
    howTo: 'Verify `webhook-signature` over the raw body first, and return 400 if it is wrong.',
    judged:
      'The check-up sends each enabled endpoint a `webhook.test` with a wrong signature. A 2xx fails; any other response passes. An endpoint that also rejects a correct signature is not judged.',
    rehearse: 'Create a webhook endpoint, and keep it running while you request the check-up.',
  },
  'webhook-timestamp': {
    title: 'The webhook endpoint rejects an old timestamp',
    why: 'A recorded delivery could be sent again later.',
    howTo: 'Reject a `webhook-timestamp` that differs from your clock by more than five minutes.',
    judged: 'A 2xx for a correctly signed delivery that is an hour old fails.',
    rehearse: 'Create a webhook endpoint, and keep it running while you request the check-up.',
  },
  'webhook-duplicate': {
    title: 'The webhook endpoint accepts a duplicate',
    why: 'A delivery whose response is lost is sent again. An error would cause retries for three days.',
    howTo: 'Remember the `webhook-id` of handled events, and return 2xx for a known one.',
    judged: 'The same delivery is sent twice. It fails if the first gets 2xx and the second does not.',
    rehearse: 'Create a webhook endpoint, and keep it running while you request the check-up.',
  },
} as const satisfies Record<string, CheckText>;

export type CheckId = keyof typeof CHECKS;
export const CHECK_IDS = Object.keys(CHECKS).filter((id): id is CheckId => id in CHECKS);
export const PROBED = ['webhook-signature', 'webhook-timestamp', 'webhook-duplicate'] as const;
export type ProbedCheck = (typeof PROBED)[number];
export const CHECKUP_PATH = '/docs/checkup';
