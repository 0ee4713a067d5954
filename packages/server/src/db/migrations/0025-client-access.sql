-- Clients that only read, and secrets that work until their overlap ends. A704.

ALTER TABLE client ADD COLUMN is_read_only boolean NOT NULL DEFAULT false;

-- Null: the secret works until it is retired.
ALTER TABLE client_secret ADD COLUMN expires_at timestamptz;
