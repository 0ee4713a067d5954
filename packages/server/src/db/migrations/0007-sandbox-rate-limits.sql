-- The limits of requests that accounts set for themselves in the sandbox. A526.

-- Requests a second; null: as the installation is configured.
CREATE TABLE sandbox_rate_limit (
      account_id uuid PRIMARY KEY REFERENCES account_identity,
      reads integer,
      orders integer
    );
