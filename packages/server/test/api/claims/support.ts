import { randomUUID } from 'node:crypto';
import { type Harness, manual } from '../../support/harness.ts';

export function claimsOn(h: Harness) {
  const post = (token: string, path: string, body: unknown, key: string = randomUUID()) =>
    h.call('POST', path, { token, body, headers: { 'idempotency-key': key } });

  return {
    post,
    async delivered({
      quantity = 2,
      stock = 5,
      account = {},
    }: {
      quantity?: number;
      stock?: number;
      account?: object;
    } = {}) {
      const reseller = await h.seed.reseller({ balance: '100.00', account: { ...account } });
      const { offerId, sellerId } = await h.seed.listing({ price: '10.00', stock });
      const { id: orderId, transactions } = (await reseller.order(manual(offerId, { quantity }))).body.data;
      const itemId: string = transactions[0].items[0].id;
      const readCodes = async (): Promise<string[]> =>
        (await reseller.get(`/orders/${orderId}/keys`)).body.data[0].keys.map(
          (key: { code: string }) => key.code,
        );
      const codes = await readCodes();
      return {
        reseller,
        offerId,
        sellerId,
        orderId,
        itemId,
        codes,
        readCodes,
        claim: (claimed: readonly string[], more: object = {}, key: string = randomUUID()) =>
          post(
            reseller.token,
            `/export/v1/orders/${orderId}/claims`,
            { itemId, codes: claimed, reason: 'invalid', ...more },
            key,
          ),
        decide: (
          claimId: string,
          decisions: Record<string, string>,
          more: object = {},
          headers: object = {},
        ) =>
          h.call('POST', `/admin/v1/claims/${claimId}/decide`, {
            token: h.operatorToken,
            body: {
              decisions: Object.entries(decisions).map(([keyId, decision]) => ({ keyId, decision })),
              ...more,
            },
            headers: { 'idempotency-key': randomUUID(), ...headers },
          }),
      };
    },
  };
}
