-- Each order changes its account. A page without room for another version costs an entry in all five indexes.
ALTER TABLE account SET (fillfactor = 20);
