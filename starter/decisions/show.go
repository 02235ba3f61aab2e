package decisions

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/store"
	"requisite/internal/text/visible"
	"requisite/starter/cli"
	"requisite/starter/ruleset"
)

func showCommand() *cobra.Command {
	var document string
	var asJSON, all bool
	c := new(cli.Operator).Command(&cobra.Command{
		Use:   "show DECISION_ID",
		Short: "Explain a decision by the facts and the rules of then",
		Long: `Explain a decision in the words of "starter explain", with the facts that were
on file then and the version of the rules that was used, whatever has
changed since.

A calculation shows each rule's evaluation as a tree, and what it changed; a
refused one the missing facts, or why a rule had no answer; a price the rules
that applied and their points. An erased decision has its results, and neither
facts nor reasons. If the version of the rules is not stored any more, you see
the results as they were recorded.`,
		Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, out io.Writer, store *store.Store, args []string) error {
		s, err := findDecision(ctx, store, args[0])
		if err != nil {
			return err
		}
		s.document, s.all = document, all
		if s.OnFile != nil && s.Kind == decision.Calculation {
			if s.explained, err = ruleset.ExplainRecorded(ctx, store, s.scope, s.Recorded, document, all); err != nil {
				return err
			}
		}
		if asJSON {
			return s.json(ctx, out)
		}
		return s.text(ctx, out)
	})
	c.Flags().StringVar(&document, "document", "", "only the rules of this document type code")
	c.Flags().BoolVar(&all, "all", false, "each person, not the first of each result")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, with all that was on file")
	return c
}

// shownDecision is a decision, and what explains it.
type shownDecision struct {
	decision.Recorded
	store     *store.Store
	scope     domain.Scope
	document  string
	all       bool
	explained *ruleset.RecordedExplainer // of a calculation whose facts are on record
}

func findDecision(ctx context.Context, store *store.Store, text string) (*shownDecision, error) {
	var decisionID id.DecisionID
	if err := decisionID.Parse(text); err != nil {
		return nil, err
	}
	scope, err := store.DecisionScope(ctx, decisionID)
	if err != nil {
		return nil, err
	}
	found, err := store.Records(scope).Decision(ctx, decisionID)
	return &shownDecision{Recorded: found, store: store, scope: scope}, err
}

func (s *shownDecision) text(ctx context.Context, out io.Writer) error {
	fmt.Fprintf(out, "Decision %s: number %d of workflow %s\n%s: %s, %s, ages counted on %s\n", s.ID, s.Number, s.WorkflowID,
		s.Kind, s.Outcome, s.DecidedAt.UTC().Format(time.RFC3339), s.AsOf)
	by := visible.Line(s.UserID) + " (" + s.UserType + ")"
	if s.TraceID != "" {
		by += ", trace " + visible.Line(s.TraceID)
	}
	fmt.Fprintf(out, "Decided by %s\n", by)
	if !s.SameAs.IsZero() {
		fmt.Fprintf(out, "Same facts, versions and results as %s\n", s.SameAs)
	}
	if err := s.body(ctx, out); err != nil {
		return err
	}
	s.changes(out)
	fmt.Fprintf(out, "\nDigest %s\n", decision.Hex(s.Digest))
	return nil
}

// body says why it was decided so.
func (s *shownDecision) body(ctx context.Context, out io.Writer) error {
	switch {
	case s.Kind == decision.Erasure:
		fmt.Fprintln(out, "The personal parts of the decisions before it were erased.")
		return nil
	case s.WasErased:
		return s.erased(out)
	case s.Kind == decision.Pricing:
		return s.price(ctx, out)
	case s.Kind == decision.DocumentStatus:
		return nil
	case s.explained.Gone:
		fmt.Fprintf(out, "Rules: version %s, which is not stored any more. The results as recorded:\n", s.RuleSet.ID)
		s.results(out)
		s.refused(out)
		return nil
	}
	if err := s.explained.Text(ctx, out); err != nil {
		return err
	}
	if s.explained.Differs {
		fmt.Fprintln(out, "\nThis program evaluates the rules otherwise than was decided. The results as recorded:")
		s.results(out)
		s.refused(out)
	}
	return nil
}

func (s *shownDecision) erased(out io.Writer) error {
	if v := s.RuleSet; v != nil {
		fmt.Fprintf(out, "Rules: version %s\n", v.ID)
	}
	if v := s.PricingModel; v != nil && s.Kind == decision.Pricing {
		fmt.Fprintf(out, "Pricing model: version %s\n", v.ID)
	}
	fmt.Fprintln(out, "Its facts and reasons were erased. What is left:")
	s.results(out)
	return nil
}

// results are those that were recorded.
func (s *shownDecision) results(out io.Writer) {
	for _, r := range s.Evaluated {
		if s.document != "" && r.DocumentTypeCode != s.document {
			continue
		}
		fmt.Fprintf(out, "\n%s\n", resultText(r))
		if r.DocumentTypeCode != "" {
			fmt.Fprintf(out, "  %s\n", visible.Line(r.Rule))
		}
		if r.Reason != nil {
			printWrapped(out, r.Reason.Message)
		}
	}
	if len(s.Evaluated) == 0 {
		fmt.Fprintln(out, "\nNo results.")
	}
}

func resultText(r decision.RuleResult) string {
	if r.DocumentTypeCode == "" {
		if !r.Holds {
			return visible.Line(r.Rule) + ": does not apply"
		}
		return fmt.Sprintf("%s: %s points", visible.Line(r.Rule), signed(*r.Points))
	}
	answer := "not required"
	if r.Holds {
		answer = "required"
	}
	if r.EntityID == "" {
		return fmt.Sprintf("%s of %s: %s", r.DocumentTypeCode, strings.ToLower(r.EntityType), answer)
	}
	return fmt.Sprintf("%s of %s %s: %s", r.DocumentTypeCode, strings.ToLower(r.EntityType), r.EntityID, answer)
}

func signed(points rational.Number) string {
	text := points.String()
	if !strings.HasPrefix(text, "-") {
		return "+" + text
	}
	return text
}

func printWrapped(out io.Writer, text string) {
	for line := range cli.Wrapped(visible.Line(text), 90) {
		fmt.Fprintf(out, "      %s\n", line)
	}
}

// refused says why a refusal was recorded.
func (s *shownDecision) refused(out io.Writer) {
	if gaps := s.OnFile.Gaps; len(gaps) > 0 {
		fmt.Fprintf(out, "\nNothing was decided while facts were missing (%d):\n", len(gaps))
		for _, gap := range gaps {
			fmt.Fprintf(out, "  %s of %s\n", gap.Lacks(), gap.EntityID)
			printWrapped(out, gap.Message)
		}
	}
	if wrong := s.OnFile.Error; wrong != nil {
		fmt.Fprintf(out, "\nNothing was decided: %s: %s\n", wrong.Code, visible.Line(wrong.Message))
	}
}

func (s *shownDecision) price(ctx context.Context, out io.Writer) error {
	if v := s.PricingModel; v != nil {
		source, model, stored, err := ruleset.PricingVersion(ctx, s.store, s.scope, v.ID)
		if err != nil {
			return err
		}
		if stored {
			fmt.Fprintf(out, "Pricing model: %s\n", source)
		} else {
			fmt.Fprintf(out, "Pricing model: version %s, which is not stored any more\n", v.ID)
		}
		if s.Changed.Score != nil && stored {
			fmt.Fprintf(out, "\nBase: %s points\n", model.Base)
		}
	}
	if s.Changed.Score == nil {
		s.refused(out)
		return nil
	}
	s.results(out)
	fmt.Fprintf(out, "\nEvaluation score: %s\n", s.Changed.Score)
	return nil
}

// changes are what the decision changed.
func (s *shownDecision) changes(out io.Writer) {
	changed := s.Changed
	for _, part := range []struct {
		title string
		refs  []calculation.DocumentRef
	}{{"Added", changed.Added}, {"Kept", changed.Kept}, {"Restored", changed.Restored}, {"Removed", changed.Removed}} {
		first := true
		for _, r := range part.refs {
			if s.document != "" && r.DocumentTypeCode != s.document {
				continue
			}
			if first {
				fmt.Fprintf(out, "\n%s:\n", part.title)
				first = false
			}
			fmt.Fprintf(out, "  %s of %s %s (%s, %s)\n", r.DocumentTypeCode, strings.ToLower(r.EntityType), r.EntityID, r.RequiredDocumentID, r.Status)
		}
	}
	if moved := changed.Document; moved != nil {
		fmt.Fprintf(out, "\n%s (%s): from %s to %s\n", moved.DocumentTypeCode, moved.RequiredDocumentID, moved.PreviousStatus, moved.Status)
	}
}

// decisionJSON is a decision as workflow.decision.get answers it.
type decisionJSON struct {
	DecisionID       id.DecisionID             `json:"decision_id"`
	WorkflowID       id.WorkflowID             `json:"workflow_id"`
	Number           int64                     `json:"number"`
	Kind             decision.Kind             `json:"kind"`
	Outcome          string                    `json:"outcome"`
	DecidedAt        string                    `json:"decided_at"`
	AsOf             fact.Date                 `json:"as_of"`
	DecidedBy        map[string]string         `json:"decided_by"`
	TraceID          string                    `json:"trace_id"`
	RuleVersionID    id.RuleSetVersionID       `json:"rule_version_id,omitzero"`
	PricingVersionID id.RuleSetVersionID       `json:"pricing_version_id,omitzero"`
	SameAs           id.DecisionID             `json:"same_as,omitzero"`
	Erased           bool                      `json:"erased"`
	Facts            *decision.Facts           `json:"facts,omitempty"`
	Results          []decision.RuleResult     `json:"results,omitempty"`
	Added            []calculation.DocumentRef `json:"added,omitempty"`
	Kept             []calculation.DocumentRef `json:"kept,omitempty"`
	Restored         []calculation.DocumentRef `json:"restored,omitempty"`
	Removed          []calculation.DocumentRef `json:"removed,omitempty"`
	Document         *calculation.DocumentMove `json:"document,omitempty"`
	EvaluationScore  *rational.Number          `json:"evaluation_score,omitempty"`
	Gaps             []fact.Gap                `json:"gaps,omitempty"`
	Error            *decision.RuleError       `json:"error,omitempty"`
	Digest           string                    `json:"digest"`
	PreviousDigest   string                    `json:"previous_digest"`
}

// recordedJSON is the head of what --json prints. Of a calculation whose facts are on record,
// the evaluation follows.
type recordedJSON struct {
	Decision decisionJSON `json:"decision"`
	// RulesGone and Differs come from ruleset.RecordedExplainer.
	RulesGone bool `json:"rules_gone,omitempty"`
	Differs   bool `json:"differs,omitempty"`
}

func (s *shownDecision) json(ctx context.Context, out io.Writer) error {
	shown := decisionJSON{
		DecisionID: s.ID, WorkflowID: s.WorkflowID, Number: s.Number, Kind: s.Kind, Outcome: s.Outcome, DecidedAt: decision.Time(s.DecidedAt), AsOf: s.AsOf,
		DecidedBy: map[string]string{"user_id": s.UserID, "user_type": s.UserType}, TraceID: s.TraceID, SameAs: s.SameAs, Erased: s.WasErased,
		Results: s.Evaluated, Added: s.Changed.Added, Kept: s.Changed.Kept, Restored: s.Changed.Restored, Removed: s.Changed.Removed,
		Document: s.Changed.Document, EvaluationScore: s.Changed.Score, Digest: decision.Hex(s.Digest), PreviousDigest: decision.Hex(s.PreviousDigest),
	}
	if s.RuleSet != nil {
		shown.RuleVersionID = s.RuleSet.ID
	}
	if s.PricingModel != nil {
		shown.PricingVersionID = s.PricingModel.ID
	}
	if s.OnFile != nil {
		shown.Facts, shown.Gaps, shown.Error = &s.OnFile.Facts, s.OnFile.Gaps, s.OnFile.Error
	}
	if s.explained == nil {
		return cli.PrintJSON(out, recordedJSON{Decision: shown})
	}
	return s.explained.JSON(ctx, out, recordedJSON{shown, s.explained.Gone, s.explained.Differs})
}
