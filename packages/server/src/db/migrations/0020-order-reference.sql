-- The reseller's own order number; null: none. A700.

ALTER TABLE "order" ADD COLUMN reference text COLLATE "C";
