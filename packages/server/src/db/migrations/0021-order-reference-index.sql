-- Outside a transaction
-- Orders without a reference are not in the index, so that placing them costs nothing more. Operators
-- search all accounts.
CREATE INDEX CONCURRENTLY order_reference_ix ON "order" (reference, account_id) WHERE reference IS NOT NULL;
