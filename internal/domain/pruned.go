package domain

// Pruned counts the rows that were deleted.
type Pruned struct {
	Nonces   int64 `json:"nonces"`
	Outcomes int64 `json:"outcomes"`
	Events   int64 `json:"events"`             // with their deliveries and attempts
	Attempts int64 `json:"attempts,omitempty"` // deleted before their events
	Replays  int64 `json:"replays,omitempty"`  // that have ended
	// RuleVersions were neither in force nor named by a document, finding or decision.
	RuleVersions int64 `json:"rule_versions,omitempty"`
	Decisions    int64 `json:"decisions,omitempty"`
	Proposals    int64 `json:"proposals,omitempty"` // of rules, not approved
	// Recalculations have ended, and the account has a later one.
	Recalculations int64 `json:"recalculations,omitempty"`
}

// Plus adds the counts of two prunings.
func (p Pruned) Plus(q Pruned) Pruned {
	return Pruned{
		Nonces: p.Nonces + q.Nonces, Outcomes: p.Outcomes + q.Outcomes,
		Events: p.Events + q.Events, Attempts: p.Attempts + q.Attempts, Replays: p.Replays + q.Replays,
		RuleVersions: p.RuleVersions + q.RuleVersions, Decisions: p.Decisions + q.Decisions, Proposals: p.Proposals + q.Proposals,
		Recalculations: p.Recalculations + q.Recalculations,
	}
}
