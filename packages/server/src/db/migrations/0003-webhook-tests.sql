-- Facts about an endpoint that a replay of its webhooks needs. A492.

-- tested_url: the URL that last responded to a test with 2xx. replayed_at: when the deliveries of the last
-- replay became due.
ALTER TABLE webhook_endpoint ADD COLUMN tested_url text, ADD COLUMN replayed_at timestamptz;
