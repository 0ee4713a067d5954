-- The two indexes before replace these.
DROP INDEX request_entry_trace_ix;
DROP INDEX request_entry_order_ix;

-- Each order changes its account. A page without room for another version costs an entry in all five indexes.
ALTER TABLE account SET (fillfactor = 20);
