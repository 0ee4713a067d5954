-- Faults as they began and ended, so that operators see later what broke. A583.

-- subject: the id of the faulty invariant, payment, endpoint, import or node. title: its name at that time.
CREATE TABLE incident (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text COLLATE "C" NOT NULL CONSTRAINT incident_kind_ck CHECK (kind IN
    ('invariant', 'payment', 'endpoint', 'import', 'node')),
  subject text COLLATE "C" NOT NULL,
  title text NOT NULL,
  account_id uuid,
  began_at timestamptz NOT NULL DEFAULT statement_timestamp(),
  ended_at timestamptz
);

CREATE UNIQUE INDEX incident_open_uq ON incident (kind, subject) WHERE ended_at IS NULL;
CREATE INDEX incident_began_ix ON incident (began_at, id);
