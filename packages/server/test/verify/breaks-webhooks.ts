import type { Breaks } from './break.ts';

export const WEBHOOK_BREAKS: Breaks = {
  I85: [
    { statements: () => ['DELETE FROM webhook_secret'] },
    {
      statements: () => [
        `INSERT INTO webhook_secret SELECT gen_random_uuid(), endpoint, wrapped, master_key_id, now()
          FROM webhook_secret CROSS JOIN generate_series(1, 5)`,
      ],
    },
    {
      statements: () => [
        'ALTER TABLE webhook_endpoint DROP CONSTRAINT webhook_endpoint_id_uq',
        `WITH copy AS (
            INSERT INTO webhook_endpoint (id, account_id, url, types)
            SELECT id, account_id, url, types FROM webhook_endpoint CROSS JOIN generate_series(1, 16) RETURNING number
          )
          INSERT INTO webhook_secret SELECT gen_random_uuid(), number, wrapped, master_key_id
          FROM copy CROSS JOIN (SELECT * FROM webhook_secret LIMIT 1) AS secret`,
      ],
    },
  ],
  I86: {
    statements: ({ otherAccountId }) => [`UPDATE webhook_endpoint SET account_id = '${otherAccountId}'`],
  },
};
