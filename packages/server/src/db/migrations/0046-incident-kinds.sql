-- Outside a transaction
ALTER TABLE incident VALIDATE CONSTRAINT incident_kind_ck;
