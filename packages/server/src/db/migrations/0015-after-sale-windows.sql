-- How long after completion an account can return unread keys and claim faulty ones. A620, A621.

-- return_window_hours: 0 means no returns.
ALTER TABLE account ADD COLUMN return_window_hours integer NOT NULL DEFAULT 0,
  ADD COLUMN claim_window_hours integer NOT NULL DEFAULT 720;
