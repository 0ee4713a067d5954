-- The whole schema of version 0.3.0, ordered by feature. Until 0.3.0 is released, a change of the schema edits
-- this file; afterwards the file never changes, and each change is a migration beside it. Constraint names are
-- part of the interface, because db/errors.ts and the features map them to meanings. Text in an index is
-- COLLATE "C": any other order can change with the machine's C library or ICU, and an index in the old order
-- would accept a duplicate reference. Amounts are minor units (cents of EUR unless a row has its own `decimals`).

-- --- Functions for checks and triggers ---
-- A check inside a statement, because the order path sends its COMMIT before it receives the results of its
-- writes.
CREATE FUNCTION must_equal(what text, actual bigint, expected bigint) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF actual IS DISTINCT FROM coalesce(expected, 0) THEN
        RAISE EXCEPTION '%: % instead of %', what, actual, coalesce(expected, 0) USING ERRCODE = 'assert_failure';
      END IF;
    END $$;
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% of % is not allowed: it is append-only', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END $$;
CREATE FUNCTION refuse_delete() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% of % is not allowed: its rows are kept for ever', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
    END $$;

-- --- Search ---
-- Gives the same words on every server. PostgreSQL's own sort order and its rules for case and accents
-- depend on the server's locale.
CREATE FUNCTION fold_letters(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN translate(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g'), 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫϏϘϚϜϞϠϢϤϦϨϪϬϮϴϷϹϺϽϾϿЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯØøŁłĐđıςẞ', 'αβγδεζηθικλμνξοπρστυφχψωϊϋϗϙϛϝϟϡϣϥϧϩϫϭϯθϸϲϻͻͼͽѐёђѓєѕіїјљњћќѝўџабвгдежзийклмнопрстуфхцчшщъыьэюяoollddiσß');

-- Removes case and accents. Most names are ASCII and cost almost nothing.
CREATE FUNCTION fold(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN lower((CASE WHEN octet_length(value) = char_length(value) THEN value ELSE fold_letters(value) END) COLLATE "C");

-- Words consist of letters and digits; all other characters separate them.
CREATE FUNCTION search_words(value text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN array_to_tsvector(array_remove(string_to_array(regexp_replace(fold(value),
      '[\u0001-\u001f\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]+', ' ', 'g'), ' '), ''));

-- Requires every word of the query, each as a prefix. Null if the query has no word.
CREATE FUNCTION search_query(value text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT string_agg('''' || word || ''':*', ' & ')
      FROM unnest(search_words(value)) AS words (word))::tsquery;

-- The key by which lists are sorted; it is short enough for a cursor.
CREATE FUNCTION sort_name(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN left(fold(value), 100);

-- --- Secrets, clients and operators ---
-- The service's own keys (hash keys, signing keys), each wrapped by the master key that its row names. If
-- the row names none, the service tries every master key that it holds.
CREATE TABLE service_secret (
    name text COLLATE "C" PRIMARY KEY,
    wrapped bytea NOT NULL,
    master_key_id text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
CREATE TABLE signing_key (
    kid text COLLATE "C" PRIMARY KEY,
    algorithm text NOT NULL,
    public_jwk jsonb NOT NULL,
    private_wrapped bytea NOT NULL,
    master_key_id text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    retired_at timestamptz
  );

-- One row. master_key_id: the current master key; null: none has wrapped anything yet. A transaction that wraps a key
-- locks the row FOR SHARE until it commits, so that a rotation finds no unfinished work. catalogue_epoch: the history
-- to which the stamps of the catalogue belong (A127); a restore from a backup begins a new one.
CREATE TABLE installation (
    id boolean PRIMARY KEY DEFAULT true CONSTRAINT installation_one_row_ck CHECK (id),
    master_key_id text,
    catalogue_epoch uuid NOT NULL DEFAULT gen_random_uuid()
  );
INSERT INTO installation DEFAULT VALUES;

-- The latest state of each running node. A rotation waits for all of them.
CREATE TABLE master_key_holder (
    node_id uuid PRIMARY KEY,
    master_key_ids text[] NOT NULL,
    version text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen_at timestamptz NOT NULL
  );

-- account counts the orders of the day and of the hour, because every order locks and writes this row anyway.
-- statement_… and …_sum_minor: the values of the last line of the statement, so that the next line need not
-- look them up. The fill factor leaves each row's new versions space on its page: without it, all indexes would get an
-- entry for each batch of orders.
CREATE TABLE account (
    id uuid PRIMARY KEY,
    position bigint NOT NULL GENERATED ALWAYS AS IDENTITY CONSTRAINT account_position_uq UNIQUE,
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
    order_hour timestamptz NOT NULL DEFAULT '2000-01-01 00:00:00+00',
    hour_orders integer NOT NULL DEFAULT 0,
    statement_line bigint NOT NULL DEFAULT 0,
    statement_at timestamptz NOT NULL DEFAULT '1970-01-01 00:00:00+00',
    deposit_sum_minor bigint NOT NULL DEFAULT 0,
    charge_sum_minor bigint NOT NULL DEFAULT 0,
    refund_sum_minor bigint NOT NULL DEFAULT 0,
    adjustment_sum_minor bigint NOT NULL DEFAULT 0,
    payout_sum_minor bigint NOT NULL DEFAULT 0,
    balance_low_threshold_minor bigint,
    reserved_units_max integer NOT NULL DEFAULT 50,
    -- 0: the account cannot return units.
    return_window_hours integer NOT NULL DEFAULT 0,
    claim_window_hours integer NOT NULL DEFAULT 720,
    -- The rate limits that the account set for itself in the sandbox (A525), in requests per second.
    sandbox_reads_max integer,
    sandbox_orders_max integer,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  ) WITH (fillfactor = 20);

CREATE INDEX account_words_ix ON account USING gin (search_words(name || ' ' || coalesce(gateway_customer, '')));
CREATE INDEX account_name_ix ON account (sort_name(name) COLLATE "C", position);

-- Orders and transfers have no foreign key to their account, because every order would pay for the check.
CREATE TRIGGER account_kept BEFORE DELETE OR TRUNCATE ON account
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_delete();

-- operator_role: the role of an operator's client. allowed_addresses: the addresses that may use the client
-- (A188); empty: any address.
CREATE TABLE client (
    id text COLLATE "C" PRIMARY KEY,
    account_id uuid REFERENCES account,
    role text NOT NULL CONSTRAINT client_role_ck CHECK (role IN ('reseller', 'operator')),
    operator_role text COLLATE "C"
      CONSTRAINT client_operator_role_ck CHECK (operator_role IN ('viewer', 'support', 'catalogue', 'finance', 'admin')),
    name text,
    allowed_addresses text[] NOT NULL DEFAULT '{}',
    is_read_only boolean NOT NULL DEFAULT false,
    disabled_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT client_account_ck CHECK ((role = 'reseller') = (account_id IS NOT NULL)),
    CONSTRAINT client_role_of_operator_ck CHECK ((role = 'operator') = (operator_role IS NOT NULL))
  );

-- At most two live secrets per client (A26); the service retires the oldest. expires_at: the end of the
-- overlap after a rotation (A704); null: the secret works until it is retired.
CREATE TABLE client_secret (
    id bigint GENERATED ALWAYS AS IDENTITY,
    client_id text COLLATE "C" NOT NULL REFERENCES client,
    secret_mac bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    retired_at timestamptz,
    expires_at timestamptz,
    PRIMARY KEY (client_id, id)
  );

-- People who sign in: operators to the console, members of a reseller's account to the portal. No one of one audience is
-- found for the other. email_key: the form of the address that is compared. password_hash: includes the salt and the
-- cost parameters. oidc_subject: the identity provider's issuer and subject for the person. last_seen_at: accurate to
-- some seconds.
CREATE TABLE person (
    id text COLLATE "C" PRIMARY KEY,
    position bigint GENERATED ALWAYS AS IDENTITY,
    audience text COLLATE "C" NOT NULL,
    account_id uuid REFERENCES account,
    name text NOT NULL,
    email text NOT NULL,
    email_key text COLLATE "C" NOT NULL,
    role text COLLATE "C" NOT NULL,
    disabled_at timestamptz,
    password_hash text,
    oidc_subject text COLLATE "C" CONSTRAINT person_oidc_subject_uq UNIQUE,
    -- Whether to be notified, by event and channel; null: as by default.
    notifications jsonb,
    last_seen_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT person_email_uq UNIQUE (email_key, audience),
    CONSTRAINT person_audience_ck CHECK (CASE audience
      WHEN 'operator' THEN account_id IS NULL AND role IN ('viewer', 'support', 'catalogue', 'finance', 'admin')
      WHEN 'reseller' THEN account_id IS NOT NULL AND role IN ('accountant', 'buyer', 'developer', 'owner')
      ELSE false END)
  );

-- mac: a keyed hash of a session's cookie, of the token in a link that signs in once, or of a used challenge, which is
-- kept until it expires so that it is not used twice. Each audience has its own key. method: how the session's person
-- signed in.
CREATE TABLE person_token (
    mac bytea PRIMARY KEY,
    kind text COLLATE "C" NOT NULL CONSTRAINT person_token_kind_ck CHECK (kind IN ('session', 'link', 'challenge')),
    person_id text COLLATE "C" REFERENCES person,
    method text,
    used_at timestamptz,
    ends_at timestamptz NOT NULL,
    CONSTRAINT person_token_person_ck CHECK ((kind = 'challenge') = (person_id IS NULL)),
    CONSTRAINT person_token_session_ck CHECK (num_nonnulls(method, used_at) = CASE kind WHEN 'session' THEN 2 ELSE 0 END)
  );

-- id: the credential id as base64url. public_key: in COSE format.
CREATE TABLE person_passkey (
    id text COLLATE "C" PRIMARY KEY,
    person_id text COLLATE "C" NOT NULL REFERENCES person,
    name text NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    used_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );

-- --- Catalogue ---
CREATE TABLE seller (
    id uuid PRIMARY KEY,
    name text NOT NULL
  );
CREATE INDEX seller_words_ix ON seller USING gin (search_words(name));
CREATE INDEX seller_name_ix ON seller (sort_name(name) COLLATE "C", id);

-- details: the ProductDetail members that do not depend on offers.
CREATE TABLE product (
    id bigint PRIMARY KEY CONSTRAINT product_id_ck CHECK (id BETWEEN 10000000000000 AND 99999999999999),
    name text NOT NULL,
    checkout_class text NOT NULL CONSTRAINT product_checkout_class_ck CHECK (checkout_class IN
      ('standard', 'in-game-top-up', 'balance-top-up', 'game-account', 'esim', 'subscription')),
    details jsonb NOT NULL,
    details_version integer NOT NULL DEFAULT 1,
    words tsvector NOT NULL GENERATED ALWAYS AS (search_words(name)) STORED
  );
CREATE INDEX product_words_ix ON product USING gin (words);
CREATE INDEX product_name_ix ON product (sort_name(name) COLLATE "C", id);

-- The changes of each transaction, in commit order (A8): a transaction draws its stamp as its last step and
-- keeps the lock until it commits. The stamps of its products are a microsecond apart and end with the
-- row's stamp. order_ids: orders that were complete when they were placed; account_ids: their accounts;
-- events: all other events (core/events.ts). offer_ids, quantities: if the transaction only sold units, the
-- offer of each product and its remaining units, so that nodes need not read the product. Rows are removed
-- after some minutes.
CREATE TABLE change_log (
    stamp timestamptz PRIMARY KEY,
    product_ids bigint[] NOT NULL,
    order_ids bigint[] NOT NULL,
    account_ids uuid[] NOT NULL DEFAULT '{}',
    events jsonb,
    offer_ids uuid[],
    quantities integer[],
    CONSTRAINT change_log_orders_ck CHECK (cardinality(order_ids) = cardinality(account_ids)),
    CONSTRAINT change_log_sold_ck CHECK ((offer_ids IS NULL) = (quantities IS NULL)
      AND (offer_ids IS NULL OR cardinality(offer_ids) = cardinality(product_ids))
      AND (quantities IS NULL OR cardinality(quantities) = cardinality(product_ids)))
  ) WITH (toast_tuple_target = 8160);

-- Compressing ids takes longer than writing them.
ALTER TABLE change_log ALTER product_ids SET STORAGE EXTERNAL, ALTER order_ids SET STORAGE EXTERNAL,
    ALTER account_ids SET STORAGE EXTERNAL, ALTER offer_ids SET STORAGE EXTERNAL, ALTER quantities SET STORAGE EXTERNAL;

-- The second statement sees everything that was committed before the lock was free. The function avoids
-- sequential scans, because its plan may have been made while the log was small.
CREATE FUNCTION draw_stamps(wanted integer) RETURNS timestamptz LANGUAGE plpgsql SET enable_seqscan = off AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('keyport/catalogue-clock', 0));
    RETURN (SELECT greatest(clock_timestamp(), max(stamp) + interval '1 microsecond') FROM change_log)
      + (wanted - 1) * interval '1 microsecond';
  END $$;
INSERT INTO change_log VALUES (date_trunc('microseconds', clock_timestamp()), '{}', '{}');

-- How far workers have read, by stream. The row of each stream is also its worker's lock where one node works at a time.
-- position: of changes, the microseconds of a stamp; of events, an id; of other streams, the number of a row.
--   stamp: product_stamp has the stamps of the log up to this one.
--   event: changes up to this one are in events. forgotten-event: events up to this one were deleted.
--   keys-expiring: orders that became complete up to this event have been checked for unread keys.
--   order, status, transfer, rejection, change: rows up to this one are in the sums.
CREATE TABLE stream_position (
    stream text COLLATE "C" PRIMARY KEY,
    position bigint NOT NULL
  );
INSERT INTO stream_position VALUES ('order', 0), ('status', 0), ('transfer', 0), ('rejection', 0), ('keys-expiring', 0);
INSERT INTO stream_position
    SELECT stream, (extract(epoch FROM stamp) * 1000000)::bigint FROM change_log
    CROSS JOIN (VALUES ('stamp'), ('event'), ('change')) AS added (stream);
INSERT INTO stream_position SELECT 'forgotten-event', position << 10 FROM stream_position WHERE stream = 'event';

-- stamp: A8's updatedAt, without the log's stamps after the position `stamp`; a worker adds those. first_stamp:
-- the first stamp of the product, which is the insertion order (A15).
CREATE TABLE product_stamp (
    product_id bigint PRIMARY KEY REFERENCES product,
    stamp timestamptz NOT NULL,
    first_stamp timestamptz NOT NULL
  ) WITH (fillfactor = 80);
CREATE VIEW recent_stamp AS
    SELECT product_id, max(stamp - (cardinality(product_ids) - place) * interval '1 microsecond') AS stamp
    FROM change_log CROSS JOIN unnest(product_ids) WITH ORDINALITY AS changed (product_id, place)
    WHERE stamp > (SELECT to_timestamp(0) + position * interval '1 microsecond' FROM stream_position WHERE stream = 'stamp')
    GROUP BY product_id;
CREATE VIEW stamped_product AS
    SELECT product_id, greatest(product_stamp.stamp, recent_stamp.stamp) AS stamp, first_stamp
    FROM product_stamp LEFT JOIN recent_stamp USING (product_id);

-- The text units of an offer are numbered. Units below next_unit are in orders, and units from there to
-- below end_unit are on sale: an order takes units by moving next_unit and writes none of their rows.
-- available_image: the number of image units on sale.
CREATE TABLE offer (
    id uuid PRIMARY KEY,
    product_id bigint NOT NULL CONSTRAINT offer_product_fk REFERENCES product,
    seller_id uuid NOT NULL CONSTRAINT offer_seller_fk REFERENCES seller,
    price_minor bigint NOT NULL CONSTRAINT offer_price_ck CHECK (price_minor > 0),
    status text NOT NULL CONSTRAINT offer_status_ck CHECK (status IN ('active', 'paused')),
    next_unit integer NOT NULL DEFAULT 1,
    end_unit integer NOT NULL DEFAULT 1,
    available_text integer GENERATED ALWAYS AS (end_unit - next_unit) STORED
      CONSTRAINT offer_available_text_ck CHECK (available_text >= 0),
    available_image integer NOT NULL DEFAULT 0 CONSTRAINT offer_available_image_ck CHECK (available_image >= 0),
    -- All units that it ever had, and those that are withdrawn. Orders change neither.
    units integer NOT NULL DEFAULT 0,
    withdrawn_units integer NOT NULL DEFAULT 0,
    -- The import run that paused it, until its price or status is set again or a later run leaves it out too.
    paused_by_import bigint CONSTRAINT offer_paused_by_import_ck CHECK (paused_by_import IS NULL OR status = 'paused')
  ) WITH (fillfactor = 70);

CREATE TRIGGER offer_kept BEFORE DELETE OR TRUNCATE ON offer
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_delete();
CREATE INDEX offer_product_ix ON offer (product_id);
CREATE INDEX offer_seller_ix ON offer (seller_id, id);
CREATE INDEX offer_paused_by_import_ix ON offer (paused_by_import, id) WHERE paused_by_import IS NOT NULL;

-- The price and status of each offer over time, against which the unit prices of orders are checked
-- (Invariant I28). Nothing else writes it, and a wrong row would violate I28. The triggers
-- that write it watch only these two columns: an order changes
-- only the counts of an offer and does not pay for them.
CREATE TABLE offer_log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    offer_id uuid NOT NULL CONSTRAINT offer_log_offer_fk REFERENCES offer,
    price_minor bigint NOT NULL,
    status text NOT NULL,
    at timestamptz NOT NULL
  );
CREATE INDEX offer_log_offer_ix ON offer_log (offer_id, id);

-- Uses the clock at the time of the write, not at the start of the statement: by then no other transaction
-- holds the offer's row.
CREATE FUNCTION log_offer() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO offer_log (offer_id, price_minor, status, at)
        VALUES (NEW.id, NEW.price_minor, NEW.status, clock_timestamp());
      RETURN NULL;
    END $$;

-- For all rows of a statement together: a trigger for each row took a third of the time of an import of offers.
CREATE FUNCTION log_new_offers() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO offer_log (offer_id, price_minor, status, at)
        SELECT id, price_minor, status, clock_timestamp() FROM added;
      RETURN NULL;
    END $$;
CREATE TRIGGER offer_logged_insert AFTER INSERT ON offer
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION log_new_offers();
CREATE TRIGGER offer_logged_update AFTER UPDATE OF price_minor, status ON offer FOR EACH ROW
    WHEN ((OLD.price_minor, OLD.status) IS DISTINCT FROM (NEW.price_minor, NEW.status))
    EXECUTE FUNCTION log_offer();
-- The progress of imports, so that an interrupted one can continue (A130). import_id: the sender's name for
-- the import; null: it has none and cannot be continued. holder: the request that works on it until
-- held_until, which the request extends; null: no request does. removed: the number of rows that
-- deleteMissing took off sale; restored: the number of these that were put back. has_seen: import_seen may
-- have rows of the import. file_name: as its sender calls it. audited_for: the operator for whom the audit log
-- has an entry of this run. undone_at: when it was undone (A271);
-- undone_keys, kept_keys: what that did with the keys that it had added.
CREATE TABLE import_run (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    import_id text COLLATE "C",
    kind text COLLATE "C" NOT NULL CONSTRAINT import_run_kind_ck CHECK (kind IN ('sellers', 'products', 'offers', 'prices', 'keys')),
    dry_run boolean NOT NULL,
    delete_missing boolean NOT NULL,
    holder uuid,
    held_until timestamptz NOT NULL,
    committed_line bigint NOT NULL DEFAULT 0,
    read bigint NOT NULL DEFAULT 0,
    written bigint NOT NULL DEFAULT 0,
    unchanged bigint NOT NULL DEFAULT 0,
    rejected bigint NOT NULL DEFAULT 0,
    removed bigint NOT NULL DEFAULT 0,
    restored bigint NOT NULL DEFAULT 0,
    has_seen boolean NOT NULL DEFAULT false,
    finished_at timestamptz,
    client_id text COLLATE "C" NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    is_completed boolean NOT NULL DEFAULT false,
    file_name text,
    audited_for text COLLATE "C",
    undone_at timestamptz,
    undone_keys bigint NOT NULL DEFAULT 0,
    kept_keys bigint NOT NULL DEFAULT 0,
    -- The first rejected lines, for 30 days: an array of line and message.
    rejects jsonb NOT NULL DEFAULT '[]',
    CONSTRAINT import_run_counts_ck CHECK (read = written + unchanged + rejected),
    CONSTRAINT import_run_restored_ck CHECK (restored BETWEEN 0 AND removed)
  );

-- Only one run of an import can be unfinished: the next request continues it.
CREATE UNIQUE INDEX import_run_unfinished_uq ON import_run (import_id, kind, dry_run, delete_missing)
    WHERE finished_at IS NULL AND import_id IS NOT NULL;

-- Rows that an import with deleteMissing has seen so far (A132). kind: what the row is. key: uuid_send
-- or int8send of its id, or the hash of a code.
CREATE TABLE import_seen (
    run bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    key bytea NOT NULL,
    PRIMARY KEY (run, kind, key)
  );

-- Offers that an import added or changed. *_before: null for one that it added. next_unit: of the offer then;
-- a higher one means that it was ordered since. outcome: what an undo did with it.
CREATE TABLE import_offer (
    run bigint NOT NULL REFERENCES import_run,
    offer_id uuid NOT NULL,
    price_before bigint,
    status_before text,
    price_after bigint NOT NULL,
    status_after text NOT NULL,
    next_unit integer NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    outcome text COLLATE "C" CONSTRAINT import_offer_outcome_ck CHECK (outcome IN ('undone', 'kept')),
    PRIMARY KEY (run, offer_id)
  );

-- --- Events ---
-- Events for resellers, made from change_log by one worker at a time. id: the microseconds of the stamp,
-- and the place within the transaction in the lowest ten bits; so ids are in commit order, and none recurs.
-- data: null for an order that was complete when it was placed, because everything follows from its row.
CREATE TABLE event (
    id bigint PRIMARY KEY,
    order_id bigint,
    account_id uuid NOT NULL,
    type text COLLATE "C" NOT NULL,
    data jsonb
  );
CREATE INDEX event_account_ix ON event (account_id, id);

-- --- Product keys ---
CREATE TABLE data_key (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    wrapped bytea NOT NULL,
    master_key_id text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
CREATE SEQUENCE stock_key_id_seq CACHE 1;

-- id: drawn first, because the ciphertext is bound to it (custody). number: the place of a text unit in its
-- offer; null when the unit is withdrawn. The view "unit" has the state and the order of each unit.
CREATE TABLE stock_key (
    id bigint PRIMARY KEY,
    offer_id uuid NOT NULL CONSTRAINT stock_key_offer_fk REFERENCES offer,
    kind text COLLATE "C" NOT NULL CONSTRAINT stock_key_kind_ck CHECK (kind IN ('text', 'image')),
    number integer,
    is_withdrawn boolean NOT NULL DEFAULT false,
    data_key_id bigint NOT NULL REFERENCES data_key,
    nonce bytea NOT NULL,
    ciphertext bytea NOT NULL,
    code_mac bytea NOT NULL,
    refunded_at timestamptz,
    -- The import run that added it, until the run is undone.
    added_by_import bigint,
    -- The import run that withdrew it, unless it was withdrawn by its code or left out by a later run since.
    withdrawn_by_import bigint
      CONSTRAINT stock_key_withdrawn_by_import_ck CHECK (withdrawn_by_import IS NULL OR is_withdrawn),
    CONSTRAINT stock_key_code_mac_uq UNIQUE (code_mac),
    CONSTRAINT stock_key_number_uq UNIQUE (offer_id, number),
    CONSTRAINT stock_key_number_ck CHECK ((number IS NOT NULL) = (kind = 'text' AND NOT is_withdrawn))
  );
CREATE INDEX stock_key_image_ix ON stock_key (offer_id, id) WHERE kind = 'image' AND NOT is_withdrawn;
CREATE INDEX stock_key_added_by_import_ix ON stock_key (added_by_import, id) WHERE added_by_import IS NOT NULL;
CREATE INDEX stock_key_withdrawn_by_import_ix ON stock_key (withdrawn_by_import, id)
    WHERE withdrawn_by_import IS NOT NULL;
CREATE INDEX stock_key_offer_ix ON stock_key (offer_id, id);

-- Units are never deleted.
CREATE TRIGGER stock_key_kept BEFORE DELETE OR TRUNCATE ON stock_key
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_delete();

-- --- Orders ---
-- An order placed here has one line, which is in its row; the lines of imported orders are in
-- imported_item. The view order_item has both. decimals: 2 for orders placed here; imported ones may have
-- up to 12 (A7). idempotency_key: the row is also the record of its request (A37), whose first response
-- follows from the row or is in gateway_payment. is_auto: the request named the product. first_unit: the
-- number of the first text unit that the order took; its other units follow without a gap. Null: only image
-- keys were left. hold_reason: why the order is held once it is paid. spend_day: the day whose limits the
-- order counts against, if it is not the day of created_at. reference: the reseller's own order number
-- (A700).
CREATE TABLE "order" (
    id bigint PRIMARY KEY CONSTRAINT order_id_ck CHECK (id BETWEEN 10000000000000 AND 9999999999999999),
    created_at timestamptz NOT NULL,
    completed_at timestamptz,
    discount_minor bigint NOT NULL,
    total_price_minor bigint NOT NULL,
    unit_price_minor bigint,
    max_price_minor bigint,
    -- In the order of the inserts, so that sums can say which are in them.
    serial bigint GENERATED ALWAYS AS IDENTITY,
    first_unit integer,
    spend_day date,
    quantity_ordered smallint,
    quantity_invoiced smallint,
    quantity_shipped smallint,
    quantity_refunded smallint,
    decimals smallint NOT NULL DEFAULT 2,
    is_auto boolean,
    image_refunded boolean NOT NULL DEFAULT false,
    -- It has its order.keys_expiring event, of which each order gets only one.
    is_expiry_told boolean NOT NULL DEFAULT false,
    account_id uuid NOT NULL,
    idempotency_key uuid,
    -- The number of the reservation that it was placed from. A reservation can have several orders: after a declined
    -- payment it is active again.
    reservation bigint,
    -- How far the sandbox has moved it into the past.
    moved interval,
    -- Of the request that placed it.
    trace_id uuid,
    offer_id uuid,
    status text COLLATE "C" NOT NULL CONSTRAINT order_status_ck CHECK (status IN
      ('pending', 'processing', 'held', 'complete', 'canceled', 'closed', 'pending_payment')),
    held_from text CONSTRAINT order_held_from_ck CHECK (held_from IN ('pending', 'pending_payment', 'processing')),
    currency text NOT NULL,
    payment_method text,
    origin text NOT NULL CONSTRAINT order_origin_ck CHECK (origin IN ('export-api', 'imported')),
    product_name text,
    seller_name text,
    hold_reason text,
    reference text COLLATE "C",
    CONSTRAINT order_held_ck CHECK ((status = 'held') = (held_from IS NOT NULL)),
    CONSTRAINT order_line_ck CHECK (CASE origin
      WHEN 'imported' THEN num_nonnulls(unit_price_minor, max_price_minor, first_unit, quantity_ordered, quantity_invoiced,
        quantity_shipped, quantity_refunded, is_auto, offer_id, product_name, seller_name) = 0
      ELSE num_nulls(unit_price_minor, max_price_minor, quantity_ordered, quantity_invoiced, quantity_shipped,
        quantity_refunded, is_auto, offer_id, product_name, seller_name, idempotency_key, payment_method) = 0 END),
    CONSTRAINT order_quantities_ck CHECK (
      quantity_ordered >= 1
      AND quantity_shipped BETWEEN 0 AND quantity_ordered
      AND quantity_invoiced BETWEEN 0 AND quantity_ordered
      AND quantity_refunded BETWEEN 0 AND quantity_invoiced)
  );
CREATE TRIGGER order_kept BEFORE DELETE OR TRUNCATE ON "order"
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_delete();
CREATE UNIQUE INDEX order_idempotency_key_uq ON "order" (account_id, idempotency_key);
CREATE UNIQUE INDEX order_first_unit_uq ON "order" (offer_id, first_unit) WHERE first_unit IS NOT NULL;
CREATE INDEX order_history_ix ON "order" (account_id, created_at, id);
CREATE INDEX order_spend_day_ix ON "order" (account_id, spend_day) WHERE spend_day IS NOT NULL;
CREATE INDEX order_created_ix ON "order" (created_at, id);
CREATE INDEX order_serial_ix ON "order" (serial);
CREATE INDEX order_refunded_ix ON "order" (created_at) INCLUDE (quantity_refunded) WHERE quantity_refunded > 0;

-- A filter for each 128 blocks, built after they are full, so that inserting a row costs nothing more.
CREATE INDEX order_trace_ix ON "order" USING brin (trace_id uuid_bloom_ops (false_positive_rate = 0.001))
    WITH (autosummarize = on);

-- Most orders are complete from the start and are not in these indexes, so that placing them costs nothing
-- more.
CREATE INDEX order_offer_ix ON "order" (offer_id)
    WHERE status IN ('pending', 'pending_payment', 'processing', 'held') OR first_unit IS NULL;
CREATE INDEX order_history_status_ix ON "order" (account_id, status, created_at, id) WHERE status <> 'complete';
CREATE INDEX order_status_ix ON "order" (status, created_at, id) WHERE status <> 'complete';
-- Orders without a reference are not in these indexes. Operators search all accounts, also for a part of a
-- reference. The second index has no list of pending entries, because the order that has to empty the list
-- would be late.
CREATE INDEX order_reference_ix ON "order" (reference, account_id) WHERE reference IS NOT NULL;
CREATE INDEX order_reference_words_ix ON "order" USING gin (search_words(reference))
    WITH (fastupdate = off) WHERE reference IS NOT NULL;

-- The lines of imported orders.
CREATE TABLE imported_item (
    id bigint NOT NULL,
    order_id bigint NOT NULL CONSTRAINT imported_item_order_fk REFERENCES "order",
    offer_id uuid NOT NULL,
    product_id bigint NOT NULL,
    product_name text NOT NULL,
    seller_id uuid NOT NULL,
    seller_name text NOT NULL,
    unit_price_minor bigint NOT NULL,
    quantity_ordered integer NOT NULL,
    quantity_invoiced integer NOT NULL,
    quantity_shipped integer NOT NULL,
    quantity_refunded integer NOT NULL,
    PRIMARY KEY (order_id, id),
    CONSTRAINT imported_item_quantities_ck CHECK (
      quantity_ordered >= 1
      AND quantity_shipped BETWEEN 0 AND quantity_ordered
      AND quantity_invoiced BETWEEN 0 AND quantity_ordered
      AND quantity_refunded BETWEEN 0 AND quantity_invoiced)
  );
CREATE VIEW order_item AS
    SELECT "order".id * 100 + 1 AS id, "order".id AS order_id, offer_id, product_id, product_name, seller_id, seller_name,
      unit_price_minor, max_price_minor, quantity_ordered::integer, quantity_invoiced::integer, quantity_shipped::integer,
      quantity_refunded::integer
    FROM "order" JOIN offer ON offer.id = "order".offer_id
    UNION ALL
    SELECT id, order_id, offer_id, product_id, product_name, seller_id, seller_name, unit_price_minor, NULL,
      quantity_ordered, quantity_invoiced, quantity_shipped, quantity_refunded
    FROM imported_item;

-- Units and a price that are set aside for an account until it orders them (A600 to A606).
-- number: sorts reservations, newest last. idempotency_key, fingerprint, response: the record of its request
-- (A37). first_unit: the first of the units that it holds while active; later its order has them, or they are on
-- sale with other numbers. reserved_at: when it was made; the sandbox can move created_at into the past.
CREATE TABLE reservation (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL CONSTRAINT reservation_id_uq UNIQUE,
    account_id uuid NOT NULL,
    offer_id uuid NOT NULL,
    idempotency_key uuid NOT NULL,
    fingerprint text NOT NULL,
    response text NOT NULL,
    status text COLLATE "C" NOT NULL DEFAULT 'active'
      CONSTRAINT reservation_status_ck CHECK (status IN ('active', 'ordered', 'released', 'expired')),
    first_unit integer NOT NULL,
    quantity smallint NOT NULL,
    unit_price_minor bigint NOT NULL,
    max_price_minor bigint NOT NULL,
    discount_minor bigint NOT NULL,
    total_price_minor bigint NOT NULL,
    reserved_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    order_id bigint,
    reference text,
    CONSTRAINT reservation_key_uq UNIQUE (account_id, idempotency_key),
    CONSTRAINT reservation_unit_uq UNIQUE (offer_id, first_unit),
    CONSTRAINT reservation_order_ck CHECK ((status = 'ordered') = (order_id IS NOT NULL))
  );
CREATE INDEX reservation_account_ix ON reservation (account_id, number);
CREATE INDEX reservation_active_ix ON reservation (account_id) WHERE status = 'active';
CREATE INDEX reservation_active_offer_ix ON reservation (offer_id) WHERE status = 'active';
CREATE INDEX reservation_expiry_ix ON reservation (expires_at) WHERE status = 'active';

-- Reservations without a reference are not in the index. Operators search all accounts.
CREATE INDEX reservation_reference_ix ON reservation (reference COLLATE "C", account_id) WHERE reference IS NOT NULL;

-- A unit below next_unit is in the order whose range contains its number, or if none does, in a reservation.
CREATE VIEW unit AS
    SELECT stock_key.*, holder.id AS order_id, CASE
      WHEN is_withdrawn THEN 'withdrawn'
      WHEN number IS NULL OR number >= offer.next_unit THEN 'available'
      WHEN holder.status IN ('complete', 'closed') THEN 'sold'
      ELSE 'reserved' END AS state
    FROM stock_key JOIN offer ON offer.id = stock_key.offer_id
    LEFT JOIN LATERAL (
      SELECT id, status, first_unit + quantity_ordered AS end_unit FROM "order"
      WHERE "order".offer_id = stock_key.offer_id AND first_unit <= stock_key.number AND first_unit IS NOT NULL
      ORDER BY first_unit DESC LIMIT 1
    ) AS holder ON number < offer.next_unit AND number < holder.end_unit;

-- The number of units of each offer in each state. An open order has all its units (Invariant I20).
CREATE VIEW unit_count AS
    SELECT offer.id AS offer_id, available_text + available_image AS available, reserved,
      units - withdrawn_units - available_text - available_image - reserved AS sold, withdrawn_units AS withdrawn
    FROM offer CROSS JOIN LATERAL (
      SELECT coalesce(sum(quantity), 0)::bigint AS reserved FROM (
        SELECT quantity_ordered AS quantity FROM "order"
        WHERE "order".offer_id = offer.id AND status IN ('pending', 'pending_payment', 'processing', 'held')
          AND first_unit IS NOT NULL
        UNION ALL
        SELECT quantity FROM reservation WHERE reservation.offer_id = offer.id AND reservation.status = 'active'
      ) AS held
    ) AS open_order;

CREATE SEQUENCE order_status_log_id_seq;

-- One row for each transaction that changed the status of an order, except the one that placed it, which
-- follows from the order itself. via: the statuses that the order passed through inside the transaction.
-- from_status: null in the first row of an imported order.
CREATE TABLE order_status_log (
    id bigint PRIMARY KEY DEFAULT nextval('order_status_log_id_seq'),
    order_id bigint NOT NULL,
    from_status text,
    via text[] NOT NULL DEFAULT '{}',
    to_status text NOT NULL,
    at timestamptz NOT NULL,
    actor text NOT NULL,
    reason text NOT NULL
  );
CREATE INDEX order_status_log_order_ix ON order_status_log (order_id, id);
CREATE TRIGGER order_status_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON order_status_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Requests that were rejected at checkout, with their responses (A39). A key is either here or in an order,
-- because requests lock their key (I29).
CREATE TABLE rejected_order (
    account_id uuid NOT NULL,
    idempotency_key uuid NOT NULL,
    fingerprint text NOT NULL,
    status smallint NOT NULL,
    body text NOT NULL,
    rejected_at timestamptz NOT NULL,
    -- In the order of the inserts, so that sums can say which are in them.
    number bigint GENERATED ALWAYS AS IDENTITY,
    CONSTRAINT rejected_order_pk PRIMARY KEY (account_id, idempotency_key)
  );
CREATE INDEX rejected_order_old_ix ON rejected_order (rejected_at);
CREATE INDEX rejected_order_number_ix ON rejected_order (number);

-- The responses to operators' writes with an Idempotency-Key. fingerprint: keyed hash of the payload.
-- answer: the sealed response, which may contain a client's secret.
CREATE TABLE write_record (
    client_id text COLLATE "C" NOT NULL,
    operation text COLLATE "C" NOT NULL,
    idempotency_key uuid NOT NULL,
    fingerprint text NOT NULL,
    status smallint NOT NULL,
    answer bytea NOT NULL,
    finished_at timestamptz NOT NULL,
    CONSTRAINT write_record_pk PRIMARY KEY (client_id, operation, idempotency_key)
  );

-- --- Sums ---
-- Numbers and amounts by kind, key and time, for lists and reports (sums/sums.sql.ts has the kinds). Placing an
-- order writes none of them: a worker adds each new row of a stream once, and reads add the rows that it has not
-- added yet.

-- key: the id of what is counted, or an empty text if the kind counts everything. bucket: the first moment of a UTC
-- hour or day. label: the part of the bucket, for example a status.
CREATE TABLE bucket_sum (
    kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    bucket timestamptz NOT NULL,
    label text COLLATE "C" NOT NULL,
    count bigint NOT NULL,
    units bigint NOT NULL,
    amount_minor numeric NOT NULL,
    CONSTRAINT bucket_sum_pk PRIMARY KEY (kind, key, bucket, label)
  ) WITH (fillfactor = 70);
CREATE INDEX bucket_sum_bucket_ix ON bucket_sum (kind, bucket);

-- Offers that had few units left when they last sold; a worker removes those that have more again.
CREATE TABLE scarce_offer (
    offer_id uuid PRIMARY KEY,
    sold_at timestamptz NOT NULL
  );
CREATE INDEX scarce_offer_sold_ix ON scarce_offer (sold_at);

-- --- Books ---
-- A transfer names both its sides, so every transfer is balanced by construction.
CREATE TABLE ledger_account (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text COLLATE "C" NOT NULL CONSTRAINT ledger_account_kind_ck CHECK (kind IN ('prepaid', 'cash', 'sales', 'gateway', 'adjustments')),
    account_id uuid REFERENCES account,
    currency text COLLATE "C" NOT NULL DEFAULT 'EUR',
    CONSTRAINT ledger_account_owner_ck CHECK ((kind = 'prepaid') = (account_id IS NOT NULL)),
    CONSTRAINT ledger_account_uq UNIQUE NULLS NOT DISTINCT (kind, account_id, currency)
  );
INSERT INTO ledger_account (kind) VALUES ('cash'), ('sales'), ('gateway'), ('adjustments');
CREATE SEQUENCE ledger_transfer_id_seq;

-- prepaid_balance_after_minor: the reseller's balance right after this transfer, so that a statement page
-- need not add up all earlier transfers; null if neither side is a reseller's prepaid account. reason: why
-- an adjustment was made. line: the number of the transfer on its account's statement, from 1 without a
-- gap; null if it is not on a statement. …_sum_minor: the sum of all lines of that kind up to this one;
-- above 0 if the money came to the account. The statement that inserts a transfer computes these values
-- (ledger/transfers.sql.ts), and the verifier checks them.
CREATE TABLE ledger_transfer (
    id bigint PRIMARY KEY DEFAULT nextval('ledger_transfer_id_seq'),
    kind text COLLATE "C" NOT NULL CONSTRAINT ledger_transfer_kind_ck CHECK (kind IN ('deposit', 'charge', 'refund', 'adjustment', 'payout')),
    from_ledger_account_id bigint NOT NULL,
    to_ledger_account_id bigint NOT NULL,
    amount_minor bigint NOT NULL CONSTRAINT ledger_transfer_amount_ck CHECK (amount_minor > 0),
    currency text NOT NULL DEFAULT 'EUR',
    account_id uuid NOT NULL,
    prepaid_balance_after_minor bigint,
    order_id bigint,
    reference text COLLATE "C",
    reason text,
    created_at timestamptz NOT NULL,
    line bigint,
    deposit_sum_minor bigint,
    charge_sum_minor bigint,
    refund_sum_minor bigint,
    adjustment_sum_minor bigint,
    payout_sum_minor bigint,
    CONSTRAINT ledger_transfer_sides_ck CHECK (from_ledger_account_id <> to_ledger_account_id),
    CONSTRAINT ledger_transfer_reference_ck CHECK (kind NOT IN ('adjustment', 'payout') OR reference IS NOT NULL),
    CONSTRAINT ledger_transfer_reason_ck CHECK (kind <> 'adjustment' OR reason IS NOT NULL),
    CONSTRAINT ledger_transfer_line_ck CHECK ((line IS NULL) = (prepaid_balance_after_minor IS NULL))
  );

-- Rejects the second of two bookings that were made concurrently, without the lock on the account's row.
CREATE UNIQUE INDEX ledger_transfer_line_uq ON ledger_transfer (account_id, line);
CREATE INDEX ledger_transfer_order_ix ON ledger_transfer (order_id) WHERE order_id IS NOT NULL;
CREATE UNIQUE INDEX ledger_transfer_reference_uq ON ledger_transfer (account_id, kind, reference)
    WHERE kind IN ('deposit', 'adjustment', 'payout');
CREATE VIEW ledger_entry AS
    SELECT id AS transfer_id, from_ledger_account_id AS ledger_account_id, -amount_minor AS amount_minor, currency
      FROM ledger_transfer
    UNION ALL
    SELECT id, to_ledger_account_id, amount_minor, currency FROM ledger_transfer;

-- A booked transfer is never changed or removed; a correction is another transfer.
CREATE TRIGGER ledger_transfer_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfer
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A ledger account has nothing but its identity, so it never changes either.
CREATE TRIGGER ledger_account_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_account
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- ALWAYS: also in a session that has switched ordinary triggers off (session_replication_role).
ALTER TABLE ledger_transfer ENABLE ALWAYS TRIGGER ledger_transfer_append_only;
ALTER TABLE ledger_account ENABLE ALWAYS TRIGGER ledger_account_append_only;

-- For a role that is not a superuser, the triggers are only a second safeguard. The role keeps UPDATE on
-- ledger_account, because PostgreSQL needs it to check a foreign key.
REVOKE UPDATE, DELETE, TRUNCATE ON ledger_transfer FROM PUBLIC, CURRENT_USER;
REVOKE DELETE, TRUNCATE ON ledger_account FROM PUBLIC, CURRENT_USER;

-- --- Payment gateway ---
-- Charges that still need a request to the provider. The order id is the provider's idempotency key;
-- reference: the provider's own id of the payment. response_…: the first response to the order's request;
-- null while its outcome is unknown (R20).
CREATE TABLE gateway_payment (
    order_id bigint PRIMARY KEY REFERENCES "order",
    customer text NOT NULL,
    amount_minor bigint NOT NULL,
    state text NOT NULL CONSTRAINT gateway_payment_state_ck CHECK (state IN
      ('open', 'paid', 'declined', 'abandoned', 'amount_mismatch')),
    reference text,
    checks integer NOT NULL DEFAULT 0,
    expires_at timestamptz NOT NULL,
    next_check_at timestamptz NOT NULL,
    response_status smallint,
    response_body text,
    answered_at timestamptz,
    provider_state text,
    last_error text,
    CONSTRAINT gateway_payment_response_ck
      CHECK (num_nulls(response_status, response_body, answered_at) IN (0, 3))
  );
CREATE INDEX gateway_payment_open_ix ON gateway_payment (next_check_at) WHERE state = 'open';

-- A refund with is_booked = false returns money that the provider charged without a request.
CREATE TABLE gateway_refund (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id bigint NOT NULL REFERENCES "order",
    amount_minor bigint NOT NULL CONSTRAINT gateway_refund_amount_ck CHECK (amount_minor > 0),
    currency text NOT NULL DEFAULT 'EUR',
    is_booked boolean NOT NULL DEFAULT true,
    state text COLLATE "C" NOT NULL DEFAULT 'open' CONSTRAINT gateway_refund_state_ck CHECK (state IN ('open', 'done')),
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    done_at timestamptz,
    provider_state text,
    last_error text
  );
CREATE INDEX gateway_refund_due_ix ON gateway_refund (state, next_attempt_at);
CREATE INDEX gateway_refund_order_ix ON gateway_refund (order_id);
CREATE VIEW open_payment AS
    SELECT 'charge-' || order_id AS id, 'charge' AS kind, order_id, account_id, "order".status AS order_status, amount_minor,
      'EUR' AS currency, created_at, expires_at, checks AS attempts, next_check_at AS next_attempt_at, provider_state,
      last_error, gateway_payment.reference
    FROM gateway_payment JOIN "order" ON "order".id = order_id WHERE gateway_payment.state = 'open'
    UNION ALL
    SELECT 'refund-' || refund.id, 'refund', refund.order_id, account_id, "order".status, refund.amount_minor,
      refund.currency, refund.created_at, NULL, attempts, next_attempt_at, refund.provider_state, refund.last_error,
      payment.reference
    FROM gateway_refund AS refund JOIN "order" ON "order".id = refund.order_id
    LEFT JOIN gateway_payment AS payment ON payment.order_id = refund.order_id
    WHERE refund.state = 'open';

-- --- Audit ---
-- Key reveals (A46) and operator actions. Contains no codes and no secrets. client_id: a client or a
-- person. role, address: a person's role at that time, and the address that the request came from.
CREATE TABLE audit_entry (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    client_id text NOT NULL,
    role text,
    address text,
    action text NOT NULL,
    account_id uuid,
    order_id bigint,
    trace_id text COLLATE "C",
    data jsonb NOT NULL DEFAULT '{}'
  );
CREATE INDEX audit_entry_order_ix ON audit_entry (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX audit_entry_trace_ix ON audit_entry (trace_id) WHERE trace_id IS NOT NULL;
CREATE INDEX audit_entry_at_ix ON audit_entry (at, id);

-- Nearly all entries are reads of keys, which are not in this index.
CREATE INDEX audit_entry_action_ix ON audit_entry (at, id) WHERE action <> 'keys.read';
CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Committed entries that are not in the chain yet. A queue, because ids do not show which entries are not
-- committed yet.
CREATE TABLE audit_unsealed (
    audit_entry_id bigint PRIMARY KEY
  );

-- position: counts from 1 without gaps. No foreign key and no trigger: the chain shows every change of a seal, and the
-- removal of an entry must be detectable, not impossible.
CREATE TABLE audit_seal (
    position bigint PRIMARY KEY,
    audit_entry_id bigint NOT NULL,
    mac bytea NOT NULL
  );

-- One row: the last seal. proof: a keyed hash of the other two columns, so that no one without the key can
-- move the end of the chain back.
CREATE TABLE audit_head (
    id boolean PRIMARY KEY DEFAULT true CONSTRAINT audit_head_one_row_ck CHECK (id),
    position bigint NOT NULL,
    mac bytea NOT NULL,
    proof bytea NOT NULL
  );

-- The first reveal of each revealed unit.
CREATE TABLE key_reveal (
    stock_key_id bigint PRIMARY KEY REFERENCES stock_key,
    order_id bigint NOT NULL,
    audit_entry_id bigint NOT NULL REFERENCES audit_entry
  );

-- Replaced keys of delivered orders. replaced_by: the unit that took over the number of the replaced unit,
-- and thus its order. at: the start of a new keys window of the order. One statement writes it, and I100 checks it.
CREATE TABLE key_replacement (
    stock_key_id bigint PRIMARY KEY REFERENCES stock_key,
    order_id bigint NOT NULL REFERENCES "order",
    replaced_by bigint NOT NULL REFERENCES stock_key,
    at timestamptz NOT NULL
  );
CREATE INDEX key_replacement_order_ix ON key_replacement (order_id);

-- --- Claims ---
-- Claims of resellers about faulty keys (A621). answer: of the operator who decided the claim.
-- transfer_id: the refund of the claim in the books.
CREATE TABLE claim (
    id text COLLATE "C" PRIMARY KEY,
    position bigint NOT NULL GENERATED ALWAYS AS IDENTITY CONSTRAINT claim_position_uq UNIQUE,
    account_id uuid NOT NULL REFERENCES account,
    order_id bigint NOT NULL REFERENCES "order",
    item_id bigint NOT NULL,
    seller_id uuid NOT NULL,
    reason text COLLATE "C" NOT NULL
      CONSTRAINT claim_reason_ck CHECK (reason IN ('invalid', 'already-used', 'wrong-region', 'wrong-product')),
    message text,
    status text COLLATE "C" NOT NULL DEFAULT 'open'
      CONSTRAINT claim_status_ck CHECK (status IN ('open', 'decided', 'withdrawn')),
    created_at timestamptz NOT NULL,
    decided_at timestamptz CONSTRAINT claim_decided_ck CHECK ((decided_at IS NOT NULL) = (status = 'decided')),
    answer text,
    transfer_id bigint CONSTRAINT claim_transfer_uq UNIQUE
  );
CREATE INDEX claim_account_ix ON claim (account_id, position);
CREATE INDEX claim_order_ix ON claim (order_id, position);

-- The keys of a claim, by their place in it. Never their codes. is_open: whether the claim is open.
CREATE TABLE claim_key (
    claim_id text COLLATE "C" NOT NULL REFERENCES claim,
    place smallint NOT NULL,
    stock_key_id bigint NOT NULL REFERENCES stock_key,
    is_open boolean NOT NULL DEFAULT true,
    outcome text COLLATE "C"
      CONSTRAINT claim_key_outcome_ck CHECK (outcome IN ('replaced', 'refunded', 'rejected')),
    PRIMARY KEY (claim_id, place)
  );
CREATE UNIQUE INDEX claim_key_open_uq ON claim_key (stock_key_id) WHERE is_open;

-- --- Approvals ---
-- Who could act as whom: holder received a secret of the client `id`, or a link that signs in as the person
-- `id`. An approver must be a different person.
CREATE TABLE credential_holder (
    id text COLLATE "C" NOT NULL,
    holder text COLLATE "C" NOT NULL,
    PRIMARY KEY (id, holder)
  );

-- Writes that wait or waited for a second operator. request: the write to run again. preview: the effect
-- that the write would have had when it was requested, later its actual effect. reference: identifies
-- bookings. approver_chain: who could act as the approver at that time. state_tag: the tag of the
-- state that the preview was made from. row_versions: the versions of the rows that the preview depends on.
CREATE TABLE approval (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    status text COLLATE "C" NOT NULL DEFAULT 'pending'
      CONSTRAINT approval_status_ck CHECK (status IN ('pending', 'approved', 'rejected')),
    operation text COLLATE "C" NOT NULL,
    request jsonb NOT NULL,
    preview jsonb NOT NULL,
    amount_minor bigint NOT NULL,
    account_id uuid NOT NULL REFERENCES account,
    order_id bigint REFERENCES "order",
    reference text COLLATE "C",
    requested_by text COLLATE "C" NOT NULL,
    requested_at timestamptz NOT NULL,
    decided_by text COLLATE "C",
    decided_at timestamptz,
    decision_reason text,
    approver_chain text[],
    state_tag text NOT NULL,
    row_versions text,
    CONSTRAINT approval_decision_ck
      CHECK (num_nulls(decided_by, decided_at) = CASE status WHEN 'pending' THEN 2 ELSE 0 END
        AND (status <> 'pending' OR decision_reason IS NULL)),
    CONSTRAINT approval_two_people_ck CHECK (status <> 'approved' OR decided_by <> requested_by),
    CONSTRAINT approval_chain_ck CHECK (approver_chain IS NULL OR requested_by <> ALL (approver_chain))
  );
CREATE UNIQUE INDEX approval_reference_uq ON approval (operation, account_id, reference)
    WHERE status = 'pending' AND reference IS NOT NULL;

-- --- Webhooks ---
-- disabled_reason: null while the endpoint is enabled. enabled_at, disabled_at: the latest times; events
-- while it was disabled are not delivered. deleted_at: from then on only the worker that removes its
-- deliveries uses the endpoint. failing_since: the first failed attempt since the last success. tested_url: the
-- URL that last responded to a test with 2xx. replayed_at: when the deliveries of the last replay became due (A316).
CREATE TABLE webhook_endpoint (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL CONSTRAINT webhook_endpoint_id_uq UNIQUE,
    account_id uuid NOT NULL REFERENCES account,
    url text NOT NULL,
    types text[] NOT NULL,
    description text,
    disabled_reason text,
    enabled_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    disabled_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    deleted_at timestamptz,
    failing_since timestamptz,
    tested_url text,
    replayed_at timestamptz
  );
CREATE INDEX webhook_endpoint_account_ix ON webhook_endpoint (account_id);

-- The secrets that sign an endpoint's deliveries: the current one, and those that expire after rotations.
CREATE TABLE webhook_secret (
    id uuid NOT NULL,
    endpoint bigint NOT NULL REFERENCES webhook_endpoint ON DELETE CASCADE,
    wrapped bytea NOT NULL,
    master_key_id text,
    expires_at timestamptz,
    PRIMARY KEY (endpoint, id)
  );
CREATE UNIQUE INDEX webhook_secret_current_uq ON webhook_secret (endpoint) WHERE expires_at IS NULL;

-- The queue: one row for each endpoint and event. next_attempt_at: null if no attempt is planned. claimed_until:
-- until then the node that sends the delivery has it for itself. tries: the attempts of the current retry plan.
-- attempts: the last 20, oldest first; null: none yet. No foreign keys, because rows are written and removed by
-- the thousand. The fill factor leaves each page room for claims.
CREATE TABLE webhook_delivery (
    endpoint bigint NOT NULL,
    event_id bigint NOT NULL,
    next_attempt_at timestamptz,
    claimed_until timestamptz,
    tries smallint NOT NULL DEFAULT 0,
    is_delivered boolean NOT NULL DEFAULT false,
    attempts jsonb,
    CONSTRAINT webhook_delivery_pk PRIMARY KEY (endpoint, event_id),
    CONSTRAINT webhook_delivery_state_ck CHECK (next_attempt_at IS NULL OR NOT is_delivered)
  ) WITH (fillfactor = 70);
CREATE INDEX webhook_delivery_open_ix ON webhook_delivery (endpoint, next_attempt_at) WHERE NOT is_delivered;

-- --- Operators' desk ---
-- Named views of the console's lists: filters, order and columns. list: the operation that the list
-- reads. search: the query string of the page, without the cursor.
CREATE TABLE saved_view (
    id uuid PRIMARY KEY,
    owner text COLLATE "C" NOT NULL,
    list text COLLATE "C" NOT NULL,
    name text NOT NULL,
    search text NOT NULL,
    is_shared boolean NOT NULL
  );

-- Notes of operators on orders, accounts and sellers. subject: a kind and an id, such as
-- order:2174556001234567.
CREATE TABLE note (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    subject text COLLATE "C" NOT NULL,
    author text COLLATE "C" NOT NULL,
    body text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT statement_timestamp()
  );
CREATE INDEX note_subject_ix ON note (subject, id);

-- What is wrong or waits for an operator: incidents and notices are two reads of it. A row for each subject while it
-- lasts, and for a while after. One node at a time writes them, so that their ids are in the order of their commits.
-- title: its description at that time, without secrets.
CREATE TABLE matter (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text COLLATE "C" NOT NULL CONSTRAINT matter_kind_ck CHECK (kind IN ('held-order', 'approval', 'claim',
      'low-stock', 'invariant', 'payment', 'endpoint', 'import', 'node', 'notification')),
    subject text COLLATE "C" NOT NULL,
    account_id uuid,
    title text NOT NULL,
    began_at timestamptz NOT NULL DEFAULT statement_timestamp(),
    ended_at timestamptz
  );
CREATE UNIQUE INDEX matter_open_uq ON matter (kind, subject) WHERE ended_at IS NULL;

-- What each operator has received: told_id is the last notice that was read in the console, or sent. channel
-- `link`: a sign-in link must be mailed; link_seed alone cannot make it. due_at: the earliest next attempt, or
-- the end of a sending node's lease.
CREATE TABLE notification_channel (
    owner text COLLATE "C" NOT NULL,
    channel text COLLATE "C" NOT NULL
      CONSTRAINT notification_channel_ck CHECK (channel IN ('console', 'mail', 'link')),
    told_id bigint NOT NULL,
    due_at timestamptz NOT NULL DEFAULT statement_timestamp(),
    tries integer NOT NULL DEFAULT 0,
    failing_since timestamptz,
    error text,
    link_seed bytea,
    PRIMARY KEY (owner, channel)
  );

-- --- Log of requests ---
-- The log of resellers' requests (A703), written in batches and deleted after seven days. Bodies are masked. at:
-- when the request began. id: begins with the milliseconds of this time, so ids are in its order. The sandbox
-- also logs successful reads, of which each account keeps the newest, and token_hash, for the check-up.
CREATE TABLE request_entry (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    at timestamptz NOT NULL,
    client_id text COLLATE "C" NOT NULL,
    method text NOT NULL,
    path text NOT NULL,
    query text NOT NULL,
    status integer NOT NULL,
    code text COLLATE "C",
    trace_id text COLLATE "C" NOT NULL,
    duration_ms bigint NOT NULL,
    idempotency_key uuid,
    order_id bigint,
    address text NOT NULL,
    user_agent text,
    token_hash text,
    request_body text,
    response_body text,
    CONSTRAINT request_entry_pk PRIMARY KEY (account_id, id)
  );
CREATE INDEX request_entry_trace_ix ON request_entry (trace_id);
CREATE INDEX request_entry_order_ix ON request_entry (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX request_entry_old_ix ON request_entry USING brin (at);
CREATE INDEX request_entry_read_ix ON request_entry (account_id, id)
  WHERE status < 400 AND method IN ('GET', 'HEAD');

-- Successful reads by minute and operation. Operations '' and '(reads)' count the requests and the
-- successful reads that were left out of the log, by second. Each node replaces its own counts; a process is a node.
CREATE TABLE request_count (
    account_id uuid NOT NULL,
    at timestamptz NOT NULL,
    operation text COLLATE "C" NOT NULL,
    node uuid NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT request_count_pk PRIMARY KEY (account_id, at, operation, node)
  );
CREATE INDEX request_count_old_ix ON request_count USING brin (at);

-- --- Periodic verification ---
-- The time of the next check of the invariants and the results of the last one: one row that the nodes
-- share (R33). due_at: from then on any node may begin a run; a node that runs one keeps moving it (a
-- lease). broken: violating rows by invariant. unchecked: the invariants whose check took too long.
-- broken_since: for each invariant that is still violated, when a run first found it violated.
CREATE TABLE verify_schedule (
    id boolean PRIMARY KEY DEFAULT true CONSTRAINT verify_schedule_one_row_ck CHECK (id),
    due_at timestamptz NOT NULL,
    node uuid,
    finished_at timestamptz,
    duration_ms bigint,
    checked bigint,
    broken jsonb,
    unchecked text[],
    broken_since jsonb NOT NULL DEFAULT '{}'
  );
INSERT INTO verify_schedule (due_at) VALUES (clock_timestamp());
