-- Each order updates its account's row. If the page has no room for the new version, all five indexes get
-- an entry.
ALTER TABLE account SET (fillfactor = 20);
