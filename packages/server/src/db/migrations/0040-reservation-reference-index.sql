-- Outside a transaction
-- Reservations without a reference are not in the index. Operators search all accounts.
CREATE INDEX CONCURRENTLY reservation_reference_ix ON reservation (reference COLLATE "C", account_id) WHERE reference IS NOT NULL;
