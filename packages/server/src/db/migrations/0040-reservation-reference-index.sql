-- Outside a transaction
-- Reservations without a reference are not in it. Operators look in all accounts.
CREATE INDEX CONCURRENTLY reservation_reference_ix ON reservation (reference COLLATE "C", account_id) WHERE reference IS NOT NULL;
