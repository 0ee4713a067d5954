-- Outside a transaction
-- Operators find orders by a part of the reference. Orders without a reference are not in it. Without a list of pending entries,
-- since the order that empties it would be late.
CREATE INDEX CONCURRENTLY order_reference_words_ix ON "order" USING gin (search_words(reference))
    WITH (fastupdate = off) WHERE reference IS NOT NULL;
