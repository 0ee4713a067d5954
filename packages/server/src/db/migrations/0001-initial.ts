/**
 * The first schema. Forward only; names of constraints are part of the interface, because db/errors.ts and the
 * features map them to meanings. Text in an index is COLLATE "C": any other order changes with the C library or ICU of
 * the machine, and an index in the old order lets the same reference in twice. Amounts are minor units (cents of EUR
 * unless a row has its own `decimals`).
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// One statement each: the extended protocol takes one at a time, and a failing one is then named by its text.
const STATEMENTS = [
  // --- Secrets and who may call ---------------------------------------------------------------------------------
  // Keys that the service makes for itself (hash keys, signing keys), each wrapped by the master key.
  `CREATE TABLE service_secret (
    name text COLLATE "C" PRIMARY KEY,
    wrapped bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  `CREATE TABLE signing_key (
    kid text COLLATE "C" PRIMARY KEY,
    algorithm text NOT NULL,
    public_jwk jsonb NOT NULL,
    private_wrapped bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    retired_at timestamptz
  )`,
  `CREATE TABLE account (
    id uuid PRIMARY KEY,
    position bigint GENERATED ALWAYS AS IDENTITY,
    name text NOT NULL,
    status text NOT NULL DEFAULT 'active' CONSTRAINT account_status_ck CHECK (status IN ('active', 'suspended', 'closed')),
    payment_method text CONSTRAINT account_payment_method_ck CHECK (payment_method IN ('balance', 'gateway')),
    gateway_customer text,
    discount_basis_points integer NOT NULL DEFAULT 0
      CONSTRAINT account_discount_ck CHECK (discount_basis_points BETWEEN 0 AND 10000),
    hold_orders boolean NOT NULL DEFAULT false,
    seller_id uuid,
    order_value_max_minor bigint,
    daily_spend_max_minor bigint,
    daily_units_max integer,
    balance_minor bigint NOT NULL DEFAULT 0 CONSTRAINT account_balance_ck CHECK (balance_minor >= 0),
    spend_day date NOT NULL DEFAULT '2000-01-01',
    day_spend_minor bigint NOT NULL DEFAULT 0,
    day_units integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  ) WITH (fillfactor = 70)`,
  `CREATE TABLE client (
    id text COLLATE "C" PRIMARY KEY,
    account_id uuid REFERENCES account,
    role text NOT NULL CONSTRAINT client_role_ck CHECK (role IN ('reseller', 'operator')),
    name text,
    disabled_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT client_account_ck CHECK ((role = 'reseller') = (account_id IS NOT NULL))
  )`,
  'CREATE INDEX client_account_ix ON client (account_id)',
  // At most two live secrets per client (A26); the shell retires the oldest.
  `CREATE TABLE client_secret (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    client_id text COLLATE "C" NOT NULL REFERENCES client,
    secret_mac bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    retired_at timestamptz
  )`,
  'CREATE INDEX client_secret_live_ix ON client_secret (client_id) WHERE retired_at IS NULL',

  // --- Catalogue --------------------------------------------------------------------------------------------------
  `CREATE TABLE seller (
    id uuid PRIMARY KEY,
    name text NOT NULL
  )`,
  // position is the insertion order (A15); details are the ProductDetail members that do not depend on offers.
  `CREATE TABLE product (
    id bigint PRIMARY KEY CONSTRAINT product_id_ck CHECK (id BETWEEN 10000000000000 AND 99999999999999),
    position bigint GENERATED ALWAYS AS IDENTITY,
    name text NOT NULL,
    checkout_class text NOT NULL CONSTRAINT product_checkout_class_ck CHECK (checkout_class IN
      ('standard', 'in-game-top-up', 'balance-top-up', 'game-account', 'esim', 'subscription')),
    details jsonb NOT NULL,
    details_version integer NOT NULL DEFAULT 1,
    CONSTRAINT product_position_uq UNIQUE (position)
  )`,
  // Narrow on purpose: it is rewritten by every order, the wide product row is not. stamp is A8's updatedAt.
  `CREATE TABLE product_stamp (
    product_id bigint PRIMARY KEY REFERENCES product,
    stamp timestamptz NOT NULL,
    CONSTRAINT product_stamp_uq UNIQUE (stamp)
  ) WITH (fillfactor = 80)`,
  // One row. Whoever changes offers locks it last, before COMMIT, so that stamp order is commit order (A8).
  `CREATE TABLE catalogue_clock (
    id boolean PRIMARY KEY DEFAULT true CONSTRAINT catalogue_clock_one_row_ck CHECK (id),
    last_stamp timestamptz NOT NULL
  )`,
  "INSERT INTO catalogue_clock (last_stamp) VALUES (date_trunc('microseconds', clock_timestamp()))",
  // available_text and available_image count the units in state 'available' (Invariant I25).
  `CREATE TABLE offer (
    id uuid PRIMARY KEY,
    product_id bigint NOT NULL CONSTRAINT offer_product_fk REFERENCES product,
    seller_id uuid NOT NULL CONSTRAINT offer_seller_fk REFERENCES seller,
    price_minor bigint NOT NULL CONSTRAINT offer_price_ck CHECK (price_minor > 0),
    status text NOT NULL CONSTRAINT offer_status_ck CHECK (status IN ('active', 'paused')),
    available_text integer NOT NULL DEFAULT 0 CONSTRAINT offer_available_text_ck CHECK (available_text >= 0),
    available_image integer NOT NULL DEFAULT 0 CONSTRAINT offer_available_image_ck CHECK (available_image >= 0),
    -- The import run that paused it, until its price or status is set again or a later run leaves it out too.
    paused_by_import bigint CONSTRAINT offer_paused_by_import_ck CHECK (paused_by_import IS NULL OR status = 'paused')
  ) WITH (fillfactor = 70)`,
  'CREATE INDEX offer_product_ix ON offer (product_id)',
  'CREATE INDEX offer_seller_ix ON offer (seller_id, id)',

  // --- Product keys -----------------------------------------------------------------------------------------------
  `CREATE TABLE data_key (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    wrapped bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  'CREATE SEQUENCE stock_key_id_seq CACHE 1',
  // id is drawn first because it is part of what the ciphertext is bound to (custody).
  `CREATE TABLE stock_key (
    id bigint PRIMARY KEY,
    offer_id uuid NOT NULL CONSTRAINT stock_key_offer_fk REFERENCES offer,
    kind text COLLATE "C" NOT NULL CONSTRAINT stock_key_kind_ck CHECK (kind IN ('text', 'image')),
    state text NOT NULL DEFAULT 'available'
      CONSTRAINT stock_key_state_ck CHECK (state IN ('available', 'reserved', 'sold', 'withdrawn')),
    order_item_id bigint,
    data_key_id bigint NOT NULL REFERENCES data_key,
    nonce bytea NOT NULL,
    ciphertext bytea NOT NULL,
    code_mac bytea NOT NULL,
    reserved_until timestamptz,
    refunded_at timestamptz,
    -- The import run that withdrew it, unless it was withdrawn by its code or left out by a later run since.
    withdrawn_by_import bigint
      CONSTRAINT stock_key_withdrawn_by_import_ck CHECK (withdrawn_by_import IS NULL OR state = 'withdrawn'),
    CONSTRAINT stock_key_code_mac_uq UNIQUE (code_mac),
    CONSTRAINT stock_key_owner_ck CHECK ((state IN ('sold', 'reserved')) = (order_item_id IS NOT NULL))
  ) WITH (fillfactor = 85)`,
  `CREATE INDEX stock_key_available_ix ON stock_key (offer_id, kind, id) WHERE state = 'available'`,
  `CREATE INDEX stock_key_withdrawn_by_import_ix ON stock_key (withdrawn_by_import, id)
    WHERE withdrawn_by_import IS NOT NULL`,
  `CREATE INDEX offer_paused_by_import_ix ON offer (paused_by_import, id) WHERE paused_by_import IS NOT NULL`,
  'CREATE INDEX stock_key_offer_ix ON stock_key (offer_id, id)',
  'CREATE INDEX stock_key_order_item_ix ON stock_key (order_item_id) WHERE order_item_id IS NOT NULL',

  // --- Orders -----------------------------------------------------------------------------------------------------
  'CREATE SEQUENCE order_serial_seq',
  // decimals: 2 for orders made here; orders imported from elsewhere may have up to 12 (A7). spend_day: the day whose limits
  // the order counts against, when it is not that of created_at (A222).
  `CREATE TABLE "order" (
    id bigint PRIMARY KEY CONSTRAINT order_id_ck CHECK (id BETWEEN 10000000000000 AND 9999999999999999),
    account_id uuid NOT NULL REFERENCES account,
    status text COLLATE "C" NOT NULL CONSTRAINT order_status_ck CHECK (status IN
      ('pending', 'processing', 'held', 'complete', 'canceled', 'closed', 'pending_payment')),
    held_from text CONSTRAINT order_held_from_ck CHECK (held_from IN ('pending', 'pending_payment', 'processing')),
    created_at timestamptz NOT NULL,
    completed_at timestamptz,
    currency text NOT NULL,
    decimals smallint NOT NULL DEFAULT 2,
    discount_minor bigint NOT NULL,
    total_price_minor bigint NOT NULL,
    payment_method text,
    origin text NOT NULL CONSTRAINT order_origin_ck CHECK (origin IN ('export-api', 'imported')),
    idempotency_key uuid,
    image_refunded boolean NOT NULL DEFAULT false,
    spend_day date,
    CONSTRAINT order_idempotency_key_uq UNIQUE (account_id, idempotency_key),
    CONSTRAINT order_held_ck CHECK ((status = 'held') = (held_from IS NOT NULL))
  ) WITH (fillfactor = 90)`,
  'CREATE INDEX order_history_ix ON "order" (account_id, created_at, id)',
  'CREATE INDEX order_spend_day_ix ON "order" (account_id, spend_day) WHERE spend_day IS NOT NULL',
  'CREATE INDEX order_created_ix ON "order" (created_at, id)',
  `CREATE INDEX order_open_ix ON "order" (created_at) WHERE status IN ('pending', 'pending_payment', 'processing')`,
  `CREATE TABLE order_item (
    id bigint PRIMARY KEY,
    order_id bigint NOT NULL CONSTRAINT order_item_order_fk REFERENCES "order",
    offer_id uuid NOT NULL,
    product_id bigint NOT NULL,
    product_name text NOT NULL,
    seller_id uuid NOT NULL,
    seller_name text NOT NULL,
    unit_price_minor bigint NOT NULL,
    max_price_minor bigint,
    quantity_ordered integer NOT NULL,
    quantity_invoiced integer NOT NULL,
    quantity_shipped integer NOT NULL,
    quantity_refunded integer NOT NULL,
    CONSTRAINT order_item_quantities_ck CHECK (
      quantity_ordered >= 1
      AND quantity_shipped BETWEEN 0 AND quantity_ordered
      AND quantity_invoiced BETWEEN 0 AND quantity_ordered
      AND quantity_refunded BETWEEN 0 AND quantity_invoiced)
  ) WITH (fillfactor = 90)`,
  'CREATE INDEX order_item_order_ix ON order_item (order_id)',
  'CREATE SEQUENCE order_status_log_id_seq',
  // One row per transaction that moved the order; via: the statuses it passed through inside that transaction.
  `CREATE TABLE order_status_log (
    id bigint PRIMARY KEY DEFAULT nextval('order_status_log_id_seq'),
    order_id bigint NOT NULL CONSTRAINT order_status_log_order_fk REFERENCES "order",
    from_status text,
    via text[] NOT NULL DEFAULT '{}',
    to_status text NOT NULL,
    at timestamptz NOT NULL,
    actor text NOT NULL,
    reason text NOT NULL
  )`,
  'CREATE INDEX order_status_log_order_ix ON order_status_log (order_id)',
  // A record without a status is a gateway order whose outcome is still open (R20).
  `CREATE TABLE idempotency_record (
    account_id uuid NOT NULL,
    operation text COLLATE "C" NOT NULL,
    idempotency_key uuid NOT NULL,
    fingerprint text NOT NULL,
    status smallint,
    body text,
    order_id bigint,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    CONSTRAINT idempotency_record_pk PRIMARY KEY (account_id, operation, idempotency_key)
  )`,
  'CREATE INDEX idempotency_record_order_ix ON idempotency_record (order_id) WHERE order_id IS NOT NULL',
  'CREATE INDEX idempotency_record_refusal_ix ON idempotency_record (finished_at) WHERE order_id IS NULL',

  // The answers to operators' writes with an Idempotency-Key. fingerprint: keyed hash of the payload. answer: sealed,
  // since it may have a client's secret in it.
  `CREATE TABLE write_record (
    client_id text COLLATE "C" NOT NULL,
    operation text COLLATE "C" NOT NULL,
    idempotency_key uuid NOT NULL,
    fingerprint text NOT NULL,
    status smallint NOT NULL,
    answer bytea NOT NULL,
    finished_at timestamptz NOT NULL,
    CONSTRAINT write_record_pk PRIMARY KEY (client_id, operation, idempotency_key)
  )`,
  'CREATE INDEX write_record_finished_ix ON write_record (finished_at)',

  // --- Books ------------------------------------------------------------------------------------------------------
  // A transfer names both its sides, so every transfer is balanced by construction (Invariants I1, I2).
  `CREATE TABLE ledger_account (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text COLLATE "C" NOT NULL CONSTRAINT ledger_account_kind_ck CHECK (kind IN ('prepaid', 'cash', 'sales', 'gateway')),
    account_id uuid REFERENCES account,
    currency text COLLATE "C" NOT NULL DEFAULT 'EUR',
    CONSTRAINT ledger_account_owner_ck CHECK ((kind = 'prepaid') = (account_id IS NOT NULL)),
    CONSTRAINT ledger_account_uq UNIQUE NULLS NOT DISTINCT (kind, account_id, currency)
  )`,
  `INSERT INTO ledger_account (kind) VALUES ('cash'), ('sales'), ('gateway')`,
  'CREATE SEQUENCE ledger_transfer_id_seq',
  // prepaid_balance_after_minor: the reseller's balance right after this transfer, so that a statement page needs no
  // sum over all that came before; null when neither side is a reseller's prepaid account.
  `CREATE TABLE ledger_transfer (
    id bigint PRIMARY KEY DEFAULT nextval('ledger_transfer_id_seq'),
    kind text COLLATE "C" NOT NULL CONSTRAINT ledger_transfer_kind_ck CHECK (kind IN ('deposit', 'charge', 'refund', 'adjustment')),
    from_ledger_account_id bigint NOT NULL REFERENCES ledger_account,
    to_ledger_account_id bigint NOT NULL REFERENCES ledger_account,
    amount_minor bigint NOT NULL CONSTRAINT ledger_transfer_amount_ck CHECK (amount_minor > 0),
    currency text NOT NULL DEFAULT 'EUR',
    account_id uuid NOT NULL REFERENCES account,
    prepaid_balance_after_minor bigint,
    order_id bigint,
    reference text COLLATE "C",
    created_at timestamptz NOT NULL,
    CONSTRAINT ledger_transfer_sides_ck CHECK (from_ledger_account_id <> to_ledger_account_id)
  )`,
  'CREATE INDEX ledger_transfer_account_ix ON ledger_transfer (account_id, id)',
  'CREATE INDEX ledger_transfer_order_ix ON ledger_transfer (order_id) WHERE order_id IS NOT NULL',
  `CREATE UNIQUE INDEX ledger_transfer_deposit_uq ON ledger_transfer (account_id, reference) WHERE kind = 'deposit'`,
  `CREATE VIEW ledger_entry AS
    SELECT id AS transfer_id, from_ledger_account_id AS ledger_account_id, -amount_minor AS amount_minor, currency
      FROM ledger_transfer
    UNION ALL
    SELECT id, to_ledger_account_id, amount_minor, currency FROM ledger_transfer`,
  // A booked transfer is never changed or removed; a correction is another transfer (Invariant I12).
  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% of % is not allowed: it is append-only', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END $$`,
  `CREATE TRIGGER ledger_transfer_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfer
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  `CREATE TRIGGER order_status_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON order_status_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,

  // --- Payment gateway --------------------------------------------------------------------------------------------
  // What the provider still has to be asked or told. The order id is the provider's idempotency key.
  `CREATE TABLE gateway_payment (
    order_id bigint PRIMARY KEY REFERENCES "order",
    customer text NOT NULL,
    amount_minor bigint NOT NULL,
    state text NOT NULL CONSTRAINT gateway_payment_state_ck CHECK (state IN ('open', 'paid', 'declined', 'abandoned')),
    expires_at timestamptz NOT NULL,
    next_check_at timestamptz NOT NULL
  )`,
  `CREATE INDEX gateway_payment_open_ix ON gateway_payment (next_check_at) WHERE state = 'open'`,
  `CREATE TABLE gateway_refund (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id bigint NOT NULL REFERENCES "order",
    amount_minor bigint NOT NULL CONSTRAINT gateway_refund_amount_ck CHECK (amount_minor > 0),
    state text COLLATE "C" NOT NULL DEFAULT 'open' CONSTRAINT gateway_refund_state_ck CHECK (state IN ('open', 'done')),
    attempts integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  `CREATE INDEX gateway_refund_open_ix ON gateway_refund (attempts, id) WHERE state = 'open'`,

  // --- Audit ------------------------------------------------------------------------------------------------------
  // Key reveals (A46) and operator actions. Never a code, never a secret.
  `CREATE TABLE audit_entry (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    client_id text NOT NULL,
    action text NOT NULL,
    account_id uuid,
    order_id bigint,
    trace_id text,
    data jsonb NOT NULL DEFAULT '{}'
  )`,
  'CREATE INDEX audit_entry_order_ix ON audit_entry (order_id) WHERE order_id IS NOT NULL',
  `CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  // One row per unit that ever left the house, the first time it did.
  `CREATE TABLE key_reveal (
    stock_key_id bigint PRIMARY KEY REFERENCES stock_key,
    order_item_id bigint NOT NULL,
    audit_entry_id bigint NOT NULL REFERENCES audit_entry
  )`,
];

export const migration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) {
      await sql.raw(statement).execute(db);
    }
  },
};
