-- The log of resellers' requests, and counts of the requests that are not in it. Written in batches and
-- deleted after seven days. A703.

-- Bodies are masked. at: when the request began. id: begins with the milliseconds of this time, so ids are
-- in its order.
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
  request_body text,
  response_body text,
  CONSTRAINT request_entry_pk PRIMARY KEY (account_id, id)
);
CREATE INDEX request_entry_trace_ix ON request_entry (trace_id);
CREATE INDEX request_entry_order_ix ON request_entry (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX request_entry_old_ix ON request_entry USING brin (at);

-- Successful reads by minute and operation. Operation '' counts the requests that were left out of the log,
-- by second.
CREATE TABLE request_count (
  account_id uuid NOT NULL,
  at timestamptz NOT NULL,
  operation text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  CONSTRAINT request_count_pk PRIMARY KEY (account_id, at, operation)
);
CREATE INDEX request_count_old_ix ON request_count USING brin (at);
