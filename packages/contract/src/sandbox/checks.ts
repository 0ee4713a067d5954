/** The checks of the check-up of a client, in words: for its answer and for the page that explains them. */

export type CheckText = {
  readonly title: string;
  /** Why it matters. */
  readonly why: string;
  /** How to do it right. */
  readonly howTo: string;
  /** What passes and what fails, and what is never held against a client. */
  readonly judged: string;
  /** How to give the service an occasion to see it. */
  readonly rehearse: string;
};

export const CHECKS = {
  'order-retries': {
    title: 'A retried order has the same key and the same payload',
    why: 'After a lost response, 5xx or 409 the order may have been placed; after `order-not-paid` or `held` it was. With a new key it is bought twice.',
    howTo:
      'Keep the Idempotency-Key and the payload of an order until its outcome is known, and retry with both unchanged. Read the order before you buy again.',
    judged:
      'After an unknown outcome (no response, 5xx, 409 idempotency-key-processing, 402 order-not-paid, an order that is held) the same key with the same payload passes. An order for the same product with a new key fails, whatever its quantity, its price and its kind (auto or manual), unless the order, the history or the events were read in between, the first key comes back later, or ten minutes have passed. Giving up does not fail, nor do concurrent orders. If a webhook endpoint of yours accepts events, orders that are held or unpaid count as read.',
    rehearse: 'Send an order with `Keyport-Scenario: lost-answer`, and another with `unavailable`.',
  },
  'one-payload-per-key': {
    title: 'Every order has its own key',
    why: 'An order without a key is rejected with 400. A key that comes back with another payload is rejected with 422, and the second order is not placed.',
    howTo: 'Make a new UUID for every new order, and keep it with the order.',
    judged:
      'Two payloads under one key fail. The same payload written in another way is the same, and a request that was rejected before it counted (400 validation-error, 401, 403, 413, 415, 429) does not use its key up. Three orders in a row without a valid key fail.',
    rehearse: 'Place two different orders.',
  },
  'retry-after': {
    title: 'Retries wait',
    why: 'Earlier retries get the same response, and keep a busy service busy.',
    howTo:
      'Wait as many seconds as `Retry-After` says, or `error.data.retryAfterMs`, before the same request. Without it, double the pause with each retry.',
    judged:
      'The same request that comes earlier fails: for an order the one with the same key, otherwise the one with the same address and token. Other requests may be sent. Three retries within half a second after no response, 5xx, 408 or 409 fail too.',
    rehearse: 'Send a request with `Keyport-Scenario: rate-limited`.',
  },
  'final-errors': {
    title: 'A final error is not repeated',
    why: 'The same request gets the same 400, 404 or 410 forever. A loop of them hides the fault from you.',
    howTo: 'Stop at a 4xx other than 401, 408, 409 and 429, and log `code`, `message` and `traceId`.',
    judged:
      'Three requests of the same kind within two seconds that get the same final error fail, and so do five within ten minutes. `order-not-complete` may be polled; rejections for price, stock or funds have their own check.',
    rehearse: 'Read an order that does not exist.',
  },
  'token-after-401': {
    title: 'After a 401 comes a new token',
    why: 'A token that was rejected stays rejected. Retries with it never succeed.',
    howTo: 'Get a new token on 401, and repeat the request once with it.',
    judged:
      'The same request with the rejected token, and no other token in use afterwards, fails. Requests that were on their way are not counted.',
    rehearse: 'Send a request with `Keyport-Scenario: error:unauthorized`.',
  },
  'token-reuse': {
    title: 'A token is used for many requests',
    why: 'A token is good for an hour. Getting one for every request doubles the time that each takes.',
    howTo:
      'Keep the token until shortly before `expires_in` seconds have passed, and share it between requests.',
    judged:
      'Five tokens within a minute over one connection that are used for one or two requests each fail. Several processes with a token each pass, and so does a process that restarts and retries with the same key.',
    rehearse: 'Send a few requests.',
  },
  'keys-in-time': {
    title: 'Keys are fetched in time',
    why: 'They can be read for 48 hours after completion. Later only your account manager can help.',
    howTo: 'Fetch and store the keys as soon as an order is complete.',
    judged:
      'A complete order whose keys window ends before its keys were read fails. So do three orders that are complete for an hour while no keys were ever read. Later reads of keys that were read in time pass.',
    rehearse: 'Place an order and fetch its keys.',
  },
  'keys-polling': {
    title: 'Keys are polled at most once a second',
    why: 'An order that waits for a payment or a person takes minutes. Each read is recorded.',
    howTo: 'Wait at least a second between two reads of an order that is not complete, or follow the events.',
    judged:
      'Three reads of the keys of one order that is not complete, each less than 0.75 s after the one before, fail; of a complete one five in a row.',
    rehearse: 'Send an order with `Keyport-Scenario: held`, wait for its keys, and release it.',
  },
  polling: {
    title: 'Orders, events and account are polled at a moderate pace',
    why: 'They change every few seconds at most. Faster polling uses up the requests that your orders need.',
    howTo:
      'Follow the events with their cursor and `wait`, or receive webhooks. Poll a single order every two seconds.',
    judged:
      'Six reads of the same order, history, account or page of events within two seconds, one after another and with no write in between, fail. Five reads of the events from the start within a minute fail, and so do twenty within an hour. Load tests over many connections are not judged.',
    rehearse: 'Send an order with `Keyport-Scenario: held`, wait for it, and release it.',
  },
  'catalogue-following': {
    title: 'The catalogue is followed by its changes',
    why: 'Few products change in a minute. Reading all of them again costs you minutes, and you see changes late.',
    howTo:
      'Read the catalogue once, then follow `GET /export/v1/product-offers/changes` with its cursor, or poll with `updatedAtFrom`.',
    judged:
      'Reading the whole catalogue three times within an hour without following its changes in between fails (ten times when it is a single page). Ten reads of page 1 within ten seconds fail, and so do thirty within the hour, five reads of the change feed from its start within a minute, and six of the same changes within two seconds. Responses 304 are not counted, nor are filtered lists.',
    rehearse: 'Let your program synchronise the catalogue and run for a while.',
  },
  'details-batches': {
    title: 'Details are asked for 20 at a time',
    why: 'One request for 20 products is much faster than 20 requests.',
    howTo: 'Collect ids and send up to 20 of them as `productIds[]`.',
    judged:
      'Five requests within two seconds for at most four products each, all different, fail. Single products now and then pass.',
    rehearse: 'Let your program read the details of some dozen products.',
  },
  'max-price': {
    title: 'A rejection for price, stock or funds is not repeated blindly',
    why: 'The same order fails again: the price is above your maximum, the units are sold, or the money is missing.',
    howTo: 'Read the product (for funds: the account) and decide: a new order with a new key, or none.',
    judged:
      'After `max-price-exceeded`, `offer-not-available`, `insufficient-funds`, `payment-went-wrong` or `payment-not-configured`, two repeats of the same payload with new keys, each within a minute, fail, unless the catalogue (for funds: the account or the events) was read in between. So do three repeats with the same key, and one repeat after `max-price-exceeded` within a second. A different payload, or waiting longer, passes.',
    rehearse: 'Send an order with `Keyport-Scenario: error:max-price-exceeded`.',
  },
  connections: {
    title: 'Connections are reused',
    why: 'A new connection for each request costs a handshake or two, often more time than the request itself.',
    howTo:
      'Use one HTTP client (session, agent, pool) with keep-alive for all requests, and read every body.',
    judged:
      'Ten successful requests in a row within ten seconds, each over its own connection, fail. Behind a proxy nothing is judged.',
    rehearse: 'Send a few requests.',
  },
  'webhook-signature': {
    title: 'The webhook endpoint rejects a wrong signature',
    why: 'Everyone can send requests to your endpoint. Only the signature shows which are ours.',
    howTo:
      'Verify `webhook-signature` over the raw body before anything else, and answer 400 if it is wrong.',
    judged:
      'The check-up sends each enabled endpoint a `webhook.test` with a wrong signature. A 2xx fails, any other answer passes. An endpoint that does not take a right one either is not judged.',
    rehearse: 'Create a webhook endpoint, and let it run while you ask for the check-up.',
  },
  'webhook-timestamp': {
    title: 'The webhook endpoint rejects an old timestamp',
    why: 'A delivery that somebody recorded could be sent again later.',
    howTo: 'Reject a `webhook-timestamp` that is more than five minutes away from your clock.',
    judged: 'A rightly signed delivery of an hour ago that is answered by 2xx fails.',
    rehearse: 'Create a webhook endpoint, and let it run while you ask for the check-up.',
  },
  'webhook-duplicate': {
    title: 'The webhook endpoint takes a duplicate',
    why: 'A delivery whose answer is lost comes again. An error would bring it back for three days.',
    howTo: 'Remember the `webhook-id` of events that you have handled, and answer 2xx to one that you know.',
    judged:
      'The same delivery is sent twice. It fails when the first is answered by 2xx and the second is not.',
    rehearse: 'Create a webhook endpoint, and let it run while you ask for the check-up.',
  },
} as const satisfies Record<string, CheckText>;

export type CheckId = keyof typeof CHECKS;

export const CHECK_IDS = Object.keys(CHECKS).filter((id): id is CheckId => id in CHECKS);

/** Those that the service tries itself. */
export const PROBED = ['webhook-signature', 'webhook-timestamp', 'webhook-duplicate'] as const;

export type ProbedCheck = (typeof PROBED)[number];

export const CHECKUP_PATH = '/docs/checkup';
