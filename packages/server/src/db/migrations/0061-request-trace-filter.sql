-- Outside a transaction
-- A filter for each 128 blocks, made after they were filled: a tree of random ids cost an entry 260 bytes of write-ahead log.
CREATE INDEX CONCURRENTLY request_entry_traced_ix ON request_entry
    USING brin (trace_id text_bloom_ops (false_positive_rate = 0.001)) WITH (autosummarize = on);
