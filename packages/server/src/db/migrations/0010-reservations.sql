-- Units and a price that are set aside for an account until it orders them (A600 to A607).

ALTER TABLE account ADD COLUMN reserved_units_max integer NOT NULL DEFAULT 50;

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
CREATE TRIGGER reservation_kept BEFORE DELETE OR TRUNCATE ON reservation
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_delete();

-- Orders of reservations. A reservation can have several orders: after a declined payment it is active again.
CREATE TABLE reservation_order (
    order_id bigint PRIMARY KEY,
    reservation bigint NOT NULL REFERENCES reservation
  );

-- A unit below next_unit is in the order whose range contains its number, or if none does, in a reservation.
CREATE OR REPLACE VIEW unit AS
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

CREATE OR REPLACE VIEW unit_count AS
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
