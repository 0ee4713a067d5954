-- Sales by day, for operators' reports. A worker reads all transfers of the ledger, oldest first. A582.

-- dimension: what the rows of a day stand for. thing: the id of that account, product or seller, the name
-- of the region, or an empty text for 'all'.
CREATE TABLE sale_sum (
  dimension text COLLATE "C" NOT NULL CONSTRAINT sale_sum_dimension_ck CHECK (dimension IN
    ('all', 'account', 'product', 'seller', 'region')),
  day date NOT NULL,
  thing text COLLATE "C" NOT NULL,
  orders bigint NOT NULL,
  units bigint NOT NULL,
  refunds bigint NOT NULL,
  charged_minor numeric NOT NULL,
  refunded_minor numeric NOT NULL,
  CONSTRAINT sale_sum_pk PRIMARY KEY (dimension, day, thing)
);

CREATE INDEX sale_sum_thing_ix ON sale_sum (dimension, thing, day);

-- Transfers up to this one are in sale_sum.
CREATE TABLE sale_position (
  id boolean PRIMARY KEY DEFAULT true CONSTRAINT sale_position_one_row_ck CHECK (id),
  transfer_id bigint NOT NULL DEFAULT 0
);

INSERT INTO sale_position DEFAULT VALUES;
