-- Mentions and assignments notify the operators whom they name. A593.
-- recipients: ids of operators. Null: all operators who chose the event.
ALTER TABLE operator_notice ADD COLUMN recipients text[] COLLATE "C";
