-- Notes of operators on orders, accounts and sellers. A587.

-- subject: a kind and an id, such as order:2174556001234567. mentioned: ids of operators.
CREATE TABLE note (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject text COLLATE "C" NOT NULL,
  author text COLLATE "C" NOT NULL,
  body text NOT NULL,
  mentioned text[] COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT statement_timestamp()
);

CREATE INDEX note_subject_ix ON note (subject, id);
CREATE INDEX note_mentioned_ix ON note USING gin (mentioned);
