// Package requirement decides which documents an application must supply, and why. It reads no
// clock, no file and no database, so that the same facts and rules always give the same result.
//
// # Facts
//
// fact.Facts has what is stored for one workflow. Conditions see it under the names of the table of
// facts, fact.Table. Each fact has one row, from which the language, gaps, reasons, lints, limits,
// examples, the schema and the guide's list are made. A table belongs to a compiled set: it has the
// built-in facts, and those that the set declares, which conditions name custom.NAME. Conditions
// also see persons, the list of the stored persons with their facts; person, the current one in a
// Person rule; and lists.NAME, texts of the rule set.
//
// # Conditions
//
// A condition is a CEL expression that is true or false, in the closed part of
// CEL that follows. Everything else is refused when the rule set is compiled.
//
//   - && || ! and a ? b : c
//   - == != < <= > >= between two numbers, texts or dates; == and != also
//     between conditions; value in list
//   - + - * / and unary minus on numbers; % on whole numbers
//   - list.exists(x, test), all, exists_one, filter and map
//   - size(list) or list.size(), also of a text
//   - text.contains(part), startsWith, endsWith
//   - date("2020-01-31"), which CEL also writes timestamp("2020-01-31T00:00:00Z")
//   - [a, b], numbers, true and false, texts in quotes
//
// There is one type of number: an exact rational, parsed from the text in which it is written or
// stored, and never rounded. x / 3 * 3 == x, and 18 / 12 is 1.5. A division by zero has no result.
// Compile refuses it if it can detect it. Otherwise the evaluation fails with ErrUndecided, unless
// the result does not depend on the division: as in CEL, false && x is false and true || x is true,
// in either order, even if x has no result.
//
// A whole person cannot be compared, listed or passed on; only its fields can.
// Lists have no order and cannot be indexed or compared as wholes.
//
// # Limits
//
// rational.MaxBits limits numerators and denominators. Compile refuses a condition in which stored
// facts could exceed it.
//
// The size, nesting and cost of a rule set are limited, and an evaluation ends with its context: see
// the constants Max… and DefaultCostLimit. Texts are UTF-8, and contain no control characters but
// tabs and ends of lines.
//
// # Missing facts
//
// A condition needs every fact that occurs in it, evaluated or not. A field of a person is needed
// from every stored person. A needed fact that is absent is a Gap, and while there is any gap no
// document is calculated.
//
// A declared fact with an asked_when is a gap only where that condition holds. Elsewhere it counts as
// its default. What the condition reads is needed wherever the fact is; while that is missing, the
// fact itself is no gap.
//
// A rule is about persons if it is evaluated for each of them or loops over them. If a business has
// no persons, such a rule leads to a gap of the business: for each field to which it refers, or for
// the persons themselves if it refers to none. A rule that only counts, as in persons.size() > 1,
// leads to no gap, because zero persons are a result. A business that has stated that it has no
// persons has no such gaps: exists is false, and all is true.
//
// # Examples
//
// A rule set may carry examples, which Compile runs:
//
//	examples:
//	  - name: a foreign owner of a quarter
//	    facts:
//	      as_of: 2026-03-15
//	      established_date: 2025-01-31
//	      evaluation_score: 620
//	      persons:
//	        - {person_id: p1, citizenship: US, ownership_percentage: 75}
//	        - {person_id: p2, citizenship: CA, ownership_percentage: 25}
//	    expect:
//	      documents:
//	        - BANK_STATEMENTS
//	        - {document_type_code: PASSPORT, person_id: p2}
//	  - name: nothing is known of one owner
//	    facts:
//	      persons: [{person_id: p1}]
//	    expect:
//	      gaps:
//	        - evaluation_score
//	        - {fact: person.citizenship, person_id: p1}
//
// An example expects exactly the documents, or exactly the gaps, that it lists;
// documents: [] expects that nothing is required.
//
// # Files
//
// Package fact has the stored facts, their types and their gaps. Package author has warnings and
// reports for authors, and imports this package. Here the prefix of a file's name is its group. A
// group uses only the groups before it:
//   - rule_*: a rule set as a value and as a file, and the facts that it declares
//   - condition_*: from the text of a condition to a checked tree, with the most that its
//     evaluation costs
//   - evaluate_*: the walk through the tree of a condition
//   - explain_*: reasons, in words
//   - program_*: the compiled rule set, its results, their sizes and explanations
//   - pricing.go: scores, from conditions in the same language
package requirement
