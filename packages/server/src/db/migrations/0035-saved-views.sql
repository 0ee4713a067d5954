-- Filters, order and columns of a list of the console, under a name. A581.

-- list: the operation that the list reads. search: the query string of the page, without a place in the list.
CREATE TABLE saved_view (
  id uuid PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  list text COLLATE "C" NOT NULL,
  name text NOT NULL,
  search text NOT NULL,
  is_shared boolean NOT NULL
);

CREATE INDEX saved_view_list_ix ON saved_view (list);
