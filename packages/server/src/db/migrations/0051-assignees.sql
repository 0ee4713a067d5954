-- The operators who take care of held orders, claims and approvals. A588.

-- subject: a kind and an id, such as claim:clm_… A row outlives the work, because the subject may wait again.
CREATE TABLE assignee (
  subject text COLLATE "C" PRIMARY KEY,
  person text COLLATE "C" NOT NULL REFERENCES operator,
  assigned_by text COLLATE "C" NOT NULL,
  assigned_at timestamptz NOT NULL DEFAULT statement_timestamp()
);

CREATE INDEX assignee_person_ix ON assignee (person, assigned_at);
