-- Records who could act as whom, so that an approver is a different person, and stores the previews of
-- pending approvals. A trigger writes the records, so that they include the actions of nodes of the
-- previous version.

-- holder received a secret of the client `id`, or a link that signs in as the person `id`.
CREATE TABLE credential_holder (
    id text COLLATE "C" NOT NULL,
    holder text COLLATE "C" NOT NULL,
    PRIMARY KEY (id, holder)
  );
CREATE FUNCTION record_credential_holder() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO credential_holder (id, holder)
        VALUES (coalesce(NEW.data ->> 'clientId', NEW.data ->> 'id'), NEW.client_id) ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$;
CREATE TRIGGER audit_entry_credential AFTER INSERT ON audit_entry FOR EACH ROW
    WHEN (NEW.account_id IS NULL AND num_nonnulls(NEW.data ->> 'clientId', NEW.data ->> 'id') > 0
      AND NEW.action IN ('client.create', 'client.secret', 'operator.create', 'operator.invite',
        'operator.reset-credentials'))
    EXECUTE FUNCTION record_credential_holder();

-- approver_chain: who could act as the approver at that time. state_tag: the tag of the state that the
-- preview was made from. row_versions: the versions of the rows that the preview depends on.
ALTER TABLE approval ADD COLUMN approver_chain text[], ADD COLUMN state_tag text, ADD COLUMN row_versions text;
ALTER TABLE approval ADD CONSTRAINT approval_chain_ck
    CHECK (approver_chain IS NULL OR requested_by <> ALL (approver_chain)) NOT VALID;
