-- Claims of resellers about faulty keys. A621, A623.

-- answer: of the operator who decided it. transfer_id: its refund in the books.
CREATE TABLE claim (
  id text COLLATE "C" PRIMARY KEY,
  position bigint NOT NULL GENERATED ALWAYS AS IDENTITY CONSTRAINT claim_position_uq UNIQUE,
  account_id uuid NOT NULL REFERENCES account_identity,
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
CREATE INDEX claim_seller_ix ON claim (seller_id, created_at);
CREATE INDEX claim_open_ix ON claim (position) WHERE status = 'open';

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
