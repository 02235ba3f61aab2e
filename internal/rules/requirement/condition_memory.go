package requirement

// This file estimates how many bytes a compiled condition uses.

// The memory of compiled rules, as measured: see TestMemoryEstimate_IsNearTheMeasurement.
const (
	languageMemory  int64 = 4 << 10
	ruleMemory      int64 = 500
	conditionMemory int64 = 300
	nodeMemory      int64 = 220
	listEntryMemory int64 = 135
)

func (c *Condition) memory() int64 {
	if c == nil {
		return 0
	}
	bytes := conditionMemory + 2*int64(len(c.source))
	c.Tree.WalkAll(func(*Node) { bytes += nodeMemory })
	return bytes
}
