package ruleset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
)

// RecordedExplainer explains a recorded calculation in the words of `starter explain`, by the
// rules and the facts of then.
type RecordedExplainer struct {
	explainer
	// Gone reports that the version of the rules is not stored any more: there is nothing to
	// explain with.
	Gone bool
	// Differs reports that the rules give another result for the facts than was recorded.
	Differs bool
}

// ExplainRecorded explains a calculation whose facts are on record.
func ExplainRecorded(ctx context.Context, store *store.Store, scope domain.Scope, d decision.Recorded, document string, all bool) (*RecordedExplainer, error) {
	facts, err := d.OnFile.Facts.ForRules(d.AsOf)
	if err != nil {
		return nil, fmt.Errorf("the facts of decision %s: %w", d.ID, err)
	}
	e := &RecordedExplainer{explainer: explainer{facts: usedFacts{used: facts, then: true}, names: d.OnFile.Facts.Names()}}
	if wrong := d.OnFile.Error; wrong != nil {
		e.failed = fmt.Sprintf("%s: %s", wrong.Code, wrong.Message)
	}
	// The words are those that were answered.
	e.tell = func(_ context.Context, gaps []fact.Gap) error {
		for i, gap := range gaps {
			if k := slices.IndexFunc(d.OnFile.Gaps, func(g fact.Gap) bool { return sameGap(g, gap) }); k >= 0 {
				gaps[i] = d.OnFile.Gaps[k]
				gaps[i].Fact = gap.Fact
			}
		}
		return nil
	}
	if d.RuleSet == nil {
		return e, nil
	}
	found, err := store.RuleSetByID(ctx, scope, d.RuleSet.ID.UUID)
	if errors.Is(err, calculation.ErrNoVersion) {
		e.Gone = true
		return e, nil
	}
	if err == nil {
		err = e.use(ctx, found)
	}
	if err == nil {
		err = e.show(document, all)
	}
	if err == nil && e.failed == "" {
		err = e.compare(ctx, d)
	}
	return e, err
}

func sameGap(a, b fact.Gap) bool {
	return a.Code == b.Code && a.EntityType == b.EntityType && a.EntityID == b.EntityID && slices.EqualFunc(a.Missing, b.Missing, func(a, b fact.MissingField) bool { return a.Field == b.Field && a.Type == b.Type })
}

// compare finds out whether the rules still give what was recorded.
func (e *RecordedExplainer) compare(ctx context.Context, d decision.Recorded) error {
	found, err := e.program.Evaluate(ctx, e.facts.used)
	if requirement.Unanswerable(err) {
		e.Differs = true
		e.failed = err.Error()
		return nil
	}
	if err != nil {
		return err
	}
	e.Differs = !slices.EqualFunc(found.Gaps, d.OnFile.Gaps, sameGap) || len(found.Gaps) == 0 &&
		!slices.EqualFunc(decision.ResultsOfRules(found), d.Evaluated, func(a, b decision.RuleResult) bool {
			return a.Rule == b.Rule && a.RuleKey() == b.RuleKey() && a.EntityID == b.EntityID && a.Holds == b.Holds
		})
	return nil
}

// Text explains in text.
func (e *RecordedExplainer) Text(ctx context.Context, out io.Writer) error { return e.text(ctx, out) }

// JSON explains in one object, which begins with the fields of head.
func (e *RecordedExplainer) JSON(ctx context.Context, out io.Writer, head any) error {
	return e.json(ctx, out, head)
}
