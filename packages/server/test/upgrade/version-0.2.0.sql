SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
CREATE FUNCTION public.claim_account() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    BEGIN
      INSERT INTO account_identity VALUES (NEW.id, NEW.position);
      RETURN NEW;
    END $$;
CREATE FUNCTION public.claim_offer() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    BEGIN
      INSERT INTO offer_identity VALUES (NEW.id) ON CONFLICT DO NOTHING;
      RETURN CASE WHEN FOUND THEN NEW END;
    END $$;
CREATE FUNCTION public.clock_lead(lifetime interval) RETURNS interval
    LANGUAGE sql STABLE
    AS $$
    SELECT greatest(interval '0', max(since)) FROM (
    SELECT since, statement_timestamp() - at - (since - step) AS ago
    FROM (SELECT step, at, sum(step) OVER (ORDER BY number DESC) AS since FROM clock_step) AS each_step
  ) AS steps WHERE ago < lifetime
  $$;
CREATE FUNCTION public.clock_said_twice(moment timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT EXISTS (SELECT FROM clock_step
      WHERE step < interval '0' AND moment BETWEEN at - interval '1 minute' AND at - step + interval '1 minute')
  $$;
CREATE FUNCTION public.clock_shift() RETURNS interval
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce((array_agg(since ORDER BY ago DESC))[1], interval '0') FROM (
    SELECT since, statement_timestamp() - at - (since - step) AS ago
    FROM (SELECT step, at, sum(step) OVER (ORDER BY number DESC) AS since FROM clock_step) AS each_step
  ) AS steps WHERE ago < interval '7 days'
  $$;
CREATE FUNCTION public.count_late_changes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    DECLARE
      horizon timestamptz;
    BEGIN
      SELECT counting_until INTO horizon FROM history_horizon;
      IF horizon < (SELECT min(created_at) FROM (SELECT account_id, created_at, id, status, coalesce(quantity_invoiced, 0) AS units,
  coalesce(quantity_refunded, 0) AS refunded_units, CASE WHEN currency = 'EUR' AND decimals = 2 THEN total_price_minor ELSE 0 END AS total_minor, 1 AS change FROM new_orders UNION ALL SELECT account_id, created_at, id, status, coalesce(quantity_invoiced, 0) AS units,
  coalesce(quantity_refunded, 0) AS refunded_units, CASE WHEN currency = 'EUR' AND decimals = 2 THEN total_price_minor ELSE 0 END AS total_minor, -1 FROM old_orders) AS row) THEN RETURN NULL; END IF;
      SELECT counted_until INTO horizon FROM history_horizon FOR SHARE;
      INSERT INTO history_bucket (history, begins_at, begins_with)
        SELECT DISTINCT its.history, timestamptz '-infinity', 0 FROM (SELECT account_id, created_at, id, status, coalesce(quantity_invoiced, 0) AS units,
  coalesce(quantity_refunded, 0) AS refunded_units, CASE WHEN currency = 'EUR' AND decimals = 2 THEN total_price_minor ELSE 0 END AS total_minor, 1 AS change FROM new_orders UNION ALL SELECT account_id, created_at, id, status, coalesce(quantity_invoiced, 0) AS units,
  coalesce(quantity_refunded, 0) AS refunded_units, CASE WHEN currency = 'EUR' AND decimals = 2 THEN total_price_minor ELSE 0 END AS total_minor, -1 FROM old_orders) AS row
        CROSS JOIN LATERAL (VALUES (account_id), ('00000000-0000-0000-0000-000000000000')) AS its (history)
        WHERE created_at <= horizon ORDER BY 1
        ON CONFLICT DO NOTHING;
      UPDATE history_bucket SET pending = history_bucket.pending + late.pending, pending_payment = history_bucket.pending_payment + late.pending_payment, processing = history_bucket.processing + late.processing, held = history_bucket.held + late.held, complete = history_bucket.complete + late.complete, canceled = history_bucket.canceled + late.canceled, closed = history_bucket.closed + late.closed
      FROM (
        SELECT bucket.history, bucket.begins_at, bucket.begins_with,
          coalesce(sum(change) FILTER (WHERE status = 'pending'), 0) AS pending, coalesce(sum(change) FILTER (WHERE status = 'pending_payment'), 0) AS pending_payment, coalesce(sum(change) FILTER (WHERE status = 'processing'), 0) AS processing, coalesce(sum(change) FILTER (WHERE status = 'held'), 0) AS held, coalesce(sum(change) FILTER (WHERE status = 'complete'), 0) AS complete, coalesce(sum(change) FILTER (WHERE status = 'canceled'), 0) AS canceled, coalesce(sum(change) FILTER (WHERE status = 'closed'), 0) AS closed
        FROM (SELECT account_id, created_at, id, status, coalesce(quantity_invoiced, 0) AS units,
  coalesce(quantity_refunded, 0) AS refunded_units, CASE WHEN currency = 'EUR' AND decimals = 2 THEN total_price_minor ELSE 0 END AS total_minor, 1 AS change FROM new_orders UNION ALL SELECT account_id, created_at, id, status, coalesce(quantity_invoiced, 0) AS units,
  coalesce(quantity_refunded, 0) AS refunded_units, CASE WHEN currency = 'EUR' AND decimals = 2 THEN total_price_minor ELSE 0 END AS total_minor, -1 FROM old_orders) AS row
        CROSS JOIN LATERAL (VALUES (account_id), ('00000000-0000-0000-0000-000000000000')) AS its (history)
        CROSS JOIN LATERAL (
          SELECT history, begins_at, begins_with FROM history_bucket
          WHERE history_bucket.history = its.history AND (begins_at, begins_with) <= (row.created_at, row.id)
          ORDER BY begins_at DESC, begins_with DESC LIMIT 1
        ) AS bucket
        WHERE created_at <= horizon
        GROUP BY 1, 2, 3
      ) AS late
      WHERE (history_bucket.history, history_bucket.begins_at, history_bucket.begins_with)
          = (late.history, late.begins_at, late.begins_with)
        AND (late.pending, late.pending_payment, late.processing, late.held, late.complete, late.canceled, late.closed) <> (0, 0, 0, 0, 0, 0, 0);
      INSERT INTO order_sum_change (hour, status, orders, units, refunded_units, total_minor)
        SELECT * FROM (
          SELECT hour_of(created_at), status, sum(change) AS orders, sum(change * units) AS units,
            sum(change * refunded_units) AS refunded_units, sum(change * total_minor) AS total_minor
          FROM (SELECT account_id, created_at, id, status, coalesce(quantity_invoiced, 0) AS units,
  coalesce(quantity_refunded, 0) AS refunded_units, CASE WHEN currency = 'EUR' AND decimals = 2 THEN total_price_minor ELSE 0 END AS total_minor, 1 AS change FROM new_orders UNION ALL SELECT account_id, created_at, id, status, coalesce(quantity_invoiced, 0) AS units,
  coalesce(quantity_refunded, 0) AS refunded_units, CASE WHEN currency = 'EUR' AND decimals = 2 THEN total_price_minor ELSE 0 END AS total_minor, -1 FROM old_orders) AS row WHERE created_at <= horizon GROUP BY 1, 2
        ) AS late
        WHERE (orders, units, refunded_units, total_minor) <> (0, 0, 0, 0);
      RETURN NULL;
    END $$;
CREATE FUNCTION public.count_late_orders() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    DECLARE
      horizon timestamptz;
    BEGIN
      SELECT counting_until INTO horizon FROM history_horizon;
      IF horizon < (SELECT min(created_at) FROM (SELECT account_id, created_at, id, status, coalesce(quantity_invoiced, 0) AS units,
  coalesce(quantity_refunded, 0) AS refunded_units, CASE WHEN currency = 'EUR' AND decimals = 2 THEN total_price_minor ELSE 0 END AS total_minor, 1 AS change FROM new_orders) AS row) THEN RETURN NULL; END IF;
      SELECT counted_until INTO horizon FROM history_horizon FOR SHARE;
      INSERT INTO history_bucket (history, begins_at, begins_with)
        SELECT DISTINCT its.history, timestamptz '-infinity', 0 FROM (SELECT account_id, created_at, id, status, coalesce(quantity_invoiced, 0) AS units,
  coalesce(quantity_refunded, 0) AS refunded_units, CASE WHEN currency = 'EUR' AND decimals = 2 THEN total_price_minor ELSE 0 END AS total_minor, 1 AS change FROM new_orders) AS row
        CROSS JOIN LATERAL (VALUES (account_id), ('00000000-0000-0000-0000-000000000000')) AS its (history)
        WHERE created_at <= horizon ORDER BY 1
        ON CONFLICT DO NOTHING;
      UPDATE history_bucket SET pending = history_bucket.pending + late.pending, pending_payment = history_bucket.pending_payment + late.pending_payment, processing = history_bucket.processing + late.processing, held = history_bucket.held + late.held, complete = history_bucket.complete + late.complete, canceled = history_bucket.canceled + late.canceled, closed = history_bucket.closed + late.closed
      FROM (
        SELECT bucket.history, bucket.begins_at, bucket.begins_with,
          coalesce(sum(change) FILTER (WHERE status = 'pending'), 0) AS pending, coalesce(sum(change) FILTER (WHERE status = 'pending_payment'), 0) AS pending_payment, coalesce(sum(change) FILTER (WHERE status = 'processing'), 0) AS processing, coalesce(sum(change) FILTER (WHERE status = 'held'), 0) AS held, coalesce(sum(change) FILTER (WHERE status = 'complete'), 0) AS complete, coalesce(sum(change) FILTER (WHERE status = 'canceled'), 0) AS canceled, coalesce(sum(change) FILTER (WHERE status = 'closed'), 0) AS closed
        FROM (SELECT account_id, created_at, id, status, coalesce(quantity_invoiced, 0) AS units,
  coalesce(quantity_refunded, 0) AS refunded_units, CASE WHEN currency = 'EUR' AND decimals = 2 THEN total_price_minor ELSE 0 END AS total_minor, 1 AS change FROM new_orders) AS row
        CROSS JOIN LATERAL (VALUES (account_id), ('00000000-0000-0000-0000-000000000000')) AS its (history)
        CROSS JOIN LATERAL (
          SELECT history, begins_at, begins_with FROM history_bucket
          WHERE history_bucket.history = its.history AND (begins_at, begins_with) <= (row.created_at, row.id)
          ORDER BY begins_at DESC, begins_with DESC LIMIT 1
        ) AS bucket
        WHERE created_at <= horizon
        GROUP BY 1, 2, 3
      ) AS late
      WHERE (history_bucket.history, history_bucket.begins_at, history_bucket.begins_with)
          = (late.history, late.begins_at, late.begins_with)
        AND (late.pending, late.pending_payment, late.processing, late.held, late.complete, late.canceled, late.closed) <> (0, 0, 0, 0, 0, 0, 0);
      INSERT INTO order_sum_change (hour, status, orders, units, refunded_units, total_minor)
        SELECT * FROM (
          SELECT hour_of(created_at), status, sum(change) AS orders, sum(change * units) AS units,
            sum(change * refunded_units) AS refunded_units, sum(change * total_minor) AS total_minor
          FROM (SELECT account_id, created_at, id, status, coalesce(quantity_invoiced, 0) AS units,
  coalesce(quantity_refunded, 0) AS refunded_units, CASE WHEN currency = 'EUR' AND decimals = 2 THEN total_price_minor ELSE 0 END AS total_minor, 1 AS change FROM new_orders) AS row WHERE created_at <= horizon GROUP BY 1, 2
        ) AS late
        WHERE (orders, units, refunded_units, total_minor) <> (0, 0, 0, 0);
      RETURN NULL;
    END $$;
CREATE FUNCTION public.draw_stamps(wanted integer) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('keyport/catalogue-clock', 0));
    RETURN (SELECT greatest(clock_timestamp(), max(stamp) + interval '1 microsecond') FROM change_log)
      + (wanted - 1) * interval '1 microsecond';
  END $$;
CREATE FUNCTION public.fold_letters(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN translate(regexp_replace(NORMALIZE(value, NFKD), '[\u0300-\u036f]'::text, ''::text, 'g'::text), 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫϏϘϚϜϞϠϢϤϦϨϪϬϮϴϷϹϺϽϾϿЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯØøŁłĐđıςẞ'::text, 'αβγδεζηθικλμνξοπρστυφχψωϊϋϗϙϛϝϟϡϣϥϧϩϫϭϯθϸϲϻͻͼͽѐёђѓєѕіїјљњћќѝўџабвгдежзийклмнопрстуфхцчшщъыьэюяoollddiσß'::text);
CREATE FUNCTION public.fold(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN lower((CASE WHEN (octet_length(value) = char_length(value)) THEN value ELSE public.fold_letters(value) END COLLATE "C"));
CREATE FUNCTION public.hour_of(moment timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT date_bin(interval '1 hour', moment, timestamptz '2000-01-01 00:00:00+00')
  $$;
CREATE FUNCTION public.log_offer() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    BEGIN
      INSERT INTO offer_log (offer_id, price_minor, status, at)
        VALUES (NEW.id, NEW.price_minor, NEW.status, clock_timestamp());
      RETURN NULL;
    END $$;
CREATE FUNCTION public.must_equal(what text, actual bigint, expected bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
    BEGIN
      IF actual IS DISTINCT FROM coalesce(expected, 0) THEN
        RAISE EXCEPTION '%: % instead of %', what, actual, coalesce(expected, 0) USING ERRCODE = 'assert_failure';
      END IF;
    END $$;
CREATE FUNCTION public.queue_audit_entry() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    BEGIN
      INSERT INTO audit_unsealed (audit_entry_id) VALUES (NEW.id);
      RETURN NULL;
    END $$;
CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    BEGIN
      RAISE EXCEPTION '% of % is not allowed: it is append-only', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END $$;
CREATE FUNCTION public.refuse_delete() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    BEGIN
      RAISE EXCEPTION '% of % is not allowed: its rows are kept for ever', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
    END $$;
CREATE FUNCTION public.search_words(value text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN array_to_tsvector(array_remove(string_to_array(regexp_replace(public.fold(value), '[\u0001-\u001f\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]+'::text, ' '::text, 'g'::text), ' '::text), ''::text));
CREATE FUNCTION public.search_query(value text) RETURNS tsquery
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((SELECT string_agg(((''''::text || words.word) || ''':*'::text), ' & '::text) AS string_agg FROM unnest(public.search_words(search_query.value)) words(word, positions, weights)))::tsquery;
CREATE FUNCTION public.sort_name(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN "left"(public.fold(value), 100);
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.account (
    id uuid NOT NULL,
    "position" bigint NOT NULL,
    name text NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    payment_method text,
    gateway_customer text,
    discount_basis_points integer DEFAULT 0 NOT NULL,
    hold_orders boolean DEFAULT false NOT NULL,
    seller_id uuid,
    order_value_max_minor bigint,
    daily_spend_max_minor bigint,
    daily_units_max integer,
    balance_minor bigint DEFAULT 0 NOT NULL,
    spend_day date DEFAULT '2000-01-01'::date NOT NULL,
    day_spend_minor bigint DEFAULT 0 NOT NULL,
    day_units integer DEFAULT 0 NOT NULL,
    order_hour timestamp with time zone DEFAULT '2000-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    hour_orders integer DEFAULT 0 NOT NULL,
    statement_line bigint DEFAULT 0 NOT NULL,
    statement_at timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    deposit_sum_minor bigint DEFAULT 0 NOT NULL,
    charge_sum_minor bigint DEFAULT 0 NOT NULL,
    refund_sum_minor bigint DEFAULT 0 NOT NULL,
    adjustment_sum_minor bigint DEFAULT 0 NOT NULL,
    payout_sum_minor bigint DEFAULT 0 NOT NULL,
    balance_low_threshold_minor bigint,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT account_balance_ck CHECK ((balance_minor >= 0)),
    CONSTRAINT account_discount_ck CHECK (((discount_basis_points >= 0) AND (discount_basis_points <= 10000))),
    CONSTRAINT account_payment_method_ck CHECK ((payment_method = ANY (ARRAY['balance'::text, 'gateway'::text]))),
    CONSTRAINT account_status_ck CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'closed'::text])))
)
WITH (fillfactor='70');
ALTER TABLE ONLY public.account REPLICA IDENTITY FULL;
CREATE TABLE public.account_identity (
    id uuid NOT NULL,
    "position" bigint NOT NULL
);
ALTER TABLE public.account ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.account_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.advanced_order (
    order_id bigint NOT NULL,
    moved interval NOT NULL
);
CREATE TABLE public.approval (
    id bigint NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL COLLATE pg_catalog."C",
    operation text NOT NULL COLLATE pg_catalog."C",
    request jsonb NOT NULL,
    preview jsonb NOT NULL,
    amount_minor bigint NOT NULL,
    account_id uuid NOT NULL,
    order_id bigint,
    reference text COLLATE pg_catalog."C",
    requested_by text NOT NULL COLLATE pg_catalog."C",
    requested_at timestamp with time zone NOT NULL,
    decided_by text COLLATE pg_catalog."C",
    decided_at timestamp with time zone,
    decision_reason text,
    CONSTRAINT approval_decision_ck CHECK (((num_nulls(decided_by, decided_at) =
CASE status
    WHEN 'pending'::text THEN 2
    ELSE 0
END) AND ((status <> 'pending'::text) OR (decision_reason IS NULL)))),
    CONSTRAINT approval_status_ck CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text]))),
    CONSTRAINT approval_two_people_ck CHECK (((status <> 'approved'::text) OR (decided_by <> requested_by)))
);
ALTER TABLE public.approval ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.approval_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.audit_entry (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    client_id text NOT NULL,
    role text,
    address text,
    action text NOT NULL,
    account_id uuid,
    order_id bigint,
    trace_id text COLLATE pg_catalog."C",
    data jsonb DEFAULT '{}'::jsonb NOT NULL
);
ALTER TABLE public.audit_entry ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_entry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.audit_head (
    id boolean DEFAULT true NOT NULL,
    "position" bigint NOT NULL,
    mac bytea NOT NULL,
    proof bytea NOT NULL,
    CONSTRAINT audit_head_one_row_ck CHECK (id)
);
CREATE TABLE public.audit_seal (
    "position" bigint NOT NULL,
    audit_entry_id bigint NOT NULL,
    mac bytea NOT NULL
);
CREATE TABLE public.audit_unsealed (
    audit_entry_id bigint NOT NULL
);
CREATE TABLE public.book_sum (
    hour timestamp with time zone NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    from_kind text NOT NULL COLLATE pg_catalog."C",
    to_kind text NOT NULL COLLATE pg_catalog."C",
    transfers bigint NOT NULL,
    amount_minor numeric NOT NULL
)
WITH (fillfactor='70');
CREATE TABLE public.catalogue_clock (
    id boolean DEFAULT true NOT NULL,
    epoch uuid DEFAULT gen_random_uuid() NOT NULL,
    folded_through timestamp with time zone NOT NULL,
    CONSTRAINT catalogue_clock_one_row_ck CHECK (id)
);
CREATE TABLE public.change_log (
    stamp timestamp with time zone NOT NULL,
    product_ids bigint[] NOT NULL,
    order_ids bigint[] NOT NULL,
    account_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    events jsonb,
    offer_ids uuid[],
    quantities integer[],
    CONSTRAINT change_log_orders_ck CHECK ((cardinality(order_ids) = cardinality(account_ids))),
    CONSTRAINT change_log_sold_ck CHECK ((((offer_ids IS NULL) = (quantities IS NULL)) AND ((offer_ids IS NULL) OR (cardinality(offer_ids) = cardinality(product_ids))) AND ((quantities IS NULL) OR (cardinality(quantities) = cardinality(product_ids)))))
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY public.change_log ALTER COLUMN product_ids SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.change_log ALTER COLUMN order_ids SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.change_log ALTER COLUMN account_ids SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.change_log ALTER COLUMN offer_ids SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.change_log ALTER COLUMN quantities SET STORAGE EXTERNAL;
CREATE TABLE public.client (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id uuid,
    role text NOT NULL,
    operator_role text COLLATE pg_catalog."C",
    name text,
    allowed_addresses text[] DEFAULT '{}'::text[] NOT NULL,
    disabled_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT client_account_ck CHECK (((role = 'reseller'::text) = (account_id IS NOT NULL))),
    CONSTRAINT client_operator_role_ck CHECK ((operator_role = ANY (ARRAY['viewer'::text, 'support'::text, 'catalogue'::text, 'finance'::text, 'admin'::text]))),
    CONSTRAINT client_role_ck CHECK ((role = ANY (ARRAY['reseller'::text, 'operator'::text]))),
    CONSTRAINT client_role_of_operator_ck CHECK (((role = 'operator'::text) = (operator_role IS NOT NULL)))
);
CREATE TABLE public.client_secret (
    id bigint NOT NULL,
    client_id text NOT NULL COLLATE pg_catalog."C",
    secret_mac bytea NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    retired_at timestamp with time zone
);
ALTER TABLE public.client_secret ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.client_secret_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.clock_step (
    number bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    step interval NOT NULL
);
ALTER TABLE public.clock_step ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.clock_step_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.clock_watch (
    id boolean DEFAULT true NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    CONSTRAINT clock_watch_one_row_ck CHECK (id)
);
CREATE TABLE public.data_key (
    id bigint NOT NULL,
    wrapped bytea NOT NULL,
    master_key_id text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE public.data_key ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.data_key_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.event (
    id bigint NOT NULL,
    order_id bigint,
    account_id uuid NOT NULL,
    type text NOT NULL COLLATE pg_catalog."C",
    data jsonb
);
CREATE TABLE public.event_position (
    id boolean DEFAULT true NOT NULL,
    read_until timestamp with time zone NOT NULL,
    forgotten_id bigint NOT NULL,
    CONSTRAINT event_position_one_row_ck CHECK (id)
);
CREATE TABLE public.gateway_payment (
    order_id bigint NOT NULL,
    customer text NOT NULL,
    amount_minor bigint NOT NULL,
    state text NOT NULL,
    reference text,
    checks integer DEFAULT 0 NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    next_check_at timestamp with time zone NOT NULL,
    response_status smallint,
    response_body text,
    answered_at timestamp with time zone,
    provider_state text,
    last_error text,
    CONSTRAINT gateway_payment_response_ck CHECK ((num_nulls(response_status, response_body, answered_at) = ANY (ARRAY[0, 3]))),
    CONSTRAINT gateway_payment_state_ck CHECK ((state = ANY (ARRAY['open'::text, 'paid'::text, 'declined'::text, 'abandoned'::text, 'amount_mismatch'::text])))
);
CREATE TABLE public.gateway_refund (
    id bigint NOT NULL,
    order_id bigint NOT NULL,
    amount_minor bigint NOT NULL,
    currency text DEFAULT 'EUR'::text NOT NULL,
    is_booked boolean DEFAULT true NOT NULL,
    state text DEFAULT 'open'::text NOT NULL COLLATE pg_catalog."C",
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    done_at timestamp with time zone,
    provider_state text,
    last_error text,
    CONSTRAINT gateway_refund_amount_ck CHECK ((amount_minor > 0)),
    CONSTRAINT gateway_refund_state_ck CHECK ((state = ANY (ARRAY['open'::text, 'done'::text])))
);
ALTER TABLE public.gateway_refund ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.gateway_refund_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.history_bucket (
    history uuid NOT NULL,
    begins_at timestamp with time zone NOT NULL,
    begins_with bigint NOT NULL,
    pending integer DEFAULT 0 NOT NULL,
    pending_payment integer DEFAULT 0 NOT NULL,
    processing integer DEFAULT 0 NOT NULL,
    held integer DEFAULT 0 NOT NULL,
    complete integer DEFAULT 0 NOT NULL,
    canceled integer DEFAULT 0 NOT NULL,
    closed integer DEFAULT 0 NOT NULL,
    orders integer GENERATED ALWAYS AS (((((((pending + pending_payment) + processing) + held) + complete) + canceled) + closed)) STORED
)
WITH (fillfactor='70');
CREATE TABLE public.history_horizon (
    id boolean DEFAULT true NOT NULL,
    counted_until timestamp with time zone NOT NULL,
    counting_until timestamp with time zone NOT NULL,
    CONSTRAINT history_horizon_one_row_ck CHECK (id)
);
CREATE TABLE public.import_reject (
    run bigint NOT NULL,
    line bigint NOT NULL,
    message text NOT NULL
);
CREATE TABLE public.import_run (
    number bigint NOT NULL,
    import_id text COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    dry_run boolean NOT NULL,
    delete_missing boolean NOT NULL,
    holder uuid,
    held_until timestamp with time zone NOT NULL,
    committed_line bigint DEFAULT 0 NOT NULL,
    read bigint DEFAULT 0 NOT NULL,
    written bigint DEFAULT 0 NOT NULL,
    unchanged bigint DEFAULT 0 NOT NULL,
    rejected bigint DEFAULT 0 NOT NULL,
    removed bigint DEFAULT 0 NOT NULL,
    restored bigint DEFAULT 0 NOT NULL,
    has_seen boolean DEFAULT false NOT NULL,
    finished_at timestamp with time zone,
    client_id text NOT NULL COLLATE pg_catalog."C",
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    is_completed boolean DEFAULT false NOT NULL,
    CONSTRAINT import_run_counts_ck CHECK ((read = ((written + unchanged) + rejected))),
    CONSTRAINT import_run_kind_ck CHECK ((kind = ANY (ARRAY['sellers'::text, 'products'::text, 'offers'::text, 'prices'::text, 'keys'::text]))),
    CONSTRAINT import_run_restored_ck CHECK (((restored >= 0) AND (restored <= removed)))
);
ALTER TABLE public.import_run ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.import_run_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.import_seen (
    run bigint NOT NULL,
    thing text NOT NULL COLLATE pg_catalog."C",
    key bytea NOT NULL
);
CREATE TABLE public.imported_item (
    id bigint NOT NULL,
    order_id bigint NOT NULL,
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
    CONSTRAINT imported_item_quantities_ck CHECK (((quantity_ordered >= 1) AND ((quantity_shipped >= 0) AND (quantity_shipped <= quantity_ordered)) AND ((quantity_invoiced >= 0) AND (quantity_invoiced <= quantity_ordered)) AND ((quantity_refunded >= 0) AND (quantity_refunded <= quantity_invoiced))))
);
CREATE TABLE public.key_replacement (
    stock_key_id bigint NOT NULL,
    order_id bigint NOT NULL,
    replaced_by bigint NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE public.key_reveal (
    stock_key_id bigint NOT NULL,
    order_id bigint NOT NULL,
    audit_entry_id bigint NOT NULL
);
CREATE TABLE public.keys_expiring_notice (
    order_id bigint NOT NULL
);
CREATE TABLE public.keys_expiring_position (
    id boolean DEFAULT true NOT NULL,
    looked_id bigint DEFAULT 0 NOT NULL,
    CONSTRAINT keys_expiring_position_one_row_ck CHECK (id)
);
CREATE TABLE public.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
CREATE TABLE public.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.ledger_account (
    id bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    account_id uuid,
    currency text DEFAULT 'EUR'::text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT ledger_account_kind_ck CHECK ((kind = ANY (ARRAY['prepaid'::text, 'cash'::text, 'sales'::text, 'gateway'::text, 'adjustments'::text]))),
    CONSTRAINT ledger_account_owner_ck CHECK (((kind = 'prepaid'::text) = (account_id IS NOT NULL)))
);
ALTER TABLE public.ledger_account ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.ledger_account_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE SEQUENCE public.ledger_transfer_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.ledger_transfer (
    id bigint DEFAULT nextval('public.ledger_transfer_id_seq'::regclass) NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    from_ledger_account_id bigint NOT NULL,
    to_ledger_account_id bigint NOT NULL,
    amount_minor bigint NOT NULL,
    currency text DEFAULT 'EUR'::text NOT NULL,
    account_id uuid NOT NULL,
    prepaid_balance_after_minor bigint,
    order_id bigint,
    reference text COLLATE pg_catalog."C",
    reason text,
    created_at timestamp with time zone NOT NULL,
    line bigint,
    deposit_sum_minor bigint,
    charge_sum_minor bigint,
    refund_sum_minor bigint,
    adjustment_sum_minor bigint,
    payout_sum_minor bigint,
    CONSTRAINT ledger_transfer_amount_ck CHECK ((amount_minor > 0)),
    CONSTRAINT ledger_transfer_kind_ck CHECK ((kind = ANY (ARRAY['deposit'::text, 'charge'::text, 'refund'::text, 'adjustment'::text, 'payout'::text]))),
    CONSTRAINT ledger_transfer_line_ck CHECK (((line IS NULL) = (prepaid_balance_after_minor IS NULL))),
    CONSTRAINT ledger_transfer_reason_ck CHECK (((kind <> 'adjustment'::text) OR (reason IS NOT NULL))),
    CONSTRAINT ledger_transfer_reference_ck CHECK (((kind <> ALL (ARRAY['adjustment'::text, 'payout'::text])) OR (reference IS NOT NULL))),
    CONSTRAINT ledger_transfer_sides_ck CHECK ((from_ledger_account_id <> to_ledger_account_id))
);
CREATE VIEW public.ledger_entry AS
 SELECT ledger_transfer.id AS transfer_id,
    ledger_transfer.from_ledger_account_id AS ledger_account_id,
    (- ledger_transfer.amount_minor) AS amount_minor,
    ledger_transfer.currency
   FROM public.ledger_transfer
UNION ALL
 SELECT ledger_transfer.id AS transfer_id,
    ledger_transfer.to_ledger_account_id AS ledger_account_id,
    ledger_transfer.amount_minor,
    ledger_transfer.currency
   FROM public.ledger_transfer;
CREATE TABLE public.master_key_holder (
    node_id uuid NOT NULL,
    master_key_ids text[] NOT NULL,
    version text NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    seen_at timestamp with time zone NOT NULL
);
CREATE TABLE public.master_key_state (
    id boolean DEFAULT true NOT NULL,
    current_id text,
    CONSTRAINT master_key_state_one_row_ck CHECK (id)
);
CREATE TABLE public.offer (
    id uuid NOT NULL,
    product_id bigint NOT NULL,
    seller_id uuid NOT NULL,
    price_minor bigint NOT NULL,
    status text NOT NULL,
    next_unit integer DEFAULT 1 NOT NULL,
    end_unit integer DEFAULT 1 NOT NULL,
    available_text integer GENERATED ALWAYS AS ((end_unit - next_unit)) STORED,
    available_image integer DEFAULT 0 NOT NULL,
    units integer DEFAULT 0 NOT NULL,
    withdrawn_units integer DEFAULT 0 NOT NULL,
    paused_by_import bigint,
    CONSTRAINT offer_available_image_ck CHECK ((available_image >= 0)),
    CONSTRAINT offer_available_text_ck CHECK ((available_text >= 0)),
    CONSTRAINT offer_paused_by_import_ck CHECK (((paused_by_import IS NULL) OR (status = 'paused'::text))),
    CONSTRAINT offer_price_ck CHECK ((price_minor > 0)),
    CONSTRAINT offer_status_ck CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text])))
)
WITH (fillfactor='70');
ALTER TABLE ONLY public.offer REPLICA IDENTITY FULL;
CREATE TABLE public.offer_identity (
    id uuid NOT NULL
);
CREATE TABLE public.offer_log (
    id bigint NOT NULL,
    offer_id uuid NOT NULL,
    price_minor bigint NOT NULL,
    status text NOT NULL,
    at timestamp with time zone NOT NULL
);
ALTER TABLE public.offer_log ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.offer_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public."order" (
    id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone,
    discount_minor bigint NOT NULL,
    total_price_minor bigint NOT NULL,
    unit_price_minor bigint,
    max_price_minor bigint,
    first_unit integer,
    spend_day date,
    quantity_ordered smallint,
    quantity_invoiced smallint,
    quantity_shipped smallint,
    quantity_refunded smallint,
    decimals smallint DEFAULT 2 NOT NULL,
    is_auto boolean,
    image_refunded boolean DEFAULT false NOT NULL,
    account_id uuid NOT NULL,
    idempotency_key uuid,
    trace_id uuid,
    offer_id uuid,
    status text NOT NULL COLLATE pg_catalog."C",
    held_from text,
    currency text NOT NULL,
    payment_method text,
    origin text NOT NULL,
    product_name text,
    seller_name text,
    hold_reason text,
    CONSTRAINT order_held_ck CHECK (((status = 'held'::text) = (held_from IS NOT NULL))),
    CONSTRAINT order_held_from_ck CHECK ((held_from = ANY (ARRAY['pending'::text, 'pending_payment'::text, 'processing'::text]))),
    CONSTRAINT order_id_ck CHECK (((id >= '10000000000000'::bigint) AND (id <= '9999999999999999'::bigint))),
    CONSTRAINT order_line_ck CHECK (
CASE origin
    WHEN 'imported'::text THEN (num_nonnulls(unit_price_minor, max_price_minor, first_unit, quantity_ordered, quantity_invoiced, quantity_shipped, quantity_refunded, is_auto, offer_id, product_name, seller_name) = 0)
    ELSE (num_nulls(unit_price_minor, max_price_minor, quantity_ordered, quantity_invoiced, quantity_shipped, quantity_refunded, is_auto, offer_id, product_name, seller_name, idempotency_key, payment_method) = 0)
END),
    CONSTRAINT order_origin_ck CHECK ((origin = ANY (ARRAY['export-api'::text, 'imported'::text]))),
    CONSTRAINT order_quantities_ck CHECK (((quantity_ordered >= 1) AND ((quantity_shipped >= 0) AND (quantity_shipped <= quantity_ordered)) AND ((quantity_invoiced >= 0) AND (quantity_invoiced <= quantity_ordered)) AND ((quantity_refunded >= 0) AND (quantity_refunded <= quantity_invoiced)))),
    CONSTRAINT order_status_ck CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'held'::text, 'complete'::text, 'canceled'::text, 'closed'::text, 'pending_payment'::text])))
);
CREATE VIEW public.open_payment AS
 SELECT ('charge-'::text || gateway_payment.order_id) AS id,
    'charge'::text AS kind,
    gateway_payment.order_id,
    "order".account_id,
    "order".status AS order_status,
    gateway_payment.amount_minor,
    'EUR'::text AS currency,
    "order".created_at,
    gateway_payment.expires_at,
    gateway_payment.checks AS attempts,
    gateway_payment.next_check_at AS next_attempt_at,
    gateway_payment.provider_state,
    gateway_payment.last_error,
    gateway_payment.reference
   FROM (public.gateway_payment
     JOIN public."order" ON (("order".id = gateway_payment.order_id)))
  WHERE (gateway_payment.state = 'open'::text)
UNION ALL
 SELECT ('refund-'::text || refund.id) AS id,
    'refund'::text AS kind,
    refund.order_id,
    "order".account_id,
    "order".status AS order_status,
    refund.amount_minor,
    refund.currency,
    refund.created_at,
    NULL::timestamp with time zone AS expires_at,
    refund.attempts,
    refund.next_attempt_at,
    refund.provider_state,
    refund.last_error,
    payment.reference
   FROM ((public.gateway_refund refund
     JOIN public."order" ON (("order".id = refund.order_id)))
     LEFT JOIN public.gateway_payment payment ON ((payment.order_id = refund.order_id)))
  WHERE (refund.state = 'open'::text);
CREATE TABLE public.operator (
    id text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    disabled_at timestamp with time zone,
    password_hash text,
    oidc_subject text COLLATE pg_catalog."C",
    last_seen_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT operator_role_ck CHECK ((role = ANY (ARRAY['viewer'::text, 'support'::text, 'catalogue'::text, 'finance'::text, 'admin'::text])))
);
CREATE TABLE public.operator_challenge (
    mac bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.operator_link (
    token_mac bytea NOT NULL,
    operator_id text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.operator_passkey (
    id text NOT NULL COLLATE pg_catalog."C",
    operator_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    used_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE public.operator ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.operator_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.operator_session (
    token_mac bytea NOT NULL,
    operator_id text NOT NULL COLLATE pg_catalog."C",
    method text NOT NULL,
    used_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL
);
CREATE VIEW public.order_item AS
 SELECT (("order".id * 100) + 1) AS id,
    "order".id AS order_id,
    "order".offer_id,
    offer.product_id,
    "order".product_name,
    offer.seller_id,
    "order".seller_name,
    "order".unit_price_minor,
    "order".max_price_minor,
    ("order".quantity_ordered)::integer AS quantity_ordered,
    ("order".quantity_invoiced)::integer AS quantity_invoiced,
    ("order".quantity_shipped)::integer AS quantity_shipped,
    ("order".quantity_refunded)::integer AS quantity_refunded
   FROM (public."order"
     JOIN public.offer ON ((offer.id = "order".offer_id)))
UNION ALL
 SELECT imported_item.id,
    imported_item.order_id,
    imported_item.offer_id,
    imported_item.product_id,
    imported_item.product_name,
    imported_item.seller_id,
    imported_item.seller_name,
    imported_item.unit_price_minor,
    NULL::bigint AS max_price_minor,
    imported_item.quantity_ordered,
    imported_item.quantity_invoiced,
    imported_item.quantity_shipped,
    imported_item.quantity_refunded
   FROM public.imported_item;
CREATE SEQUENCE public.order_serial_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE SEQUENCE public.order_status_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.order_status_log (
    id bigint DEFAULT nextval('public.order_status_log_id_seq'::regclass) NOT NULL,
    order_id bigint NOT NULL,
    from_status text,
    via text[] DEFAULT '{}'::text[] NOT NULL,
    to_status text NOT NULL,
    at timestamp with time zone NOT NULL,
    actor text NOT NULL,
    reason text NOT NULL
);
CREATE TABLE public.order_sum (
    hour timestamp with time zone NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    orders bigint NOT NULL,
    units bigint NOT NULL,
    refunded_units bigint NOT NULL,
    total_minor numeric NOT NULL
)
WITH (fillfactor='70');
CREATE TABLE public.order_sum_change (
    hour timestamp with time zone NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    orders bigint NOT NULL,
    units bigint NOT NULL,
    refunded_units bigint NOT NULL,
    total_minor numeric NOT NULL
);
ALTER TABLE ONLY public.order_sum_change REPLICA IDENTITY FULL;
CREATE TABLE public.product (
    id bigint NOT NULL,
    name text NOT NULL,
    checkout_class text NOT NULL,
    details jsonb NOT NULL,
    details_version integer DEFAULT 1 NOT NULL,
    words tsvector GENERATED ALWAYS AS (public.search_words(name)) STORED NOT NULL,
    CONSTRAINT product_checkout_class_ck CHECK ((checkout_class = ANY (ARRAY['standard'::text, 'in-game-top-up'::text, 'balance-top-up'::text, 'game-account'::text, 'esim'::text, 'subscription'::text]))),
    CONSTRAINT product_id_ck CHECK (((id >= '10000000000000'::bigint) AND (id <= '99999999999999'::bigint)))
);
CREATE TABLE public.product_stamp (
    product_id bigint NOT NULL,
    stamp timestamp with time zone NOT NULL,
    first_stamp timestamp with time zone NOT NULL
)
WITH (fillfactor='80');
CREATE VIEW public.recent_stamp AS
 SELECT changed.product_id,
    max((change_log.stamp - (((cardinality(change_log.product_ids) - changed.place))::double precision * '00:00:00.000001'::interval))) AS stamp
   FROM (public.change_log
     CROSS JOIN LATERAL unnest(change_log.product_ids) WITH ORDINALITY changed(product_id, place))
  WHERE (change_log.stamp > ( SELECT catalogue_clock.folded_through
           FROM public.catalogue_clock))
  GROUP BY changed.product_id;
CREATE TABLE public.rejected_order (
    account_id uuid NOT NULL,
    idempotency_key uuid NOT NULL,
    fingerprint text NOT NULL,
    status smallint NOT NULL,
    body text NOT NULL,
    rejected_at timestamp with time zone NOT NULL,
    number bigint NOT NULL
);
ALTER TABLE public.rejected_order ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.rejected_order_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.rejection_sum (
    hour timestamp with time zone NOT NULL,
    code text NOT NULL COLLATE pg_catalog."C",
    rejections bigint NOT NULL
)
WITH (fillfactor='70');
CREATE TABLE public.sandbox_request (
    id bigint NOT NULL,
    client_id text NOT NULL COLLATE pg_catalog."C",
    started_at timestamp with time zone NOT NULL,
    seen jsonb NOT NULL
);
ALTER TABLE public.sandbox_request ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sandbox_request_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.scarce_offer (
    offer_id uuid NOT NULL,
    sold_at timestamp with time zone NOT NULL
);
CREATE TABLE public.seller (
    id uuid NOT NULL,
    name text NOT NULL
);
CREATE TABLE public.seller_sum (
    day date NOT NULL,
    seller_id uuid NOT NULL,
    charges bigint NOT NULL,
    charged_minor numeric NOT NULL,
    refunded_minor numeric NOT NULL
)
WITH (fillfactor='70');
CREATE TABLE public.service_secret (
    name text NOT NULL COLLATE pg_catalog."C",
    wrapped bytea NOT NULL,
    master_key_id text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE public.signing_key (
    kid text NOT NULL COLLATE pg_catalog."C",
    algorithm text NOT NULL,
    public_jwk jsonb NOT NULL,
    private_wrapped bytea NOT NULL,
    master_key_id text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    retired_at timestamp with time zone
);
CREATE VIEW public.stamped_product AS
 SELECT product_stamp.product_id,
    GREATEST(product_stamp.stamp, recent_stamp.stamp) AS stamp,
    product_stamp.first_stamp
   FROM (public.product_stamp
     LEFT JOIN public.recent_stamp USING (product_id));
CREATE TABLE public.stock_key (
    id bigint NOT NULL,
    offer_id uuid NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    number integer,
    is_withdrawn boolean DEFAULT false NOT NULL,
    data_key_id bigint NOT NULL,
    nonce bytea NOT NULL,
    ciphertext bytea NOT NULL,
    code_mac bytea NOT NULL,
    refunded_at timestamp with time zone,
    withdrawn_by_import bigint,
    CONSTRAINT stock_key_kind_ck CHECK ((kind = ANY (ARRAY['text'::text, 'image'::text]))),
    CONSTRAINT stock_key_number_ck CHECK (((number IS NOT NULL) = ((kind = 'text'::text) AND (NOT is_withdrawn)))),
    CONSTRAINT stock_key_withdrawn_by_import_ck CHECK (((withdrawn_by_import IS NULL) OR is_withdrawn))
);
CREATE SEQUENCE public.stock_key_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.stock_out_sum (
    hour timestamp with time zone NOT NULL,
    offers bigint NOT NULL
)
WITH (fillfactor='70');
CREATE TABLE public.sum_position (
    id boolean DEFAULT true NOT NULL,
    transfer_id bigint DEFAULT 0 NOT NULL,
    rejection_number bigint DEFAULT 0 NOT NULL,
    stamp timestamp with time zone NOT NULL,
    CONSTRAINT sum_position_one_row_ck CHECK (id)
);
CREATE VIEW public.unit AS
 SELECT stock_key.id,
    stock_key.offer_id,
    stock_key.kind,
    stock_key.number,
    stock_key.is_withdrawn,
    stock_key.data_key_id,
    stock_key.nonce,
    stock_key.ciphertext,
    stock_key.code_mac,
    stock_key.refunded_at,
    stock_key.withdrawn_by_import,
    holder.id AS order_id,
        CASE
            WHEN stock_key.is_withdrawn THEN 'withdrawn'::text
            WHEN ((stock_key.number IS NULL) OR (stock_key.number >= offer.next_unit)) THEN 'available'::text
            WHEN (holder.status = ANY (ARRAY['complete'::text, 'closed'::text])) THEN 'sold'::text
            ELSE 'reserved'::text
        END AS state
   FROM ((public.stock_key
     JOIN public.offer ON ((offer.id = stock_key.offer_id)))
     LEFT JOIN LATERAL ( SELECT "order".id,
            "order".status
           FROM public."order"
          WHERE (("order".offer_id = stock_key.offer_id) AND ("order".first_unit <= stock_key.number) AND ("order".first_unit IS NOT NULL))
          ORDER BY "order".first_unit DESC
         LIMIT 1) holder ON ((stock_key.number < offer.next_unit)));
CREATE VIEW public.unit_count AS
 SELECT offer.id AS offer_id,
    (offer.available_text + offer.available_image) AS available,
    open_order.reserved,
    ((((offer.units - offer.withdrawn_units) - offer.available_text) - offer.available_image) - open_order.reserved) AS sold,
    offer.withdrawn_units AS withdrawn
   FROM (public.offer
     CROSS JOIN LATERAL ( SELECT COALESCE(sum("order".quantity_ordered), (0)::bigint) AS reserved
           FROM public."order"
          WHERE (("order".offer_id = offer.id) AND ("order".status = ANY (ARRAY['pending'::text, 'pending_payment'::text, 'processing'::text, 'held'::text])) AND ("order".first_unit IS NOT NULL))) open_order);
CREATE TABLE public.verify_schedule (
    id boolean DEFAULT true NOT NULL,
    due_at timestamp with time zone NOT NULL,
    node uuid,
    finished_at timestamp with time zone,
    duration_ms bigint,
    checked bigint,
    broken jsonb,
    unchecked text[],
    broken_since jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT verify_schedule_one_row_ck CHECK (id)
);
CREATE TABLE public.webhook_delivery (
    endpoint bigint NOT NULL,
    event_id bigint NOT NULL,
    next_attempt_at timestamp with time zone,
    tries smallint DEFAULT 0 NOT NULL,
    is_delivered boolean DEFAULT false NOT NULL,
    attempts jsonb,
    CONSTRAINT webhook_delivery_state_ck CHECK (((next_attempt_at IS NULL) OR (NOT is_delivered)))
);
CREATE TABLE public.webhook_endpoint (
    number bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    account_id uuid NOT NULL,
    url text NOT NULL,
    types text[] NOT NULL,
    description text,
    disabled_reason text,
    enabled_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    disabled_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    deleted_at timestamp with time zone
);
ALTER TABLE public.webhook_endpoint ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhook_endpoint_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.webhook_node (
    id uuid NOT NULL,
    alive_until timestamp with time zone NOT NULL
);
CREATE TABLE public.webhook_position (
    id boolean DEFAULT true NOT NULL,
    event_id bigint NOT NULL,
    CONSTRAINT webhook_position_one_row_ck CHECK (id)
);
CREATE TABLE public.webhook_queue (
    endpoint bigint NOT NULL,
    due_at timestamp with time zone,
    holder uuid,
    failing_since timestamp with time zone
)
WITH (fillfactor='50');
CREATE TABLE public.webhook_secret (
    id uuid NOT NULL,
    endpoint bigint NOT NULL,
    wrapped bytea NOT NULL,
    master_key_id text,
    expires_at timestamp with time zone
);
CREATE TABLE public.write_record (
    client_id text NOT NULL COLLATE pg_catalog."C",
    operation text NOT NULL COLLATE pg_catalog."C",
    idempotency_key uuid NOT NULL,
    fingerprint text NOT NULL,
    status smallint NOT NULL,
    answer bytea NOT NULL,
    finished_at timestamp with time zone NOT NULL
);
INSERT INTO public.account OVERRIDING SYSTEM VALUE VALUES
	('5b68c83e-b989-447e-a234-81287e503579', 1, 'Shop', 'active', 'balance', NULL, 0, false, NULL, NULL, NULL, NULL, 143800, '2026-11-23', 10000, 10, '2026-11-23 23:00:00+00', 6, 12, '2026-11-23 23:17:26.396142+00', 200000, -11000, 5000, 0, -50200, NULL, '2026-11-23 23:17:21.369101+00'),
	('c859ddef-9bf8-4d36-8600-83af4dbe4d61', 8, 'Shop', 'active', 'balance', NULL, 10000, false, NULL, NULL, NULL, NULL, 1, '2026-11-23', 0, 2, '2026-11-23 23:00:00+00', 1, 1, '2026-11-23 23:17:26.439756+00', 1, 0, 0, 0, 0, NULL, '2026-11-23 23:17:26.416841+00'),
	('4c010441-3185-41a4-af22-5a820a681341', 9, 'Shop', 'active', 'balance', NULL, 0, false, NULL, NULL, NULL, NULL, 4750, '2026-11-23', 250, 1, '2026-11-23 23:00:00+00', 1, 2, '2026-11-23 23:17:27.120049+00', 5000, -250, 0, 0, 0, NULL, '2026-11-23 23:17:27.022772+00'),
	('1a52d780-ad49-44eb-a94d-56aee4d0bf2e', 2, 'Shop', 'active', 'balance', NULL, 0, true, NULL, NULL, NULL, NULL, 98000, '2026-11-23', 4000, 4, '2026-11-23 23:00:00+00', 2, 4, '2026-11-23 23:17:24.930228+00', 100000, -4000, 2000, 0, 0, NULL, '2026-11-23 23:17:24.622836+00'),
	('a8854514-b6f0-4449-8128-c0541d74328d', 3, 'Shop', 'active', 'gateway', 'sim_ok', 0, false, NULL, NULL, NULL, NULL, 0, '2026-11-23', 2000, 2, '2026-11-23 23:00:00+00', 1, 0, '1970-01-01 00:00:00+00', 0, 0, 0, 0, 0, NULL, '2026-11-23 23:17:24.976741+00'),
	('4ea2d53a-b0a2-4781-b6a0-695e2f487153', 4, 'Shop', 'active', 'gateway', 'sim_ok', 0, false, NULL, NULL, NULL, NULL, 0, '2026-11-23', 2000, 2, '2026-11-23 23:00:00+00', 1, 0, '1970-01-01 00:00:00+00', 0, 0, 0, 0, 0, NULL, '2026-11-23 23:17:25.150097+00'),
	('fbcb280a-4038-4c8d-899e-4c2766b25b1a', 5, 'Shop', 'active', 'gateway', 'sim_error', 0, false, NULL, NULL, NULL, NULL, 0, '2026-11-23', 2000, 2, '2026-11-23 23:00:00+00', 1, 0, '1970-01-01 00:00:00+00', 0, 0, 0, 0, 0, NULL, '2026-11-23 23:17:25.332986+00'),
	('6d424238-c8b5-4a8e-a9ee-8f8b9c5e2490', 6, 'Shop', 'active', 'gateway', 'sim_error', 0, false, NULL, NULL, NULL, NULL, 0, '2026-11-23', 2000, 2, '2026-11-23 23:00:00+00', 1, 0, '1970-01-01 00:00:00+00', 0, 0, 0, 0, 0, NULL, '2026-11-23 23:17:25.696178+00'),
	('12f17723-d82d-4a26-9c24-d8792cbb7218', 7, 'Shop', 'active', 'gateway', 'sim_declined', 0, false, NULL, NULL, NULL, NULL, 0, '2026-11-23', 0, 0, '2026-11-23 23:00:00+00', 1, 0, '1970-01-01 00:00:00+00', 0, 0, 0, 0, 0, NULL, '2026-11-23 23:17:25.919943+00');
INSERT INTO public.account_identity VALUES
	('5b68c83e-b989-447e-a234-81287e503579', 1),
	('1a52d780-ad49-44eb-a94d-56aee4d0bf2e', 2),
	('a8854514-b6f0-4449-8128-c0541d74328d', 3),
	('4ea2d53a-b0a2-4781-b6a0-695e2f487153', 4),
	('fbcb280a-4038-4c8d-899e-4c2766b25b1a', 5),
	('6d424238-c8b5-4a8e-a9ee-8f8b9c5e2490', 6),
	('12f17723-d82d-4a26-9c24-d8792cbb7218', 7),
	('c859ddef-9bf8-4d36-8600-83af4dbe4d61', 8),
	('4c010441-3185-41a4-af22-5a820a681341', 9);
INSERT INTO public.approval OVERRIDING SYSTEM VALUE VALUES
	(1, 'pending', 'createPayout', '{"body": {"amount": "501", "reference": "501"}, "query": {}, "params": {"accountId": "5b68c83e-b989-447e-a234-81287e503579"}, "principal": {"role": "operator", "address": "127.0.0.1", "clientId": "test-operator", "operatorRole": "admin"}}', '{"order": null, "stock": [], "units": {"kept": 0, "added": 0, "returned": 0, "delivered": 0, "withdrawn": 0}, "amount": "-501.00", "dryRun": true, "balance": {"after": "1459.00", "before": "1960.00"}, "bookings": [{"to": "cash", "from": "prepaid", "kind": "payout", "amount": "501.00"}], "needsApproval": true}', 50100, '5b68c83e-b989-447e-a234-81287e503579', NULL, '501', 'test-operator', '2026-11-23 23:17:22.950139+00', NULL, NULL, NULL),
	(2, 'approved', 'createPayout', '{"body": {"amount": "502", "reference": "502"}, "query": {}, "params": {"accountId": "5b68c83e-b989-447e-a234-81287e503579"}, "principal": {"role": "operator", "address": "127.0.0.1", "clientId": "test-operator", "operatorRole": "admin"}}', '{"order": null, "stock": [], "units": {"kept": 0, "added": 0, "returned": 0, "delivered": 0, "withdrawn": 0}, "amount": "-502.00", "dryRun": true, "balance": {"after": "1458.00", "before": "1960.00"}, "bookings": [{"to": "cash", "from": "prepaid", "kind": "payout", "amount": "502.00"}], "needsApproval": false}', 50200, '5b68c83e-b989-447e-a234-81287e503579', NULL, '502', 'test-operator', '2026-11-23 23:17:23.612793+00', 'operator_2a4bc10b93b964cbff361353', '2026-11-23 23:17:23.735185+00', 'test'),
	(3, 'pending', 'createPayout', '{"body": {"amount": "503", "reference": "waiting"}, "query": {}, "params": {"accountId": "5b68c83e-b989-447e-a234-81287e503579"}, "principal": {"role": "operator", "address": "127.0.0.1", "clientId": "test-operator", "operatorRole": "admin"}}', '{"order": null, "stock": [], "units": {"kept": 0, "added": 0, "returned": 0, "delivered": 0, "withdrawn": 0}, "amount": "-503.00", "dryRun": true, "balance": {"after": "935.00", "before": "1438.00"}, "bookings": [{"to": "cash", "from": "prepaid", "kind": "payout", "amount": "503.00"}], "needsApproval": true}', 50300, '5b68c83e-b989-447e-a234-81287e503579', NULL, 'waiting', 'test-operator', '2026-11-23 23:17:27.196007+00', NULL, NULL, NULL);
INSERT INTO public.audit_entry OVERRIDING SYSTEM VALUE VALUES
	(1, '2026-11-23 23:17:21.372943+00', 'test-operator', 'admin', '127.0.0.1', 'account.create', '5b68c83e-b989-447e-a234-81287e503579', NULL, 'ceefa40174ae9888139ed0cd50f77c24', '{"name": {"to": "Shop", "from": ""}, "paymentMethod": {"to": "balance", "from": null}}'),
	(2, '2026-11-23 23:17:21.498306+00', 'test-operator', 'admin', '127.0.0.1', 'deposit.create', '5b68c83e-b989-447e-a234-81287e503579', NULL, 'b193a8521f7e200ce595d0827535f6ad', '{"amount": "2000.00", "reference": "f46460a0-26ca-494d-a17e-b8ebe8e9e250", "transferId": "1"}'),
	(3, '2026-11-23 23:17:21.532885+00', 'test-operator', 'admin', '127.0.0.1', 'client.create', '5b68c83e-b989-447e-a234-81287e503579', NULL, 'd2bf1f21d61758f95d4bca7201b88b68', '{"name": null, "clientId": "reseller_283f7e469e1e97102881be0c"}'),
	(4, '2026-11-23 23:17:21.571521+00', 'reseller_283f7e469e1e97102881be0c', NULL, NULL, 'webhook.create', '5b68c83e-b989-447e-a234-81287e503579', NULL, 'e974381830b8646047ee6e20b1482263', '{"url": "http://127.0.0.1:9/", "types": ["order.complete"], "endpointId": "whe_f99efdb9125941ac990b344bf3f72f17"}'),
	(5, '2026-11-23 23:17:21.59707+00', 'test-operator', 'admin', '127.0.0.1', 'product.put', NULL, NULL, 'fb6a0cdadd0f0c5c2eb6e14b851c4e6e', '{"id": "10000000000001", "name": "Product 1", "slug": "product-1", "images": null, "region": null, "videos": null, "outcome": "created", "platform": null, "developer": null, "publisher": null, "thumbnail": null, "categories": null, "coverImage": null, "releaseDate": null, "requirements": null, "restrictions": null, "checkoutClass": "standard", "portraitImage": null}'),
	(6, '2026-11-23 23:17:21.882264+00', 'test-operator', 'admin', '127.0.0.1', 'seller.put', NULL, NULL, 'f90d90de284f09b9022dc5de832c9413', '{"id": "014d26d7-5e89-4bea-970f-dd251c0df621", "name": "Seller", "outcome": "created"}'),
	(7, '2026-11-23 23:17:21.930746+00', 'test-operator', 'admin', '127.0.0.1', 'offer.put', NULL, NULL, 'd2d70c159da66eee85b85e4ffa97441f', '{"id": "a9957e90-34e9-4de8-9ef6-4c85058fbbc1", "price": "10.00", "status": "active", "outcome": "created", "sellerId": "014d26d7-5e89-4bea-970f-dd251c0df621", "productId": "10000000000001"}'),
	(8, '2026-11-23 23:17:22.073068+00', 'test-operator', 'admin', '127.0.0.1', 'keys.add', NULL, NULL, '43b56c75ba3f755968f6ff612e3755d4', '{"added": 30, "offerId": "a9957e90-34e9-4de8-9ef6-4c85058fbbc1", "duplicates": 0}'),
	(9, '2026-11-23 23:17:22.133982+00', 'test-operator', 'admin', '127.0.0.1', 'import.sellers', NULL, NULL, 'c227fcf57684f613a648d97ab9d641c2', '{"written": 0, "importId": "world", "lastLine": 1, "rejected": 0, "firstLine": 1, "unchanged": 1}'),
	(10, '2026-11-23 23:17:22.218649+00', 'reseller_283f7e469e1e97102881be0c', NULL, NULL, 'keys.read', '5b68c83e-b989-447e-a234-81287e503579', 2176390427429734, '2a10f933af4d1c6115d41df0cfc32736', '{"keys": 2, "items": ["217639042742973401"]}'),
	(11, '2026-11-23 23:17:22.399652+00', 'test-operator', 'admin', '127.0.0.1', 'order.refund', '5b68c83e-b989-447e-a234-81287e503579', 2176390425206592, '331e7a8aefb2b6675539d1a1c5c15a2c', '{"items": [{"id": "217639042520659201", "quantity": 1}], "reason": "test", "withdrawKeys": false, "returnToStock": false}'),
	(12, '2026-11-23 23:17:22.638795+00', 'test-operator', 'admin', '127.0.0.1', 'order.refund', '5b68c83e-b989-447e-a234-81287e503579', 2176390427322442, 'cb4d6a2c3ab87c17fced456361ea14f0', '{"items": [{"id": "217639042732244201", "quantity": 1}], "reason": "test", "withdrawKeys": false, "returnToStock": true}'),
	(13, '2026-11-23 23:17:22.808665+00', 'test-operator', 'admin', '127.0.0.1', 'order.refund', '5b68c83e-b989-447e-a234-81287e503579', 2176390424429680, '2f8874103b80b81a1ee6ad9acffdcb45', '{"reason": "test", "withdrawKeys": false, "returnToStock": false}'),
	(15, '2026-11-23 23:17:22.952336+00', 'test-operator', 'admin', '127.0.0.1', 'approval.request', '5b68c83e-b989-447e-a234-81287e503579', NULL, '33fd7b115753aa357aaf0cefd735ff7e', '{"amount": "501.00", "operation": "createPayout", "reference": "501", "approvalId": "1"}'),
	(17, '2026-11-23 23:17:23.613333+00', 'test-operator', 'admin', '127.0.0.1', 'approval.request', '5b68c83e-b989-447e-a234-81287e503579', NULL, '8ce4a78b29d1302836b61a74f188a004', '{"amount": "502.00", "operation": "createPayout", "reference": "502", "approvalId": "2"}'),
	(18, '2026-11-23 23:17:23.638081+00', 'test-operator', 'admin', '127.0.0.1', 'client.create', NULL, NULL, 'c01eab81631b1a9546dc173ab574a7fc', '{"name": "Robot", "clientId": "operator_2a4bc10b93b964cbff361353", "operatorRole": "admin"}'),
	(19, '2026-11-23 23:17:23.724122+00', 'test-operator', 'admin', '127.0.0.1', 'payout.create', '5b68c83e-b989-447e-a234-81287e503579', NULL, '8ed03aa5549f1afa22ca6dce6efe1c4c', '{"amount": "-502.00", "reference": "502", "transferId": "11"}'),
	(20, '2026-11-23 23:17:23.738578+00', 'operator_2a4bc10b93b964cbff361353', 'admin', '127.0.0.1', 'approval.approve', '5b68c83e-b989-447e-a234-81287e503579', NULL, '8ed03aa5549f1afa22ca6dce6efe1c4c', '{"amount": "502.00", "reason": "test", "operation": "createPayout", "approvalId": "2", "requestedBy": "test-operator"}'),
	(21, '2026-11-23 23:17:24.639985+00', 'test-operator', 'admin', '127.0.0.1', 'account.create', '1a52d780-ad49-44eb-a94d-56aee4d0bf2e', NULL, '8a444047115b64f3761351b4ebfd86c2', '{"name": {"to": "Shop", "from": ""}, "holdOrders": {"to": true, "from": false}, "paymentMethod": {"to": "balance", "from": null}}'),
	(22, '2026-11-23 23:17:24.716226+00', 'test-operator', 'admin', '127.0.0.1', 'deposit.create', '1a52d780-ad49-44eb-a94d-56aee4d0bf2e', NULL, '490684029bf6ff3766d271eafbbde5e3', '{"amount": "1000.00", "reference": "abf59372-4978-4606-9cf5-0a182f25d148", "transferId": "12"}'),
	(23, '2026-11-23 23:17:24.742412+00', 'test-operator', 'admin', '127.0.0.1', 'client.create', '1a52d780-ad49-44eb-a94d-56aee4d0bf2e', NULL, '81216200fc6ff1b665738563044d73db', '{"name": null, "clientId": "reseller_855d2502c8f52d1b886e13af"}'),
	(24, '2026-11-23 23:17:24.908707+00', 'test-operator', 'admin', '127.0.0.1', 'order.refund', '1a52d780-ad49-44eb-a94d-56aee4d0bf2e', 2176390441749799, '9020380eb426e41472148500257d384d', '{"reason": "test", "withdrawKeys": false, "returnToStock": false}'),
	(25, '2026-11-23 23:17:24.979797+00', 'test-operator', 'admin', '127.0.0.1', 'account.create', 'a8854514-b6f0-4449-8128-c0541d74328d', NULL, '1512571318dbece0d4d8dfd1484b729e', '{"name": {"to": "Shop", "from": ""}, "paymentMethod": {"to": "gateway", "from": null}, "gatewayCustomer": {"to": "sim_ok", "from": null}}'),
	(26, '2026-11-23 23:17:25.003172+00', 'test-operator', 'admin', '127.0.0.1', 'client.create', 'a8854514-b6f0-4449-8128-c0541d74328d', NULL, '699b4bf7a0a908f6a4ea5e2716289dd2', '{"name": null, "clientId": "reseller_9c708d58bc7632201376ab0d"}'),
	(27, '2026-11-23 23:17:25.155039+00', 'test-operator', 'admin', '127.0.0.1', 'account.create', '4ea2d53a-b0a2-4781-b6a0-695e2f487153', NULL, 'a2188f1f78b3e9fb3423022441ee2f9f', '{"name": {"to": "Shop", "from": ""}, "paymentMethod": {"to": "gateway", "from": null}, "gatewayCustomer": {"to": "sim_ok", "from": null}}'),
	(28, '2026-11-23 23:17:25.161186+00', 'test-operator', 'admin', '127.0.0.1', 'client.create', '4ea2d53a-b0a2-4781-b6a0-695e2f487153', NULL, '22f5fc3bbc0202d4cbc5d22c7bd51fd9', '{"name": null, "clientId": "reseller_4f7c8dbba366561ed24e3ba7"}'),
	(29, '2026-11-23 23:17:25.285123+00', 'test-operator', 'admin', '127.0.0.1', 'order.refund', '4ea2d53a-b0a2-4781-b6a0-695e2f487153', 2176390459404095, 'df820fd01cfe7f0b58a84185f1c4f832', '{"items": [{"id": "217639045940409501", "quantity": 1}], "reason": "test", "withdrawKeys": false, "returnToStock": false}'),
	(30, '2026-11-23 23:17:25.333788+00', 'test-operator', 'admin', '127.0.0.1', 'account.create', 'fbcb280a-4038-4c8d-899e-4c2766b25b1a', NULL, '30d47e465f5d50e9881dc9b4aabc0a95', '{"name": {"to": "Shop", "from": ""}, "paymentMethod": {"to": "gateway", "from": null}, "gatewayCustomer": {"to": "sim_error", "from": null}}'),
	(31, '2026-11-23 23:17:25.354925+00', 'test-operator', 'admin', '127.0.0.1', 'client.create', 'fbcb280a-4038-4c8d-899e-4c2766b25b1a', NULL, '6b8fee828c49b41ff4c71d377e71717c', '{"name": null, "clientId": "reseller_c78f529ce025acabe89b9a92"}'),
	(32, '2026-11-23 23:17:25.706822+00', 'test-operator', 'admin', '127.0.0.1', 'account.create', '6d424238-c8b5-4a8e-a9ee-8f8b9c5e2490', NULL, 'b64481a0bfc50ddcc6b9a8894dcf8ff5', '{"name": {"to": "Shop", "from": ""}, "paymentMethod": {"to": "gateway", "from": null}, "gatewayCustomer": {"to": "sim_error", "from": null}}'),
	(33, '2026-11-23 23:17:25.740084+00', 'test-operator', 'admin', '127.0.0.1', 'client.create', '6d424238-c8b5-4a8e-a9ee-8f8b9c5e2490', NULL, '0ad4bed23766e189238d16340fa27a43', '{"name": null, "clientId": "reseller_3f80f722b8421cd113abf257"}'),
	(34, '2026-11-23 23:17:25.855861+00', 'test-operator', 'admin', '127.0.0.1', 'order.hold', '6d424238-c8b5-4a8e-a9ee-8f8b9c5e2490', 2176390450702062, '103046db6c69f691e5d04ad199b8acce', '{"reason": "test"}'),
	(35, '2026-11-23 23:17:25.920828+00', 'test-operator', 'admin', '127.0.0.1', 'account.create', '12f17723-d82d-4a26-9c24-d8792cbb7218', NULL, 'd9528df14ff9d68d57ee926a8305ad74', '{"name": {"to": "Shop", "from": ""}, "paymentMethod": {"to": "gateway", "from": null}, "gatewayCustomer": {"to": "sim_declined", "from": null}}'),
	(36, '2026-11-23 23:17:25.97594+00', 'test-operator', 'admin', '127.0.0.1', 'client.create', '12f17723-d82d-4a26-9c24-d8792cbb7218', NULL, 'b30fbd3c9e712ca2358b1b05cdf8163f', '{"name": null, "clientId": "reseller_11a4687a4b4f78db8cb65623"}'),
	(37, '2026-11-23 23:17:26.214741+00', 'test-operator', 'admin', '127.0.0.1', 'order.replace-key', '5b68c83e-b989-447e-a234-81287e503579', 2176390469252190, 'ff145c3f1448cbcb694942fc9d2ebbdb', '{"itemId": "217639046925219001", "reason": "test", "newKeyId": "22", "replacedKeyId": "23"}'),
	(38, '2026-11-23 23:17:26.263042+00', 'test-operator', 'admin', '127.0.0.1', 'product.put', NULL, NULL, 'eff710eff21fd0fb30ecaf89a8191841', '{"id": "10000000000002", "name": "Product 2", "slug": "product-2", "images": null, "region": null, "videos": null, "outcome": "created", "platform": null, "developer": null, "publisher": null, "thumbnail": null, "categories": null, "coverImage": null, "releaseDate": null, "requirements": null, "restrictions": null, "checkoutClass": "standard", "portraitImage": null}'),
	(41, '2026-11-23 23:17:26.386083+00', 'test-operator', 'admin', '127.0.0.1', 'keys.add', NULL, NULL, 'b60f993f8d2cc14e7093c2f2d741d1b8', '{"added": 2, "offerId": "ee27be10-539f-4185-af17-6c13c519af60", "duplicates": 0}'),
	(42, '2026-11-23 23:17:26.418478+00', 'test-operator', 'admin', '127.0.0.1', 'account.create', 'c859ddef-9bf8-4d36-8600-83af4dbe4d61', NULL, '17fdbdf38c916e7feeba08304529c94d', '{"name": {"to": "Shop", "from": ""}, "paymentMethod": {"to": "balance", "from": null}, "discountPercent": {"to": "100", "from": "0"}}'),
	(43, '2026-11-23 23:17:26.452524+00', 'test-operator', 'admin', '127.0.0.1', 'deposit.create', 'c859ddef-9bf8-4d36-8600-83af4dbe4d61', NULL, 'ac7f4e14cf061e515a9f0949792af83e', '{"amount": "0.01", "reference": "0fd5ca24-8db8-457d-8dd6-2dca235adf05", "transferId": "22"}'),
	(45, '2026-11-23 23:17:26.637034+00', 'test-operator', 'admin', '127.0.0.1', 'offer.put', NULL, NULL, '8a8c0a93ad4c0c479bf2baf8e94923e3', '{"id": "a9957e90-34e9-4de8-9ef6-4c85058fbbc1", "price": "11.00", "status": "paused", "outcome": "changed", "sellerId": "014d26d7-5e89-4bea-970f-dd251c0df621", "productId": "10000000000001"}'),
	(53, '2026-11-23 23:17:27.065165+00', 'test-operator', 'admin', '127.0.0.1', 'seller.put', NULL, NULL, '0bb34a86f6bda2634b5e1638bc55e332', '{"id": "540fafc4-ecd0-46d6-9531-f3626c13ed6e", "name": "Seller", "outcome": "created"}'),
	(54, '2026-11-23 23:17:27.087377+00', 'test-operator', 'admin', '127.0.0.1', 'offer.put', NULL, NULL, 'ede746434b2b8251abd5993f48335ffb', '{"id": "43e4d8f4-27dc-4213-ac14-8de3cea9113f", "price": "2.50", "status": "active", "outcome": "created", "sellerId": "540fafc4-ecd0-46d6-9531-f3626c13ed6e", "productId": "10000000000003"}'),
	(39, '2026-11-23 23:17:26.29291+00', 'test-operator', 'admin', '127.0.0.1', 'seller.put', NULL, NULL, 'cf32776e1947a386ad72bacaf813413e', '{"id": "a19bb464-b181-4f51-b2dd-a357981aef5a", "name": "Seller", "outcome": "created"}'),
	(40, '2026-11-23 23:17:26.318451+00', 'test-operator', 'admin', '127.0.0.1', 'offer.put', NULL, NULL, 'a233732e1ef5a03a1852398ff6ac1e19', '{"id": "ee27be10-539f-4185-af17-6c13c519af60", "price": "10.00", "status": "active", "outcome": "created", "sellerId": "a19bb464-b181-4f51-b2dd-a357981aef5a", "productId": "10000000000002"}'),
	(48, '2026-11-23 23:17:26.966091+00', 'person_526f49287a30c49777f49744', 'admin', '127.0.0.1', 'operator.password', NULL, NULL, '3d832e24b6ce36ec893fae0774ba4c83', '{}'),
	(49, '2026-11-23 23:17:27.023922+00', 'test-operator', 'admin', '127.0.0.1', 'account.create', '4c010441-3185-41a4-af22-5a820a681341', NULL, '6de6ef9a44399f8c8c93e2084afc208c', '{"name": {"to": "Shop", "from": ""}, "paymentMethod": {"to": "balance", "from": null}}'),
	(50, '2026-11-23 23:17:27.031114+00', 'test-operator', 'admin', '127.0.0.1', 'deposit.create', '4c010441-3185-41a4-af22-5a820a681341', NULL, '79847dab1626740baff3d4dcbd4eabd8', '{"amount": "50.00", "reference": "59fe0e39-d43c-4715-b9ea-5769f3765a9c", "transferId": "23"}'),
	(56, '2026-11-23 23:17:27.166476+00', 'reseller_36e0b184c3489e6864c08ff1', NULL, NULL, 'keys.read', '4c010441-3185-41a4-af22-5a820a681341', 2176390477272732, 'b640bca83a60b8e42d1af01c76da1f29', '{"keys": 1, "items": ["217639047727273201"]}'),
	(58, '2026-11-23 23:17:27.196561+00', 'test-operator', 'admin', '127.0.0.1', 'approval.request', '5b68c83e-b989-447e-a234-81287e503579', NULL, '4f48901f6f05f0abb900a06b81c234b1', '{"amount": "503.00", "operation": "createPayout", "reference": "waiting", "approvalId": "3"}'),
	(44, '2026-11-23 23:17:26.505119+00', 'test-operator', 'admin', '127.0.0.1', 'client.create', 'c859ddef-9bf8-4d36-8600-83af4dbe4d61', NULL, 'd1b85ab1de1be467b3392175cc2e869d', '{"name": null, "clientId": "reseller_97ec9ff57c3441be8e449a39"}'),
	(46, '2026-11-23 23:17:26.701701+00', 'test-operator', 'admin', '127.0.0.1', 'operator.create', NULL, NULL, '8464183b414dd5afcacdbf84d85bf4f8', '{"id": "person_526f49287a30c49777f49744", "name": "Ada", "role": "admin", "email": "ada-b411b1fc-d827-423d-a3e2-0ce4f9e642ff@marketplace.example"}'),
	(47, '2026-11-23 23:17:26.725996+00', 'person_526f49287a30c49777f49744', 'admin', '127.0.0.1', 'operator.sign-in', NULL, NULL, 'ba6857af8e9f1de473124b5fe01d2f3a', '{"method": "link"}'),
	(51, '2026-11-23 23:17:27.036435+00', 'test-operator', 'admin', '127.0.0.1', 'client.create', '4c010441-3185-41a4-af22-5a820a681341', NULL, 'c1af3fc8780fa1b80294ba377f5a1d6e', '{"name": null, "clientId": "reseller_36e0b184c3489e6864c08ff1"}'),
	(52, '2026-11-23 23:17:27.050536+00', 'test-operator', 'admin', '127.0.0.1', 'product.put', NULL, NULL, 'b15d6cdc81719158d622001d0f030fc4', '{"id": "10000000000003", "name": "Product 3", "slug": "product-3", "images": null, "region": null, "videos": null, "outcome": "created", "platform": null, "developer": null, "publisher": null, "thumbnail": null, "categories": null, "coverImage": null, "releaseDate": null, "requirements": null, "restrictions": null, "checkoutClass": "standard", "portraitImage": null}'),
	(55, '2026-11-23 23:17:27.11185+00', 'test-operator', 'admin', '127.0.0.1', 'keys.add', NULL, NULL, 'a07f17443c7397e3d2e9e71b2a059859', '{"added": 4, "offerId": "43e4d8f4-27dc-4213-ac14-8de3cea9113f", "duplicates": 0}');
INSERT INTO public.audit_head VALUES
	(true, 55, '\xca2b244516c20e1f952058c2e0eb52fbd9be0d15a0da9f6701e91dbdca638ea5', '\x77f107d60ecac615bb148511b88dc3ab8e59be0b3438c7973513c5b52deb6882');
INSERT INTO public.audit_seal VALUES
	(1, 1, '\xdcdc77b76837b1dce328bca27213bf8167ceca0c89da242232ebb901b09c7ded'),
	(2, 2, '\xd3bc833bba7e2c8eedb2813eae1c2a70f3f5d16ff899d8357d4260591ec9e4f0'),
	(3, 3, '\xbafcda2c4e046e19c5dc1dec918f85c59c95f1e8fa2d35a5436d046f11d13cb7'),
	(4, 4, '\xd1f8055ac1a8d6eaf2531e060024fbf809cda21c0b13e47280155888212adc3e'),
	(5, 5, '\x6d071bf4d602be23992249c86f16b8206eb9da250583f1d84d3a25292aa9bf81'),
	(6, 6, '\xc548a511733535c224d547ae56ae5a86723315a9c2821a18c40135a53c86b893'),
	(7, 7, '\xf95cdc4373ac80d96eb5f84bd1bad5a87567fc2c2d2aaa09b436ddfe03216850'),
	(8, 8, '\xc2df8dceaaa8a5571e2fc00ab6646d5fc219ab8e9a59230f9450ecf3488393dc'),
	(9, 9, '\x6376c315bfaae1ec4f956afd53f7f33e2f5512f49f2b94ece1f44b2f37bbc9f2'),
	(10, 10, '\x2efa9e1b1c2309027e06e223be87b0b7b30b679de90ebdaafcfe7c1a6ccbe8c1'),
	(11, 11, '\x0cc8707f53b2948d45984ba973b49d9cd4e6c65999f174dd20423d4aac1541d1'),
	(12, 12, '\x4ce6df3d8af36ee7da518894ebd7dc236da433e5f2d0d6a85a64d043d82e6f93'),
	(13, 13, '\xc5ca27e89d8d099955da0ff5cadfc129ab77eb9943bc066a5878dc63ccd26e8d'),
	(14, 15, '\xe7734f33bbf8afc9cea8c9e8954b9c2766218a4cacc1c2c4c51b722e547eda84'),
	(15, 17, '\x65032ef97fe7a17e7fd0fadbecc740240046c0a13055f1cbf09fb15e838d67f3'),
	(16, 18, '\x7dcbca376c2fe641bf9aa84a739c97009f3e7c31af728f47b4edbf86d71521f3'),
	(17, 19, '\x057440d5952c29d8ce7e8fd363241ebf76e5ea61b1222a382e72b8d83f1138f2'),
	(18, 20, '\xa25d7f5a3fdc702c8870bce4ab14827a74310e478fdaa7d6bf605b984e9e1cfb'),
	(19, 21, '\xe5bc80ea0716701e4177b181ecf1eeff6f165297c6b6c6a712cbfbc6d15dea36'),
	(20, 22, '\x88b33e98ec59c939238414a78e887e6f6a28d867ef3302767b4601dcf9ffb943'),
	(21, 23, '\x9e915e5b9553ef6f940ea124c14d38a64c0a0ce3016988b59b80f1f2094d4d44'),
	(22, 24, '\xf72f913a4b679dddbfbc34919ae31bc6469cb8d716226e221124736a149edf1a'),
	(23, 25, '\x3064be67ba0ccfab31a7d34b38d203cd3c6bc82534738cad61b84bcda2278cb8'),
	(24, 26, '\x2d1bb5485be4fc17ee2d6fcdd15c376626b5cdd222a8a1fd0318ca03baf34c8f'),
	(25, 27, '\x46c721f0ea0dc85c5e01af48e74537f3e87e0318df26f619cbf0a76bd891fd6b'),
	(26, 28, '\xb34f2c3b2a442411067837e276d48613b368be2c27aa4d036ebc9f770b272998'),
	(27, 29, '\xff6010092b6de3851efabe114cb0112271d6ba5adf13283e5edd1d715c44b7a2'),
	(28, 30, '\xd7d5a5445745e7c75bd705b1435f4f42254caa8e5542a14bc8a76ab7a0a090c6'),
	(29, 31, '\x9d7277a4b658a2f8b84917467470260999b5742db8bd7f9de993c4970ad1b7ff'),
	(30, 32, '\xcd4165bd27dda1a50d31cf5e13ddfc714542d4e92ff2737873e2c27bc3948b96'),
	(31, 33, '\x49dac8e957106ea60328422555605f299bb2c79df57621ca26061401869a8fb0'),
	(32, 34, '\x679f207cbf2ff328c0d9ded15bb159182f8597a0b597534f2c0c1e641cf0afd4'),
	(33, 35, '\x0a86ae3b634ce92a571e762879d76b8c23d465431ed1a69ae96390c17da45713'),
	(34, 36, '\x78593341e494812ed339f377f8d50ea16c1874a75d9361f580bb01317361f736'),
	(35, 37, '\xfa97a8f5d1202cca1b1c1cfac6d4799e9880b2842f44da32d9162692ef597b5c'),
	(36, 38, '\x1f87d7d346fd2ed3c6565ef981182c2f02deb3dcd081b4a14f6c8d8c28955f55'),
	(37, 39, '\x414ce119de607cc125dc2dffd4c32c65490f9fef62e2c7e7ac3b2d68933c8e33'),
	(38, 40, '\x02ef52c1ebef06b4d4fc8f9fb1a6ba0bcca618aaac14473f3e78320023170a63'),
	(39, 41, '\x48ccdd8656089a700565b16b018b223ea0232da6da507d97d1265ca73b6f63f1'),
	(40, 42, '\x575f46fc6eecf235a0ef06ca0275d0337d6f23188533b0834575d91773debb00'),
	(41, 43, '\x79eccfaa72b7ed63aabb9af10ee63a1981446552066954da5e38507cd77ccb8f'),
	(42, 44, '\x23c68b7829cc8c01bcad2c4a98157829faaf9731d8ff458b3f3f66a18eb6f691'),
	(43, 45, '\x459a6482f4120098b8b361b4d5b7e335c05949241e7c55629c872a22618b3412'),
	(44, 46, '\xb15c4d5ef84b6a2f0645a19c3da221a34a39fed25b119f65ea536978c5154482'),
	(45, 47, '\x6e95fbd64f9f53f0322fd6895992bb35be88cec95f28084e1ffb96ccc9dee628'),
	(46, 48, '\x7731352380b262b7f067ac19473f0f6c828fb56c41c08ec252b67361b6299ff7'),
	(47, 49, '\x302574c21322d161795778eaabb459e6f3861a42b4ec58b1f390d9b3e4feb5b7'),
	(48, 50, '\xc774547ee5798d24ad058354ba175de4167d02404ecf0a831e178e9ed89e8c40'),
	(49, 51, '\xb65c50dac24688c4fb2030a5225213f24d46d18be6ec89bba0e29abe4baac43c'),
	(50, 52, '\x3e7c7fef9cf4e8c0e588c0d33df9903610e7c678248056d6669d9faa1d05c9f5'),
	(51, 53, '\x6d4c31c3a01f2634b534f62748a56ecd7218f8f69b8fe6e077a2434e36258e3c'),
	(52, 54, '\x2f3a6dff4cf9aa2a0f1026c8e9b22be9a2ec23236c17bfffd03d9c81a90dbaee'),
	(53, 55, '\xce209fa770d11384ff24dcf5f112bdba801cbbf638aa6620dc3a49ad38c238a6'),
	(54, 56, '\xaf9c960fe703e1671269b13cb8afa1f6d2061b54f216f180d8bc9ce8733ceb0c'),
	(55, 58, '\xca2b244516c20e1f952058c2e0eb52fbd9be0d15a0da9f6701e91dbdca638ea5');
INSERT INTO public.book_sum VALUES
	('2026-11-23 23:00:00+00', 'charge', 'gateway', 'sales', 2, 4000),
	('2026-11-23 23:00:00+00', 'payout', 'prepaid', 'cash', 1, 50200),
	('2026-11-23 23:00:00+00', 'refund', 'sales', 'gateway', 1, 1000),
	('2026-11-23 23:00:00+00', 'refund', 'sales', 'prepaid', 5, 7000),
	('2026-11-23 23:00:00+00', 'charge', 'prepaid', 'sales', 9, 15250),
	('2026-11-23 23:00:00+00', 'deposit', 'cash', 'prepaid', 4, 305001);
INSERT INTO public.catalogue_clock VALUES
	(true, '58b86864-c54f-4968-a432-757f627afaa5', '2026-11-23 23:17:27.155356+00');
INSERT INTO public.change_log VALUES
	('2026-11-23 23:17:17.756639+00', '{}', '{}', '{}', NULL, NULL, NULL),
	('2026-11-23 23:17:21.598512+00', '{10000000000001}', '{}', '{}', NULL, NULL, NULL),
	('2026-11-23 23:17:21.938716+00', '{10000000000001}', '{}', '{}', NULL, NULL, NULL),
	('2026-11-23 23:17:22.073836+00', '{10000000000001}', '{}', '{}', NULL, NULL, NULL),
	('2026-11-23 23:17:22.181511+00', '{10000000000001}', '{2176390427429734}', '{5b68c83e-b989-447e-a234-81287e503579}', NULL, '{a9957e90-34e9-4de8-9ef6-4c85058fbbc1}', '{28}'),
	('2026-11-23 23:17:22.256984+00', '{10000000000001}', '{2176390425206592}', '{5b68c83e-b989-447e-a234-81287e503579}', NULL, '{a9957e90-34e9-4de8-9ef6-4c85058fbbc1}', '{26}'),
	('2026-11-23 23:17:22.446826+00', '{}', '{}', '{}', '[{"data": {"order": {"status": "complete", "quantity": {"ordered": 2, "shipped": 2, "invoiced": 2, "refunded": 1}}, "refund": {"items": [{"id": "217639042520659201", "quantity": 1}], "amountMinor": 1000}}, "type": "order.refunded", "orderId": "2176390425206592", "accountId": "5b68c83e-b989-447e-a234-81287e503579"}]', NULL, NULL),
	('2026-11-23 23:17:22.558188+00', '{10000000000001}', '{2176390427322442}', '{5b68c83e-b989-447e-a234-81287e503579}', NULL, '{a9957e90-34e9-4de8-9ef6-4c85058fbbc1}', '{24}'),
	('2026-11-23 23:17:22.718747+00', '{10000000000001}', '{}', '{}', '[{"data": {"order": {"status": "complete", "quantity": {"ordered": 2, "shipped": 1, "invoiced": 2, "refunded": 1}}, "refund": {"items": [{"id": "217639042732244201", "quantity": 1}], "amountMinor": 1000}}, "type": "order.refunded", "orderId": "2176390427322442", "accountId": "5b68c83e-b989-447e-a234-81287e503579"}]', NULL, NULL),
	('2026-11-23 23:17:22.7634+00', '{10000000000001}', '{2176390424429680}', '{5b68c83e-b989-447e-a234-81287e503579}', NULL, '{a9957e90-34e9-4de8-9ef6-4c85058fbbc1}', '{23}'),
	('2026-11-23 23:17:22.85433+00', '{}', '{}', '{}', '[{"data": {"order": {"status": "closed", "quantity": {"ordered": 2, "shipped": 2, "invoiced": 2, "refunded": 2}}, "refund": {"items": [{"id": "217639042442968001", "quantity": 2}], "amountMinor": 2000}}, "type": "order.refunded", "orderId": "2176390424429680", "accountId": "5b68c83e-b989-447e-a234-81287e503579"}, {"data": {"order": {"status": "closed", "quantity": {"ordered": 2, "shipped": 2, "invoiced": 2, "refunded": 2}}}, "type": "order.closed", "orderId": "2176390424429680", "accountId": "5b68c83e-b989-447e-a234-81287e503579"}]', NULL, NULL),
	('2026-11-23 23:17:24.849386+00', '{10000000000001}', '{}', '{}', '[{"data": {"order": {"status": "held", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 2, "refunded": 0}}}, "type": "order.held", "orderId": "2176390442576493", "accountId": "1a52d780-ad49-44eb-a94d-56aee4d0bf2e"}]', '{a9957e90-34e9-4de8-9ef6-4c85058fbbc1}', '{21}'),
	('2026-11-23 23:17:24.861723+00', '{10000000000001}', '{}', '{}', '[{"data": {"order": {"status": "held", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 2, "refunded": 0}}}, "type": "order.held", "orderId": "2176390441749799", "accountId": "1a52d780-ad49-44eb-a94d-56aee4d0bf2e"}]', '{a9957e90-34e9-4de8-9ef6-4c85058fbbc1}', '{19}'),
	('2026-11-23 23:17:24.954692+00', '{}', '{}', '{}', '[{"data": {"order": {"status": "closed", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 2, "refunded": 2}}, "refund": {"items": [{"id": "217639044174979901", "quantity": 2}], "amountMinor": 2000}}, "type": "order.refunded", "orderId": "2176390441749799", "accountId": "1a52d780-ad49-44eb-a94d-56aee4d0bf2e"}, {"data": {"order": {"status": "closed", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 2, "refunded": 2}}}, "type": "order.closed", "orderId": "2176390441749799", "accountId": "1a52d780-ad49-44eb-a94d-56aee4d0bf2e"}]', NULL, NULL),
	('2026-11-23 23:17:25.033088+00', '{10000000000001}', '{}', '{}', '[{"data": {"order": {"status": "pending_payment", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 0, "refunded": 0}}}, "type": "order.pending_payment", "orderId": "2176390452763371", "accountId": "a8854514-b6f0-4449-8128-c0541d74328d"}]', '{a9957e90-34e9-4de8-9ef6-4c85058fbbc1}', '{17}'),
	('2026-11-23 23:17:25.078415+00', '{}', '{}', '{}', '[{"data": {"order": {"status": "complete", "quantity": {"ordered": 2, "shipped": 2, "invoiced": 2, "refunded": 0}}}, "type": "order.complete", "orderId": "2176390452763371", "accountId": "a8854514-b6f0-4449-8128-c0541d74328d"}]', NULL, NULL),
	('2026-11-23 23:17:25.210869+00', '{10000000000001}', '{}', '{}', '[{"data": {"order": {"status": "pending_payment", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 0, "refunded": 0}}}, "type": "order.pending_payment", "orderId": "2176390459404095", "accountId": "4ea2d53a-b0a2-4781-b6a0-695e2f487153"}]', '{a9957e90-34e9-4de8-9ef6-4c85058fbbc1}', '{15}'),
	('2026-11-23 23:17:25.242054+00', '{}', '{}', '{}', '[{"data": {"order": {"status": "complete", "quantity": {"ordered": 2, "shipped": 2, "invoiced": 2, "refunded": 0}}}, "type": "order.complete", "orderId": "2176390459404095", "accountId": "4ea2d53a-b0a2-4781-b6a0-695e2f487153"}]', NULL, NULL),
	('2026-11-23 23:17:25.320983+00', '{}', '{}', '{}', '[{"data": {"order": {"status": "complete", "quantity": {"ordered": 2, "shipped": 2, "invoiced": 2, "refunded": 1}}, "refund": {"items": [{"id": "217639045940409501", "quantity": 1}], "amountMinor": 1000}}, "type": "order.refunded", "orderId": "2176390459404095", "accountId": "4ea2d53a-b0a2-4781-b6a0-695e2f487153"}]', NULL, NULL),
	('2026-11-23 23:17:25.387775+00', '{10000000000001}', '{}', '{}', '[{"data": {"order": {"status": "pending_payment", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 0, "refunded": 0}}}, "type": "order.pending_payment", "orderId": "2176390457147527", "accountId": "fbcb280a-4038-4c8d-899e-4c2766b25b1a"}]', '{a9957e90-34e9-4de8-9ef6-4c85058fbbc1}', '{13}'),
	('2026-11-23 23:17:25.815356+00', '{10000000000001}', '{}', '{}', '[{"data": {"order": {"status": "pending_payment", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 0, "refunded": 0}}}, "type": "order.pending_payment", "orderId": "2176390450702062", "accountId": "6d424238-c8b5-4a8e-a9ee-8f8b9c5e2490"}]', '{a9957e90-34e9-4de8-9ef6-4c85058fbbc1}', '{11}'),
	('2026-11-23 23:17:25.878423+00', '{}', '{}', '{}', '[{"data": {"order": {"status": "held", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 0, "refunded": 0}}}, "type": "order.held", "orderId": "2176390450702062", "accountId": "6d424238-c8b5-4a8e-a9ee-8f8b9c5e2490"}]', NULL, NULL),
	('2026-11-23 23:17:26.04378+00', '{10000000000001}', '{}', '{}', '[{"data": {"order": {"status": "pending_payment", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 0, "refunded": 0}}}, "type": "order.pending_payment", "orderId": "2176390467687867", "accountId": "12f17723-d82d-4a26-9c24-d8792cbb7218"}]', '{a9957e90-34e9-4de8-9ef6-4c85058fbbc1}', '{9}'),
	('2026-11-23 23:17:26.090618+00', '{10000000000001}', '{}', '{}', '[{"data": {"order": {"status": "canceled", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 0, "refunded": 0}}}, "type": "order.canceled", "orderId": "2176390467687867", "accountId": "12f17723-d82d-4a26-9c24-d8792cbb7218"}]', NULL, NULL),
	('2026-11-23 23:17:26.118597+00', '{10000000000001}', '{2176390469252190}', '{5b68c83e-b989-447e-a234-81287e503579}', NULL, '{a9957e90-34e9-4de8-9ef6-4c85058fbbc1}', '{9}'),
	('2026-11-23 23:17:26.222461+00', '{10000000000001}', '{}', '{}', NULL, NULL, NULL),
	('2026-11-23 23:17:26.266376+00', '{10000000000002}', '{}', '{}', NULL, NULL, NULL),
	('2026-11-23 23:17:26.341128+00', '{10000000000002}', '{}', '{}', NULL, NULL, NULL),
	('2026-11-23 23:17:26.389688+00', '{10000000000002}', '{}', '{}', NULL, NULL, NULL),
	('2026-11-23 23:17:26.406232+00', '{}', '{}', '{}', '[{"data": {"order": {"status": "closed", "quantity": {"ordered": 1, "shipped": 0, "invoiced": 1, "refunded": 1}}, "refund": {"items": [{"id": "217639046330997501", "quantity": 1}], "amountMinor": 1000}}, "type": "order.refunded", "orderId": "2176390463309975", "accountId": "5b68c83e-b989-447e-a234-81287e503579"}, {"data": {"order": {"status": "closed", "quantity": {"ordered": 1, "shipped": 0, "invoiced": 1, "refunded": 1}}}, "type": "order.closed", "orderId": "2176390463309975", "accountId": "5b68c83e-b989-447e-a234-81287e503579"}]', '{}', '{}'),
	('2026-11-23 23:17:26.642283+00', '{10000000000001}', '{}', '{}', NULL, NULL, NULL),
	('2026-11-23 23:17:27.090303+00', '{10000000000003}', '{}', '{}', NULL, NULL, NULL),
	('2026-11-23 23:17:27.155356+00', '{10000000000003}', '{2176390477272732}', '{4c010441-3185-41a4-af22-5a820a681341}', NULL, '{43e4d8f4-27dc-4213-ac14-8de3cea9113f}', '{3}'),
	('2026-11-23 23:17:26.542022+00', '{10000000000001}', '{2176390467152119}', '{c859ddef-9bf8-4d36-8600-83af4dbe4d61}', NULL, '{a9957e90-34e9-4de8-9ef6-4c85058fbbc1}', '{6}'),
	('2026-11-23 23:17:27.053584+00', '{10000000000003}', '{}', '{}', NULL, NULL, NULL),
	('2026-11-23 23:17:27.112561+00', '{10000000000003}', '{}', '{}', NULL, NULL, NULL);
INSERT INTO public.client VALUES
	('test-operator', NULL, 'operator', 'admin', 'First operator', '{}', NULL, '2026-11-23 23:17:21.23572+00'),
	('reseller_283f7e469e1e97102881be0c', '5b68c83e-b989-447e-a234-81287e503579', 'reseller', NULL, NULL, '{}', NULL, '2026-11-23 23:17:21.53101+00'),
	('operator_2a4bc10b93b964cbff361353', NULL, 'operator', 'admin', 'Robot', '{}', NULL, '2026-11-23 23:17:23.629529+00'),
	('reseller_855d2502c8f52d1b886e13af', '1a52d780-ad49-44eb-a94d-56aee4d0bf2e', 'reseller', NULL, NULL, '{}', NULL, '2026-11-23 23:17:24.731467+00'),
	('reseller_9c708d58bc7632201376ab0d', 'a8854514-b6f0-4449-8128-c0541d74328d', 'reseller', NULL, NULL, '{}', NULL, '2026-11-23 23:17:24.990403+00'),
	('reseller_4f7c8dbba366561ed24e3ba7', '4ea2d53a-b0a2-4781-b6a0-695e2f487153', 'reseller', NULL, NULL, '{}', NULL, '2026-11-23 23:17:25.159668+00'),
	('reseller_c78f529ce025acabe89b9a92', 'fbcb280a-4038-4c8d-899e-4c2766b25b1a', 'reseller', NULL, NULL, '{}', NULL, '2026-11-23 23:17:25.351022+00'),
	('reseller_3f80f722b8421cd113abf257', '6d424238-c8b5-4a8e-a9ee-8f8b9c5e2490', 'reseller', NULL, NULL, '{}', NULL, '2026-11-23 23:17:25.730069+00'),
	('reseller_11a4687a4b4f78db8cb65623', '12f17723-d82d-4a26-9c24-d8792cbb7218', 'reseller', NULL, NULL, '{}', NULL, '2026-11-23 23:17:25.957465+00'),
	('reseller_97ec9ff57c3441be8e449a39', 'c859ddef-9bf8-4d36-8600-83af4dbe4d61', 'reseller', NULL, NULL, '{}', NULL, '2026-11-23 23:17:26.484653+00'),
	('reseller_36e0b184c3489e6864c08ff1', '4c010441-3185-41a4-af22-5a820a681341', 'reseller', NULL, NULL, '{}', NULL, '2026-11-23 23:17:27.035409+00');
INSERT INTO public.client_secret OVERRIDING SYSTEM VALUE VALUES
	(1, 'test-operator', '\x104862e4345035793f7fbe863584810f008cb81fbebb1b7b26d2eaa668f3bc97', '2026-11-23 23:17:21.254155+00', NULL),
	(2, 'reseller_283f7e469e1e97102881be0c', '\xa88c2bea0092da76e785e185880304361de95078d27f652e4d55475a14a7b3c6', '2026-11-23 23:17:21.532387+00', NULL),
	(3, 'operator_2a4bc10b93b964cbff361353', '\xd9b18d0a05dcb7cd67ecf4f9c5e711f6a77f9a0689840c83280b1d36c6529986', '2026-11-23 23:17:23.630842+00', NULL),
	(4, 'reseller_855d2502c8f52d1b886e13af', '\x0d3a53130885f24bd9718fd2c208fb3d658c3db3981448898cb840c25a640216', '2026-11-23 23:17:24.741347+00', NULL),
	(5, 'reseller_9c708d58bc7632201376ab0d', '\x1dfcf978daa524eb2dd65165e172a99ac1644b1a163ec6c5b491074e7438ddb6', '2026-11-23 23:17:24.999014+00', NULL),
	(6, 'reseller_4f7c8dbba366561ed24e3ba7', '\x828c27d5b7f88cd7371bdb792587b8e2df62d86758b08d177adf3595d1d006b7', '2026-11-23 23:17:25.160829+00', NULL),
	(7, 'reseller_c78f529ce025acabe89b9a92', '\xd802be5cf9dae27e8daa771d15fd437059e3244e7d69f362518e91a9ac5773c0', '2026-11-23 23:17:25.354584+00', NULL),
	(8, 'reseller_3f80f722b8421cd113abf257', '\x106d17e5d9cef84ed4a830cb64560699338d6353779a3464af561089e2d9710f', '2026-11-23 23:17:25.739524+00', NULL),
	(9, 'reseller_11a4687a4b4f78db8cb65623', '\xb856f6aa376d600fa33eb76d1d48c30fd4ed3428c4faadd21ed468463c34185e', '2026-11-23 23:17:25.968769+00', NULL),
	(10, 'reseller_97ec9ff57c3441be8e449a39', '\xc5ac201b29060c1a73b1e42b24a7b34869f44e7783a2f7ab2bbe72d6c4fb25f8', '2026-11-23 23:17:26.504581+00', NULL),
	(11, 'reseller_36e0b184c3489e6864c08ff1', '\x3106bc21dd8249756a18434caed22a433d6359380827a4b5b5bd3d663a0fbe45', '2026-11-23 23:17:27.036158+00', NULL);
INSERT INTO public.clock_watch VALUES
	(true, '2026-11-23 23:17:18.076078+00');
INSERT INTO public.data_key OVERRIDING SYSTEM VALUE VALUES
	(1, '\x01f0e26e1f4dbd8e0c1f01995a84e6b8e9d991433a8115f6891680f122917d59cf0b3b780dddb7d09d72fbf076733a65595d32e01f2bb3bee6827f7454', 'c0b155b49cdf491c', '2026-11-23 23:17:22.031553+00');
INSERT INTO public.event VALUES
	(1838567262393867264, 2176390427429734, '5b68c83e-b989-447e-a234-81287e503579', 'order.complete', NULL),
	(1838567262471151616, 2176390425206592, '5b68c83e-b989-447e-a234-81287e503579', 'order.complete', NULL),
	(1838567262665549824, 2176390425206592, '5b68c83e-b989-447e-a234-81287e503579', 'order.refunded', '{"order": {"status": "complete", "quantity": {"ordered": 2, "shipped": 2, "invoiced": 2, "refunded": 1}}, "refund": {"items": [{"id": "217639042520659201", "quantity": 1}], "amountMinor": 1000}}'),
	(1838567262779584512, 2176390427322442, '5b68c83e-b989-447e-a234-81287e503579', 'order.complete', NULL),
	(1838567262943996928, 2176390427322442, '5b68c83e-b989-447e-a234-81287e503579', 'order.refunded', '{"order": {"status": "complete", "quantity": {"ordered": 2, "shipped": 1, "invoiced": 2, "refunded": 1}}, "refund": {"items": [{"id": "217639042732244201", "quantity": 1}], "amountMinor": 1000}}'),
	(1838567262989721600, 2176390424429680, '5b68c83e-b989-447e-a234-81287e503579', 'order.complete', NULL),
	(1838567263082833920, 2176390424429680, '5b68c83e-b989-447e-a234-81287e503579', 'order.refunded', '{"order": {"status": "closed", "quantity": {"ordered": 2, "shipped": 2, "invoiced": 2, "refunded": 2}}, "refund": {"items": [{"id": "217639042442968001", "quantity": 2}], "amountMinor": 2000}}'),
	(1838567263082833921, 2176390424429680, '5b68c83e-b989-447e-a234-81287e503579', 'order.closed', '{"order": {"status": "closed", "quantity": {"ordered": 2, "shipped": 2, "invoiced": 2, "refunded": 2}}}'),
	(1838567265125771264, 2176390442576493, '1a52d780-ad49-44eb-a94d-56aee4d0bf2e', 'order.held', '{"order": {"status": "held", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 2, "refunded": 0}}}'),
	(1838567265138404352, 2176390441749799, '1a52d780-ad49-44eb-a94d-56aee4d0bf2e', 'order.held', '{"order": {"status": "held", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 2, "refunded": 0}}}'),
	(1838567265233604608, 2176390441749799, '1a52d780-ad49-44eb-a94d-56aee4d0bf2e', 'order.refunded', '{"order": {"status": "closed", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 2, "refunded": 2}}, "refund": {"items": [{"id": "217639044174979901", "quantity": 2}], "amountMinor": 2000}}'),
	(1838567265233604609, 2176390441749799, '1a52d780-ad49-44eb-a94d-56aee4d0bf2e', 'order.closed', '{"order": {"status": "closed", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 2, "refunded": 2}}}'),
	(1838567265313882112, 2176390452763371, 'a8854514-b6f0-4449-8128-c0541d74328d', 'order.pending_payment', '{"order": {"status": "pending_payment", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 0, "refunded": 0}}}'),
	(1838567265360296960, 2176390452763371, 'a8854514-b6f0-4449-8128-c0541d74328d', 'order.complete', '{"order": {"status": "complete", "quantity": {"ordered": 2, "shipped": 2, "invoiced": 2, "refunded": 0}}}'),
	(1838567265495929856, 2176390459404095, '4ea2d53a-b0a2-4781-b6a0-695e2f487153', 'order.pending_payment', '{"order": {"status": "pending_payment", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 0, "refunded": 0}}}'),
	(1838567265527863296, 2176390459404095, '4ea2d53a-b0a2-4781-b6a0-695e2f487153', 'order.complete', '{"order": {"status": "complete", "quantity": {"ordered": 2, "shipped": 2, "invoiced": 2, "refunded": 0}}}'),
	(1838567265608686592, 2176390459404095, '4ea2d53a-b0a2-4781-b6a0-695e2f487153', 'order.refunded', '{"order": {"status": "complete", "quantity": {"ordered": 2, "shipped": 2, "invoiced": 2, "refunded": 1}}, "refund": {"items": [{"id": "217639045940409501", "quantity": 1}], "amountMinor": 1000}}'),
	(1838567265677081600, 2176390457147527, 'fbcb280a-4038-4c8d-899e-4c2766b25b1a', 'order.pending_payment', '{"order": {"status": "pending_payment", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 0, "refunded": 0}}}'),
	(1838567266114924544, 2176390450702062, '6d424238-c8b5-4a8e-a9ee-8f8b9c5e2490', 'order.pending_payment', '{"order": {"status": "pending_payment", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 0, "refunded": 0}}}'),
	(1838567266179505152, 2176390450702062, '6d424238-c8b5-4a8e-a9ee-8f8b9c5e2490', 'order.held', '{"order": {"status": "held", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 0, "refunded": 0}}}'),
	(1838567266348830720, 2176390467687867, '12f17723-d82d-4a26-9c24-d8792cbb7218', 'order.pending_payment', '{"order": {"status": "pending_payment", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 0, "refunded": 0}}}'),
	(1838567266396792832, 2176390467687867, '12f17723-d82d-4a26-9c24-d8792cbb7218', 'order.canceled', '{"order": {"status": "canceled", "quantity": {"ordered": 2, "shipped": 0, "invoiced": 0, "refunded": 0}}}'),
	(1838567266425443328, 2176390469252190, '5b68c83e-b989-447e-a234-81287e503579', 'order.complete', NULL),
	(1838567266859030528, 2176390467152119, 'c859ddef-9bf8-4d36-8600-83af4dbe4d61', 'order.complete', NULL),
	(1838567266719981568, 2176390463309975, '5b68c83e-b989-447e-a234-81287e503579', 'order.refunded', '{"order": {"status": "closed", "quantity": {"ordered": 1, "shipped": 0, "invoiced": 1, "refunded": 1}}, "refund": {"items": [{"id": "217639046330997501", "quantity": 1}], "amountMinor": 1000}}'),
	(1838567266719981569, 2176390463309975, '5b68c83e-b989-447e-a234-81287e503579', 'order.closed', '{"order": {"status": "closed", "quantity": {"ordered": 1, "shipped": 0, "invoiced": 1, "refunded": 1}}}'),
	(1838567267487084544, 2176390477272732, '4c010441-3185-41a4-af22-5a820a681341', 'order.complete', NULL);
INSERT INTO public.event_position VALUES
	(true, '2026-11-23 23:17:27.155356+00', 1838567257862798336);
INSERT INTO public.gateway_payment VALUES
	(2176390452763371, 'sim_ok', 2000, 'paid', 'sim_2176390452763371', 0, '2026-11-23 23:47:25.032615+00', '2026-11-23 23:17:26.052615+00', 201, '{"data":{"id":"2176390452763371","status":"complete","createdAt":"2026-11-23T23:17:25.022343Z","discount":"0.00","totalPrice":"20.00","currency":"EUR","transactions":[{"id":"2176390452763371-1","seller":{"id":"014d26d7-5e89-4bea-970f-dd251c0df621","name":"Seller"},"items":[{"id":"217639045276337101","product":{"id":"10000000000001","name":"Product 1"},"offer":{"id":"a9957e90-34e9-4de8-9ef6-4c85058fbbc1"},"quantity":{"ordered":2,"invoiced":2,"shipped":2,"refunded":0},"price":"10.00","totalPrice":"20.00"}]}]}}', '2026-11-23 23:17:25.065666+00', NULL, NULL),
	(2176390459404095, 'sim_ok', 2000, 'paid', 'sim_2176390459404095', 0, '2026-11-23 23:47:25.20459+00', '2026-11-23 23:17:26.22459+00', 201, '{"data":{"id":"2176390459404095","status":"complete","createdAt":"2026-11-23T23:17:25.188489Z","discount":"0.00","totalPrice":"20.00","currency":"EUR","transactions":[{"id":"2176390459404095-1","seller":{"id":"014d26d7-5e89-4bea-970f-dd251c0df621","name":"Seller"},"items":[{"id":"217639045940409501","product":{"id":"10000000000001","name":"Product 1"},"offer":{"id":"a9957e90-34e9-4de8-9ef6-4c85058fbbc1"},"quantity":{"ordered":2,"invoiced":2,"shipped":2,"refunded":0},"price":"10.00","totalPrice":"20.00"}]}]}}', '2026-11-23 23:17:25.241057+00', NULL, NULL),
	(2176390467687867, 'sim_declined', 2000, 'declined', NULL, 0, '2026-11-23 23:47:26.043632+00', '2026-11-23 23:17:27.063632+00', 402, '{"error":{"code":"payment-went-wrong","message":"The payment did not go through; the order was canceled.","status":402,"data":{"orderId":"2176390467687867"},"doc_url":"http://127.0.0.1:44787/docs/errors/payment-went-wrong"}}', '2026-11-23 23:17:26.089185+00', NULL, NULL),
	(2176390450702062, 'sim_error', 2000, 'open', NULL, 1, '2026-11-23 23:47:25.814288+00', '2026-11-23 23:17:36.211601+00', 402, '{"error":{"code":"order-not-paid","message":"The payment provider did not answer in time; the order waits for payment.","status":402,"data":{"orderId":"2176390450702062"},"doc_url":"http://127.0.0.1:44787/docs/errors/order-not-paid"}}', '2026-11-23 23:17:25.817234+00', 'no-answer', 'the simulated provider answers 500'),
	(2176390457147527, 'sim_error', 2000, 'open', NULL, 1, '2026-11-23 23:47:25.387626+00', '2026-11-23 23:17:36.211601+00', 402, '{"error":{"code":"order-not-paid","message":"The payment provider did not answer in time; the order waits for payment.","status":402,"data":{"orderId":"2176390457147527"},"doc_url":"http://127.0.0.1:44787/docs/errors/order-not-paid"}}', '2026-11-23 23:17:25.391553+00', 'no-answer', 'the simulated provider answers 500');
INSERT INTO public.gateway_refund OVERRIDING SYSTEM VALUE VALUES
	(1, 2176390459404095, 1000, 'EUR', true, 'done', 1, '2026-11-24 23:17:26.19736+00', '2026-11-23 23:17:25.299816+00', '2026-11-23 23:17:26.19736+00', NULL, NULL);
INSERT INTO public.history_bucket VALUES
	('00000000-0000-0000-0000-000000000000', '-infinity', 0, 0, 0, 0, 0, 1, 0, 0, DEFAULT),
	('5b68c83e-b989-447e-a234-81287e503579', '-infinity', 0, 0, 0, 0, 0, 1, 0, 0, DEFAULT);
INSERT INTO public.history_horizon VALUES
	(true, '2026-11-23 23:15:26.594351+00', '2026-11-23 23:15:26.594351+00');
INSERT INTO public.import_run OVERRIDING SYSTEM VALUE VALUES
	(1, 'world', 'sellers', false, false, NULL, '2026-11-23 23:17:22.13488+00', 1, 1, 0, 1, 0, 0, 0, false, '2026-11-23 23:17:22.13488+00', 'test-operator', '2026-11-23 23:17:22.126192+00', true);
INSERT INTO public.imported_item VALUES
	(827677277376926701, 8276772773769267, '0aab3e8c-e7cc-4d35-8723-1b4925b2af6a', 10000000000001, 'From elsewhere', 'efed2f01-e7c6-44a2-ad01-642ae28d6c09', 'seller', 1000, 1, 0, 0, 0);
INSERT INTO public.key_replacement VALUES
	(23, 2176390469252190, 22, '2026-11-23 23:17:26.208237+00');
INSERT INTO public.key_reveal VALUES
	(1, 2176390427429734, 10),
	(2, 2176390427429734, 10),
	(33, 2176390477272732, 56);
INSERT INTO public.keys_expiring_position VALUES
	(true, 0);
INSERT INTO public.kysely_migration VALUES
	('0001-initial', '2026-11-23T23:17:18.081Z');
INSERT INTO public.kysely_migration_lock VALUES
	('migration_lock', 0);
INSERT INTO public.ledger_account OVERRIDING SYSTEM VALUE VALUES
	(1, 'cash', NULL, 'EUR'),
	(2, 'sales', NULL, 'EUR'),
	(3, 'gateway', NULL, 'EUR'),
	(4, 'adjustments', NULL, 'EUR'),
	(5, 'prepaid', '5b68c83e-b989-447e-a234-81287e503579', 'EUR'),
	(6, 'prepaid', '1a52d780-ad49-44eb-a94d-56aee4d0bf2e', 'EUR'),
	(7, 'prepaid', 'a8854514-b6f0-4449-8128-c0541d74328d', 'EUR'),
	(8, 'prepaid', '4ea2d53a-b0a2-4781-b6a0-695e2f487153', 'EUR'),
	(9, 'prepaid', 'fbcb280a-4038-4c8d-899e-4c2766b25b1a', 'EUR'),
	(10, 'prepaid', '6d424238-c8b5-4a8e-a9ee-8f8b9c5e2490', 'EUR'),
	(11, 'prepaid', '12f17723-d82d-4a26-9c24-d8792cbb7218', 'EUR'),
	(12, 'prepaid', 'c859ddef-9bf8-4d36-8600-83af4dbe4d61', 'EUR'),
	(13, 'prepaid', '4c010441-3185-41a4-af22-5a820a681341', 'EUR');
INSERT INTO public.ledger_transfer VALUES
	(1, 'deposit', 1, 5, 200000, 'EUR', '5b68c83e-b989-447e-a234-81287e503579', 200000, NULL, 'f46460a0-26ca-494d-a17e-b8ebe8e9e250', NULL, '2026-11-23 23:17:21.48625+00', 1, 200000, 0, 0, 0, 0),
	(2, 'charge', 5, 2, 2000, 'EUR', '5b68c83e-b989-447e-a234-81287e503579', 198000, 2176390427429734, NULL, NULL, '2026-11-23 23:17:22.157261+00', 2, 200000, -2000, 0, 0, 0),
	(3, 'charge', 5, 2, 2000, 'EUR', '5b68c83e-b989-447e-a234-81287e503579', 196000, 2176390425206592, NULL, NULL, '2026-11-23 23:17:22.252068+00', 3, 200000, -4000, 0, 0, 0),
	(4, 'refund', 2, 5, 1000, 'EUR', '5b68c83e-b989-447e-a234-81287e503579', 197000, 2176390425206592, NULL, NULL, '2026-11-23 23:17:22.415602+00', 4, 200000, -4000, 1000, 0, 0),
	(5, 'charge', 5, 2, 2000, 'EUR', '5b68c83e-b989-447e-a234-81287e503579', 195000, 2176390427322442, NULL, NULL, '2026-11-23 23:17:22.522857+00', 5, 200000, -6000, 1000, 0, 0),
	(6, 'refund', 2, 5, 1000, 'EUR', '5b68c83e-b989-447e-a234-81287e503579', 196000, 2176390427322442, NULL, NULL, '2026-11-23 23:17:22.667122+00', 6, 200000, -6000, 2000, 0, 0),
	(7, 'charge', 5, 2, 2000, 'EUR', '5b68c83e-b989-447e-a234-81287e503579', 194000, 2176390424429680, NULL, NULL, '2026-11-23 23:17:22.725082+00', 7, 200000, -8000, 2000, 0, 0),
	(8, 'refund', 2, 5, 2000, 'EUR', '5b68c83e-b989-447e-a234-81287e503579', 196000, 2176390424429680, NULL, NULL, '2026-11-23 23:17:22.836184+00', 8, 200000, -8000, 4000, 0, 0),
	(11, 'payout', 5, 1, 50200, 'EUR', '5b68c83e-b989-447e-a234-81287e503579', 145800, NULL, '502', NULL, '2026-11-23 23:17:23.703105+00', 9, 200000, -8000, 4000, 0, -50200),
	(12, 'deposit', 1, 6, 100000, 'EUR', '1a52d780-ad49-44eb-a94d-56aee4d0bf2e', 100000, NULL, 'abf59372-4978-4606-9cf5-0a182f25d148', NULL, '2026-11-23 23:17:24.695774+00', 1, 100000, 0, 0, 0, 0),
	(13, 'charge', 6, 2, 2000, 'EUR', '1a52d780-ad49-44eb-a94d-56aee4d0bf2e', 98000, 2176390442576493, NULL, NULL, '2026-11-23 23:17:24.817919+00', 2, 100000, -2000, 0, 0, 0),
	(14, 'charge', 6, 2, 2000, 'EUR', '1a52d780-ad49-44eb-a94d-56aee4d0bf2e', 96000, 2176390441749799, NULL, NULL, '2026-11-23 23:17:24.854739+00', 3, 100000, -4000, 0, 0, 0),
	(15, 'refund', 2, 6, 2000, 'EUR', '1a52d780-ad49-44eb-a94d-56aee4d0bf2e', 98000, 2176390441749799, NULL, NULL, '2026-11-23 23:17:24.930228+00', 4, 100000, -4000, 2000, 0, 0),
	(16, 'charge', 3, 2, 2000, 'EUR', 'a8854514-b6f0-4449-8128-c0541d74328d', NULL, 2176390452763371, NULL, NULL, '2026-11-23 23:17:25.050209+00', NULL, NULL, NULL, NULL, NULL, NULL),
	(17, 'charge', 3, 2, 2000, 'EUR', '4ea2d53a-b0a2-4781-b6a0-695e2f487153', NULL, 2176390459404095, NULL, NULL, '2026-11-23 23:17:25.230184+00', NULL, NULL, NULL, NULL, NULL, NULL),
	(18, 'refund', 2, 3, 1000, 'EUR', '4ea2d53a-b0a2-4781-b6a0-695e2f487153', NULL, 2176390459404095, NULL, NULL, '2026-11-23 23:17:25.297282+00', NULL, NULL, NULL, NULL, NULL, NULL),
	(19, 'charge', 5, 2, 2000, 'EUR', '5b68c83e-b989-447e-a234-81287e503579', 143800, 2176390469252190, NULL, NULL, '2026-11-23 23:17:26.108935+00', 10, 200000, -10000, 4000, 0, -50200),
	(20, 'charge', 5, 2, 1000, 'EUR', '5b68c83e-b989-447e-a234-81287e503579', 142800, 2176390463309975, NULL, NULL, '2026-11-23 23:17:26.396142+00', 11, 200000, -11000, 4000, 0, -50200),
	(21, 'refund', 2, 5, 1000, 'EUR', '5b68c83e-b989-447e-a234-81287e503579', 143800, 2176390463309975, NULL, NULL, '2026-11-23 23:17:26.396142+00', 12, 200000, -11000, 5000, 0, -50200),
	(22, 'deposit', 1, 12, 1, 'EUR', 'c859ddef-9bf8-4d36-8600-83af4dbe4d61', 1, NULL, '0fd5ca24-8db8-457d-8dd6-2dca235adf05', NULL, '2026-11-23 23:17:26.439756+00', 1, 1, 0, 0, 0, 0),
	(23, 'deposit', 1, 13, 5000, 'EUR', '4c010441-3185-41a4-af22-5a820a681341', 5000, NULL, '59fe0e39-d43c-4715-b9ea-5769f3765a9c', NULL, '2026-11-23 23:17:27.028802+00', 1, 5000, 0, 0, 0, 0),
	(24, 'charge', 13, 2, 250, 'EUR', '4c010441-3185-41a4-af22-5a820a681341', 4750, 2176390477272732, NULL, NULL, '2026-11-23 23:17:27.120049+00', 2, 5000, -250, 0, 0, 0);
INSERT INTO public.master_key_holder VALUES
	('8a8384ba-1403-444c-bc1b-9a70925a5fbb', '{c0b155b49cdf491c}', '0.1.0', '2026-11-23 23:17:21.144513+00', '2026-11-23 23:17:31.173826+00');
INSERT INTO public.master_key_state VALUES
	(true, 'c0b155b49cdf491c');
INSERT INTO public.offer VALUES
	('ee27be10-539f-4185-af17-6c13c519af60', 10000000000002, 'a19bb464-b181-4f51-b2dd-a357981aef5a', 1000, 'active', 1, 1, DEFAULT, 2, 2, 0, NULL),
	('a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 10000000000001, '014d26d7-5e89-4bea-970f-dd251c0df621', 1100, 'paused', 27, 33, DEFAULT, 0, 30, 3, NULL),
	('43e4d8f4-27dc-4213-ac14-8de3cea9113f', 10000000000003, '540fafc4-ecd0-46d6-9531-f3626c13ed6e', 250, 'active', 2, 5, DEFAULT, 0, 4, 0, NULL);
INSERT INTO public.offer_identity VALUES
	('a9957e90-34e9-4de8-9ef6-4c85058fbbc1'),
	('ee27be10-539f-4185-af17-6c13c519af60'),
	('43e4d8f4-27dc-4213-ac14-8de3cea9113f');
INSERT INTO public.offer_log OVERRIDING SYSTEM VALUE VALUES
	(1, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 1000, 'active', '2026-11-23 23:17:21.926697+00'),
	(2, 'ee27be10-539f-4185-af17-6c13c519af60', 1000, 'active', '2026-11-23 23:17:26.313044+00'),
	(3, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 1100, 'paused', '2026-11-23 23:17:26.636275+00'),
	(4, '43e4d8f4-27dc-4213-ac14-8de3cea9113f', 250, 'active', '2026-11-23 23:17:27.086738+00');
INSERT INTO public.operator OVERRIDING SYSTEM VALUE VALUES
	('person_006dc5911f407ad6118f7786', 1, 'Administrator', 'admin@localhost', 'admin@localhost', 'admin', NULL, NULL, NULL, NULL, '2026-11-23 23:17:21.258148+00'),
	('person_526f49287a30c49777f49744', 2, 'Ada', 'ada-b411b1fc-d827-423d-a3e2-0ce4f9e642ff@marketplace.example', 'ada-b411b1fc-d827-423d-a3e2-0ce4f9e642ff@marketplace.example', 'admin', NULL, '$argon2id$v=19$m=19456,t=2,p=1$r5+jBvzzjKZYcECmY7nclA$vap2Fz0fef24R44DkGwPT7UQvFNu14g41FOVQZ+4Cg8', NULL, '2026-11-23 23:17:26.731692+00', '2026-11-23 23:17:26.70138+00');
INSERT INTO public.operator_link VALUES
	('\x8400ef99fd2fec4ba8777a744eb4a271b62944412beba73c19619f6a6ef4c328', 'person_006dc5911f407ad6118f7786', '2026-11-25 23:17:21.259499+00');
INSERT INTO public.operator_session VALUES
	('\x6a70e43904b6b516e9c82e759f28f1d9347470aef68f48b6473dabcf84d97215', 'person_526f49287a30c49777f49744', 'link', '2026-11-23 23:17:26.726986+00', '2026-11-24 11:17:26.726986+00');
INSERT INTO public."order" VALUES
	(2176390427429734, '2026-11-23 23:17:22.157261+00', '2026-11-23 23:17:22.157261+00', 0, 2000, 1000, 10000, 1, NULL, 2, 2, 2, 0, 2, false, false, '5b68c83e-b989-447e-a234-81287e503579', 'd2ca0d77-a74e-4ca9-880a-b74af4c98e0d', '7215a168-ddfd-3103-5212-818b901f2e21', 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'complete', NULL, 'EUR', 'balance', 'export-api', 'Product 1', 'Seller', NULL),
	(2176390425206592, '2026-11-23 23:17:22.252068+00', '2026-11-23 23:17:22.252068+00', 0, 2000, 1000, 10000, 3, NULL, 2, 2, 2, 1, 2, false, false, '5b68c83e-b989-447e-a234-81287e503579', '5cfb82c3-385f-41e1-b923-12e39cb9fcbe', '95bf94a5-2c20-24cc-8f34-39f4e94560e6', 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'complete', NULL, 'EUR', 'balance', 'export-api', 'Product 1', 'Seller', NULL),
	(2176390427322442, '2026-11-23 23:17:22.522857+00', '2026-11-23 23:17:22.522857+00', 0, 2000, 1000, 10000, 5, NULL, 2, 2, 1, 1, 2, false, false, '5b68c83e-b989-447e-a234-81287e503579', '1707a17a-a988-4824-ba72-a9216e7804e0', '0a72c904-afaf-451e-888c-2e20f265f69e', 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'complete', NULL, 'EUR', 'balance', 'export-api', 'Product 1', 'Seller', NULL),
	(2176390424429680, '2026-11-23 23:17:22.725082+00', '2026-11-23 23:17:22.725082+00', 0, 2000, 1000, 10000, 7, NULL, 2, 2, 2, 2, 2, false, false, '5b68c83e-b989-447e-a234-81287e503579', 'f2a4e482-4476-4e92-af30-542be357abef', 'fefc5c4b-b5a1-9232-a45c-0d242f9cb00c', 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'closed', NULL, 'EUR', 'balance', 'export-api', 'Product 1', 'Seller', NULL),
	(2176390442576493, '2026-11-23 23:17:24.817919+00', NULL, 0, 2000, 1000, 10000, 9, NULL, 2, 2, 0, 0, 2, false, false, '1a52d780-ad49-44eb-a94d-56aee4d0bf2e', '31986ab5-d2d0-4ce1-bb99-9097a0f9ebf4', '753a6b65-892a-bf85-e309-0d69e92de946', 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'held', 'processing', 'EUR', 'balance', 'export-api', 'Product 1', 'Seller', 'the account is under review'),
	(2176390441749799, '2026-11-23 23:17:24.854739+00', NULL, 0, 2000, 1000, 10000, 11, NULL, 2, 2, 0, 2, 2, false, false, '1a52d780-ad49-44eb-a94d-56aee4d0bf2e', 'e30b6096-1485-434f-8e9b-c67eea14cf01', '91166e12-0710-b0c6-facf-75348137bdfa', 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'closed', NULL, 'EUR', 'balance', 'export-api', 'Product 1', 'Seller', 'the account is under review'),
	(2176390452763371, '2026-11-23 23:17:25.022343+00', '2026-11-23 23:17:25.039743+00', 0, 2000, 1000, 10000, 13, NULL, 2, 2, 2, 0, 2, false, false, 'a8854514-b6f0-4449-8128-c0541d74328d', '3211a2c6-e456-485b-ae48-a74be03a73ac', 'bce7d5c4-519e-c60f-366c-7767dbce775a', 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'complete', NULL, 'EUR', 'gateway', 'export-api', 'Product 1', 'Seller', NULL),
	(2176390459404095, '2026-11-23 23:17:25.188489+00', '2026-11-23 23:17:25.226487+00', 0, 2000, 1000, 10000, 15, NULL, 2, 2, 2, 1, 2, false, false, '4ea2d53a-b0a2-4781-b6a0-695e2f487153', '6095777b-3f0d-41e2-add9-5f552b9b8b35', 'c8383c1f-d36b-5a1a-db45-88e4ad84bb64', 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'complete', NULL, 'EUR', 'gateway', 'export-api', 'Product 1', 'Seller', NULL),
	(2176390457147527, '2026-11-23 23:17:25.37533+00', NULL, 0, 2000, 1000, 10000, 17, NULL, 2, 0, 0, 0, 2, false, false, 'fbcb280a-4038-4c8d-899e-4c2766b25b1a', 'a3b2544b-e4f7-4720-a587-e4d722faab04', '2b399530-1ada-e0f3-dafa-420dcf254dc3', 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'pending_payment', NULL, 'EUR', 'gateway', 'export-api', 'Product 1', 'Seller', NULL),
	(2176390450702062, '2026-11-23 23:17:25.762344+00', NULL, 0, 2000, 1000, 10000, 19, NULL, 2, 0, 0, 0, 2, false, false, '6d424238-c8b5-4a8e-a9ee-8f8b9c5e2490', '99f2a377-3ff7-44c4-abad-405f2e5e1f7b', '6178a44a-9e23-109c-8e3b-401d4a19b193', 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'held', 'pending_payment', 'EUR', 'gateway', 'export-api', 'Product 1', 'Seller', NULL),
	(2176390467687867, '2026-11-23 23:17:26.029089+00', NULL, 0, 2000, 1000, 10000, 21, NULL, 2, 0, 0, 0, 2, false, false, '12f17723-d82d-4a26-9c24-d8792cbb7218', '38b7cae8-67fb-4646-a895-053e3ae236af', 'fdbd20e3-a314-7450-dd3c-bbf911699d84', 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'canceled', NULL, 'EUR', 'gateway', 'export-api', 'Product 1', 'Seller', NULL),
	(2176390469252190, '2026-11-23 23:17:26.108935+00', '2026-11-23 23:17:26.108935+00', 0, 2000, 1000, 10000, 23, NULL, 2, 2, 2, 0, 2, false, false, '5b68c83e-b989-447e-a234-81287e503579', 'bf2076aa-89da-4f27-a58c-86afd3f83d6b', '7905e541-c695-b22d-c419-a3bc8b31826a', 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'complete', NULL, 'EUR', 'balance', 'export-api', 'Product 1', 'Seller', NULL),
	(2176390463309975, '2026-11-23 23:17:26.396142+00', NULL, 0, 1000, 1000, 10000, NULL, NULL, 1, 1, 0, 1, 2, false, true, '5b68c83e-b989-447e-a234-81287e503579', '9858a9fe-4c79-4e16-abc4-080f43d76eee', '54550db9-d33d-49ca-e1a2-8f2de2f634fb', 'ee27be10-539f-4185-af17-6c13c519af60', 'closed', NULL, 'EUR', 'balance', 'export-api', 'Product 2', 'Seller', NULL),
	(2176390467152119, '2026-11-23 23:17:26.527819+00', '2026-11-23 23:17:26.527819+00', 2000, 0, 1000, 10000, 25, NULL, 2, 2, 2, 0, 2, false, false, 'c859ddef-9bf8-4d36-8600-83af4dbe4d61', '435d1e01-beb4-4b4a-bd84-dfcdc3dc5249', '7b999705-bb07-eb6d-24a7-dda916841287', 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'complete', NULL, 'EUR', 'balance', 'export-api', 'Product 1', 'Seller', NULL),
	(8276772773769267, '2026-01-01 00:00:00+00', NULL, 0, 1000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2, NULL, false, '5b68c83e-b989-447e-a234-81287e503579', NULL, NULL, NULL, 'complete', NULL, 'USD', NULL, 'imported', NULL, NULL, NULL),
	(2176390477272732, '2026-11-23 23:17:27.120049+00', '2026-11-23 23:17:27.120049+00', 0, 250, 250, 10000, 1, NULL, 1, 1, 1, 0, 2, true, false, '4c010441-3185-41a4-af22-5a820a681341', '91c9d125-a604-4608-a5cf-7438713f1bbd', 'ba864b85-4f11-338c-955c-d7551f2beca4', '43e4d8f4-27dc-4213-ac14-8de3cea9113f', 'complete', NULL, 'EUR', 'balance', 'export-api', 'Product 3', 'Seller', NULL);
INSERT INTO public.order_status_log VALUES
	(1, 2176390425206592, 'complete', '{}', 'complete', '2026-11-23 23:17:22.414735+00', 'test-operator', 'test'),
	(2, 2176390427322442, 'complete', '{}', 'complete', '2026-11-23 23:17:22.664475+00', 'test-operator', 'test'),
	(3, 2176390424429680, 'complete', '{}', 'closed', '2026-11-23 23:17:22.82541+00', 'test-operator', 'test'),
	(4, 2176390441749799, 'held', '{}', 'closed', '2026-11-23 23:17:24.92225+00', 'test-operator', 'test'),
	(5, 2176390452763371, 'pending_payment', '{processing}', 'complete', '2026-11-23 23:17:25.042007+00', 'keyport', 'paid through the provider and delivered'),
	(6, 2176390459404095, 'pending_payment', '{processing}', 'complete', '2026-11-23 23:17:25.227646+00', 'keyport', 'paid through the provider and delivered'),
	(7, 2176390459404095, 'complete', '{}', 'complete', '2026-11-23 23:17:25.296606+00', 'test-operator', 'test'),
	(8, 2176390450702062, 'pending_payment', '{}', 'held', '2026-11-23 23:17:25.872123+00', 'test-operator', 'test'),
	(9, 2176390467687867, 'pending_payment', '{}', 'canceled', '2026-11-23 23:17:26.07801+00', 'keyport', 'the payment provider declined'),
	(10, 8276772773769267, NULL, '{}', 'complete', '2026-01-01 00:00:00+00', 'import', 'imported');
INSERT INTO public.order_sum VALUES
	('2026-01-01 00:00:00+00', 'complete', 1, 0, 0, 0);
INSERT INTO public.product VALUES
	(10000000000001, 'Product 1', 'standard', '{"slug": "product-1", "images": null, "region": null, "videos": null, "platform": null, "developer": null, "publisher": null, "thumbnail": null, "categories": null, "coverImage": null, "releaseDate": null, "requirements": null, "restrictions": null, "portraitImage": null}', 1, DEFAULT),
	(10000000000002, 'Product 2', 'standard', '{"slug": "product-2", "images": null, "region": null, "videos": null, "platform": null, "developer": null, "publisher": null, "thumbnail": null, "categories": null, "coverImage": null, "releaseDate": null, "requirements": null, "restrictions": null, "portraitImage": null}', 1, DEFAULT),
	(10000000000003, 'Product 3', 'standard', '{"slug": "product-3", "images": null, "region": null, "videos": null, "platform": null, "developer": null, "publisher": null, "thumbnail": null, "categories": null, "coverImage": null, "releaseDate": null, "requirements": null, "restrictions": null, "portraitImage": null}', 1, DEFAULT);
INSERT INTO public.product_stamp VALUES
	(10000000000002, '2026-11-23 23:17:26.389688+00', '2026-11-23 23:17:26.266376+00'),
	(10000000000001, '2026-11-23 23:17:26.642283+00', '2026-11-23 23:17:21.598512+00'),
	(10000000000003, '2026-11-23 23:17:27.155356+00', '2026-11-23 23:17:27.053584+00');
INSERT INTO public.rejected_order OVERRIDING SYSTEM VALUE VALUES
	('5b68c83e-b989-447e-a234-81287e503579', '5a469f3c-b0fc-43fe-ad58-40759cc5e4d6', '1|auto|10000000000001|25|10000|EUR', 400, '{"error":{"code":"offer-not-available","message":"No single offer has 25 units at a price of at most 100.00 EUR. The largest stock of an offer is 6 units, the lowest price 10.00 EUR.","status":400,"data":{"availableQuantity":6,"minPrice":"10.00","quantity":25},"doc_url":"http://127.0.0.1:44787/docs/errors/offer-not-available"}}', '2026-11-23 23:17:26.551162+00', 1);
INSERT INTO public.rejection_sum VALUES
	('2026-11-23 23:00:00+00', 'offer-not-available', 1);
INSERT INTO public.sandbox_request OVERRIDING SYSTEM VALUE VALUES
	(1, 'test-operator', '2026-11-23 23:17:21.294+00', '{"status": 200, "request": "POST /oauth/token", "traceId": "bb585e1bf528ebea5929808d2e2da013", "endedAtMs": 1795475841317, "operation": "token", "startedAtMs": 1795475841294}'),
	(2, 'reseller_283f7e469e1e97102881be0c', '2026-11-23 23:17:21.548+00', '{"status": 200, "request": "POST /oauth/token", "traceId": "4bddf1e399cba3629a405715ba789db5", "endedAtMs": 1795475841550, "operation": "token", "startedAtMs": 1795475841548}'),
	(3, 'reseller_283f7e469e1e97102881be0c', '2026-11-23 23:17:21.553+00', '{"token": "L9Dcg0nY9nHrgGFY", "status": 201, "request": "POST /export/v1/webhook-endpoints", "traceId": "e974381830b8646047ee6e20b1482263", "endedAtMs": 1795475841582, "operation": "createWebhookEndpoint", "startedAtMs": 1795475841553}'),
	(4, 'reseller_283f7e469e1e97102881be0c', '2026-11-23 23:17:22.145+00', '{"key": "d2ca0d77-a74e-4ca9-880a-b74af4c98e0d", "token": "L9Dcg0nY9nHrgGFY", "status": 201, "payload": "1|manual|a9957e90-34e9-4de8-9ef6-4c85058fbbc1|2|10000|EUR", "request": "POST /export/v1/orders", "traceId": "7215a168ddfd31035212818b901f2e21", "endedAtMs": 1795475842195, "operation": "createOrder", "startedAtMs": 1795475842145}'),
	(5, 'reseller_283f7e469e1e97102881be0c', '2026-11-23 23:17:22.203+00', '{"token": "L9Dcg0nY9nHrgGFY", "status": 200, "request": "GET /export/v1/orders/2176390427429734/keys", "traceId": "2a10f933af4d1c6115d41df0cfc32736", "endedAtMs": 1795475842237, "operation": "getOrderKeys", "startedAtMs": 1795475842203}'),
	(6, 'reseller_283f7e469e1e97102881be0c', '2026-11-23 23:17:22.241+00', '{"key": "5cfb82c3-385f-41e1-b923-12e39cb9fcbe", "token": "L9Dcg0nY9nHrgGFY", "status": 201, "payload": "1|manual|a9957e90-34e9-4de8-9ef6-4c85058fbbc1|2|10000|EUR", "request": "POST /export/v1/orders", "traceId": "95bf94a52c2024cc8f3439f4e94560e6", "endedAtMs": 1795475842258, "operation": "createOrder", "startedAtMs": 1795475842241}'),
	(7, 'reseller_283f7e469e1e97102881be0c', '2026-11-23 23:17:22.519+00', '{"key": "1707a17a-a988-4824-ba72-a9216e7804e0", "token": "L9Dcg0nY9nHrgGFY", "status": 201, "payload": "1|manual|a9957e90-34e9-4de8-9ef6-4c85058fbbc1|2|10000|EUR", "request": "POST /export/v1/orders", "traceId": "0a72c904afaf451e888c2e20f265f69e", "endedAtMs": 1795475842559, "operation": "createOrder", "startedAtMs": 1795475842519}'),
	(8, 'reseller_283f7e469e1e97102881be0c', '2026-11-23 23:17:22.724+00', '{"key": "f2a4e482-4476-4e92-af30-542be357abef", "token": "L9Dcg0nY9nHrgGFY", "status": 201, "payload": "1|manual|a9957e90-34e9-4de8-9ef6-4c85058fbbc1|2|10000|EUR", "request": "POST /export/v1/orders", "traceId": "fefc5c4bb5a19232a45c0d242f9cb00c", "endedAtMs": 1795475842764, "operation": "createOrder", "startedAtMs": 1795475842724}'),
	(9, 'operator_2a4bc10b93b964cbff361353', '2026-11-23 23:17:23.644+00', '{"status": 200, "request": "POST /oauth/token", "traceId": "3f0b3620f143f9c96e5dc7dd57f2ea21", "endedAtMs": 1795475843656, "operation": "token", "startedAtMs": 1795475843644}'),
	(10, 'reseller_855d2502c8f52d1b886e13af', '2026-11-23 23:17:24.79+00', '{"status": 200, "request": "POST /oauth/token", "traceId": "21767475a2d89ccac7f69e6c426853af", "endedAtMs": 1795475844793, "operation": "token", "startedAtMs": 1795475844790}'),
	(11, 'reseller_855d2502c8f52d1b886e13af', '2026-11-23 23:17:24.795+00', '{"key": "31986ab5-d2d0-4ce1-bb99-9097a0f9ebf4", "token": "qExLYoJfDeq7aW71", "status": 201, "payload": "1|manual|a9957e90-34e9-4de8-9ef6-4c85058fbbc1|2|10000|EUR", "request": "POST /export/v1/orders", "traceId": "753a6b65892abf85e3090d69e92de946", "endedAtMs": 1795475844850, "operation": "createOrder", "startedAtMs": 1795475844795}'),
	(12, 'reseller_855d2502c8f52d1b886e13af', '2026-11-23 23:17:24.853+00', '{"key": "e30b6096-1485-434f-8e9b-c67eea14cf01", "token": "qExLYoJfDeq7aW71", "status": 201, "payload": "1|manual|a9957e90-34e9-4de8-9ef6-4c85058fbbc1|2|10000|EUR", "request": "POST /export/v1/orders", "traceId": "91166e120710b0c6facf75348137bdfa", "endedAtMs": 1795475844864, "operation": "createOrder", "startedAtMs": 1795475844853}'),
	(13, 'reseller_9c708d58bc7632201376ab0d', '2026-11-23 23:17:25.015+00', '{"status": 200, "request": "POST /oauth/token", "traceId": "75dd5d0c4aec0922ef444e553bb91909", "endedAtMs": 1795475845017, "operation": "token", "startedAtMs": 1795475845015}'),
	(14, 'reseller_9c708d58bc7632201376ab0d', '2026-11-23 23:17:25.019+00', '{"key": "3211a2c6-e456-485b-ae48-a74be03a73ac", "token": "0YTkp4uCg0vEyccT", "status": 201, "payload": "1|manual|a9957e90-34e9-4de8-9ef6-4c85058fbbc1|2|10000|EUR", "request": "POST /export/v1/orders", "traceId": "bce7d5c4519ec60f366c7767dbce775a", "endedAtMs": 1795475845141, "operation": "createOrder", "startedAtMs": 1795475845019}'),
	(15, 'reseller_4f7c8dbba366561ed24e3ba7', '2026-11-23 23:17:25.165+00', '{"status": 200, "request": "POST /oauth/token", "traceId": "4398a2c692d551fdeaf99cf0cf36968d", "endedAtMs": 1795475845182, "operation": "token", "startedAtMs": 1795475845165}'),
	(16, 'reseller_4f7c8dbba366561ed24e3ba7', '2026-11-23 23:17:25.184+00', '{"key": "6095777b-3f0d-41e2-add9-5f552b9b8b35", "token": "4g44BrMSXqa8mIIb", "status": 201, "payload": "1|manual|a9957e90-34e9-4de8-9ef6-4c85058fbbc1|2|10000|EUR", "request": "POST /export/v1/orders", "traceId": "c8383c1fd36b5a1adb4588e4ad84bb64", "endedAtMs": 1795475845246, "operation": "createOrder", "startedAtMs": 1795475845184}'),
	(17, 'reseller_c78f529ce025acabe89b9a92', '2026-11-23 23:17:25.356+00', '{"status": 200, "request": "POST /oauth/token", "traceId": "2639f7b6b6294486d25686278ff3be9c", "endedAtMs": 1795475845366, "operation": "token", "startedAtMs": 1795475845356}'),
	(18, 'reseller_c78f529ce025acabe89b9a92', '2026-11-23 23:17:25.368+00', '{"key": "a3b2544b-e4f7-4720-a587-e4d722faab04", "code": "order-not-paid", "token": "Z3y6vUm7w9ArYwLu", "status": 402, "payload": "1|manual|a9957e90-34e9-4de8-9ef6-4c85058fbbc1|2|10000|EUR", "request": "POST /export/v1/orders", "traceId": "2b3995301adae0f3dafa420dcf254dc3", "endedAtMs": 1795475845405, "operation": "createOrder", "startedAtMs": 1795475845368}'),
	(19, 'reseller_3f80f722b8421cd113abf257', '2026-11-23 23:17:25.742+00', '{"status": 200, "request": "POST /oauth/token", "traceId": "ee0665ac7bc97cadb66daf4bbe80382b", "endedAtMs": 1795475845750, "operation": "token", "startedAtMs": 1795475845742}'),
	(20, 'reseller_3f80f722b8421cd113abf257', '2026-11-23 23:17:25.75+00', '{"key": "99f2a377-3ff7-44c4-abad-405f2e5e1f7b", "code": "order-not-paid", "token": "KRKexYvmjG9f2AkA", "status": 402, "payload": "1|manual|a9957e90-34e9-4de8-9ef6-4c85058fbbc1|2|10000|EUR", "request": "POST /export/v1/orders", "traceId": "6178a44a9e23109c8e3b401d4a19b193", "endedAtMs": 1795475845825, "operation": "createOrder", "startedAtMs": 1795475845750}'),
	(21, 'reseller_11a4687a4b4f78db8cb65623', '2026-11-23 23:17:25.987+00', '{"status": 200, "request": "POST /oauth/token", "traceId": "505410de6215350bef3461bf8d310c69", "endedAtMs": 1795475846001, "operation": "token", "startedAtMs": 1795475845987}'),
	(28, 'reseller_36e0b184c3489e6864c08ff1', '2026-11-23 23:17:27.039+00', '{"status": 200, "request": "POST /oauth/token", "traceId": "abb997e7a9253c9c2013fe46bf3256c3", "endedAtMs": 1795475847047, "operation": "token", "startedAtMs": 1795475847039}'),
	(22, 'reseller_11a4687a4b4f78db8cb65623', '2026-11-23 23:17:26.011+00', '{"key": "38b7cae8-67fb-4646-a895-053e3ae236af", "code": "payment-went-wrong", "token": "B9CLtJy3tvdF3wt3", "status": 402, "payload": "1|manual|a9957e90-34e9-4de8-9ef6-4c85058fbbc1|2|10000|EUR", "request": "POST /export/v1/orders", "traceId": "fdbd20e3a3147450dd3cbbf911699d84", "endedAtMs": 1795475846093, "operation": "createOrder", "startedAtMs": 1795475846011}'),
	(23, 'reseller_283f7e469e1e97102881be0c', '2026-11-23 23:17:26.108+00', '{"key": "bf2076aa-89da-4f27-a58c-86afd3f83d6b", "token": "L9Dcg0nY9nHrgGFY", "status": 201, "payload": "1|manual|a9957e90-34e9-4de8-9ef6-4c85058fbbc1|2|10000|EUR", "request": "POST /export/v1/orders", "traceId": "7905e541c695b22dc419a3bc8b31826a", "endedAtMs": 1795475846121, "operation": "createOrder", "startedAtMs": 1795475846108}'),
	(24, 'reseller_283f7e469e1e97102881be0c', '2026-11-23 23:17:26.395+00', '{"key": "9858a9fe-4c79-4e16-abc4-080f43d76eee", "token": "L9Dcg0nY9nHrgGFY", "status": 201, "payload": "1|manual|ee27be10-539f-4185-af17-6c13c519af60|1|10000|EUR", "request": "POST /export/v1/orders", "traceId": "54550db9d33d49cae1a28f2de2f634fb", "endedAtMs": 1795475846406, "operation": "createOrder", "startedAtMs": 1795475846395}'),
	(25, 'reseller_97ec9ff57c3441be8e449a39', '2026-11-23 23:17:26.507+00', '{"status": 200, "request": "POST /oauth/token", "traceId": "6fda3ee9f86832077b22a72d9fdac12c", "endedAtMs": 1795475846522, "operation": "token", "startedAtMs": 1795475846507}'),
	(26, 'reseller_97ec9ff57c3441be8e449a39', '2026-11-23 23:17:26.524+00', '{"key": "435d1e01-beb4-4b4a-bd84-dfcdc3dc5249", "token": "s_GavucWFnsH_dVr", "status": 201, "payload": "1|manual|a9957e90-34e9-4de8-9ef6-4c85058fbbc1|2|10000|EUR", "request": "POST /export/v1/orders", "traceId": "7b999705bb07eb6d24a7dda916841287", "endedAtMs": 1795475846546, "operation": "createOrder", "startedAtMs": 1795475846524}'),
	(27, 'reseller_283f7e469e1e97102881be0c', '2026-11-23 23:17:26.549+00', '{"key": "5a469f3c-b0fc-43fe-ad58-40759cc5e4d6", "code": "offer-not-available", "token": "L9Dcg0nY9nHrgGFY", "status": 400, "payload": "1|auto|10000000000001|25|10000|EUR", "request": "POST /export/v1/orders", "traceId": "0a1d22977246ecdfc790edf6d937d6ff", "endedAtMs": 1795475846573, "operation": "createOrder", "startedAtMs": 1795475846549}'),
	(29, 'reseller_36e0b184c3489e6864c08ff1', '2026-11-23 23:17:27.115+00', '{"key": "91c9d125-a604-4608-a5cf-7438713f1bbd", "token": "SOs3GM0caEWs0Cpa", "status": 201, "payload": "1|auto|10000000000003|1|10000|EUR", "request": "POST /export/v1/orders", "traceId": "ba864b854f11338c955cd7551f2beca4", "endedAtMs": 1795475847155, "operation": "createOrder", "startedAtMs": 1795475847115}'),
	(30, 'reseller_36e0b184c3489e6864c08ff1', '2026-11-23 23:17:27.157+00', '{"token": "SOs3GM0caEWs0Cpa", "status": 200, "request": "GET /export/v1/orders/2176390477272732/keys", "traceId": "b640bca83a60b8e42d1af01c76da1f29", "endedAtMs": 1795475847168, "operation": "getOrderKeys", "startedAtMs": 1795475847157}');
INSERT INTO public.scarce_offer VALUES
	('a9957e90-34e9-4de8-9ef6-4c85058fbbc1', '2026-11-23 23:17:26.542022+00'),
	('43e4d8f4-27dc-4213-ac14-8de3cea9113f', '2026-11-23 23:17:27.155356+00');
INSERT INTO public.seller VALUES
	('014d26d7-5e89-4bea-970f-dd251c0df621', 'Seller'),
	('a19bb464-b181-4f51-b2dd-a357981aef5a', 'Seller'),
	('540fafc4-ecd0-46d6-9531-f3626c13ed6e', 'Seller');
INSERT INTO public.seller_sum VALUES
	('2026-11-23', '014d26d7-5e89-4bea-970f-dd251c0df621', 9, 18000, 7000),
	('2026-11-23', 'a19bb464-b181-4f51-b2dd-a357981aef5a', 1, 1000, 1000),
	('2026-11-23', '540fafc4-ecd0-46d6-9531-f3626c13ed6e', 1, 250, 0);
INSERT INTO public.service_secret VALUES
	('code-mac', '\x01ec2b93e000fb1150647b8b9342106e968bf64172e9a5b7cc165e8a8b066b5ceb2ec0946d1518f6461f7a021c64cf76ca3a8db62b4c68997f01e8133e', 'c0b155b49cdf491c', '2026-11-23 23:17:20.510913+00'),
	('client-secret-mac', '\x01f4bdef5fd27a38caa800341716903054d5c61e992035d4d8075649e5fcc85eea6aee4b7312e1678116b8a3a1b05664730a248c3e1aa742d5da5d5d45', 'c0b155b49cdf491c', '2026-11-23 23:17:20.511036+00'),
	('order-id', '\x018389efabd2fa7ec934e0a51a5a9a76299794c346c590797333842d314cdcf5aba1e33cfa44dc38a46c4165df7d7408209d7e51b266e56dad0271026d', 'c0b155b49cdf491c', '2026-11-23 23:17:20.511041+00'),
	('audit-mac', '\x01c891cbb0728f3e85cc77c05e4d6d9a0394725df8474439fb70bff0746ca929470f7cf17a12f26a2c1e271c5b44274f6b496f48217c5f9d3238c29143', 'c0b155b49cdf491c', '2026-11-23 23:17:20.511042+00');
INSERT INTO public.signing_key VALUES
	('J93UuP0f4_35JEuZ', 'ES256', '{"x": "lSz8aQb-MUcgB1XoWrCSp4-w927XgFckCchG6ggaVb8", "y": "dbW7OSTAHLy8RC3gtknKF_-3nebXDWa4thQZV6B6-Ho", "crv": "P-256", "kty": "EC"}', '\x01dfe20276978ee9b5f591d55ca29acef526935c550832ae287e36471b558c09a2c9646f738e85a98a3fee544d046a6861513fe9644827ff99f0013ff5dd420929f5bf8375376f5c838cbd7502c9ca5db0d571db2dbfef489cd508e4bd824a35788f9f31cbf876c883026d2e89d58594bb4b2b223cc934b4c5e787a423bfbbb34a181663d652b50933fba927dde81a1f64248cd96cee2265a0c28e93424d7b8cc9b7683dab24b7', 'c0b155b49cdf491c', '2026-11-23 23:17:20.544815+00', NULL);
INSERT INTO public.stock_key VALUES
	(19, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 19, false, 1, '\x000000000000000000000012', '\x91b7f674dcd3b41fa8c4313ba249720d1ad10246495251ebab1137a1a3', '\x033bc62a4444c6ed7274aa8c5d3ee554d5fa1c504a22e6cddfef75ac395e6761', NULL, NULL),
	(30, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 30, false, 1, '\x00000000000000000000001d', '\x544c95e793d53f432e481498bc5300a26f1d1878566bc6fefbfe3d8879', '\x0bd485d293ca678c796b677f03255a48d2a2151951956fd09ec9dd531f2cf20d', NULL, NULL),
	(5, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 5, false, 1, '\x000000000000000000000004', '\xaee3483b51c4a848ce6dbc08804986db253e97fcf89dc87f5fbc028931', '\x27c0e6e60885e65372a42189eb0844e9d34846d62019df0e861e4aff97c0e5b5', NULL, NULL),
	(10, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 10, false, 1, '\x000000000000000000000009', '\x8aa88e86810382dc316e7476b0c88a19b2470142879cd2c825a7c565df', '\x400a99d822144f218018b8f618ff86029f4064e1f6af0d2fd4ac52ddd60622cc', NULL, NULL),
	(2, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 2, false, 1, '\x000000000000000000000001', '\x1b51db4a69b3fd1940c9fd2c9f70be12ade1150a6ee9060abde2e323ff', '\x6322ba6eb6dd252ddba73b924c3070bcc11d42da6f8d8c9ae361c610c049c253', NULL, NULL),
	(29, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 29, false, 1, '\x00000000000000000000001c', '\x38b0b838527063875002fea1fb7acf875357ae23dabf0bd06abc722807', '\x7a7fdffd7c60bfdd43249f01d71039a8ad46b0f88a67641503e9e232966d6b62', NULL, NULL),
	(28, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 28, false, 1, '\x00000000000000000000001b', '\x1a69ee817df421d8865c69286f7b1572204c5e79b1831bda157d830080', '\x7de5a30ff15b7758f21295049866758f21111f27b184876cad9bd3d7c94ddf81', NULL, NULL),
	(9, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 9, false, 1, '\x000000000000000000000008', '\x35be4b7db91ceb6838217390aeeddebae9f4a09e63bfbdf5f42da1320e', '\x931cbd8c8e0b1f042978e2c33eb6279d1f191f6a1436855bb2dde4ad5d5541e7', NULL, NULL),
	(20, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 20, false, 1, '\x000000000000000000000013', '\xd4167d920dd3d0d157025b8c6867f5a8c115be58e9386c8c0836c01e11', '\xa4c8a3331eae03e0b45d2d41b11c8d2ac8e16ef515c60d65f99935934e4532fa', NULL, NULL),
	(24, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 24, false, 1, '\x000000000000000000000017', '\x867ef8b14b29cd287d8f253d2871826d15966b9a90b96e25ad65aadc44', '\xab8b66b7955425c5f534cea769711494456abf650335d52582f38719b5bee226', NULL, NULL),
	(17, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 17, false, 1, '\x000000000000000000000010', '\xf4a78a9d122cf578173fa0c4deb426e6cbcb458c4553ef1a767386e751', '\xae562dfb6526bf74289d2effad758cd24c74f0c2e3540d4c086070e9888f0c31', NULL, NULL),
	(13, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 13, false, 1, '\x00000000000000000000000c', '\xe3ccc66834e6ec43375da3bf025f6cdc36bb39335890c4237bbe88efc3', '\xb939e8f594f866bba0ca268b6cd360d08e3c62bba859d0de0c0b90f85775197f', NULL, NULL),
	(14, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 14, false, 1, '\x00000000000000000000000d', '\xd116023d423cbb9d0d25097c90ba440eeb9d0aadaccfa84079d2d8c757', '\xbff3204cbc697c134d25a24155058dfa27c8e7031604ee466bf36375ad816c40', NULL, NULL),
	(15, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 15, false, 1, '\x00000000000000000000000e', '\x9fe51f52fcfa32006da2f29b5d1d95725e4cf4665393689c1e1ed6d374', '\xc675b982b0bf6cc8ebde72f758b55a6cc33138f3b9290f65d9efdc4a075c1b39', NULL, NULL),
	(25, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 25, false, 1, '\x000000000000000000000018', '\x5607506b0824603e8b3ccf13abe26076409b0433c584d285eae4abf4bc', '\xcf57e2c7e224d7c107a19c507210af5d42df2dfd0657d1e128d3a6fb00ca4fb2', NULL, NULL),
	(26, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 26, false, 1, '\x000000000000000000000019', '\xe4a8ebb939c9c6cfa8c01d77b574bc84c8f484dada52460372fb323a16', '\xe28e7dec4942b6520234fed4a2ef6ce4d6b80e954cbafda2ce1cdb02cc243ca8', NULL, NULL),
	(18, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 18, false, 1, '\x000000000000000000000011', '\x494a2f9e967f71b6091ae26796d786fcaec93f214539ab4e435ea8849e', '\xe81457b439b54a4088731b58cf3b6560e8520c2587497115eef833d4b3c788d9', NULL, NULL),
	(1, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 1, false, 1, '\x000000000000000000000000', '\x98ef3a233e11e33a4f48953db33dca8868a21970910f494d13f44ea1cc', '\xe9b89777aa18798c274a232b5b3b74b5ff7f98c97191afb2baa6334cf6691ab1', NULL, NULL),
	(27, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 27, false, 1, '\x00000000000000000000001a', '\xff1b6cfed702e74ea2d89a486dacdf04d7536917df90451fb363d96bde', '\xeaaf582d33b8554130a942c0f20bedf27016aada091474f3a22d71ddbd903627', NULL, NULL),
	(3, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 3, false, 1, '\x000000000000000000000002', '\x71d5b7df7b6f59e030bac70b8c919da5c98b27f4036ae8e4d08348ae29', '\xfbbd4782dd83fc3dcaf7b124e046a128be58ce4ec3027a6f99a7249bf6185a42', NULL, NULL),
	(4, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 4, false, 1, '\x000000000000000000000003', '\xd90a3df42c26d68d2f75c5d8007a3ee7f22cc9079d6cc4c894e8d79903', '\xe9dcd7234869310b3b5049306c785058eabecd0e2b3966b55035a3f334f5fe14', '2026-11-23 23:17:22.43697+00', NULL),
	(6, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 31, false, 1, '\x000000000000000000000005', '\xda4bf7e2f0ac94daeda706c7a47be25592bfe409cd6885b6898938c458', '\x4f22fd043e57752ecbcf03acfea3dff6a9172b0957bd45a977a76305da18ae58', NULL, NULL),
	(8, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 8, false, 1, '\x000000000000000000000007', '\x32da2dc86b759787f48ee7d29aa1348dc53757033e8f569927ce76ed2c', '\x380ca580c158b0b182b3d023ef12f212afd61d8b96a7aa1952712e64b96774cb', '2026-11-23 23:17:22.848355+00', NULL),
	(7, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 7, false, 1, '\x000000000000000000000006', '\x6f4489ae0d4d0aaa047b12211cbc4da207e6aaac1f365e55167a535264', '\xb441acb1c03c70ed0029059d4617397a87e9b07b8e2d878c706c0b7bd22314fb', '2026-11-23 23:17:22.848355+00', NULL),
	(12, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', NULL, true, 1, '\x00000000000000000000000b', '\x9c16123f5508753819fdb9638fc48b01235226690a118562a49c44e0ee', '\xe30952c50aa7d5e9ea0f88ddf3d7a9a4be4da411531627f157e12401effd7481', NULL, NULL),
	(11, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', NULL, true, 1, '\x00000000000000000000000a', '\x11c006fb77b7a34e7fc8f01a96db9558605456ee76d525c569290a153e', '\xebc1e771bb980f627c2af7f4b3c3f3601fb5e70732e1620b22ece234b7b62b4e', NULL, NULL),
	(16, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 16, false, 1, '\x00000000000000000000000f', '\x96d244774447abea63969729b606d28bc2366a4b1cb57c5414b2274b57', '\x16e182b8b670057f05aa8406dab1dbcde719db114410b09bc04d9779faa550c4', '2026-11-23 23:17:25.314227+00', NULL),
	(21, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 32, false, 1, '\x000000000000000000000014', '\x4643080356f273c0b877bc75016d37451ebeab751b3184cef8ecbe98b9', '\x81311024423084f07188c659dfd450d1348e6c9cd08c77e84c6444b08ab5762f', NULL, NULL),
	(23, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', NULL, true, 1, '\x000000000000000000000016', '\x18d11fa10da7584c99f2fcef25c579fd9b31d4571da33ac1e01b804d7c', '\xdcce5301cf56c0255c642a423abbba8d6f8df0d5998f80bc375276608fdce985', NULL, NULL),
	(22, 'a9957e90-34e9-4de8-9ef6-4c85058fbbc1', 'text', 23, false, 1, '\x000000000000000000000015', '\x390e55233993c59cbd9f8aa634784db12786043e763b94b5f4d84e2215', '\xd3c482d71cfdb4be49c75cad573ac597acf785f211d68f76b0fa6df9f7a573d7', NULL, NULL),
	(31, 'ee27be10-539f-4185-af17-6c13c519af60', 'image', NULL, false, 1, '\x00000000000000000000001e', '\xc09499862be8d50e92de05a57a478d900152e434569277970661341300', '\xa306683728bb5cb74dcdf889ec792bb5b3bd57e7e2ce607da2bd9361870be824', NULL, NULL),
	(32, 'ee27be10-539f-4185-af17-6c13c519af60', 'image', NULL, false, 1, '\x00000000000000000000001f', '\xab23de4034c132af8c03a9960a7c1ae48327ddfb8d23bbaf8aebbaf158', '\xd3759f6806257dda7cc7d36c05cb999c44675b775bfea8ad31644f7300b434df', NULL, NULL),
	(35, '43e4d8f4-27dc-4213-ac14-8de3cea9113f', 'text', 3, false, 1, '\x000000000000000000000022', '\x0b6d5f6f27bad68fe8b945f8383b15ef9ad88d3b68416c31cee024d602', '\x2bef95ea0268367523f1b3c902c2b6847abf31d0d05ad8a6d18f7cc31a6eb6e5', NULL, NULL),
	(36, '43e4d8f4-27dc-4213-ac14-8de3cea9113f', 'text', 4, false, 1, '\x000000000000000000000023', '\x23f33964febdfe7a82ec3e97caba629666142d8bc03cb8f65275fea82f', '\x33cd419fae0fd9f859c474278a98fdfc2cd2ed2d1355e7e699e72390c31b7c8b', NULL, NULL),
	(33, '43e4d8f4-27dc-4213-ac14-8de3cea9113f', 'text', 1, false, 1, '\x000000000000000000000020', '\x9b887e1e2eda4cdb74c890e5427ac4c4358469cc722cf5129ed5092688', '\x37a1fdf5e4697b6b5ac7804c9301ed47149d88868ae26715f540009255a78b5f', NULL, NULL),
	(34, '43e4d8f4-27dc-4213-ac14-8de3cea9113f', 'text', 2, false, 1, '\x000000000000000000000021', '\xd71e8a33e148f73f7838f54828dbd5dfdf831076a0c69114e07452165e', '\x679504921e6aac5267632837d26d0995ae0eb959e0b53f58cd7f004eaa7aec7c', NULL, NULL);
INSERT INTO public.sum_position VALUES
	(true, 24, 1, '2026-11-23 23:17:27.155356+00');
INSERT INTO public.verify_schedule VALUES
	(true, '2026-11-23 23:17:18.067805+00', NULL, NULL, NULL, NULL, NULL, NULL, '{}');
INSERT INTO public.webhook_delivery VALUES
	(1, 1838567262779584512, '2026-11-23 23:21:06.223439+00', 2, false, '[{"at": "2026-11-23T23:17:22.806000Z", "error": "The connection failed (ECONNREFUSED).", "durationMs": 4}, {"at": "2026-11-23T23:17:27.394000Z", "error": "The connection failed (ECONNREFUSED).", "durationMs": 10}]'),
	(1, 1838567262989721600, '2026-11-23 23:20:50.052439+00', 2, false, '[{"at": "2026-11-23T23:17:24.600000Z", "error": "The connection failed (ECONNREFUSED).", "durationMs": 16}, {"at": "2026-11-23T23:17:27.395000Z", "error": "The connection failed (ECONNREFUSED).", "durationMs": 10}]'),
	(1, 1838567262393867264, '2026-11-23 23:22:20.342231+00', 2, false, '[{"at": "2026-11-23T23:17:22.337000Z", "error": "The connection failed (ECONNREFUSED).", "durationMs": 26}, {"at": "2026-11-23T23:17:29.473000Z", "error": "The connection failed (ECONNREFUSED).", "durationMs": 1}]'),
	(1, 1838567266425443328, '2026-11-23 23:22:12.799231+00', 2, false, '[{"at": "2026-11-23T23:17:26.324000Z", "error": "The connection failed (ECONNREFUSED).", "durationMs": 10}, {"at": "2026-11-23T23:17:29.473000Z", "error": "The connection failed (ECONNREFUSED).", "durationMs": 1}]'),
	(1, 1838567262471151616, '2026-11-23 23:25:40.396909+00', 2, false, '[{"at": "2026-11-23T23:17:22.407000Z", "error": "The connection failed (ECONNREFUSED).", "durationMs": 4}, {"at": "2026-11-23T23:17:31.017000Z", "error": "The connection failed (ECONNREFUSED).", "durationMs": 1}]');
INSERT INTO public.webhook_endpoint OVERRIDING SYSTEM VALUE VALUES
	(1, 'whe_f99efdb9125941ac990b344bf3f72f17', '5b68c83e-b989-447e-a234-81287e503579', 'http://127.0.0.1:9/', '{order.complete}', NULL, NULL, '2026-11-23 23:17:21.569752+00', NULL, '2026-11-23 23:17:21.569752+00', NULL);
INSERT INTO public.webhook_node VALUES
	('d4116bf4-a655-4f5e-b084-b650fa74728d', '2026-11-23 23:17:37.077469+00');
INSERT INTO public.webhook_position VALUES
	(true, 1838567267487084544);
INSERT INTO public.webhook_queue VALUES
	(1, '2026-11-23 23:17:22.223626+00', 'd4116bf4-a655-4f5e-b084-b650fa74728d', '2026-11-23 23:17:22.390487+00');
INSERT INTO public.webhook_secret VALUES
	('dd67e77d-a732-4c7b-afd7-0435f335adff', 1, '\x0153e3e3048225c677fba3e2168020aca3cb864e13192c3e24fb3a814d6b1652c93a970ef8e80bed6112573398de1445af1ef5ebd277de829a568d7a97', 'c0b155b49cdf491c', NULL);
INSERT INTO public.write_record VALUES
	('test-operator', 'createAccount', 'ae6e85a2-c463-46fd-bb0a-c0ad0460b311', 'ENrGGzaDAGTv0SClX/7f93l3/SXklqgPyw6fF3NXE1k=', 201, '\x010c9409e7bcee3a7bac69526d20154669254102a0e1e9a7ed69255c4fa438608e49f8551d8b8fa553e96581cc1b6a4c9944cf44f990fb7a3e4f032aab8b1611fd064a0395b37dcb686855a89f575309aba719e1f6ec0dcef3ee84ed0a25dddb8277f41bb28fdd926c0c973ad040a8e9a136e3cb81b801b08a9842c570b9daccf63d0fb33f37302a323f74d3a0940904f7711be22997890c0b0859924f84658f2d1fcd94bf607799a7f2cba9b6740deb02e0b500fd2ca02177d140ccc11f4081996aaa8633ab4a0af8ae420b6e2b2eb83091cc8c83f85b2d5c82aad204032ceaf5272a9e37e0e6ca9016b243caac021a4b7ab4dcaa348a4cc303865ed6b754ab950fcd6f56691a0aa9f9eff7e99bf0fef0cdf856f9413d329ee8873006d9b663c1e4dd6bf00535034dc654721dccbeb677afb8af759a944b21a4dd60a0235333fe53b31c264441447b798e9ae0e1365518baea8d35602212f505840d27965507cd8130cc835ddc4360dfb43111895c66ee5fe32db713fb3de5d606b2d2188aa0907824ee3c8a7112fbcb663740b636e8c3e1b9a2b06dbe80570822dfb0a4d28a191787bf', '2026-11-23 23:17:21.376192+00'),
	('test-operator', 'createDeposit', '679555e0-3bac-412c-84dc-8d7446e03364', 'PtBT8diRaAbLXJISleM+7elUsbrn1696UKd4IBYTsaM=', 201, '\x01cc68fccdc205e490c901fcdb83916f70913ccef63240704f33388f1edf9332240f5bdea09b00e0c61758c51c83573f22db450129374f7234f0b2412a112e726ab124aab948145fba3bf32c18614f59d547be442bb4f7f2364fbcb97356ea934dbeaffa773d968e1559b1eef354af206184ecd79703c5276353779471ef24a11cb22d3ae03ce3205a045fcdf423b5beb4d484340e9c33823d010d91f0e6dad0442cf29f4501764343ffac72a666fad5a43cc67ddc8ae6960c4028712585dfadf521e94e1eef44929e81eb251c3d1b14', '2026-11-23 23:17:21.508078+00'),
	('test-operator', 'createClient', '878d8d5c-3b96-45e4-8503-2d09b4afdc19', '6QKvi8lQXI3GKPNR3x7bvzHFCyHUZxtqv1hchRLfe8s=', 201, '\x01514a56d485d978dcbd600cfc768ec53aac7e7d836a324da7a6c227a64e7ff0148dd34982a4fe386a214cf644f1f120874e252a102c046ec7dfadb1e6dc979d56658d77fb8be1d715497a9870b05d4a9914db15fff9520b179b02894f44b9f195e34e7faac7a23b0820348bcc98bdf930a3c853d5c5bdcf2862ed1c4294f1e334472bb40c42ed384c97c47204d2067f602c8c370e276a7d4b', '2026-11-23 23:17:21.54284+00'),
	('test-operator', 'putProduct', 'de73984f-98a4-4b82-a6ca-2a468b003561', '9BjU+TclQBFLObJDES8KFxSPUJAb9EP35xheqfXgBQA=', 201, '\x01d7fb4251c344576ad4bfbb7acc615f9afc0e4cab34abea0d46f19538bf246da321954f65d628167e4ef02f3179e834f343d4ca36ca43d51966e8abed03ec482f83c6d9c6ff62e9d8d874c8d6d3abd01b6861a670f91a0e9fb5fbfe5449ecd0fb181268cf625262a70deca19b1549412be27c6e87ba43e3abc32733466dce9039c23fdead7da911327b7db418cb5bc82e625a4831ad7ac82555f33ef871e3c01617df4122e668d364b464151e87d0554f4d48b5cc4bb696e71f2546cbfed72bb7c86fdd772203b4be913705d2eba7b2864cfdf868b4c47c50ec7b1e3b4dc1d04b6bb434115cbe4b30a62cbaf5373e1da3c482e339583f5e927b7afd9483a66ad01ce0a6fefcc8e2877ecb81ccdfdc681ac23f3b01f5cb4c1dbbfb83b4480acbe02c38023fded211171c4bd25d1bcf763da2407dde01611c9f09d23684c70c9765b4c4eacabbac33638de69de97bc4e9134f426ed62763200ded04ac446479', '2026-11-23 23:17:21.59936+00'),
	('test-operator', 'putSeller', '56badbca-4dff-4e03-b35f-df97e66c48c4', 'Gcox+Wmr2rSzA48TOrXZr6lrew9z6rIGiJI+TxF/MYw=', 201, '\x01d807fd5ffc0642b26ec5df575ebb1d9651aa68b66f079a4e1bca7241f6331d20b46de1fb34bf82fff8d73830a33faffd0cbd0419cf269e52e7cc9da360560ec60f7f810b5fe5060a0ccf87303fba92eb2682004827012df71fbd92a0f74cb281dabb', '2026-11-23 23:17:21.887626+00'),
	('test-operator', 'putOffer', '0e59008e-9bf6-40f7-9a69-271b1e56fe80', 'xjti+GHQnZCmz3TOutMBIzlbEhtMZ7Y201MKXexa0CI=', 201, '\x01e003d865ac60a28a07dec6c4ade59c633129e62e762cebb459254b4251697cb19311b71eb57c4ea3ce0e26c95416123a49c016e6903b7859cb9a34baca61806e10cbaf129f216588af4a9afcd5e6a7fba8dd37aad6ff83b907389890f41bad7b16646ee29b88d90aa3fa6d5db377e901aa8661653183968ebf710e538d1da8e40126addbe0c33e08c17029f593f7a7a0946be732192cffd774d3fabf9e8afa237862fc240ad1ab4a83a6b703d08d5559c0d93aaf3decbb7ede3bc4e898c20b8c06f47d50dcf8a7c1ac2358eb5014ae3d5e1df2e4d6213e1e57ddeb363a04ce20bc610d5d372d186215e6d79a8ff171d21594abd22abeba736ff53a50e540d6cc457af3c62d3e36822e6f06f3', '2026-11-23 23:17:21.94691+00'),
	('test-operator', 'addKeys', '8209aa37-0adf-42ba-8d04-28d07c537387', '6lM5Pj/XOYCvLq2XFDtI9evR+KI67DI/NsRR1nRrp0Y=', 201, '\x01ae566395286a52fc90a640334f6d0beb0348b699c10d98fc911ccce4f6349cdf6240909bc6f1a9b82b2dbf22e889ff36d6d0963e1cc9f10c0abf67b00b6e3447', '2026-11-23 23:17:22.082045+00'),
	('test-operator', 'refundOrder', '70d3edef-3f58-41df-91a5-00ac00be1ca8', 'U/IUIDhSPSPQZzGZQDAFkTF9/1TvxMFLnb2whqZTlmo=', 200, '\x019b6edfc16f202c0c7c182b139efc0793ac7ac7fda5bfc151ab470a1d3b0c3286bdd70674a9d321ff2e15e6b160f7a2e4b1802e54db598dfcb08d41fd070a3fe37d5775bb0804f0fde2c7ffc8ca3ed0ea41372f49cdc23387267d0be38383bc5c0e39d0b965e4c21a82368598cd044dea25f2777fd8642264af60c8c4ba1438f25a118279368b06f77a0c3149752579e456767144bd8fd523c64b0eabafc7f10539e5fa164337e95bbfa411297e5c3923dda2610bdc5c540f37c809007dbc14cb4051e1a738eb9bf94b04bbd3fd6140e3f53e2c9daa1ae13ddec668dac20d8637e35a24195dcd3bb9ee39517575aab1cc801c4588ac6c2462f3141c76118f2495c6d1bc2427aa712488f2b7cffda8577e47004b81fb8df3f55bdb3af5c89ad4d780440ce6693867c42a78a487fa9b008800cfd8a68539483045852fc3f6b4daec7c609ffd453de63d31edb3a3ea5bd6a76a27c70ac78a565d6c4ff3c12040acdaa108d45eec47a61371ddcae2d903243c799d2360bb2ba37c8dd3db36d1ad1bfbe45501b4c25bf834515365138ef598354c19e1d0005867b94ab4ff08bcc3d57c7e3a822ddd5688b0c19096d02fb8e6fc14e85d0ea6854924c6a0cf23780a666c48b983a46eddbaac3ee720e02a198004b518abbe72c9b049feed95218e2f2186c75d41a8da72f69c09da0c7f3c64a5e106d0e8ee541ffed4ed1ef629ef2dfc1a2c5bac79eba504cc750e64f98830ef672376e0d860789b7ea0d30e14787abcd9cf7b9fe3c31b1c1084b9c55f242fd56be4641ef1df3e47782a67d6281439964e1e19409ab46c0b3bba6ee5ea93829788', '2026-11-23 23:17:22.452582+00'),
	('test-operator', 'refundOrder', '1a076852-834b-4043-8189-bfd65e9d6b1d', '2MRqiR/vLK8DC/Ygd9dLpf5rVctlVk7kPuDUB4Pq650=', 200, '\x01802f0c626dd27ee2f3d2ee24b04927d1dd7218aef16b8e5ff517c859a7d6d8f6eb5d2549d4c1b57eef27b0e3c3508d99d95b906c37c53bd6b014f836aacb29274bd79287879154671a598472723519fc3bf740ab8971526e000e4f0748179e55eeb8e7333ca9029d7ed5c2ce05bfca403223b98fe17b5ada6e1410f2874737632af5ed325d8019a035e42f65203f15d76fb6490695fd2ca12caf81b0cf2a46dd9aaeb944d2d058bf13d0416ae1b5681ce75251cf992bfa1f35a447c6324efd8ef0420a1f526e89cea038c5c5358376a21f01ee9d56ecf8d0efbbb4f744f64eab3d415fa60c6e09e38a1260e227b20098c6e725db05d920f5704beaf608d14a0e2797187d39e71930fa95ef7dc9cae053b695f8f91e14917a70c64bd3bc304f426ae8f2b561e72e69eea63bb4a55a24a447077eda3fa98ff5d3052c6ac9cf92804856da72c52bc3302f8fbfe4f293ad6dea02dad3b89277bbf84cb5ceb65fa0c22c19d0347f661277a0601ce2b78ee5295ed8803e02ef1722437552c5c063ea416a0f269726b16731f9ad3ca5bbadf9cb14550bda4d34a38e57ebcd005b50e7b200851b4309dbb23b6cbea664e6a53e917a74d95e464e36d35766b9c88c2e8ce677ae4f4d485f90c15444a9a215094fe218ee70f4de9acf1efee71a29311e90453fa79b8cea6ad7aa98a3796e6f0252bd7d297608991185b03a0d81941460476b4b955c09b78d16c224d8384cd8ebeb042a88ddd08d8fca9c5d6244242cf267ccb7bf0d0616030cdbfa67bf3e50cec85c8b62cca4a11196aae6a77a1cf4d3f060899565b8f62d89677919954084881e5e', '2026-11-23 23:17:22.720155+00'),
	('test-operator', 'refundOrder', '00413a17-b4b0-43bb-8c92-c835b74f8749', 'NNQLIwOH2ZWfDEFYZQHNtmoKHKXhxir0kub/EHE1xmw=', 200, '\x01337f61750524346823dd2a3884559c6b5ed780a5b4400fd160b7d405ae81544b803a9e13672dbae3fe48ff04dad540d855f3b57a90c650e2923b5dfd9251b1bd764bfa2b6f96f225194703faa1e2979c2f6614ff8d4a5a2162964c9b48c29b167a5324a5eb41529e880fab178956d266b2e6e49af7371fb4c5157dc04cdd0caac5d06dda3f6503a0ada44800551850084c3f75793700088e07fb9b0e626e26faeaa4195c1f1b1d168036fb145047485494963c03c5c9f32e84b53730c8a98aa4b470d0a3016db0a87f5c571ee513d1f4e61081ad6b6b250bb541cad530424842ad2468caa5b49b74721363bc41e0487f221492fbb419bad28f9d5b0c257b894a787e65e45bc95061ef2d9e9132949135cd23526df3df158f6be0bb90b7769c0ce9bb7b04f1322876f9f5ab62dc807aef82f78058ceed9eab2febca80e3763ddc406b18393dbae4b18cd83485d8c04d2e72a2b1457c05c6afe0b3bfab7d12af4cb4cf2c9ee56c795d5c6ea8b1a912bb20a0ffd83e2c615224827a23a136d1afeeb769ec41cca774439555d0041e559649a104e31f78ab334b7c68f06bab401ef0875bbf2a467ce17081c10bd8dca47dd9d151436b0cd04ef1fd4cb4cf4d0d1b154dae29d5648e23083d78b7d3b5425dae09f93159d4cbb6d6535607ece41127475283ac0d16a33b9f11f29f7e8b31cef9700c773caf011c1ac4ea7c647757bcd3ad57d30de2c30309842b9c74faabaaddf76b69373b27e42cc1cbed0b6a2148855a261fafe39180de0e732d79fb6e9e88cdd8b19db2ecfdcc11d494baac6ced5d943f79c90e9726577aa9661ccd48', '2026-11-23 23:17:22.872984+00'),
	('test-operator', 'createPayout', 'fbcd1c39-a99d-4506-b4d2-8d1aa939c150', 'SpeRsOSxsD9VTKyBmr4bmxIj+1q0E6rC3xt2/i8ojp4=', 202, '\x0117ad5445437d9e61ed4c403966cfce9006a2edba444665475e991e4d295a28f154df79d307bed144b54980ce52d73424739be29a7306dc4208869d73bcef93ed7f2ccbc0326a54b44875ce4670fb4b0daedec40be658ae907baa1117efcec04c95724cfecb0ed15e4a0a37b67f23e57d0c3dcc58e57b39489a0afacb33fb14c9145f454db9ca297d82cfdf9fb4e179cb117eaf297989dfd80a415f44d2c19e94187dec3e95b7421368483ef32517a47959358a03279c83b2521de83124583890f151b3029641ccb0a46acb33316e4e2007965a4016f8cfb39b33ca5e6fd928b19f9cd29633e465b4db202a07884c42926258ab61010501d1dba86cea90a83b7813721985bfa312e2d9c7ddcdf13ed574283f34a5ed9ffacef75e6e1c3b47635e96dc0d0a9044de346382be89ec8acf3d1bcd887a9637705bf926e1913d40128e29ca9f2765b62983df540cb32e4361644caa28aaf9fd915318a1e0698907431ffe04ac27b0ca8efdcbe40154349687e810472f68ccf146fbcc77903897ceadafcfa11798c49de7c1dd86406191579666e12bb7b35332c206b726619ea3ab7724d4cfef3f4a4a0027c193e6268ca34558a9bb3f9052ee688563e4ac7c438332acb7fc9917fefbeb25f944c40a737652193cec6768d7c1c12dbb348769543d2c4f3e3bd27c71b2fe6a05426731f355f2325da5d0f9c4755b398df051da971cc1ed47634875da4f73eed66f62b98b9c326ba4cdba761f8e19df9844f0dce1e1ea4a9e8d2ba62db30db0dfda50e2b99420471c8ed09fa9ff29dd97b1371165b6a50d4177f2080f7c1a7c7dc91f3dee5fd05a60684b504412a2b992e325250a91cb78aa6f49a15b1dce8e672e4aefa8528a09dc02ca447028fdf68797a23f69c6a7e5033be62b308849b89b9f', '2026-11-23 23:17:22.957152+00'),
	('test-operator', 'createPayout', 'bf882f8a-4d1c-4f60-a0ca-a3bb68abe0b8', '66kgcl74EOOWPXloxdJOBswg1wmaB21V3T39jjM0VxA=', 202, '\x0125f724ae8142c84ec0256305426cbc8955c0f92cfefc4f2fc7f34ad6eca11ac0654302082a97c275ca6c6d94658b89d50fcc86fcb2e1857b08b837974f2cc713df1487e9ca3b7c00e1dcc716f3bfdb1ef1d83579366e7517d37a448a6c59429e2ac999e3f9ac8e1faea448962d13515a6cae67e6978c19d42f894c2d63b266aaebd4ecc098c0b1d501ee0ff823de07732a4d04465bb0821e82278fbd31dd98aac05b1d9e33283df2835060d998d70eccdefe613e3ccffc3418458ce38c0e758957c6b852a0de52ad57b4bb213525be81bdb0ee87208fdc1ef05d9680abaff8986b73437165f59280b4fc77fbd9315c46fa4459780a3de7293b9b5ce1e2be8e5d112e80ee53725d03dd17478c0101a0b63b2dcb8581c1654ac2285e172f5af3fb17a323a6b7e22e7ede018fc4d1e99ff91c26006f463f5359c926b0728e99f880130b55e321c6981bf8e1fbe1aad416772dd386a416af6fc4e33acc957e4e25ccc8c792886d86566cc3ccd4245b37eeaaa4e8ecbf9a699f177dd9d3298b4227c052b0421588b129c56ee7644e837a2af2e3aaacf444abd49b00bf6317e8b16d3cb81fe8adc347c45c0ae5564e5e37a37a5a5794a2289433849c8065c5a2bd396d9e7b385c07acadde2d972e3ff5351280c164591cc9241f4d6036ea6bb08dfb68c287f0150d1b72ba63d1f12d734b4d483c24fc436f076c66f85aa2352687664fa485ab70da96300fc2150e5b6b180656b7833012af369462ee45074aede6e62b94d89f6518fe2182b814704192064618930cbf94c32dccd9cee86a945f0d9dcfbf6d59ac431058cdde1652f8520d54256bdfbfe45971b7d5423b1bcc13013c8f6cb57b7f2808c557b007d516b53ea67f028843f411b9e4a6a593941afcb3195947f1845af8f8a6f94351', '2026-11-23 23:17:23.613822+00'),
	('test-operator', 'createOperatorClient', '1333e9e1-7273-426f-8e42-a86ca6781488', 'EZm0fmmTYjz3dY7sJoz5093TgNrSYFnOt0N52HX3YrA=', 201, '\x016b8c348eea40fc553232e2d9f830bb432c195335e148ae64d27063d6c97be99169de2e81f6554fb6e27675b73057dca5f1a479619477afe5b46f70908dbdbd8d79ea9aa692c5725fa949af076513517ca5d1504768824fadd53d2d4e5d893f74e62d4b2c3a8baa064ed0efda845ccd58f78df8db6e7e7722387db0fdade46c229091cf537a10f5517823921625c7299daa8daa9b252680ae', '2026-11-23 23:17:23.641069+00'),
	('test-operator', 'createAccount', 'd361a2e0-826b-43db-be83-0424b4aa458e', 'lu5o7z8bc478P/9KLaC3r36OvPYPNC3z39H90Mj4vdE=', 201, '\x01d9fe51eae07c95e8ac5214d875280059a94cf6d2326c098de152a1e4888076ff1491675c3117c66f935e4017feeededfd69aed70d9ff2a359f9d926780c0f6d50d0afcf88793bd7fbdd11f59175dc3e36a11b3cca05f4e0acd88a82953f93b26f4e522cfb0266e547b89bcb0af13873d949be1440003696fec97689f0f88c40880937f97b484664b1c28125508456c9470706b32d1f9d88cba5277f81de5f2e7e0f06c0d71d8a23d5bd4e186490260d6a1a7dad06c35650266fa28800bd7de25714a5b23997ece756fc24fcc37d49c4e6f2c35096afada282473bcbf74ed86ae527a21e3686d2199cfdb3451399728df5be2c294fea9ed59e82bb6d746d336bb02f8b913dac9d7fae8df9decdbcc2cd20c6a788fc36802e0d782c74df464a6a468e3929b7e167bc12eed5d2b8065a42042309f6b6571a21a4cf3c8c55e5daf7045d115d8b748e92e497af89c0ff4cbc1fa9ba89acfbfc1210c061a56db8ef67759a96eca6caae94e1443a383f81fca0da3d1ff895fab01f34c7ce0956b748aca7a55dc584f9ce2476c81420696d69d23f22202a059e5708f1b0abd0cc601c74ca3bb', '2026-11-23 23:17:24.652411+00'),
	('test-operator', 'createDeposit', '0f1588cf-9720-457a-9f31-9217e3bd69c8', 'zrbWiE6k5zN1CmG1QCyiVVAj6ccg7rlIz6nf1pRWY68=', 201, '\x01d670a923559dbdbc36db55237a887034e8afb27a1258384a66e24321ce54389877ae927a2403b016a54cb1d5635d4c7dc7fba2ed5b16c4660a2ce154edac2a3fcc136b3b71b6b91fffaa5621acb96ac1b1c76f41d7aa897c85214fbb0c8895437932a291450a8ecc9eacff3fd9bda575de1d9da17ce624eb7f9dfc26bed5fe9b79f79471e48edf3dc673f83b05c86dd7ba914daa10b7e692c73b16d1f699150fef33843205f43e080ffaaaa026ff5d250464c7cf00a54813fdaff3920bca9c3b5a9c2285d443a53a9e812d50ec7d0991', '2026-11-23 23:17:24.716915+00'),
	('test-operator', 'createClient', 'a7718892-c395-4781-99c2-0d558878cc96', 'u80tnHoYK6xnw3GCK6hGm8Ni2BJEyK99IkmSYg2Pet4=', 201, '\x0127f0a2f377850366da234f13324b3b6dc28edc03b3bad3a32632b4acee8d96ad1a117e9c18b6907a67222790f8a9c46641f41c66aca84999791a9a46c6c06e8ad1ad21927c8436b2ce90b8c311ab29042560d28dd081d3ac347496ef8b593f5bf0e1b24dabb1f002fe78b7edcb72b94b292402cd273885a27c29d0e48de19240c4604d6cb657bb265e12f33554b19a8a3b2926b04c4b36c3', '2026-11-23 23:17:24.7541+00'),
	('test-operator', 'createClient', '7e63cd9a-c1b0-4036-a7d1-32b30cd383e2', 'p07C2SFMvxq24M1FmlvpYY0FR0sV7nWxnNGpxBH6jvM=', 201, '\x01571066f844e7dbaf9e438071441e720474f1fcf0a24a2838d2dca8f4ce7835823aaf04e94ffe658cd0f29ebd4a3a46faa877cbd35d40acc74672c35110a143c4bf9aba49e2720145a44905aec9d9cd91b14fb45b688bd9e42210cb8d7f71aa2c5978903c8516b232e07f4448e87eabc7f4df2a0c79e87b3b19da8b4c4bab3e903074ef1a3ba473e9a136335739d20f5010a7bcf3068a2caa', '2026-11-23 23:17:26.505722+00'),
	('test-operator', 'refundOrder', 'ff049a83-bd4f-465e-9afd-28402cbc1678', '0PuWhYZGq/87j82dFHiUXNwvbnHt2kHR4WDmUyP7FIM=', 200, '\x01b12696b9ab9c4a36c48dfe86e62b489332f91ea2bcb5327b869a93dccefb0bee8b83c4cb62a4ffeafde81cd9c1462c43731d2c9484fb4efea6c1e0d6beed614b17fcdcbbd4a281f13e014198fc6642219d0bf0a70cd7e34ce792581a56cd7f0c380a3f5aeb54fc5109a42aa8eafa3de8f053e0f089ef10cf0d63b7e7e3cc906262ad80a9d515637350e3ab1cb5a7aa6838b120f6b6140b22ce21dfefe94f59c9090c8b613fc013ae0f2a25eed1a03605a38b067d1483cb1c0775dc13f00bb5505a9c433bb3c637aaad16bc0fc9b47623aeb3ebd20ffcb32407db6eec4187fcaa67b3663ec8925c4d56f0fe79d879a3f41854e34e1bb9922306ec799db9693b3109212b8c4f68d28ba7f7f0a9cf6b65141bbaf091257173373e67613236ada89165910649fb9a3b668a1d3c156025277110a34f11ba16c7bc5ba73992a72e908e60c0eb70ed005f65d88ba26aff02cafa36c8e8b8e475f9ba53e01adcd9c1be8b393c31dc04f96e301afd634e08cba78b3bcdf2bc9d319dc04c7b8ce849da9a0e1bfba48f267a4fad4148a3bbbf1152f4c790295da68cc7cfde4462b567f5648555c1f516afcfca66306d2f3a5152b2e54db75549fb12c514d56255811698e8577fb1bf5f267737c35429ef609661f89cd3026f7cc1521e35edc1a34dffc4f955fc57478e04cb13776412590a6a2cd99a2d046cda7e40f81b6b0b70d172b4fbfd025b946b9ebfffada5921c274e2536548f39db58fd776f394e53fad666227d75196e09081ad56211e6cca0adce364f5e7d61fd83477055306095dc73951a7bc79464489ee24eec692ec0d6e46efa', '2026-11-23 23:17:24.955662+00'),
	('test-operator', 'createAccount', '9a2052d0-c9ed-4e4d-abf2-b474742681c3', '9Jve1Bq+P/feIZrIT0hI4IKRG6OOuFhrmNqKRPG+fac=', 201, '\x015271d392911e96b23b42d2671b2672abb6f419511e399c96e97352c14621c181b64a359ae1aae78a4dae9154c7ccb229f16797f2c4b82f4d2eb94a2d3d6d26fe1f2cd7a0d2088613e6705976f86c2833046107afe34ba8c03c26e03b2df6ecf171b8ca577f90f1a953650db479c4df1aeba45ed3106aa2f26b0d10af088f71c362bf2ab35713421763410e1850ea0b7b7384e81ad8e9dacd3273e185835f6cb21c48266d4f233f9f5f33cb6cd30c103f2d787de5548b74e2fdb3d8556e6ecfb3ac864b143bbea67b0d365cad2ecd3bd216a3d239c18de1dae11a2469d8fae7b1222a560b5431599293af103ac89c1b1182708666dbf32c7d253f677266a2746c8a28a44881b49cef9312aea661a9d867a8ed9e7d8042e88f669b052926c84ca982de08ce97dcacf775140d67c63a90b30e722fa16dbe0573640b0daddebfe13793ffa7fc3c4a06db27ea64857a80e88359703fd0d5cc83accc42b6e60c27578b5c9de63e2f55fd12bf3c461bc36ace365e1cf46530a34c8857670647c7ee822ba013224c621400fb3c321b6d747c9621f5c4bb6f611b503d39f8a70d9a01456c1a42e0dbb678a8', '2026-11-23 23:17:24.980542+00'),
	('test-operator', 'createClient', '84422662-be1a-456c-9748-2e1a5be822d8', 'ZmhBu94Ktze+rLHoivV4MBMfXyFkNx5wRY1rejQi084=', 201, '\x01c5877dc10d398cd3093044161ecb8c9ce851b209cf024f0e33d9adcebb35994b078efd80a19ba8e06e86e2115cc2ad16dd07a329705006dc5bcfacec70b14bc6b10c8639c296d8a98cf1c3b5e6af2620f8cf18b9771322151472448318b21b671729807439411b7e9b16f313a751b2fe8551d2d1f180fc176d14af16e0db11abae122eb8804bb926c8000e0494bb0fc776581574b9b4da2d', '2026-11-23 23:17:25.003894+00'),
	('test-operator', 'createAccount', 'b35cab70-ba06-49c8-89cb-fa21c0edc560', '9Jve1Bq+P/feIZrIT0hI4IKRG6OOuFhrmNqKRPG+fac=', 201, '\x01ecf0ad66dd5a3625504017837ec702e13f91ce35ee385ad3015252f53786b73025d04e621cc00b67233b81acf04df6dd290c717f9dca44aba61414022b11a8d66c42fc93d3b1ffb7ae9eba367893c4d460e1fe10c951a9c50eefa27d8f11671ea1a413491e5a0710c206dabe693c63c4628807da0c5ae7b9aaf281dee0132a4bde80865b28aa22745fe6d589da1ab99e8bad389acdb4de97ea1715e30fd21691d1ecf2568c397559795ad33114b731be1423600ac1661b43249b168d30e416ec90f638990c42bac8309d96376bbc4cda13172cb4a5fe254b56461c964842a1ef224d49f5845b9c8f7feb830fd942aecc1fcec2e03add2828b8d628eb3a3b062ccdee48d9c4bc3f29fdda166c2cc2b51c96014196087617f8e1e7d791db1128720056a26cafcfbb338d0b128a675d2aac93171aedcc8c882f7475830420353ce3dca55ea604508c10acc9bd7bc15ada079928345412a4acb694aa48c27e87d3955f4362b2b736c496e81740a7cbcc48b2af2f5dbfd7923f5e042ff5b144e02fcb5eefa12072ebbebb0dd9bad4ec9dfebc57c2c11458ba2db1e7e16a2177870b450b10ef2afdb1e2', '2026-11-23 23:17:25.155714+00'),
	('test-operator', 'createClient', '92dd64a1-15d4-4c95-b235-46c85056d34d', 'pRknM0UHK7p/rI764ch0GtHHWXytWDp7i0/4xGr7db8=', 201, '\x01d4e771c5d8eeb83c83b6840e120a0aeaebd6cfe1274a2f963299ad9a158a35ab784159b52deaec2225510016ee1b023ce74cb03d2127745a7fffa2c7ae24ca4253023bf9e6f9bd5f377d44b5180c4ffbbd99e5b94a93a1eabc5c78f2063184e41c2942bc056ebc048080ce3bcad7a00a7ff064c13918e48fa972b8023d04f866dd2ef53ee36de307b8d07bb89eb07e66ba0127a769b39630', '2026-11-23 23:17:25.163764+00'),
	('test-operator', 'refundOrder', '6817576c-7586-4eaf-b314-51e4bd190a9a', 'rpdQqP5QWLTz8LFlMS05ZXBq3Qbw+fQwdMYFWJk4BmY=', 200, '\x01368419cf9c302644832736f84d65a82cfaa4b93a9fcb22eb45aaec0f6587a079c698cc9e0dac3906e77f32a5bb08bd00006d2c6a30e854a6648be4b05af73b1d8480ea2370932e86c30c9ab8a075026de428eecd7ec788e5dfcea1d0c055b858b11897074f65cca1e08d202b79318cd5f780b0c4272700024d21a4e2b1b1388ab3f57db9ec02a730d760fa11a57abd2526c6e82c0454f649f4612029fb1ecc90c017927efb5636f5337dea3a54ffe2ca86e9a4e94a7fe0c0b6828ea498f455206dcf8e2055cca148967fdd7b684948c914791eb0c82121091a132c2458a05dafce89cfe3586a9e6bd79613daa7e4ed580d1a82afc9d16d67358cb0e690342f007d94600267e750e6794c73bdd9e2d0a0fb48b3439987b34a2ee3347ee0f36be666f84d444d525d2daf33ef3d7358c94c44241ec22f81d6f3b86243ad6b82117dcd35052333c9c845e39c3bf34000edb640bac599ee409e5ed24c61d0fd97846fc1638e428d96dfd585943a240ced13c4d2d6606157df7c775ec632825c134ffc24876dd4282b3b9a7c0973fe494517bbfe783ccec9034fddb17187ff7140517d3ec4fd283ec825edfc7014551e124ba0b4026558bcf626dc3d616ea9b1c6ee9f0eba1fbc658a96ddb426cf69b7b216673d80c4a041471757aecbf41d239f834a42a5f69050294a8aa7dfdd25bc23ff012ad679b55693bfd2f861193d3e3fb11c7c6da4cc5de357cae32a3b3dadb6a4bf1a6e842f3e4889bac093f8b5ee94ab37a414f4d614cabd4decbe2c10a96fab3cca54fae3ca458f8a6c7ff84d124874154a842c8e0a23e56055bafcde0637abcc', '2026-11-23 23:17:25.321784+00'),
	('test-operator', 'createAccount', '9320f698-eeea-4df3-b553-016d955ee516', 'v7wdMDxNdab9CgIFpPqz2uTOztI/qfI1PTIjoe2eefk=', 201, '\x01ac9dfadbc33ff562b0e5fccf6edb98a7ef31312c5f06d7f99904593a62de69e1e641a3d554b82da58ffb5aac6aa634c1bbbc1d341b8b29dede19e09cee3db46115347dcec7f802af1fe2950f4bf9a3616c1996ed3f21b73f74415196b7f4fe140467cc42a6a270a78aef2d0c2216a0709a180454b3d261133db77c7ae181124c0bac622e3b06b9e057674319297ebf8b1f7b4518d4865f2eb0930c85ae175bbf0047ed1ea8df3edd08552690be4f07e6e8be35a813542d72476eddf49de5457c16b2a679737e8b936190c6ac42fc2c2bbedf0b96d0478ec7a4dda36fcc1e201c8045c1fc73aa3f831d336bd76da2cc0b072e1f8c69d0e7ac2fb8e011b54efdc224f02f4ac99cb9661869005ccca43e4c8bb4525fa13d704b5a6f6fc9738126dcc29e6f9a42eaa8a749ac45b1141a870115ea8c0bee6cad7dd51b5643a4e088aa96be3d4a5778cf56ede39702db7d3f4399931c63a7db846f663c97a38ef4f0c1428a66dcac02463e863ab861918124eabc4a1de661188ed2cfdac31ae0ed77e229b1c31c362deff99e11988678b0c0da217a67348ed48dc6c4b6da8d9a2ff5a068da8761e31647df3e50', '2026-11-23 23:17:25.33435+00'),
	('test-operator', 'createClient', '38af0f57-bdeb-47ab-bc87-8c7365cde371', 'Qs9HBSpUzkNhcw79nx1GLdI0N6oFNQ/0y4dB31O2TSs=', 201, '\x0117b3b99b96e07b05433d51081cfbb1af8aa7161aa4edd53c1d37f3764f84dee5a1eb23cbe677a00338790013666094f2ffc0a34db4f03f09380d66271441667238d14362ff3a0c1be6d4163bff505d791900014259eacd9b4d1146e368ab5fe85eec1cee47707d0ac15a46f604265c65c556cd871ae7406de4e6cf1695fc6df5c6902f6b6ddebda3a8f68fc7eecf9cbc3fb051a5b650d08b', '2026-11-23 23:17:25.355312+00'),
	('test-operator', 'createAccount', 'ef2a80b3-c665-437c-8160-b01bc449e737', 'v7wdMDxNdab9CgIFpPqz2uTOztI/qfI1PTIjoe2eefk=', 201, '\x01568f5edb15dbe5d7be0a2edaff8dec976949d4a9f11629cc9d5c6b217e2d10dd25f6353461c5cf5bf6a1882b8f57e7bc752e5ac1b4c6a7dfb1f4b0271eaa07a95f59759d3cfdde167a2c4e70ad50257d7ad54b3c28c801bb09b46f773b653322756671b6e72ff9209cdc24602e2c62edb505990eaf22487238bc6574bb8637bb53ce860a088fd6e2e342d1bccc9d751877276473481962bbd9ad3b83f4684725c3f6cd33feb758037beca18bddb23a7c75e7ef5c4b21d206be3866dfc1e21fd748fba03778f38cc07050dfdf835e0024b4c4323a83b332bb49d0a2c3a3087eadb68db8a0e103f5d4b9fb737e24bb1754adf58cf631cdf81c07408e64f3328b5b42a4a1f550fd7513ff07f306ebd6f1f7296fc5a843582e4711a0aa1ba0f4cd0c427ff70d8b32e36bfc30b4d1740b2deba3024e99a238046ab0d869f8a09e28fc65813efdff0f4e2065383215ddbaa618aec000aa9eb0c6656378f4507d66c99a8eba9c4bee3d2ec32d8f7dc7daebc737b64897c0f81164f3839803832c83bb18a6e5716dec6f1687e47b5708e25f97286782ec86b1a5e98c94ad1441d8a0e4d192c46dc1fcc374cfe066', '2026-11-23 23:17:25.710037+00'),
	('test-operator', 'createClient', 'c26dddd7-ae2b-4b5d-abb9-bb06abcf01d6', 'eNfRFFsuU54erz+hPfGSu6M+D8hJTYP2ERDtlaIxczU=', 201, '\x0127abc923e0ce1f4b19a54a7b46ad89e2783df714d25cd4c1fd3c96de356a0f7358e5a50290d2e37eb95b3113122c2f25c0e3fdaf15c8ae9dc3224e26c7ceb3b4d49163854ef0edeeceb537e69e03ac7484c1cc9a6a6c81c6db1a53ab23404e63e13b3750287e6e8bf3e96fad6e73a448b2a8893c9213be6d46b41a3edad9ba3d4335d1b8ed94452fe78ded0253640ddd4e4185d8fee1b192', '2026-11-23 23:17:25.740643+00'),
	('test-operator', 'holdOrder', '14ae104e-66ff-4bba-be53-a3ce302048ad', 'NpO/2DJQT1WjJ82bzSNDPIjJqKPOeEpmjlVzXAVtCkU=', 200, '\x015cb7b027a401f97ac18da8daee86b2b1b4eb2cd71482dc0752a39d4d30fcc65e2db5f2f6919d6c220d1488cc43f5095372be0fb4463f1dfd90dcbcc66a6469a0ba19844eab5fe13d4d1b5780a526c2327ae0f53df246c10e3113beb1ba2b7b35839130e86f61c3afbff96c7fa049c7a164bb9a18f515db6bbd30bbf5eeb6ca104a9f25ffbbc92a3e648afd7cb712f11bb4c76c86f910c7b453e6a7d61ad783a52ba3b1225603db2a81d295e0278bd44c57a0b4dc9be190d2bcc702c86fc15f7700ebe979e0c39766e52b3f4a860b260789e477071d1976b9f2ae47b1a8cc33bb676a71b26e9e63d6494a410b7ee00ce4fa6cdd478e526a61d1ed942338f725e91095019a65e851514e8ee0e69a030d481cdde4761f56993788d032529a00d7d74167896b374439699c8765da6e40cb72a38e1f632b363a6d8832043fa8f597551dd36bd6889f5d93c7917cb63d2a85815dfd63674b571495e6520e04c38725632f7ca8979017e6422fb3c2dfbf86ebc436236f94098baafaa49bf4915fb68df221b81d873a5e8d9d42b08ce7e9c8774786f15b3135d35a71a9eedfa3047e776e374fc98dc5846252946d4e547e76278d9384db8f7693e3897338a08b6d27faf7681c381e4224e499af8c5289afb456255fcea9bf31703aead96be492fd85f610f37a997c63382989354618517ac1f2b78021de416d1541c5a83b415ab655967ecd4d3318640b76b52f73c185da2563a13d8483bab2cd2395d41e97e1985cf5c7948f8dd80fa4e77cfb2741a4b200b58a7d7d29429a8ba5b05d3777fa0bbae1687a494c27e20f4c379e584470', '2026-11-23 23:17:25.88234+00'),
	('test-operator', 'createAccount', '8a41bc44-f291-4ced-906b-3ac6587067c3', 'yTLfFAEtpw/tsq16kTA1Pz4cWKoQww2u6t2GPeReRxA=', 201, '\x01783a2dfff75f2ef7852bd4294a9e296a53ae4e916a182ac65cb4f801ef6511d52258d0d448d18483a522abffc9e47459bd695637bec41bfbf993282b3343ede33303fa5d6ecdfe6b201b1bf1fc6ac69ecf3248c1918549dbcf6ffad9eff624a41c53056d926822d8a4490abf1a0aa314314dc66e319fd7387ceb1b9dad8c1c25fa9e815aec4109e23213ad7e02ac4c87a1cf2029061b1cd21b673de1728a992e177615b53ed8783481f3d3c3bcbe76f35a4e1e2da531bbd64779a981f573b25bcf93969091fb21f551be4ee36c35eb90e0b0cce4c2a0dade9602228ec1b6f26e65548e21dd6306a556b087a2779301415667a509ef5fa810825e5743d423b26c54c031bdee43f33ebd922c822bd6787d8a1f3490c4300beedeaf6372b34d437c5324bec46aa093e585008e1fe3e409a4599537a4e456e072d5c1f1deafb6b3ef6139b4ac2084556be632acc86ed0e3a42b46acfd03a93b66e4119d0662bd1c4b00fc0f77a9062d865ab73416db908431587f5ebb392b99511af86e4b952f6d45a8ef273ffb740e0a2fbfbe12788f4f5c6c9eb3173e7f965e7ea97eb5d16c362280200fc4bc47378cef386828a5', '2026-11-23 23:17:25.921309+00'),
	('test-operator', 'createClient', '4cb32672-17d5-4a0d-8107-b7c062794c5a', '9quTNFCySb5zE9kYCdXHZekvJT3uNmJqQ646VRpsbWc=', 201, '\x0195fc158a145ec4a9a31fd35bcd44a72a0e535732381117cfd504a9baa6fc0aa610f745375e9323d5710c8185497f6fad460cc8ff68a4bd58e9d8d9af1b641c11f6b3ddc56eeb7966ce074bc414da3c5716a514d74e63708817806c873d64889152cb393c95ff75fdd2fc247a914c3c0138705270fe2c30729cbb4651c9db83355b45164c2f2a83a28caa41881d78dfd0a9a63857cd34d77b', '2026-11-23 23:17:25.978167+00'),
	('test-operator', 'replaceKey', 'f7ec7312-8976-4bcc-81d8-2fcf430cc5d6', 'CxWq5x1PWIN5ivNE3xs7Lhu8K0tTxnBKArsfBpuhrFQ=', 200, '\x0157ad32de3953431f0ecfe327683584748c001450149f302ebbb2358d236602326865d14ab13da86a542c3a274a088639f5b9e78074f3f46cd9691e322f964b4bd4098c73995a389d0a19250b81f46da8bb4e5d0ccf21782f9a9888f1845c5dae50d5fe73f46c3e6c914b361171af02c73c83a07dfe63e881d7987fe173757db6db7395a74c1e54dbd90ced9fddd8b2ccd8aaaebfe5d7220fbd96c557ed3b261a9c9edb77efe05e4cda487b5f336e35b0737badd4f42cf129f186f714835468a6be1518b5b2fb0b3f6379b47883777ead7cb7edb7bf6859ba1959c045f5c6558b86817c2ad8bc26c88415b72c371e8069e3ce0912428f6622e9a9c89d3f9efee2192abc42fd0474839fc66c078bb8de0dc1510434ed20831c4fcf96f2c1205b0bb8d99a55bf7f7eea59da310c07b886d50096ae01ff9902781572b3be783decf5d8c7f6db7791f1454511e169c120dc9b0b31ce8d6ba85f5071908047a020a5fdb9070c1896b95d97b20666e2471fe506158258b2e92d8b0afa07521d3ba162610d2e91d0dc00791171bc97e2e5cabd22b520a774978bacf1e9f534e9892970463fc90c7a1cee139585dce59ff1f2057c29818287de8a317995a9ea099661dd6ce0302a4fe8f79316dc0658e8e81fde27ba1173584c70eee4a962dbc0ea0cea1cc58db0d1cedc9fd51d0f81f4746095878b71ff3bfe5ee3547037650e7ebb2e3da078781819af44a8a54f4a0d000ff6f6f62a6b51397c3c1d8fc33cab291098f0de4156b3942e5d7bbe41743f8f68d5a1e188e8055316670abe03325fa6b392ce533dd43a9803cd7795b3026a8dfc01d18452c24a0a7ec2bc21cd94ec2899120f289416b3df0ecd093d3800e81db34a05f747968c07', '2026-11-23 23:17:26.223405+00'),
	('test-operator', 'putProduct', '8d7a4e88-87f2-4972-9947-5efb0db34f1c', 'wSCVg9sPxcWghWlTHY9rYK5vLh47dGV2c2KSJ8K+Fn4=', 201, '\x013dc6e8dcaf263a3303dd8da0fd5f901222fa4298bde458d0f7006076a8b6687491d9b08b61636704859c12921ddd9eccf3e0604cf7e8d65c9f7cd65d80f37e1dfcd5cedb924b0e665e2d45886b3e8284a7b2444dcae54a3eee20d6f96c3a7704ecf9d0382b86d029a5ab1cb4831725dbe5ef017f94332c6a56fefffef851e28513ea3593682e36a90442a1e117b88f15aa1534a47087faec816ea5f0b31639958f8a494a9f1dfe4313a6d05297fde9a6216357417ec5f0a94ccb691d3e06685f13c39568c9595e6ea49c0e5dce9edd9cdddcae4cb81b22b25bd9a11fd47e739373e02a86a39e74dceaa981cb9cba0b39568c6a3de78f85164b792ae80af8a1a4f0e49caf3d629ea38a9409c0b838ffcc1803b73d5b6aed23eb7cb4b269ce2a10a24af7408b91a6279ff30b16810843d2efa5ce8ae619a832fae003c520993a7c9775833197bf37daf256c8174ca9b9ca2d37aa65d7d205978820902c78de', '2026-11-23 23:17:26.267296+00'),
	('test-operator', 'putSeller', '8123a7e1-642c-448a-ac30-fe23826b95bc', '/edLmjrF497wR3RbRS+x2Ykxqa6UGd1e44EZJtwwyR8=', 201, '\x016ac690213f1aa96314099cde68d00a9c53236a9a340fe95537b4e773cbf60c5118dbd56cf7608ede0344213407cf0c39e4314f842a2e896f6942e9ad42c0bd42c895c73713f5b3c369c92d740f22d874f415ddebc708a180fed4b8dac655d2d44440', '2026-11-23 23:17:26.293746+00'),
	('test-operator', 'putOffer', '9f457fa6-6065-471b-9177-18015ee20d0f', 'NxXDTQNndSPsdEBQETZxNrJan6NOHk6QBdn+gIYG4ek=', 201, '\x01046917dbed7eebeab74da752aa67470f34589e25e9c51fa9ad152e1e5892c765889c5ecabab5dd4a4955a589ebd07011351a8b80ddc117cb8969554a82c99746df2ddf771ed79344a31b03e649527d336fba42722a8ea430f86df0e29f76d84760df5a9a4907bd8ceec69006dfa8bb868eafde556614f3166ddfc6e80b090ffdff6fb4ef014bab60c7ff21b645d463e2f753aad7cc6cbbed7b1013f83e3fbc3a67122f70aaebd4d7ebe8e1847749b8920cb6c67cf69d6971588f1a296e004a9fbdb755285446dafc4cc5c3a43f0cf8ceffff01fc58dcf0f8058991ba567ce1415ef0e2586cdb5e7918e13986a97c157a18252bb37c398abe3d0877219c04389e3894cb733a375d7ab1032f22', '2026-11-23 23:17:26.35007+00'),
	('test-operator', 'addKeys', '98744d21-6a3a-4d18-a17e-560f8cf18b3c', 'fxUCC8FKL5LWTTluoqLETawev7lfVHg+nBxMeEuAXCA=', 201, '\x01c2212598fb04848a305ac4f71795d94c7022ff71f9664bc351db6471287296f3748afbae0c894477c1ce9305af00f9bd36b315ba8459009b4d07f338bbe4e1', '2026-11-23 23:17:26.392554+00'),
	('test-operator', 'createAccount', 'f332a772-25f2-417d-a5d9-b1b900f4d4fc', '/q8JjJOfCsFVI8j/DUNneQW4gNu3TEIjJh3/+jBPZEQ=', 201, '\x01b3f410405eb01a011d5b008bf9e262fc2e9fb132a4a91d1028167ac26870a84be3fa3b51b8c395a926ded8e8d39c6fa686d02cb361b245564cd0a212daccec53a50a635e6505a77421589707bb0839bf54888a3f06a901a1e6581bc7c97b3967258904bafc443c4dabd0033dca5f3338030f4f5444f5546cc5b6c154865644690cdfb888264c43938a5af1400c5b292215a9ea6381360029674dce08261c7143347305f8273810ffdf65488e742d81172985e5450f0ca41d32ebdecb3e2b1a6b12be9abdfd86d09b45cd2a96eafa4829ea47fa0cf2e92c2ff499a82d98edd4f5ed649989dcaa01621b16115a6fb8e226ca438a53e920257a71c81b1949b712dd8d82908e79d29dee36c0bea75c1dcec446775fa23eccd73009de6c44c80a55b36e87880f77852bab3b203945f8709824d78dc1d75116f71962293bfa6a1dcea53e2d4c8f94dea26bb1f20a29c0ff71f261eddda426498e6bc88c4823d8f5368d7ac40953faedd208bc5a220eea1206ab72d2b93380fa130fa00c15ab56be0fdd55e8da84827b1936cd1e1e43b941f64b4551e4533f0055b3216f67cd0c1cdb4258294f58a3', '2026-11-23 23:17:26.421212+00'),
	('test-operator', 'createDeposit', 'af92b413-20bb-4e20-b4d2-e3feb47a40cf', 'EwU9EsyCNt8GCmMWYGK2jRzYsyJQjkTGDYjlDnEOQ98=', 201, '\x01cf6ac1f7ef90efd55a250a1dbe19cff1a1529ff04f1cc5f7812fc831b402de60a8a7b6e44df2b844abdc2321520d9efd66295c5c2667aee06f8dc797683fd2f34cf320adc0b43f2399b80c5cd2d52c628abff462c4ab760ae2510b947972318a0b7270e591fd02e942632337b7cf42959ad52197a78b6e174f462fb00fa51581d4128724e6f72637bdb6d6f4310ce0beafc3f46ebc28c65501f8cfeba95b5972615b38a21b9f6c4733b465ca510fd756dfa269cebf8e967bb58ee862e965b42b7f531557f9253321a00c', '2026-11-23 23:17:26.453135+00'),
	('test-operator', 'putOffer', 'c70e1244-5969-4325-9a71-451d0afc95fd', 'ZJh0cu4Uwig/2096lzNeLgK5c7zOPQDk/daJvsDnu8E=', 200, '\x017eb1346a44bf603bbc514a89d3fff55f84bd100db4b94d867bf03f24af834834cf3a407c84de0e4c2f5ad8d3a79fb868308f31016d612140fc0763ab7103d86010c6c1e03606f185d968323ff89c2a898c0eda9a06c533d5fa6be4248a07aa34cc942cb07518605460ee627d59472179d70fe2d6f824d3cbe6e68a2a2b73ea0e26f0ffff0b24aab5fcf63ce7547ee706f04c21ea99e8744bce019924fac44ad24ae441e3abd040a2fbe510bdc3839fc8e8e72a629ee3f6bd5af14c0bcf201adf4ce499142dda756ec5a20c9649f7dfa683cfd91a786d12e6e42f0275beadbde060bf4af81221f22d26af445fe2a9d39e54a43de1b4815719a6f13843af263e4da55d90fa8fb414d1d0068f7704', '2026-11-23 23:17:26.646406+00'),
	('test-operator', 'putSeller', '975d5e08-dbb1-4efc-b0d9-2677be13dbe3', 'BxUc1z8Ru/JyEMzjwAuw8i7R0sDSduBm/AyAy9Nvou4=', 201, '\x01818f5be9e3c04c7bd01769d2ab1ef2922397513a30530e20247ca1c6a1d81efc601d35b58a0abbf08ca1b1f68a8b30af270d04f4dd4ec25a761ace73f4582e9cc4d3d7a440219bad7d9f6f5ceab23317439d8288c1a906c66128dea3fd5362948586', '2026-11-23 23:17:27.065903+00'),
	('test-operator', 'putOffer', 'dad32521-cd55-4745-93ad-c533021a225e', 'kyEOB03pc3IeVsqLjXlpNJX2pE1ipg15iK0z1M/8oPY=', 201, '\x010cbef66c81c36ab70591f98b0f43175dd43983fe10f7a22a89554ffb3718bc2f07d0628d0117e8de66abe35cdd7e47fab2fcab6d530d9d8762b4f4624cad0c8bb07842f18e4c725cfb2151e481e8b0b23e3060fa5d43518e468d4817cb41f0aa171c4063d6c46f5c60c0ea4576e005a0d766ac46a3ca4c7173f023a327a9a877fb0e50d2a82d0946e76b6d92325da6d42c917f987531754144c91863becc4fe81ffb8bde1e1c9e00d3f99b94b0d3f0f424144117e5d742fde2513fb22a472ed6baba19f919374313615d6a670b52a56ed0f4feba195eedac88d2fdcf1861bcf2851f898bf3ef8e32ed9fe9f9a1a345a850e8cc7ee8fbd097049a340fdc200bf940ec04d2158151991bda53', '2026-11-23 23:17:27.09215+00'),
	('test-operator', 'createOperator', 'b22d39bf-e359-4f8c-b90f-4feedb516674', 'bcs3EBrh071gkDIyUzgJ8ZMQ3w1DuPi2ng+fWP72/is=', 201, '\x01bfd7563ba88d34054d6aac6aabb542c261875c1285cd6034ae825bcf3d838c0b08fa03faa882d3d81a373e9fc32515aa6d057b2fa83f7d13093b964894094adb8a36b0ac3d99d91ac034c0051d00c022f27f81500ea63996719b46193d151611e75e3912b9cdab2567df1aa64da9101d09556f482aff552dce542e65212de43cad80fc6bd3644f8a8a7c4fad482789cf7993326a1a4dc131fb23594f2fa1d374dad899951b0f92262e6c2ea16ed531ff9ef8ac94d4a26f1139642d720f29213bd7bd08329a6e4cbaa8121e05424e5508ee6c4d76534a51e4fa9fb7a43381a6f04784e8bcd8e4929758568c0e49bfe4cfb96da6459f52dc13bd08dfecdd7589a579351e73b24563bdfa39f32e4b4a5330da9a28b8e220910aee7ead9f20f189fee8a00fabd40d49e729c556beba45521507dce57aa993b940ed41df3ba5342864088863328178e4312965471b55c0e212fd07b1eac2b926e414043f42b48d476aa500bd7d6e8b0238121afe7da13440314ada49caf8d27cfa29b7a377b37f13f6f42f9e732be541c4117917e89850624178aac1db1831c51ebd427c3034d67276ab189db014a1d5fcd004b468ea83f785a328', '2026-11-23 23:17:26.710001+00'),
	('test-operator', 'createClient', '4ba02a99-744e-47d7-b6de-5374aa9398d9', '+0f7x4sZPNJ+N/olN3B53MTIwt3uorCSJd11WvOxJ1Y=', 201, '\x01c9ca022f96665510b2a732c532cdfbad747669f164d2aac369bde939515da48a200237048026d29e83ea7b7dddac34ce76c09c46779ccf5d0c6d4405d525843975403f6998611276ecc9547578070dca27a20d7643fe4c40eca7c2164a576467837436ae134354e508ba299e5967e82705aace1f0adf0b8cfafe4df22377a235aa0478f3003083ed1de3ec01924b8805408b82f4d7f683e4', '2026-11-23 23:17:27.037328+00'),
	('test-operator', 'putProduct', '47fa5e0c-a91b-4491-a8f4-5dc6ac8194ed', 'OGeASwICem6uOg39ZMYti7X29Wasm2FVXf7D8luix60=', 201, '\x01eec1aca3667096e1804574e2c6560e4a9b11615947798de37b2591c3dbf01c5926756df89dc99913dbcd17c138f1c34cdedc43fd6883a7aa6a46f9b420599ef1b89eaae0785430ebc11d2dc8b3b454f0eee35afa0bb6139206e90724e59a71025afc3c19cc6637151832378ad0696bb44ae8d26d0a79128382f295c3aacc5ad24c598829ee38019e30fcf366f8b359daae3fca885aa3f9c5c668b32a554812ce0bb90e91b38818e9a1afbbe6151aa25c25da5169eb852456468abe9b18b3724619ea44cba0e062a570d4f0707fd1380e5fe23cf30972915443a302b2706bfb8793b8aa7220046e47fc605040f05a3c00c051833a18eb1002307d00e080a59251483c42828cd19a31c7c0bff738638742d2168a298eea698ef78dbba6db8e98bc3c3dc6b853680fb4642653d982a1d494ae3e63931adff804dff81446a00d51a75f72c7702c32c81a3be002a2d9328d78a7b0fa829e064c7c036c80f99ae4', '2026-11-23 23:17:27.054169+00'),
	('test-operator', 'addKeys', '232a25c3-a11a-4260-bcb8-9beebfeebcad', 'mxz2m7tf01GoGq8D+Q0TgK7kEryYqjIl3GSkUsRit44=', 201, '\x01a33b8cfaa05518e2f587cc0866c473a4c30d1f0095f5b0e5aa80151451b0af2e2ecdf7ae938f1c8f31d678c1883842814e5cee4389dd9489e306264aa217f9', '2026-11-23 23:17:27.113374+00'),
	('test-operator', 'createAccount', '78beb33b-1287-46be-bf00-156d422c2bb5', 'ENrGGzaDAGTv0SClX/7f93l3/SXklqgPyw6fF3NXE1k=', 201, '\x01a8c9b9f00b5484eb08c2a00b505fdbe8c4127507dcb74fccaf691679bb187dffce460b174c9e191d5d865ea5420facc348186e48ace7beb4d0f083c1fd5adb335188d5d879e478e25c70b4093a8d7ee8d9e35ef25201e447b949d43af270bdd05bb67f4176375855e3079e74a94b74896589679f343c4b4486c3ffaf39b68acc449ff2ded98a803d91235dbb5898b42ac938abe29898784cba52d4110188f177486c7d12c978ee41c713495d14224d51b31e2e5b9adffe56264eea47304543c893b5293e565c18866ac5185b51bac85a84ae71d6c599b7818291abe3115116cd50d9476fa66e2283d322cde6ffa8100f4ac8ada933ef0c9536b5f7a12ee5b2794fc4bbe423df06df4da86334b0fbefa8b1c1a53c8960c7292c1717b5633a67edaf5af31ccc88a5658a5d65ace23568a233fa109c5e4d2b121c88f50fffd14a4061b28839f4bb0fcbcd19cd3e9b8c4076269d0b497796f7a4951a38933dd539f355bded20f9318217242e6e783b457377ca80b0d014a56b70cdf1ef0b11ece2d9072232a70a29289eb2f0ad2c81344315b453484eb311fdb2082b271c8a02f3cae283e8', '2026-11-23 23:17:27.024522+00'),
	('test-operator', 'createDeposit', '3914150b-8ada-4589-9828-21a26b362fe0', '/Jqw7Lw7Ba+4PRzyAR/Xw4HpPOGZcmdFWHL9pQCirrY=', 201, '\x0135f16b6de5188218eb056db85639d7f60dfdc0234006a7c6f57810109c356672f18cbd8a5aacb842403991e8fb123e5ff38942bf258017c091f2a3be16eb0a62b16bf91220e11f52f0173b4255880518c1453f000c87221fc254c3569d5c36267b0330c2bad42c1b7a0c0efb2909dae474bbcae862342f1122aba4341b7ea60357ed57ac3dd77386c47d502defc5c34aa8a1923f050e2d2e2f19c19ab8d1ec6e8c6754fac639b9de7ea99c7b371ab2ea02064b6505eb5d75f499db22d80241ac1f1d3da9fc6af751c0c84a90', '2026-11-23 23:17:27.031607+00'),
	('test-operator', 'createPayout', '389fbe06-4180-4e9d-8cc0-72b7297b3c7e', 'c9P2HkB4JPE+OLNURUuGn8ZhWIn/XTCcoLH6/p8hFOc=', 202, '\x01f4ffea1b2b2e6fcead31ce314a5d9a29aa4d4462f728cd8bae72f64c4694d6552eaa4ec7bf83fa332619d19a26ce78440b04c4ac4d118d73fdf5d92b26ac365ec5015a82c868edd8a4ea2b960d90a946c6f08e1bde8824080bf1860ede6e99157dd5d6490a15b6e45ab62b1bffbc522f5d12f929c400abe0151f59f4ecfdb8b2235c9e28919662918e696d0a895d361cd6a97ee62bb3f51cd9af3b396a1ec6d4bcb199faa561acdd9019aed94553a5e31c11a4e620ccb47adb56b7562846e885969a8f60d3d33996dae45438952015040489e20f0b154bb30538630837e744aa57b1d4b931b0d551d22bb95129957088698c78adc0d3a27fb231d306d13b02d05dfa21c6cb366c92ce89a85b923d06f9e8501d7c261a86d6ed53557033cdeb86e81ef7b42db6462cc7b7b2e3559605f9c107171bcabfa1402a37a6ffc6ca0188f84b17a806adc48e609e361780e3a4dc9b6f0dee830ee3528c9270369377d510510a01006b17e82467723dceb7863e811ff579f278b53de518c10e59234c99ad782933984a401dd9ed632e11e67b65471ce3cb5e76725d3cfefa7e0c58926fdd40caf67985629f6757108e8888244ff08e4f9facb0f030daeae291ade39eb21d40ff9466ccf291775a0808ed909b6db8ff0192a16632944de1c6711ac870b5e4635761a50860ab42fdcbdd89118d396fadc5d097ef3fdd91223000e51ffbfd8eb7b21f9b42e176fa696b802bad3c2ad9f1a5f04a56d28e255a0233ffdfbb706bc7f1bd5a3f2ea3ccdf8e7f6cd2c6bf19c40670e8eb029f3c5638c024fda17ec837ee2a542f8d2ac71489658bf787185bbdae3fc557170b1c2959645a42bce1fdee4ec244709ac65d20f11f29ebcd5f7cfd04f63028bd14bab389c8dcfd23e757c3866744580c64e23f040f93df', '2026-11-23 23:17:27.196988+00');
SELECT pg_catalog.setval('public.account_position_seq', 9, true);
SELECT pg_catalog.setval('public.approval_id_seq', 3, true);
SELECT pg_catalog.setval('public.audit_entry_id_seq', 58, true);
SELECT pg_catalog.setval('public.client_secret_id_seq', 11, true);
SELECT pg_catalog.setval('public.clock_step_number_seq', 1, false);
SELECT pg_catalog.setval('public.data_key_id_seq', 1, true);
SELECT pg_catalog.setval('public.gateway_refund_id_seq', 1, true);
SELECT pg_catalog.setval('public.import_run_number_seq', 1, true);
SELECT pg_catalog.setval('public.ledger_account_id_seq', 13, true);
SELECT pg_catalog.setval('public.ledger_transfer_id_seq', 25, true);
SELECT pg_catalog.setval('public.offer_log_id_seq', 4, true);
SELECT pg_catalog.setval('public.operator_position_seq', 2, true);
SELECT pg_catalog.setval('public.order_serial_seq', 16, true);
SELECT pg_catalog.setval('public.order_status_log_id_seq', 10, true);
SELECT pg_catalog.setval('public.rejected_order_number_seq', 1, true);
SELECT pg_catalog.setval('public.sandbox_request_id_seq', 30, true);
SELECT pg_catalog.setval('public.stock_key_id_seq', 36, true);
SELECT pg_catalog.setval('public.webhook_endpoint_number_seq', 1, true);
ALTER TABLE ONLY public.account_identity
    ADD CONSTRAINT account_identity_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.account_identity
    ADD CONSTRAINT account_position_uq UNIQUE ("position");
ALTER TABLE ONLY public.advanced_order
    ADD CONSTRAINT advanced_order_pkey PRIMARY KEY (order_id);
ALTER TABLE ONLY public.approval
    ADD CONSTRAINT approval_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.audit_entry
    ADD CONSTRAINT audit_entry_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.audit_head
    ADD CONSTRAINT audit_head_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.audit_seal
    ADD CONSTRAINT audit_seal_entry_uq UNIQUE (audit_entry_id);
ALTER TABLE ONLY public.audit_seal
    ADD CONSTRAINT audit_seal_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.audit_unsealed
    ADD CONSTRAINT audit_unsealed_pkey PRIMARY KEY (audit_entry_id);
ALTER TABLE ONLY public.book_sum
    ADD CONSTRAINT book_sum_pk PRIMARY KEY (hour, kind, from_kind, to_kind);
ALTER TABLE ONLY public.catalogue_clock
    ADD CONSTRAINT catalogue_clock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.change_log
    ADD CONSTRAINT change_log_pkey PRIMARY KEY (stamp);
ALTER TABLE ONLY public.client
    ADD CONSTRAINT client_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.client_secret
    ADD CONSTRAINT client_secret_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.clock_step
    ADD CONSTRAINT clock_step_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.clock_watch
    ADD CONSTRAINT clock_watch_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.data_key
    ADD CONSTRAINT data_key_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.event_position
    ADD CONSTRAINT event_position_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.gateway_payment
    ADD CONSTRAINT gateway_payment_pkey PRIMARY KEY (order_id);
ALTER TABLE ONLY public.gateway_refund
    ADD CONSTRAINT gateway_refund_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.history_bucket
    ADD CONSTRAINT history_bucket_pk PRIMARY KEY (history, begins_at, begins_with);
ALTER TABLE ONLY public.history_horizon
    ADD CONSTRAINT history_horizon_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.import_reject
    ADD CONSTRAINT import_reject_pkey PRIMARY KEY (run, line);
ALTER TABLE ONLY public.import_run
    ADD CONSTRAINT import_run_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.import_seen
    ADD CONSTRAINT import_seen_pkey PRIMARY KEY (run, thing, key);
ALTER TABLE ONLY public.imported_item
    ADD CONSTRAINT imported_item_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.key_replacement
    ADD CONSTRAINT key_replacement_pkey PRIMARY KEY (stock_key_id);
ALTER TABLE ONLY public.key_reveal
    ADD CONSTRAINT key_reveal_pkey PRIMARY KEY (stock_key_id);
ALTER TABLE ONLY public.keys_expiring_notice
    ADD CONSTRAINT keys_expiring_notice_pkey PRIMARY KEY (order_id);
ALTER TABLE ONLY public.keys_expiring_position
    ADD CONSTRAINT keys_expiring_position_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.ledger_account
    ADD CONSTRAINT ledger_account_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ledger_account
    ADD CONSTRAINT ledger_account_uq UNIQUE NULLS NOT DISTINCT (kind, account_id, currency);
ALTER TABLE ONLY public.ledger_transfer
    ADD CONSTRAINT ledger_transfer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.master_key_holder
    ADD CONSTRAINT master_key_holder_pkey PRIMARY KEY (node_id);
ALTER TABLE ONLY public.master_key_state
    ADD CONSTRAINT master_key_state_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.offer_identity
    ADD CONSTRAINT offer_identity_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.offer_log
    ADD CONSTRAINT offer_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.operator_challenge
    ADD CONSTRAINT operator_challenge_pkey PRIMARY KEY (mac);
ALTER TABLE ONLY public.operator
    ADD CONSTRAINT operator_email_uq UNIQUE (email_key);
ALTER TABLE ONLY public.operator_link
    ADD CONSTRAINT operator_link_pkey PRIMARY KEY (token_mac);
ALTER TABLE ONLY public.operator
    ADD CONSTRAINT operator_oidc_subject_uq UNIQUE (oidc_subject);
ALTER TABLE ONLY public.operator_passkey
    ADD CONSTRAINT operator_passkey_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.operator
    ADD CONSTRAINT operator_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.operator_session
    ADD CONSTRAINT operator_session_pkey PRIMARY KEY (token_mac);
ALTER TABLE ONLY public."order"
    ADD CONSTRAINT order_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.order_status_log
    ADD CONSTRAINT order_status_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.order_sum
    ADD CONSTRAINT order_sum_pk PRIMARY KEY (hour, status);
ALTER TABLE ONLY public.product
    ADD CONSTRAINT product_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.product_stamp
    ADD CONSTRAINT product_stamp_pkey PRIMARY KEY (product_id);
ALTER TABLE ONLY public.rejected_order
    ADD CONSTRAINT rejected_order_pk PRIMARY KEY (account_id, idempotency_key);
ALTER TABLE ONLY public.rejection_sum
    ADD CONSTRAINT rejection_sum_pk PRIMARY KEY (hour, code);
ALTER TABLE ONLY public.sandbox_request
    ADD CONSTRAINT sandbox_request_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.scarce_offer
    ADD CONSTRAINT scarce_offer_pkey PRIMARY KEY (offer_id);
ALTER TABLE ONLY public.seller
    ADD CONSTRAINT seller_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.seller_sum
    ADD CONSTRAINT seller_sum_pk PRIMARY KEY (day, seller_id);
ALTER TABLE ONLY public.service_secret
    ADD CONSTRAINT service_secret_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.signing_key
    ADD CONSTRAINT signing_key_pkey PRIMARY KEY (kid);
ALTER TABLE ONLY public.stock_key
    ADD CONSTRAINT stock_key_code_mac_uq UNIQUE (code_mac);
ALTER TABLE ONLY public.stock_key
    ADD CONSTRAINT stock_key_number_uq UNIQUE (offer_id, number);
ALTER TABLE ONLY public.stock_key
    ADD CONSTRAINT stock_key_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.stock_out_sum
    ADD CONSTRAINT stock_out_sum_pk PRIMARY KEY (hour);
ALTER TABLE ONLY public.sum_position
    ADD CONSTRAINT sum_position_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.verify_schedule
    ADD CONSTRAINT verify_schedule_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery_pk PRIMARY KEY (endpoint, event_id);
ALTER TABLE ONLY public.webhook_endpoint
    ADD CONSTRAINT webhook_endpoint_id_uq UNIQUE (id);
ALTER TABLE ONLY public.webhook_endpoint
    ADD CONSTRAINT webhook_endpoint_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.webhook_node
    ADD CONSTRAINT webhook_node_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_position
    ADD CONSTRAINT webhook_position_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_queue
    ADD CONSTRAINT webhook_queue_pkey PRIMARY KEY (endpoint);
ALTER TABLE ONLY public.webhook_secret
    ADD CONSTRAINT webhook_secret_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.write_record
    ADD CONSTRAINT write_record_pk PRIMARY KEY (client_id, operation, idempotency_key);
CREATE INDEX account_id_ix ON public.account USING btree (id);
CREATE INDEX account_name_ix ON public.account USING btree (public.sort_name(name) COLLATE "C", "position");
CREATE INDEX account_position_ix ON public.account USING btree ("position");
CREATE INDEX account_words_ix ON public.account USING gin (public.search_words(((name || ' '::text) || COALESCE(gateway_customer, ''::text))));
CREATE INDEX approval_account_ix ON public.approval USING btree (account_id, id);
CREATE INDEX approval_order_ix ON public.approval USING btree (order_id, id) WHERE (order_id IS NOT NULL);
CREATE INDEX approval_pending_ix ON public.approval USING btree (id) WHERE (status = 'pending'::text);
CREATE UNIQUE INDEX approval_reference_uq ON public.approval USING btree (operation, account_id, reference) WHERE ((status = 'pending'::text) AND (reference IS NOT NULL));
CREATE INDEX audit_entry_action_ix ON public.audit_entry USING btree (at, id) WHERE (action <> 'keys.read'::text);
CREATE INDEX audit_entry_at_ix ON public.audit_entry USING btree (at, id);
CREATE INDEX audit_entry_order_ix ON public.audit_entry USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX audit_entry_trace_ix ON public.audit_entry USING btree (trace_id) WHERE (trace_id IS NOT NULL);
CREATE INDEX client_account_ix ON public.client USING btree (account_id);
CREATE INDEX client_created_ix ON public.client USING btree (created_at, id);
CREATE INDEX client_secret_live_ix ON public.client_secret USING btree (client_id) WHERE (retired_at IS NULL);
CREATE INDEX client_words_ix ON public.client USING gin (public.search_words(((id || ' '::text) || COALESCE(name, ''::text))));
CREATE INDEX event_account_ix ON public.event USING btree (account_id, id);
CREATE INDEX gateway_payment_open_ix ON public.gateway_payment USING btree (next_check_at) WHERE (state = 'open'::text);
CREATE INDEX gateway_payment_waiting_ix ON public.gateway_payment USING btree (expires_at) WHERE (state = 'open'::text);
CREATE INDEX gateway_refund_due_ix ON public.gateway_refund USING btree (state, next_attempt_at);
CREATE INDEX gateway_refund_order_ix ON public.gateway_refund USING btree (order_id);
CREATE INDEX import_run_has_seen_ix ON public.import_run USING btree (number) WHERE has_seen;
CREATE INDEX import_run_import_ix ON public.import_run USING btree (import_id, number) WHERE (import_id IS NOT NULL);
CREATE UNIQUE INDEX import_run_unfinished_uq ON public.import_run USING btree (import_id, kind, dry_run, delete_missing) WHERE ((finished_at IS NULL) AND (import_id IS NOT NULL));
CREATE INDEX imported_item_offer_ix ON public.imported_item USING btree (offer_id);
CREATE INDEX imported_item_order_ix ON public.imported_item USING btree (order_id);
CREATE INDEX imported_item_product_ix ON public.imported_item USING btree (product_id);
CREATE INDEX imported_item_seller_ix ON public.imported_item USING btree (seller_id);
CREATE INDEX key_replacement_order_ix ON public.key_replacement USING btree (order_id);
CREATE UNIQUE INDEX ledger_transfer_deposit_uq ON public.ledger_transfer USING btree (account_id, reference) WHERE (kind = 'deposit'::text);
CREATE UNIQUE INDEX ledger_transfer_line_uq ON public.ledger_transfer USING btree (account_id, line);
CREATE INDEX ledger_transfer_order_ix ON public.ledger_transfer USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE UNIQUE INDEX ledger_transfer_reference_uq ON public.ledger_transfer USING btree (account_id, kind, reference) WHERE (kind = ANY (ARRAY['adjustment'::text, 'payout'::text]));
CREATE INDEX offer_id_ix ON public.offer USING btree (id);
CREATE INDEX offer_log_offer_ix ON public.offer_log USING btree (offer_id, id);
CREATE INDEX offer_paused_by_import_ix ON public.offer USING btree (paused_by_import, id) WHERE (paused_by_import IS NOT NULL);
CREATE INDEX offer_product_ix ON public.offer USING btree (product_id);
CREATE INDEX offer_seller_ix ON public.offer USING btree (seller_id, id);
CREATE INDEX operator_link_operator_ix ON public.operator_link USING btree (operator_id);
CREATE INDEX operator_passkey_operator_ix ON public.operator_passkey USING btree (operator_id);
CREATE INDEX operator_session_operator_ix ON public.operator_session USING btree (operator_id);
CREATE INDEX order_created_ix ON public."order" USING btree (created_at, id);
CREATE UNIQUE INDEX order_first_unit_uq ON public."order" USING btree (offer_id, first_unit) WHERE (first_unit IS NOT NULL);
CREATE INDEX order_history_ix ON public."order" USING btree (account_id, created_at, id);
CREATE INDEX order_history_status_ix ON public."order" USING btree (account_id, status, created_at, id) WHERE (status <> 'complete'::text);
CREATE UNIQUE INDEX order_idempotency_key_uq ON public."order" USING btree (account_id, idempotency_key);
CREATE INDEX order_image_only_ix ON public."order" USING btree (offer_id) WHERE (first_unit IS NULL);
CREATE INDEX order_open_offer_ix ON public."order" USING btree (offer_id) WHERE ((status = ANY (ARRAY['pending'::text, 'pending_payment'::text, 'processing'::text, 'held'::text])) AND (first_unit IS NOT NULL));
CREATE INDEX order_spend_day_ix ON public."order" USING btree (account_id, spend_day) WHERE (spend_day IS NOT NULL);
CREATE INDEX order_status_ix ON public."order" USING btree (status, created_at, id) WHERE (status <> 'complete'::text);
CREATE INDEX order_status_log_order_ix ON public.order_status_log USING btree (order_id, id);
CREATE INDEX order_trace_ix ON public."order" USING brin (trace_id uuid_bloom_ops (false_positive_rate='0.001')) WITH (autosummarize='on');
CREATE INDEX product_name_ix ON public.product USING btree (public.sort_name(name) COLLATE "C", id);
CREATE INDEX product_words_ix ON public.product USING gin (words);
CREATE INDEX rejected_order_number_ix ON public.rejected_order USING btree (number);
CREATE INDEX rejected_order_old_ix ON public.rejected_order USING btree (rejected_at);
CREATE INDEX sandbox_request_client_ix ON public.sandbox_request USING btree (client_id, id);
CREATE INDEX scarce_offer_sold_ix ON public.scarce_offer USING btree (sold_at);
CREATE INDEX seller_name_ix ON public.seller USING btree (public.sort_name(name) COLLATE "C", id);
CREATE INDEX seller_words_ix ON public.seller USING gin (public.search_words(name));
CREATE INDEX stock_key_image_ix ON public.stock_key USING btree (offer_id, id) WHERE ((kind = 'image'::text) AND (NOT is_withdrawn));
CREATE INDEX stock_key_offer_ix ON public.stock_key USING btree (offer_id, id);
CREATE INDEX stock_key_withdrawn_by_import_ix ON public.stock_key USING btree (withdrawn_by_import, id) WHERE (withdrawn_by_import IS NOT NULL);
CREATE INDEX webhook_delivery_due_ix ON public.webhook_delivery USING btree (endpoint, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX webhook_delivery_failed_ix ON public.webhook_delivery USING btree (endpoint) WHERE ((next_attempt_at IS NULL) AND (NOT is_delivered));
CREATE INDEX webhook_endpoint_account_ix ON public.webhook_endpoint USING btree (account_id);
CREATE INDEX webhook_endpoint_disabled_ix ON public.webhook_endpoint USING btree (number) WHERE ((disabled_reason IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX webhook_queue_failing_ix ON public.webhook_queue USING btree (failing_since) WHERE (failing_since IS NOT NULL);
CREATE UNIQUE INDEX webhook_secret_current_uq ON public.webhook_secret USING btree (endpoint) WHERE (expires_at IS NULL);
CREATE INDEX webhook_secret_endpoint_ix ON public.webhook_secret USING btree (endpoint);
CREATE INDEX write_record_finished_ix ON public.write_record USING btree (finished_at);
CREATE TRIGGER account_claimed BEFORE INSERT ON public.account FOR EACH ROW EXECUTE FUNCTION public.claim_account();
CREATE TRIGGER account_identity_kept BEFORE DELETE OR TRUNCATE ON public.account_identity FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_delete();
CREATE TRIGGER account_kept BEFORE DELETE OR TRUNCATE ON public.account FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_delete();
CREATE TRIGGER approval_kept BEFORE DELETE OR TRUNCATE ON public.approval FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_delete();
CREATE TRIGGER audit_entry_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_entry FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER audit_entry_queue AFTER INSERT ON public.audit_entry FOR EACH ROW EXECUTE FUNCTION public.queue_audit_entry();
CREATE TRIGGER audit_seal_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_seal FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER key_replacement_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.key_replacement FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER ledger_account_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_account FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
ALTER TABLE public.ledger_account ENABLE ALWAYS TRIGGER ledger_account_append_only;
CREATE TRIGGER ledger_transfer_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_transfer FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
ALTER TABLE public.ledger_transfer ENABLE ALWAYS TRIGGER ledger_transfer_append_only;
CREATE TRIGGER offer_claimed BEFORE INSERT ON public.offer FOR EACH ROW EXECUTE FUNCTION public.claim_offer();
CREATE TRIGGER offer_identity_kept BEFORE DELETE OR TRUNCATE ON public.offer_identity FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_delete();
CREATE TRIGGER offer_kept BEFORE DELETE OR TRUNCATE ON public.offer FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_delete();
CREATE TRIGGER offer_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.offer_log FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER offer_logged_insert AFTER INSERT ON public.offer FOR EACH ROW EXECUTE FUNCTION public.log_offer();
CREATE TRIGGER offer_logged_update AFTER UPDATE OF price_minor, status ON public.offer FOR EACH ROW WHEN (((old.price_minor IS DISTINCT FROM new.price_minor) OR (old.status IS DISTINCT FROM new.status))) EXECUTE FUNCTION public.log_offer();
CREATE TRIGGER operator_kept BEFORE DELETE OR TRUNCATE ON public.operator FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_delete();
CREATE TRIGGER order_changed_late AFTER UPDATE ON public."order" REFERENCING OLD TABLE AS old_orders NEW TABLE AS new_orders FOR EACH STATEMENT EXECUTE FUNCTION public.count_late_changes();
CREATE TRIGGER order_counted_late AFTER INSERT ON public."order" REFERENCING NEW TABLE AS new_orders FOR EACH STATEMENT EXECUTE FUNCTION public.count_late_orders();
CREATE TRIGGER order_kept BEFORE DELETE OR TRUNCATE ON public."order" FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_delete();
CREATE TRIGGER order_status_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.order_status_log FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER stock_key_kept BEFORE DELETE OR TRUNCATE ON public.stock_key FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_delete();
ALTER TABLE ONLY public.advanced_order
    ADD CONSTRAINT advanced_order_order_id_fkey FOREIGN KEY (order_id) REFERENCES public."order"(id);
ALTER TABLE ONLY public.approval
    ADD CONSTRAINT approval_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account_identity(id);
ALTER TABLE ONLY public.approval
    ADD CONSTRAINT approval_order_id_fkey FOREIGN KEY (order_id) REFERENCES public."order"(id);
ALTER TABLE ONLY public.client
    ADD CONSTRAINT client_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account_identity(id);
ALTER TABLE ONLY public.client_secret
    ADD CONSTRAINT client_secret_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.client(id);
ALTER TABLE ONLY public.gateway_payment
    ADD CONSTRAINT gateway_payment_order_id_fkey FOREIGN KEY (order_id) REFERENCES public."order"(id);
ALTER TABLE ONLY public.gateway_refund
    ADD CONSTRAINT gateway_refund_order_id_fkey FOREIGN KEY (order_id) REFERENCES public."order"(id);
ALTER TABLE ONLY public.import_reject
    ADD CONSTRAINT import_reject_run_fkey FOREIGN KEY (run) REFERENCES public.import_run(number);
ALTER TABLE ONLY public.imported_item
    ADD CONSTRAINT imported_item_order_fk FOREIGN KEY (order_id) REFERENCES public."order"(id);
ALTER TABLE ONLY public.key_replacement
    ADD CONSTRAINT key_replacement_order_id_fkey FOREIGN KEY (order_id) REFERENCES public."order"(id);
ALTER TABLE ONLY public.key_replacement
    ADD CONSTRAINT key_replacement_replaced_by_fkey FOREIGN KEY (replaced_by) REFERENCES public.stock_key(id);
ALTER TABLE ONLY public.key_replacement
    ADD CONSTRAINT key_replacement_stock_key_id_fkey FOREIGN KEY (stock_key_id) REFERENCES public.stock_key(id);
ALTER TABLE ONLY public.key_reveal
    ADD CONSTRAINT key_reveal_audit_entry_id_fkey FOREIGN KEY (audit_entry_id) REFERENCES public.audit_entry(id);
ALTER TABLE ONLY public.key_reveal
    ADD CONSTRAINT key_reveal_stock_key_id_fkey FOREIGN KEY (stock_key_id) REFERENCES public.stock_key(id);
ALTER TABLE ONLY public.ledger_account
    ADD CONSTRAINT ledger_account_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account_identity(id);
ALTER TABLE ONLY public.offer_log
    ADD CONSTRAINT offer_log_offer_fk FOREIGN KEY (offer_id) REFERENCES public.offer_identity(id);
ALTER TABLE ONLY public.offer
    ADD CONSTRAINT offer_product_fk FOREIGN KEY (product_id) REFERENCES public.product(id);
ALTER TABLE ONLY public.offer
    ADD CONSTRAINT offer_seller_fk FOREIGN KEY (seller_id) REFERENCES public.seller(id);
ALTER TABLE ONLY public.operator_link
    ADD CONSTRAINT operator_link_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES public.operator(id);
ALTER TABLE ONLY public.operator_passkey
    ADD CONSTRAINT operator_passkey_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES public.operator(id);
ALTER TABLE ONLY public.operator_session
    ADD CONSTRAINT operator_session_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES public.operator(id);
ALTER TABLE ONLY public.product_stamp
    ADD CONSTRAINT product_stamp_product_id_fkey FOREIGN KEY (product_id) REFERENCES public.product(id);
ALTER TABLE ONLY public.stock_key
    ADD CONSTRAINT stock_key_data_key_id_fkey FOREIGN KEY (data_key_id) REFERENCES public.data_key(id);
ALTER TABLE ONLY public.stock_key
    ADD CONSTRAINT stock_key_offer_fk FOREIGN KEY (offer_id) REFERENCES public.offer_identity(id);
ALTER TABLE ONLY public.webhook_endpoint
    ADD CONSTRAINT webhook_endpoint_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account_identity(id);
ALTER TABLE ONLY public.webhook_queue
    ADD CONSTRAINT webhook_queue_endpoint_fkey FOREIGN KEY (endpoint) REFERENCES public.webhook_endpoint(number) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_secret
    ADD CONSTRAINT webhook_secret_endpoint_fkey FOREIGN KEY (endpoint) REFERENCES public.webhook_endpoint(number) ON DELETE CASCADE;
REVOKE ALL ON TABLE public.ledger_account FROM postgres;
GRANT SELECT,INSERT,REFERENCES,TRIGGER,UPDATE ON TABLE public.ledger_account TO postgres;
REVOKE ALL ON TABLE public.ledger_transfer FROM postgres;
GRANT SELECT,INSERT,REFERENCES,TRIGGER ON TABLE public.ledger_transfer TO postgres;
