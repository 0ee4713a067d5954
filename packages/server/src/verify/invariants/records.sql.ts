/** Invariants of docs/rules.md: idempotency records, and the logs that only grow. How to add one: invariant.ts. */
import { TRANSACTION_IDS_MAX, TRANSACTION_IDS_USED } from '../../db/database-state.sql.ts';
import { BEHIND, NUMBERED_TABLES } from '../../db/sequences.sql.ts';
import { type Invariant, MADE_HERE } from '../invariant.ts';
import { DELETE, missingTriggers, TRUNCATE, UPDATE } from '../triggers.sql.ts';

export const RECORD_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I12',
    title: 'transfers, ledger accounts, status log, audit and offer log are append-only',
    population: `pg_trigger WHERE tgname LIKE '%_append_only'`,
    query: missingTriggers(
      ['ledger_transfer', 'ledger_account', 'order_status_log', 'audit_entry', 'audit_seal', 'offer_log'].map(
        (table) => ({
          table,
          trigger: `${table}_append_only`,
          refused: UPDATE + DELETE + TRUNCATE,
        }),
      ),
    ),
  },
  {
    id: 'I29',
    title: 'every order of this interface has one idempotency record',
    population: MADE_HERE,
    query: `SELECT 'order ' || "order".id AS broken FROM "order"
      LEFT JOIN idempotency_record ON idempotency_record.order_id = "order".id
      WHERE origin = 'export-api' GROUP BY "order".id HAVING count(idempotency_record.order_id) <> 1`,
  },
  {
    id: 'I30',
    title: 'record and order agree: account, key, status, and the order in the stored body',
    population: 'idempotency_record',
    query: `SELECT 'record ' || record.idempotency_key AS broken FROM idempotency_record AS record
      LEFT JOIN "order" ON "order".id = record.order_id
      WHERE (record.order_id IS NOT NULL AND ("order".id IS NULL OR "order".account_id <> record.account_id
          OR "order".idempotency_key IS DISTINCT FROM record.idempotency_key))
        OR (record.status = 201 AND (record.order_id IS NULL
          OR record.body::jsonb #>> '{data,id}' IS DISTINCT FROM record.order_id::text
          OR replace(record.body::jsonb #>> '{data,totalPrice}', '.', '')::numeric IS DISTINCT FROM total_price_minor))
        OR (record.status IS NULL AND ("order".status IS NULL OR "order".status NOT IN ('pending_payment', 'held')))`,
  },
  {
    id: 'I31',
    title: 'no idempotency key made two orders',
    population: MADE_HERE,
    query: `SELECT 'key ' || idempotency_key AS broken FROM "order" WHERE idempotency_key IS NOT NULL
      GROUP BY account_id, idempotency_key HAVING count(*) > 1`,
  },
  {
    id: 'I42',
    title: 'everything that is wrapped is under the current master key',
    population:
      '(SELECT FROM service_secret UNION ALL SELECT FROM signing_key UNION ALL SELECT FROM data_key) AS wrapped',
    // What names no key is from before keys had ids, and sound until the first rotation.
    query: `SELECT what || ' is under the master key ' || coalesce(master_key_id, '(not named)') AS broken
      FROM (SELECT 'service secret ' || name AS what, master_key_id FROM service_secret
        UNION ALL SELECT 'signing key ' || kid, master_key_id FROM signing_key
        UNION ALL SELECT 'data key ' || id, master_key_id FROM data_key) AS wrapped
      JOIN master_key_state ON master_key_id IS DISTINCT FROM current_id
      WHERE master_key_id IS NOT NULL OR EXISTS (SELECT FROM audit_entry WHERE action = 'master-key.rotate')`,
  },
  {
    id: 'I53',
    title: 'a stored response is whole, of a status that is stored, and a rejection is not kept too long',
    population: 'idempotency_record',
    query: `SELECT 'record ' || idempotency_key AS broken FROM idempotency_record
      WHERE (status IS NULL) <> (finished_at IS NULL) OR (status IS NULL) <> (body IS NULL) OR finished_at < created_at
        OR status NOT IN (201, 400, 402) OR (status = 400 AND order_id IS NOT NULL) OR (status IS NULL AND order_id IS NULL)
        OR (order_id IS NULL AND finished_at
          < clock_timestamp() - interval '31 days' - clock_lead(interval '31 days'))`,
  },
  {
    id: 'I73',
    title:
      'the stored answer to a write of an operator is whole, of a status that is stored, and not kept too long',
    population: 'write_record',
    query: `SELECT 'record ' || idempotency_key || ' of ' || operation AS broken FROM write_record
      WHERE status NOT IN (200, 201, 204, 404, 409) OR length(answer) = 0 OR fingerprint = ''
        OR finished_at < clock_timestamp() - interval '31 days' - clock_lead(interval '31 days')`,
  },
  {
    id: 'I54',
    title: 'a client has at most two live secrets',
    population: 'client_secret WHERE retired_at IS NULL',
    query: `SELECT 'client ' || client_id AS broken FROM client_secret WHERE retired_at IS NULL
      GROUP BY client_id HAVING count(*) > 2`,
  },
  {
    id: 'I68',
    title: 'every sequence is ahead of its table',
    population: `(VALUES ${NUMBERED_TABLES.map(({ sequence }) => `('${sequence}')`).join(', ')}) AS sequence`,
    query: `SELECT sequence || ' would give ' || next || ', ' || highest || ' exists' AS broken
      FROM (${BEHIND}) AS behind`,
  },
  {
    id: 'I69',
    title: 'the server has transaction ids left',
    population: 'pg_database',
    query: `SELECT 'database ' || datname || ' used ' || used || ' of ${TRANSACTION_IDS_MAX}' AS broken
      FROM (${TRANSACTION_IDS_USED}) AS ids WHERE used > ${TRANSACTION_IDS_MAX} * 0.9`,
  },
  {
    id: 'I65',
    title: 'how far an import came fits its lines, and what it saw is kept no longer than it may be needed',
    population: 'import_run',
    query: `SELECT 'import ' || number AS broken FROM import_run
      WHERE read > committed_line OR removed < 0 OR (removed > 0 AND NOT delete_missing)
        OR (finished_at IS NOT NULL AND holder IS NOT NULL) OR (has_seen AND NOT delete_missing)
        OR (NOT has_seen AND EXISTS (SELECT FROM import_seen WHERE run = number))`,
  },
];
