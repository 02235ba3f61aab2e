-- Rule sets and pricing models: immutable versions. Of prices the newest is in force; rules are in
-- force by their days (rules_in_force). A calculation shares an advisory lock on both while it writes,
-- which a publication takes alone, so that neither can change under it (locks.go).
-- +goose Up
CREATE TABLE rule_set (
    id                  uuid PRIMARY KEY,
    account_id          uuid NOT NULL REFERENCES account,
    version             int NOT NULL CHECK (version > 0),
    content             text COLLATE "C" NOT NULL,
    sha256              bytea NOT NULL CHECK (octet_length(sha256) = 32),
    content_bytes       int NOT NULL GENERATED ALWAYS AS (octet_length(content)) STORED,
    -- The facts that it declares, for the check of values.
    facts               jsonb NOT NULL GENERATED ALWAYS AS (coalesce(content::jsonb -> 'facts', '[]')) STORED,
    comment             text COLLATE "C",
    -- The first day in force, in the account's time zone; NULL is from its publication on.
    effective_from      date,
    -- NEW is for workflows created from then on.
    applies_to          text COLLATE "C" NOT NULL DEFAULT 'ALL' CHECK (applies_to IN ('ALL', 'NEW')),
    -- The document types whose approvals hold although their text changes; ['*'] is all.
    keep_approvals      text[] COLLATE "C" NOT NULL DEFAULT '{}',
    -- The texts whose approvals hold under it, for each document type and entity type (document.KeptTexts). It needs no
    -- other version, which may be pruned.
    kept_texts          jsonb NOT NULL DEFAULT '{}',
    -- The language and the bound under which the content was checked; a stored
    -- rule set is compiled with them even when the language grows.
    environment_version int NOT NULL CHECK (environment_version > 0),
    cost_limit          bigint NOT NULL CHECK (cost_limit > 0),
    published_at        timestamptz NOT NULL,
    published_by        text COLLATE "C" NOT NULL,
    -- Of a version that two persons put in force: who proposed it, why, and who approved it. An
    -- operator is SYSTEM. published_by is who proposed it, comment what the approver said.
    proposed_by         text COLLATE "C",
    proposed_by_type    text COLLATE "C" CHECK (proposed_by_type IN ('API_KEY', 'SYSTEM')),
    proposed_at         timestamptz,
    proposal_comment    text COLLATE "C",
    approved_by         text COLLATE "C",
    approved_by_type    text COLLATE "C" CHECK (approved_by_type IN ('API_KEY', 'SYSTEM')),
    approved_at         timestamptz,
    -- What says whether a version is in force is found without its row, which holds its content.
    UNIQUE (account_id, version) INCLUDE (id, effective_from, applies_to, published_at),
    UNIQUE (account_id, id),
    CHECK (num_nulls(proposed_by, proposed_by_type, proposed_at, proposal_comment, approved_by, approved_by_type, approved_at) IN (0, 7)),
    CHECK (approved_by <> proposed_by),
    CHECK ('API_KEY' IN (proposed_by_type, approved_by_type)) -- one operator can use two names
);
-- Read to count what an account has published of late.
CREATE INDEX rule_set_by_time ON rule_set (account_id, published_at);

-- Rules that await a second person. Each publication makes the open ones OUTDATED, and approving one
-- publishes it, under the lock of the account's policy.
CREATE TABLE rule_proposal (
    id                  uuid PRIMARY KEY,
    account_id          uuid NOT NULL REFERENCES account,
    state               text COLLATE "C" NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'APPROVED', 'REJECTED', 'OUTDATED')),
    content             text COLLATE "C" NOT NULL,
    content_bytes       int NOT NULL GENERATED ALWAYS AS (octet_length(content)) STORED,
    environment_version int NOT NULL CHECK (environment_version > 0),
    cost_limit          bigint NOT NULL CHECK (cost_limit > 0),
    effective_from      date,
    applies_to          text COLLATE "C" NOT NULL CHECK (applies_to IN ('ALL', 'NEW')),
    keep_approvals      text[] COLLATE "C" NOT NULL,
    -- The newest version when it was proposed, and the codes of documents and findings that differ from
    -- it. The version may be pruned.
    base_id             uuid,
    base_version        int,
    changes             jsonb NOT NULL CHECK (jsonb_typeof(changes) = 'object'),
    comment             text COLLATE "C" NOT NULL,
    proposed_by         text COLLATE "C" NOT NULL,
    proposed_by_type    text COLLATE "C" NOT NULL CHECK (proposed_by_type IN ('API_KEY', 'SYSTEM')),
    proposed_at         timestamptz NOT NULL,
    -- Nobody decides that one is outdated.
    decided_by          text COLLATE "C",
    decided_by_type     text COLLATE "C" CHECK (decided_by_type IN ('API_KEY', 'SYSTEM')),
    decided_at          timestamptz,
    decision_comment    text COLLATE "C",
    -- The version that an approved one became; it may be pruned.
    version_id          uuid,
    version             int,
    CHECK ((base_id IS NULL) = (base_version IS NULL)),
    CHECK ((state = 'OPEN') = (decided_at IS NULL)),
    CHECK ((state IN ('APPROVED', 'REJECTED')) = (decided_by IS NOT NULL) AND (decided_by IS NULL) = (decided_by_type IS NULL)),
    CHECK ((state = 'APPROVED') = (version_id IS NOT NULL) AND (state = 'APPROVED') = (version IS NOT NULL)),
    CHECK (state <> 'APPROVED' OR decided_by <> proposed_by AND 'API_KEY' IN (proposed_by_type, decided_by_type))
);
CREATE INDEX rule_proposal_by_account ON rule_proposal (account_id, id); -- lists, the bound of open ones, and the quotas

-- Recalculations: each calculates the workflows of an account that have not ended, one after the other in
-- the order of their ids. A worker starts its run, and the run writes here how far it is.
CREATE TABLE recalculation (
    id            uuid PRIMARY KEY,
    account_id    uuid NOT NULL REFERENCES account,
    state         text COLLATE "C" NOT NULL DEFAULT 'RUNNING' CHECK (state IN ('RUNNING', 'DONE', 'CANCELED')),
    -- Only workflows whose documents are not up to date.
    only_stale    boolean NOT NULL,
    -- Who started it, and decides.
    user_id       text COLLATE "C" NOT NULL,
    user_type     text COLLATE "C" NOT NULL,
    traceparent   text COLLATE "C" NOT NULL,
    -- When an automatic start came meanwhile: it begins again at its end. Each time it begins is a round,
    -- and all but the first are automatic.
    again_at      timestamptz,
    round         int NOT NULL DEFAULT 1 CHECK (round > 0),
    -- The workflow that it looked at last in this round.
    cursor        uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    -- What became of the workflows. The total is NULL before they are counted.
    total         bigint CHECK (total >= 0),
    changed       bigint NOT NULL DEFAULT 0 CHECK (changed >= 0),
    unchanged     bigint NOT NULL DEFAULT 0 CHECK (unchanged >= 0),
    with_gaps     bigint NOT NULL DEFAULT 0 CHECK (with_gaps >= 0),
    not_evaluable bigint NOT NULL DEFAULT 0 CHECK (not_evaluable >= 0),
    started_at    timestamptz NOT NULL,
    -- When its round was requested. NULL for one of a caller that was canceled: that is no start of a day.
    requested_at  timestamptz,
    ended_at      timestamptz,
    -- Until then its run is taken to work, or to be about to start.
    lease         timestamptz NOT NULL DEFAULT '-infinity',
    CHECK ((state = 'RUNNING') = (ended_at IS NULL)),
    CHECK (state = 'RUNNING' OR again_at IS NULL),
    CHECK (state = 'CANCELED' OR requested_at IS NOT NULL)
);
-- One at a time runs for an account; read by workers that start the runs.
CREATE UNIQUE INDEX recalculation_running ON recalculation (account_id) WHERE state = 'RUNNING';
-- Read to find the last start.
CREATE INDEX recalculation_by_account ON recalculation (account_id, requested_at);

CREATE TABLE pricing_model (
    id                  uuid PRIMARY KEY,
    account_id          uuid NOT NULL REFERENCES account,
    version             int NOT NULL CHECK (version > 0),
    content             text COLLATE "C" NOT NULL,
    sha256              bytea NOT NULL CHECK (octet_length(sha256) = 32),
    environment_version int NOT NULL CHECK (environment_version > 0),
    cost_limit          bigint NOT NULL CHECK (cost_limit > 0),
    published_at        timestamptz NOT NULL,
    published_by        text COLLATE "C" NOT NULL,
    UNIQUE (account_id, version),
    UNIQUE (account_id, id)
);

-- The facts that an account has declared, in any version of its rules or prices. A name keeps its
-- entity type and its type for ever, so rows are never deleted. Publications write them under
-- the lock of the account's policy.
CREATE TABLE account_fact (
    account_id       uuid NOT NULL REFERENCES account,
    name             text COLLATE "C" NOT NULL CHECK (name ~ '^[a-z][a-z0-9_]{0,47}$'),
    entity_type      text COLLATE "C" NOT NULL CHECK (entity_type IN ('Workflow', 'Business', 'Person')),
    type             text COLLATE "C" NOT NULL CHECK (type IN ('BOOLEAN', 'NUMBER', 'AMOUNT', 'DATE', 'TEXT', 'TEXT_LIST')),
    -- The version that declared the name first.
    declared_in      text COLLATE "C" NOT NULL CHECK (declared_in IN ('RULES', 'PRICING')),
    declared_version int NOT NULL CHECK (declared_version > 0),
    -- The last declaration in a rule set and in a pricing model, with its version.
    rules            jsonb CHECK (jsonb_typeof(rules) = 'object'),
    rules_version    int,
    pricing          jsonb CHECK (jsonb_typeof(pricing) = 'object'),
    pricing_version  int,
    PRIMARY KEY (account_id, name),
    CHECK ((rules IS NULL) = (rules_version IS NULL)),
    CHECK ((pricing IS NULL) = (pricing_version IS NULL)),
    CHECK (rules IS NOT NULL OR pricing IS NOT NULL)
);

-- The version of the rules in force on a day for a workflow that was created at a time, on a day:
-- the highest number whose day has come and that applies to the workflow. Days are in the account's
-- time zone.
CREATE FUNCTION rules_in_force(account uuid, created_at timestamptz, created_on date, day date) RETURNS SETOF rule_set LANGUAGE sql STABLE ROWS 1 AS $$
    SELECT v.* FROM rule_set v
    WHERE v.account_id = account AND (v.effective_from IS NULL OR v.effective_from <= day)
        AND (v.applies_to = 'ALL' OR CASE WHEN v.effective_from IS NULL THEN v.published_at <= created_at ELSE v.effective_from <= created_on END)
    ORDER BY v.version DESC LIMIT 1
$$;

-- The versions of an account's rules that are COMING or IN_FORCE on a day, of those that were published before a
-- time; all others are replaced. It passes once over them, the newest first, beginning with the last one for ALL
-- whose day has come: nothing before that one is in force.
--
-- A coming version is replaced by a newer one that comes no later and is for no fewer workflows. A version whose day
-- has come is replaced when newer ones are for all workflows that will be created, and it is in force for none that
-- has not ended. The times by which those workflows are looked up only bound the search in the index: no workflow was
-- created after its day, and only one of the sandbox more than a day before it.
CREATE FUNCTION rules_not_replaced(account uuid, day date, before timestamptz DEFAULT 'infinity')
RETURNS TABLE (id uuid, version int, state text, applies_to text, effective_from date) LANGUAGE sql STABLE AS $$
    SELECT v.id, v.version, CASE WHEN v.effective_from > day THEN 'COMING' ELSE 'IN_FORCE' END, v.applies_to, v.effective_from
    FROM (
        SELECT s.id, s.version, s.applies_to, s.effective_from, s.published_at,
            min(s.effective_from) FILTER (WHERE s.applies_to = 'ALL') OVER newer AS all_from,
            min(s.effective_from) FILTER (WHERE s.applies_to = 'NEW') OVER newer AS new_from,
            min(s.published_at) FILTER (WHERE s.applies_to = 'NEW' AND s.effective_from IS NULL) OVER newer AS new_at
        FROM rule_set s
        WHERE s.account_id = account AND s.published_at < before AND s.version >= coalesce((
            SELECT max(l.version) FROM rule_set l
            WHERE l.account_id = account AND l.published_at < before AND l.applies_to = 'ALL' AND (l.effective_from IS NULL OR l.effective_from <= day)), 0)
        WINDOW newer AS (ORDER BY s.version DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ) v
    WHERE CASE
        WHEN v.effective_from > day THEN coalesce(v.all_from > v.effective_from, true)
            AND (v.applies_to = 'ALL' OR v.new_at IS NULL AND coalesce(v.new_from > v.effective_from, true))
        WHEN v.new_at IS NULL AND coalesce(v.new_from > day, true) THEN true
        ELSE EXISTS (
            SELECT FROM workflow w WHERE w.account_id = account AND w.state <> 'ENDED'
                AND w.created_at >= CASE WHEN v.applies_to = 'ALL' THEN '-infinity' WHEN v.effective_from IS NULL THEN v.published_at
                    ELSE (v.effective_from - (SELECT CASE a.environment WHEN 'sandbox' THEN 1830 ELSE 1 END FROM account a WHERE a.id = account))::timestamp
                        AT TIME ZONE 'UTC' END
                AND w.created_at < least(v.new_at, CASE WHEN v.new_from <= day THEN (v.new_from + 1)::timestamp AT TIME ZONE 'UTC' END)
                AND (v.applies_to = 'ALL' OR v.effective_from IS NULL OR w.created_on >= v.effective_from)
                AND (v.new_from IS NULL OR v.new_from > day OR w.created_on < v.new_from))
        END
$$;

-- +goose StatementBegin
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is immutable: publish a new version', TG_TABLE_NAME;
END $$;
-- +goose StatementEnd
CREATE TRIGGER rule_set_is_immutable BEFORE UPDATE ON rule_set FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER pricing_model_is_immutable BEFORE UPDATE ON pricing_model FOR EACH ROW EXECUTE FUNCTION refuse_change();

CALL protect('rule_set', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');
CALL protect('rule_proposal', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');
CALL protect('recalculation', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');
CALL protect('pricing_model', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');
CALL protect('account_fact', 'EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.organization_id = requisite_organization() AND a.environment = requisite_environment())');

-- +goose Down
DROP FUNCTION rules_in_force, rules_not_replaced;
DROP TABLE account_fact, pricing_model, recalculation, rule_proposal, rule_set;
DROP FUNCTION refuse_change;
