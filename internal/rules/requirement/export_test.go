package requirement

import "requisite/internal/rules/fact"

// LargestFacts are the largest that a business with so many persons may have.
func LargestFacts(persons int) fact.Facts { return largestFacts(persons) }

// MostRequiredBytes is how much is required at most of a business with so many persons.
func (p *Program) MostRequiredBytes(persons int) int { return p.mostRequired(persons).bytes }

// JSONBytes is how long a value is as JSON.
func JSONBytes(v any) int { return jsonBytes(v) }
