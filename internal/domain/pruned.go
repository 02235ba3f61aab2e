package domain

// Pruned counts the rows that were deleted.
type Pruned struct {
	Nonces   int64 `json:"nonces"`
	Outcomes int64 `json:"outcomes"`
	Events   int64 `json:"events"`             // with their deliveries and attempts
	Attempts int64 `json:"attempts,omitempty"` // that went before their events
	Replays  int64 `json:"replays,omitempty"`  // that have ended
	// RuleVersions that were neither in force nor named.
	RuleVersions int64 `json:"rule_versions,omitempty"`
	Decisions    int64 `json:"decisions,omitempty"`
	Proposals    int64 `json:"proposals,omitempty"` // of rules, that nobody approved
	// Recalculations that have ended and that a later one follows.
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
