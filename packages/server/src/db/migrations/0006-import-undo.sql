-- Records what an import changed, so that it can be undone, and the name of its file (A560 to A563).

-- file_name: as its sender calls it. audited_for: the operator for whom the audit log has an entry of this
-- run. undone_at: when it was undone.
ALTER TABLE import_run ADD COLUMN file_name text, ADD COLUMN audited_for text COLLATE "C",
    ADD COLUMN undone_at timestamptz;

-- Offers that an import added or changed. *_before: null for one that it added. next_unit: of the offer then;
-- a higher one means that it was ordered since. outcome: what an undo did with it.
CREATE TABLE import_offer (
    run bigint NOT NULL REFERENCES import_run,
    offer_id uuid NOT NULL,
    price_before bigint,
    status_before text,
    price_after bigint NOT NULL,
    status_after text NOT NULL,
    next_unit integer NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    outcome text COLLATE "C" CONSTRAINT import_offer_outcome_ck CHECK (outcome IN ('undone', 'kept')),
    PRIMARY KEY (run, offer_id)
  );

-- Keys that an import added.
CREATE TABLE import_key (
    run bigint NOT NULL REFERENCES import_run,
    unit_id bigint NOT NULL,
    outcome text COLLATE "C" CONSTRAINT import_key_outcome_ck CHECK (outcome IN ('undone', 'kept')),
    PRIMARY KEY (run, unit_id)
  );
