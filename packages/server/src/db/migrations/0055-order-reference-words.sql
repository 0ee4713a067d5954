-- Outside a transaction
-- Operators find orders by a part of the reference. Orders without a reference are not in the index. It has
-- no list of pending entries, because the order that has to empty the list would be late.
CREATE INDEX CONCURRENTLY order_reference_words_ix ON "order" USING gin (search_words(reference))
    WITH (fastupdate = off) WHERE reference IS NOT NULL;
