-- Named views of the console's lists: filters, order and columns. A581.

-- list: the operation that the list reads. search: the query string of the page, without the place in the
-- list.
CREATE TABLE saved_view (
  id uuid PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  list text COLLATE "C" NOT NULL,
  name text NOT NULL,
  search text NOT NULL,
  is_shared boolean NOT NULL
);

CREATE INDEX saved_view_list_ix ON saved_view (list);
