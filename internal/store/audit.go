package store

import (
	"context"
	"fmt"
	"time"

	"requisite/internal/id"
	"requisite/internal/store/db"
)

// OperatorAction is an operator's command that changes something. It stores ids, and no other
// content.
type OperatorAction struct {
	ID        id.UUID
	StartedAt time.Time
	// Operator is the person whom the command names. DatabaseRole is the role that it connected as.
	Operator, DatabaseRole string
	Command                string
	Subjects               []string // ids of the API
	EndedAt                *time.Time
	Outcome                *string // DONE, REFUSED with the code, or FAILED; nil while it runs, or if it was killed
}

// Audit is the log of operators' commands.
type Audit struct{ *base }

// Begin records that an operator's command begins. It must be called before the command
// changes anything.
func (s Audit) Begin(ctx context.Context, operator, command string, subjects []string) (id.UUID, error) {
	at := s.db.Clock()
	action := id.NewAt(at)
	_, err := s.db.Exec(ctx, `
		INSERT INTO operator_action (id, started_at, operator, command, subjects)
		VALUES ($1, $2, $3, $4, $5)`,
		action, at, operator, command, subjects)
	if err != nil {
		return action, fmt.Errorf("write the audit log: %w", err)
	}
	return action, nil
}

// End records the outcome of a command, and the ids that it returned. An outcome is final.
func (s Audit) End(ctx context.Context, action id.UUID, subjects []string, outcome string) error {
	_, err := s.db.Exec(ctx, `
		UPDATE operator_action
		SET ended_at = greatest(started_at, $2), subjects = $3, outcome = $4
		WHERE id = $1`,
		action, s.db.Clock(), subjects, outcome)
	if err != nil {
		return fmt.Errorf("write the audit log: %w", err)
	}
	return nil
}

// List lists operators' commands since a time, newest first. If about is not empty, it
// lists only those about that id.
func (s Audit) List(ctx context.Context, about string, since time.Time, most int) ([]OperatorAction, error) {
	found, err := db.Many[OperatorAction](ctx, s.db, `
		SELECT a.id, a.started_at, a.operator, a.database_role, a.command, a.subjects, a.ended_at, a.outcome FROM operator_action a
		WHERE ($1 = '' OR $1 = ANY (a.subjects)) AND a.started_at >= $2 ORDER BY a.id DESC LIMIT $3`, about, since, most)
	if err != nil {
		return nil, fmt.Errorf("read the audit log: %w", err)
	}
	return found, nil
}
