/** docs/daily-work.md, "The catalogue". */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { auto, manual } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

type Change = Readonly<Record<string, unknown>>;

const change = (changes: unknown, token: string = h.operatorToken) =>
  h.call('POST', '/admin/v1/offers/changes', {
    token,
    body: { changes },
    headers: { 'idempotency-key': randomUUID() },
  });

const update = (offerId: string, body: unknown) => h.admin('PATCH', `/offers/${offerId}`, body);

const toOffer = (offerId: string) => h.operate('GET', `/offers/${offerId}`);

async function everything(): Promise<unknown> {
  const { rows } = await sql`
    SELECT (SELECT json_agg(offer ORDER BY id) FROM offer)::text AS offers,
      (SELECT json_agg((id, number, state) ORDER BY id) FROM unit)::text AS units,
      (SELECT json_agg(stamped_product ORDER BY product_id) FROM stamped_product)::text AS stamps,
      (SELECT count(*) FROM audit_entry WHERE action <> 'keys.read')::integer AS audits`.execute(
    h.database.db,
  );
  return rows[0];
}

async function toAudits(response: { body: { traceId: string } }) {
  const entries: { action: string; traceId: string; data: Change }[] = await h.operate('GET', '/audit');
  return entries
    .filter(({ traceId }) => traceId === response.body.traceId)
    .reverse()
    .map(({ action, data }) => [action, data]);
}

test('one offer: only the given fields change, and the catalogue shows the offer with a new stamp', async () => {
  const reseller = await h.seed.reseller();
  const { offerId, productId, sellerId } = await h.seed.listing({ price: '10.00', stock: 2 });
  const second = await h.seed.offer({ productId, price: '50.00', stock: 1 });
  const rows: [body: Change, price: string, status: string, minPrice: string, isSeen: boolean][] = [
    [{ price: '9.5' }, '9.50', 'active', '9.50', true],
    [{ price: '9.50', status: 'active' }, '9.50', 'active', '9.50', false],
    [{ status: 'paused' }, '9.50', 'paused', '50.00', true],
    [{ price: '8', status: 'active' }, '8.00', 'active', '8.00', true],
  ];
  const list = async () => (await reseller.get(`/product-offers?productIds[]=${productId}`)).body.data[0];
  let before = (await list()).updatedAt;
  for (const [body, price, status, minPrice, isSeen] of rows) {
    const response = await update(offerId.toUpperCase(), body);
    const units = { available: 2, reserved: 0, sold: 0, withdrawn: 0 };
    const expected = { id: offerId, productId, sellerId, price, status, quantity: 2, units };
    deepEqual([response.status, response.body.data], [200, expected], JSON.stringify(response.body));
    await h.seed.inStep();
    const seen = await list();
    deepEqual([seen.minPrice, seen.updatedAt > before], [minPrice, isSeen], JSON.stringify(body));
    deepEqual(await toAudits(response), [
      ['offer.update', { offerId, ...body, outcome: isSeen ? 'changed' : 'unchanged' }],
    ]);
    before = seen.updatedAt;
  }
  equal((await toOffer(second.id)).price, '50.00');
});

test('many offers: prices, statuses and keys change together, and the response has them in the requested order', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const price = await h.seed.listing({ price: '10.00', stock: 2 });
  const pause = await h.seed.listing({ stock: 1 });
  const keys = await h.seed.listing({ stock: 5, images: 1 });
  const codes = await h.seed.listing({ stock: 3 });
  const sold = (await reseller.order(manual(codes.offerId))).body.data.id;
  const same = await h.seed.listing({ price: '3.00' });
  const response = await change([
    { offerId: codes.offerId, withdrawKeys: { reason: 'Leaked', codes: [...codes.codes, 'NOBODY-KNOWS'] } },
    { offerId: price.offerId.toUpperCase(), price: '11' },
    { offerId: same.offerId, price: '3', status: 'active' },
    {
      offerId: keys.offerId,
      price: '4.00',
      withdrawKeys: { reason: 'Recalled', quantity: 2, kind: 'text' },
      addKeys: [
        { code: 'NEW-1' },
        { code: 'new 1' },
        { code: keys.codes[4] },
        { code: 'NEW-2', kind: 'image' },
      ],
    },
    { offerId: pause.offerId, status: 'paused' },
  ]);
  equal(response.status, 200, JSON.stringify(response.body));
  deepEqual(
    response.body.data.map(({ id, price: now, status, quantity, keysWithdrawn, keysAdded }: Change) => [
      ...[id, now, status, quantity, keysWithdrawn, keysAdded],
    ]),
    [
      [
        ...[codes.offerId, '10.00', 'active', 0],
        {
          withdrawn: 2,
          notWithdrawn: [
            { index: 0, reason: 'sold', orderId: sold },
            { index: 3, reason: 'unknown' },
          ],
        },
        undefined,
      ],
      [price.offerId, '11.00', 'active', 2, undefined, undefined],
      [same.offerId, '3.00', 'active', 5, undefined, undefined],
      [
        keys.offerId,
        '4.00',
        'active',
        6,
        { withdrawn: 2, notWithdrawn: [] },
        { added: 2, duplicates: 2, trimmed: 0 },
      ],
      [pause.offerId, '10.00', 'paused', 1, undefined, undefined],
    ],
  );
  for (const { id, price: now, status, quantity } of response.body.data) {
    const { price: shown, status: is, quantity: left } = await toOffer(id);
    deepEqual([shown, is, left], [now, status, quantity]);
  }
  await h.seed.inStep();
  const listed = await reseller.get(
    `/product-offers?${[price, pause, keys, codes, same].map(({ productId }) => `productIds[]=${productId}`).join('&')}`,
  );
  deepEqual(
    listed.body.data.map(({ id, minPrice, totalQuantity }: Change) => [id, minPrice, totalQuantity]),
    [
      [price.productId, '11.00', 2],
      [keys.productId, '4.00', 6],
      [same.productId, '3.00', 5],
    ],
  );
  deepEqual(await toAudits(response), [
    ['keys.withdraw', { offerId: codes.offerId, reason: 'Leaked', codes: 4, withdrawn: 2 }],
    ['offer.update', { offerId: price.offerId, price: '11', outcome: 'changed' }],
    ['offer.update', { offerId: same.offerId, price: '3', status: 'active', outcome: 'unchanged' }],
    ['offer.update', { offerId: keys.offerId, price: '4.00', outcome: 'changed' }],
    ['keys.withdraw', { offerId: keys.offerId, reason: 'Recalled', quantity: 2, kind: 'text', withdrawn: 2 }],
    ['keys.add', { offerId: keys.offerId, added: 2, duplicates: 2 }],
    ['offer.update', { offerId: pause.offerId, status: 'paused', outcome: 'changed' }],
  ]);
});

test('with a reason, one audit entry lists the changed prices and statuses with their earlier values', async () => {
  const [dear, paused, same] = [
    await h.seed.listing({ price: '10.00' }),
    await h.seed.listing({ price: '5.00' }),
    await h.seed.listing({ price: '3.00' }),
  ];
  const response = await h.admin('POST', '/offers/changes', {
    reason: 'Sale',
    changes: [
      { offerId: dear.offerId, price: '9.00' },
      { offerId: paused.offerId, status: 'paused' },
      { offerId: same.offerId, price: '3.00' },
    ],
  });
  equal(response.status, 200, JSON.stringify(response.body));
  const [before, after] = [
    { price: '10.00', status: 'active' },
    { price: '5.00', status: 'active' },
  ];
  const changes = [
    { offerId: dear.offerId, before, after: { ...before, price: '9.00' } },
    { offerId: paused.offerId, before: after, after: { ...after, status: 'paused' } },
  ];
  deepEqual(await toAudits(response), [['offer.change-many', { reason: 'Sale', count: 2, changes }]]);
});

test('only products with a visible change get a stamp, and each stamp is different', async () => {
  const listings = await Promise.all(Array.from({ length: 4 }, () => h.seed.listing({ price: '5.00' })));
  const stamps = async () => {
    const { rows } = await sql<{ id: number; stamp: string }>`
      SELECT product_id AS id, stamp::text FROM stamped_product
      WHERE product_id = ANY (${listings.map(({ productId }) => productId)}::bigint[]) ORDER BY product_id`.execute(
      h.database.db,
    );
    return new Map(rows.map(({ id, stamp }) => [String(id), stamp]));
  };
  const before = await stamps();
  const [first, second, third, fourth] = listings.map(({ offerId }) => offerId);
  const response = await change([
    { offerId: first, price: '5.00' },
    { offerId: second, addKeys: [{ code: listings[0]?.codes[0] }] },
    { offerId: third, withdrawKeys: { reason: 'x', codes: ['UNKNOWN-CODE'] } },
    { offerId: fourth, withdrawKeys: { reason: 'x', quantity: 1 } },
  ]);
  equal(response.status, 200, JSON.stringify(response.body));
  const changed = [...(await stamps())].filter(([id, stamp]) => stamp !== before.get(id)).map(([id]) => id);
  deepEqual(changed, [listings[3]?.productId]);
});

test('the error names an impossible change by its position, and no other change is applied', async () => {
  const one = await h.seed.listing({ stock: 2 });
  const two = await h.seed.listing({ stock: 3, images: 1 });
  const before = await everything();
  const good = [
    { offerId: one.offerId, price: '77.00', addKeys: [{ code: 'NOT-ADDED' }] },
    { offerId: two.offerId, withdrawKeys: { reason: 'x', quantity: 1 } },
  ];
  const unknown = await change([
    ...good,
    { offerId: randomUUID(), price: '1' },
    { offerId: randomUUID(), withdrawKeys: { reason: 'x', quantity: 1 } },
  ]);
  deepEqual([unknown.status, unknown.body.error.code], [400, 'validation-error']);
  deepEqual(
    unknown.body.error.errors.map(({ field }: { field: string }) => field),
    ['body.changes[2].offerId', 'body.changes[3].offerId'],
  );
  const short = await change([
    { offerId: two.offerId, status: 'paused', withdrawKeys: { reason: 'x', quantity: 4, kind: 'text' } },
    { ...good[0], withdrawKeys: { reason: 'x', quantity: 3 } },
  ]);
  deepEqual([short.status, short.body.error.code], [409, 'conflict']);
  deepEqual(
    short.body.error.errors.map(({ field, message }: { field: string; message: string }) => [
      field,
      /has (\d+) unsold/.exec(message)?.[1],
    ]),
    [
      ['body.changes[0].withdrawKeys.quantity', '3'],
      ['body.changes[1].withdrawKeys.quantity', '2'],
    ],
  );
  deepEqual(await everything(), before);
});

test('the rejection of an ambiguous body names the field', async () => {
  const { offerId } = await h.seed.listing({ stock: 2 });
  const other = await h.seed.listing({ stock: 2 });
  const before = await everything();
  const priced = { offerId, price: '2.00' };
  const reason = 'x';
  const keys = (count: number) => Array.from({ length: count }, (_, index) => ({ code: `C${index}` }));
  const rows: [changes: unknown, field: string][] = [
    [[priced, { offerId }], 'body.changes[1]'],
    [[priced, { ...priced, offerId: offerId.toUpperCase() }], 'body.changes[1].offerId'],
    [[{ offerId, withdrawKeys: { reason } }], 'body.changes[0].withdrawKeys'],
    [
      [{ offerId, withdrawKeys: { reason, codes: ['X'], kind: 'text' } }],
      'body.changes[0].withdrawKeys.kind',
    ],
    [
      [
        { offerId, addKeys: keys(600) },
        { offerId: other.offerId, addKeys: keys(401) },
      ],
      'body.changes',
    ],
    [[{ offerId, withdrawKeys: { reason, quantity: 1001 } }], 'body.changes'],
  ];
  for (const [changes, field] of rows) {
    const response = await change(changes);
    deepEqual(
      [response.status, response.body.error.code, response.body.error.errors[0].field],
      [400, 'validation-error', field],
      JSON.stringify(response.body),
    );
  }
  deepEqual(await everything(), before);
});

test('a thousand changes with a key each fit in one request, above the limit of other bodies', async () => {
  const productId = await h.seed.product();
  const sellerId = await h.seed.seller();
  const offerIds = Array.from({ length: 1000 }, () => randomUUID());
  await sql`
    INSERT INTO offer (id, product_id, seller_id, price_minor, status)
    SELECT id, ${productId}::bigint, ${sellerId}::uuid, 100, 'active' FROM unnest(${offerIds}::uuid[]) AS wanted (id)`.execute(
    h.database.db,
  );
  const changes = offerIds.map((offerId, index) => ({
    ...{ offerId, price: '2.00', status: 'active' },
    addKeys: [{ code: `THOUSAND-${index}` }],
  }));
  ok(JSON.stringify(changes).length > 65_536);
  const response = await change(changes);
  equal(response.status, 200, JSON.stringify(response.body).slice(0, 500));
  deepEqual(
    response.body.data.map(({ id, quantity }: Change) => [id, quantity]),
    offerIds.map((id) => [id, 1]),
  );
  const tooLarge = await change([
    { offerId: offerIds[0], addKeys: Array(999).fill({ code: 'X'.repeat(600) }) },
  ]);
  deepEqual([tooLarge.status, tooLarge.body.error.code], [413, 'payload-too-large']);
});

test('concurrent orders, changes and withdrawals cause no oversold unit, no invalid price and no deadlock', async () => {
  const resellers = await Promise.all(
    Array.from({ length: 4 }, () => h.seed.reseller({ balance: '9999.00' })),
  );
  const listings = await Promise.all(
    Array.from({ length: 4 }, () => h.seed.listing({ price: '1.00', stock: 30 })),
  );
  const changeSome = async (round: number) => {
    // The requests differ only in the order of their changes. Locks are always taken in the same order.
    const turned = [...listings.slice(round % 4), ...listings.slice(0, round % 4)];
    return change(
      turned.map(({ offerId }, index) => ({
        ...{ offerId, price: round % 2 === 0 ? '2.00' : '3.00' },
        withdrawKeys: { reason: 'x', quantity: 2 },
        addKeys: [{ code: `ROUND-${round}-${index}` }],
      })),
    );
  };
  const [orders, changes] = await Promise.all([
    Promise.all(
      resellers.flatMap((each) =>
        listings.flatMap(({ productId }) => Array.from({ length: 6 }, () => each.order(auto(productId)))),
      ),
    ),
    Promise.all(Array.from({ length: 12 }, (_, round) => changeSome(round))),
  ]);
  const placed = orders.filter(({ status }) => status === 201);
  const done = changes.filter(({ status }) => status === 200).length;
  ok(placed.length > 0 && done > 0);
  for (const { body } of placed) ok(['1.00', '2.00', '3.00'].includes(body.data.totalPrice));
  deepEqual(
    [...orders, ...changes].filter(({ status }) => ![200, 201, 400, 409].includes(status)),
    [],
  );
  for (const { offerId } of listings) {
    const sold = placed.filter(({ body }) => body.data.transactions[0].items[0].offer.id === offerId).length;
    equal((await toOffer(offerId)).quantity, 30 - sold - done);
  }
});
