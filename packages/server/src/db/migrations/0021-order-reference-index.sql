-- Outside a transaction
-- Orders without a reference are not in it, so that placing them costs nothing more. Operators look in all accounts.
CREATE INDEX CONCURRENTLY order_reference_ix ON "order" (reference, account_id) WHERE reference IS NOT NULL;
