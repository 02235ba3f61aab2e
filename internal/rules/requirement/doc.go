// Package requirement decides which documents an application must supply, and
// why. It is pure: it reads no clock, no file and no database, so that the same
// facts and rules always give the same answer.
//
// # Facts
//
// fact.Facts is what is on file for one workflow. Conditions see it under the names of the
// table of facts, fact.Table: each has one row, from which the language, gaps, reasons,
// lints, bounds, examples, the schema and the guide's list are made. A table belongs to a
// compiled set: it holds the built-in facts, and those that the set declares, which
// conditions name custom.NAME. Beside them they see persons, the list of those on record
// with the facts of a person; person, the one at hand in a Person rule; and lists.NAME,
// texts of the rule set.
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
// There is one kind of number: an exact rational, read from the text in which it
// is written or recorded, and never rounded. x / 3 * 3 == x, and 18 / 12 is 1.5.
// A division by zero has no answer. Compile refuses it where it can be seen;
// otherwise the evaluation fails with ErrUndecided, unless the result does not
// depend on it: as in CEL, false && x is false and true || x is true, in either
// order, whether x has an answer or not.
//
// A whole person cannot be compared, listed or passed on; only its fields can.
// Lists have no order and cannot be indexed or compared as wholes.
//
// # Bounds
//
// Numerators and denominators are bounded by rational.MaxBits; Compile refuses a
// condition in which facts on record could exceed it.
//
// Size, nesting and cost of a rule set are bounded, and evaluating ends with its
// context: see the constants Max… and DefaultCostLimit. Texts hold no control
// characters but tabs and ends of lines, and are UTF-8.
//
// # Missing facts
//
// A condition needs every fact that occurs in it, evaluated or not, and a field
// of a person needs that field of every person on record. What is needed and
// absent is a Gap, and while there is any gap no document is calculated. A
// rule is about persons when it is evaluated for each of them or looks at them one
// by one. When nobody is on record, such a rule leads to a gap of the business:
// for each field that it refers to, or for the persons themselves when it refers
// to none. Only counting, as in persons.size() > 1, is no gap: that nobody is on
// record is then the answer. A business that has stated to have no persons has no
// such gaps: exists is false, and all is true.
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
// What is on file, its types and its gaps are package fact. Warnings and reports for
// authors are package author, which refers to this one. Here the prefix of a file's name
// is its group. A group refers only to those before it:
//
//   - rule_*: a rule set as a value and as a file, and the facts that it declares
//   - condition_*: from the text of a condition to a checked tree, and what its
//     evaluation costs at most
//   - evaluate_*: the walk through the tree of a condition
//   - explain_*: reasons, in words
//   - program_*: the compiled rule set, its results, their sizes and explanations
//   - recalculate.go: what a new result changes in the documents on record
//   - pricing.go: scores, from conditions in the same language
package requirement
