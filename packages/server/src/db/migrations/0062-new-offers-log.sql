-- A trigger for each row took a third of the time of an offer import.
CREATE FUNCTION log_new_offers() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO offer_log (offer_id, price_minor, status, at)
        SELECT id, price_minor, status, clock_timestamp() FROM added;
      RETURN NULL;
    END $$;
CREATE OR REPLACE TRIGGER offer_logged_insert AFTER INSERT ON offer
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION log_new_offers();
