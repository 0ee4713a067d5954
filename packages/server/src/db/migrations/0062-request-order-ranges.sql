-- Outside a transaction
-- Ids of orders begin with the time, so those of 128 blocks are few ranges.
CREATE INDEX CONCURRENTLY request_entry_ordered_ix ON request_entry
    USING brin (order_id int8_minmax_multi_ops) WITH (autosummarize = on);
