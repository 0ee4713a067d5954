-- What operators are notified of: by mail, in a chat, and in the console.

-- A row for each subject while it needs attention, and for a while after. One node at a time writes them, so that their ids are
-- in the order of their commits. title: its description at that time, without secrets.
CREATE TABLE operator_notice (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  account_id uuid,
  title text NOT NULL,
  began_at timestamptz NOT NULL DEFAULT statement_timestamp(),
  ended_at timestamptz
);
CREATE UNIQUE INDEX operator_notice_open_uq ON operator_notice (event, subject) WHERE ended_at IS NULL;
CREATE INDEX operator_notice_ended_ix ON operator_notice (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE notification_preference (
  owner text COLLATE "C" NOT NULL,
  event text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  is_on boolean NOT NULL,
  PRIMARY KEY (owner, event, channel)
);

-- What each operator has received: told_id is the last notice that was read in the console, or sent. channel
-- `link`: a sign-in link must be mailed; link_seed alone cannot make it. due_at: the earliest next attempt, or
-- the end of a sending node's lease. salt: the chat's secret is derived from it and a key of the service.
CREATE TABLE notification_channel (
  owner text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL
    CONSTRAINT notification_channel_ck CHECK (channel IN ('console', 'mail', 'chat', 'link')),
  told_id bigint NOT NULL,
  due_at timestamptz NOT NULL DEFAULT statement_timestamp(),
  tries integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  error text,
  url text,
  salt uuid,
  link_seed bytea,
  PRIMARY KEY (owner, channel)
);

ALTER TABLE incident DROP CONSTRAINT incident_kind_ck, ADD CONSTRAINT incident_kind_ck CHECK (kind IN
  ('invariant', 'payment', 'endpoint', 'import', 'node', 'notification')) NOT VALID;
