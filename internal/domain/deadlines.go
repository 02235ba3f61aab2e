package domain

// Deadlines counts the required documents whose deadlines have passed or are near.
type Deadlines struct {
	Expired    int64 `json:"expired,omitempty"`     // approvals that had lapsed with their evidence
	RenewalDue int64 `json:"renewal_due,omitempty"` // approvals that had lapsed because they must be renewed
	Overdue    int64 `json:"overdue,omitempty"`
	Expiring   int64 `json:"expiring,omitempty"` // approvals that lapse soon
	// PutOff counts workflows that another transaction had locked, and organizations without a free connection.
	PutOff int64 `json:"put_off,omitempty"`
}

// Plus adds the counts of two runs.
func (d Deadlines) Plus(e Deadlines) Deadlines {
	return Deadlines{
		Expired: d.Expired + e.Expired, RenewalDue: d.RenewalDue + e.RenewalDue,
		Overdue: d.Overdue + e.Overdue, Expiring: d.Expiring + e.Expiring, PutOff: d.PutOff + e.PutOff,
	}
}
