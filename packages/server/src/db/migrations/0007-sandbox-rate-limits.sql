-- The rate limits that accounts set for themselves in the sandbox. A526.

-- Requests per second; null: the configured limit of the installation.
CREATE TABLE sandbox_rate_limit (
      account_id uuid PRIMARY KEY REFERENCES account_identity,
      reads integer,
      orders integer
    );
