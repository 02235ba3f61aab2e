package requirement

// What compiled rules take in memory, as measured: see
// TestTheEstimateOfMemoryIsNearTheMeasure.
const (
	languageMemory  int64 = 120 << 10 // the names and functions that conditions share
	ruleMemory      int64 = 500
	conditionMemory int64 = 1000
	nodeMemory      int64 = 400 // of a condition's tree, CEL's forms of it and its program
	listEntryMemory int64 = 120
)

func (c *condition) memory() int64 {
	if c == nil {
		return 0
	}
	bytes := conditionMemory + 2*int64(len(c.source))
	c.tree.walk(func(*node) { bytes += nodeMemory })
	return bytes
}

// MemoryBytes is about how much memory the model takes.
func (p *Pricing) MemoryBytes() int64 {
	bytes := languageMemory
	for _, r := range p.rules {
		bytes += ruleMemory + int64(len(r.Name)) + r.condition.memory()
	}
	return bytes
}
