import { execute } from '../db/rows.ts';
import type { Tx } from '../db/schema.ts';
import { type Sql, sql } from '../db/sql.ts';
import { nextRows, type SumMark } from './sums.sql.ts';

const SCARCE_DAYS = 7;
const SEARCHED_MAX = 5_000;

/** Only the offers that sold last are searched. Index: scarce_offer_sold_ix. */
export const LAST_SOLD = sql`SELECT offer_id, sold_at FROM scarce_offer ORDER BY sold_at DESC LIMIT ${SEARCHED_MAX}`;

/** For a row of offer that is among the last sold ones. */
export function isRunningLow(unitsMax: number): Sql {
  return sql`offer.status = 'active' AND available_text + available_image <= ${unitsMax}::integer`;
}

/** Notes the offers that had few units left when they sold, for the changes that are folded next. */
export async function noteScarceOffers(tx: Tx, mark: SumMark, scarceUnitsMax: number): Promise<void> {
  await execute(tx)`
    INSERT INTO scarce_offer (offer_id, sold_at)
    SELECT offer_id, max(stamp)
    FROM (${nextRows('change', mark)}) AS change
    CROSS JOIN LATERAL unnest(offer_ids, quantities) AS sold (offer_id, quantity)
    WHERE quantity <= ${scarceUnitsMax}::integer GROUP BY 1
    ON CONFLICT ON CONSTRAINT scarce_offer_pkey DO UPDATE SET sold_at = excluded.sold_at`;
}

export async function forgetScarceOffers(tx: Tx, scarceUnitsMax: number): Promise<void> {
  const retention = sql.raw(`${SCARCE_DAYS} * interval '1 day'`);
  await execute(tx)`
    DELETE FROM scarce_offer
    WHERE sold_at < statement_timestamp() - ${retention}
      OR offer_id IN (
        SELECT offer.id FROM scarce_offer JOIN offer ON offer.id = offer_id
        WHERE available_text + available_image > ${scarceUnitsMax}::integer)`;
}
