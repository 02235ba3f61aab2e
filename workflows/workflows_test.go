package workflows

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdkpb "go.temporal.io/api/sdk/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"requisite/activities"
	"requisite/internal/postgres"
	"requisite/internal/rational"
	"requisite/internal/refusal"
	"requisite/internal/requirement"
	"requisite/internal/sending"
)

// fakes stand in for the activities; a nil one must not be called.
type fakes struct {
	load       func(context.Context, postgres.Run) (postgres.Snapshot, error)
	evaluate   func(context.Context, postgres.Snapshot) (requirement.Result, error)
	save       func(context.Context, activities.SaveDocuments) (postgres.RunResult, error)
	underLocks func(context.Context, postgres.Run) (activities.UnderLocks, error)
	price      func(context.Context, activities.PricingInput) (requirement.PricingResult, error)
	saveScore  func(context.Context, activities.SaveScore) (postgres.RunResult, error)
	scoreLocks func(context.Context, activities.ScoreRun) (activities.ScoredUnderLocks, error)
}

var (
	snapshot = postgres.Snapshot{
		Facts:        requirement.Facts{AsOf: requirement.Date{Year: 2026, Month: 11, Day: 20}},
		RuleSet:      &postgres.VersionRef{WireID: "rul_1", Version: 7},
		PricingModel: &postgres.VersionRef{WireID: "rul_2", Version: 3},
	}
	passport = requirement.Requirement{DocumentTypeCode: "PASSPORT", EntityType: "Person", EntityID: "p_1", Reason: requirement.Reason{Message: "Because."}}
	request  = Request{AccountID: "sb_1", WorkflowID: "w_1"}
)

// working are activities that find one document and write it.
func working() *fakes {
	return &fakes{
		load: func(context.Context, postgres.Run) (postgres.Snapshot, error) { return snapshot, nil },
		evaluate: func(context.Context, postgres.Snapshot) (requirement.Result, error) {
			return requirement.Result{Required: []requirement.Requirement{passport}}, nil
		},
		save: func(_ context.Context, in activities.SaveDocuments) (postgres.RunResult, error) {
			return postgres.RunResult{Added: []postgres.DocumentRef{{DocumentTypeCode: in.Required[0].DocumentTypeCode}}}, nil
		},
		price: func(context.Context, activities.PricingInput) (requirement.PricingResult, error) {
			return requirement.PricingResult{Score: rational.Int(620), Applied: []requirement.AppliedRule{{Name: "old", Points: rational.Int(120)}}}, nil
		},
		saveScore: func(_ context.Context, in activities.SaveScore) (postgres.RunResult, error) {
			return postgres.RunResult{Score: &in.Score}, nil
		},
	}
}

func environment(t *testing.T, f *fakes) *testsuite.TestWorkflowEnvironment {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	env := suite.NewTestWorkflowEnvironment()
	for name, fake := range map[string]any{
		"LoadFacts": f.load, "EvaluateRules": f.evaluate, "SaveRequiredDocuments": f.save, "CalculateUnderLocks": f.underLocks,
		"EvaluatePricing": f.price, "SaveScore": f.saveScore, "ScoreUnderLocks": f.scoreLocks,
	} {
		env.RegisterActivityWithOptions(fake, activity.RegisterOptions{Name: name})
	}
	t.Cleanup(func() { env.AssertExpectations(t) })
	return env
}

func calculated(t *testing.T, f *fakes) (Calculated, error) {
	env := environment(t, f)
	env.ExecuteWorkflow(CalculateRequiredDocuments, request)
	require.True(t, env.IsWorkflowCompleted())
	var result Calculated
	if err := env.GetWorkflowError(); err != nil {
		return result, err
	}
	return result, env.GetWorkflowResult(&result)
}

var errFactsChanged = temporal.NewApplicationErrorWithOptions("changed", "FACTS_CHANGED", temporal.ApplicationErrorOptions{NonRetryable: true})

func TestACalculationSaysWhatItFoundAndWrote(t *testing.T) {
	result, err := calculated(t, working())
	require.NoError(t, err)
	require.Equal(t, "2026-11-20", result.CalculatedFor.String())
	require.Equal(t, 7, result.RuleSet.Version)
	require.Equal(t, "PASSPORT", result.Required[0].DocumentTypeCode)
	require.Len(t, result.Added, 1)
	require.Contains(t, result.describe(), "- **PASSPORT** for Person p_1. Because.")
	require.Contains(t, result.describe(), "rule set version 7 (rul_1)")
}

// What a rule, an account or a receiver says is shown in the Temporal UI, which
// renders Markdown.
func TestNothingThatOthersSayIsMarkupInTheTemporalUI(t *testing.T) {
	const hostile = "[documents](https://evil.example) **x** \u202e<img src=x>\n# title"
	const shown = "`[documents](https://evil.example) **x** \\u202e<img src=x> # title`"
	reason := requirement.Reason{Message: hostile}
	require.Contains(t, Calculated{Required: []requirement.Requirement{{DocumentTypeCode: "A_B", EntityType: "Workflow", EntityID: "w_1", Reason: reason}}}.describe(),
		"- **A_B** for Workflow w_1. "+shown+"\n")
	require.Contains(t, Priced{Applied: []requirement.AppliedRule{{Name: hostile, Points: rational.Int(1), Reason: reason}}}.describe(), "- **+1** "+shown+". "+shown+"\n")
	failure := sending.Failure{DeliveryID: "whd_1", EndpointID: "whc_1", EventType: "WEBHOOK_TEST", Host: "www.evil.example", Error: hostile}
	require.Contains(t, sending.Sent{Failed: 1, Failures: []sending.Failure{failure}}.Describe(), "to `www.evil.example` (whc_1): "+shown+"\n")
	require.Contains(t, sending.Retried{Look: postgres.Look{Waiting: 1, Host: "www.evil.example", LastError: hostile}}.Describe(), "for `www.evil.example`: "+shown+"; next")

	f := working()
	f.evaluate = func(context.Context, postgres.Snapshot) (requirement.Result, error) {
		return requirement.Result{}, refusal.Rule(refusal.EntityDocumentRules, "rul_1", "NOT_EVALUABLE", "Evaluate documents[0] (X_DOC): no answer.").Failure()
	}
	env := environment(t, f)
	env.ExecuteWorkflow(CalculateRequiredDocuments, request)
	require.True(t, env.IsWorkflowCompleted())
	details, err := env.QueryWorkflow("__temporal_workflow_metadata")
	require.NoError(t, err)
	var metadata sdkpb.WorkflowMetadata
	require.NoError(t, details.Get(&metadata))
	require.Contains(t, metadata.CurrentDetails, "**Refused:** `Evaluate documents[0] (X_DOC): no answer.`")
}

func TestGapsAreATypedRefusalAndNothingIsWritten(t *testing.T) {
	gap := requirement.Gap{Code: "FIELDS_REQUIRED", EntityType: "Person", EntityID: "p_1", Fields: []string{"citizenship"}, RelatedEndpoints: []string{"person.update"},
		Missing: []requirement.MissingField{{Field: "citizenship"}}}
	sales := requirement.Gap{Code: "FIELDS_REQUIRED", EntityType: "BusinessSalesInfo", EntityID: "b_1", Missing: []requirement.MissingField{{Field: "sales_amount", Type: "HIGHEST_TICKET_SALE"}}}
	score := requirement.Gap{Code: "CALCULATED_PRICING_REQUIRED", EntityType: "Workflow", EntityID: "w_1", RelatedEndpoints: []string{"workflow.pricing.calculate"},
		Missing: []requirement.MissingField{{Field: "evaluation_score"}}, PricingMissing: []requirement.Gap{sales}}
	f := working()
	f.evaluate = func(context.Context, postgres.Snapshot) (requirement.Result, error) {
		return requirement.Result{Gaps: []requirement.Gap{gap, score}}, nil
	}
	f.save = func(context.Context, activities.SaveDocuments) (postgres.RunResult, error) {
		t.Error("nothing may be written")
		return postgres.RunResult{}, nil
	}
	_, err := calculated(t, f)
	refused, ok := refusal.FromError(err)
	require.True(t, ok, "%v", err)
	require.Equal(t, refusal.MissingRequirements, refused.Code)
	var gaps []requirement.Gap
	require.NoError(t, json.Unmarshal(refused.Details, &gaps))
	require.Equal(t, []requirement.Gap{gap, score}, gaps)
	require.Contains(t, gapList(refused), "**citizenship** of Person p_1: supplied by person.update")
	require.Contains(t, gapList(refused), "**evaluation_score** of Workflow w_1: supplied by workflow.pricing.calculate\n  - for pricing: **sales_amount HIGHEST_TICKET_SALE** of BusinessSalesInfo b_1\n")
}

func TestARefusalOfAnyStepIsTheRunsOwn(t *testing.T) {
	ended := refusal.Ended("w_1").Failure()
	for name, change := range map[string]func(*fakes){
		"LoadFacts": func(f *fakes) {
			f.load = func(context.Context, postgres.Run) (postgres.Snapshot, error) { return postgres.Snapshot{}, ended }
		},
		"SaveRequiredDocuments": func(f *fakes) {
			f.save = func(context.Context, activities.SaveDocuments) (postgres.RunResult, error) {
				return postgres.RunResult{}, ended
			}
		},
	} {
		f := working()
		change(f)
		_, err := calculated(t, f)
		refused, ok := refusal.FromError(err)
		require.True(t, ok, "%s: %v", name, err)
		require.Equal(t, refusal.WorkflowEnded, refused.SubCode, name)
	}
}

func TestFactsThatChangedAreReadAgainAndThenHeldStill(t *testing.T) {
	var loads, saves int
	f := working()
	load, save := f.load, f.save
	f.load = func(ctx context.Context, run postgres.Run) (postgres.Snapshot, error) { loads++; return load(ctx, run) }
	f.save = func(ctx context.Context, in activities.SaveDocuments) (postgres.RunResult, error) {
		if saves++; saves == 1 {
			return postgres.RunResult{}, errFactsChanged
		}
		return save(ctx, in)
	}
	_, err := calculated(t, f)
	require.NoError(t, err)
	require.Equal(t, 2, loads)

	loads = 0
	f.save = func(context.Context, activities.SaveDocuments) (postgres.RunResult, error) {
		return postgres.RunResult{}, errFactsChanged
	}
	f.underLocks = func(context.Context, postgres.Run) (activities.UnderLocks, error) {
		return activities.UnderLocks{Snapshot: snapshot, Required: []requirement.Requirement{passport}}, nil
	}
	result, err := calculated(t, f)
	require.NoError(t, err)
	require.Equal(t, rounds, loads)
	require.Len(t, result.Required, 1)
}

func TestTheClockIsReadOnce(t *testing.T) {
	var seen []time.Time
	f := working()
	f.load = func(_ context.Context, run postgres.Run) (postgres.Snapshot, error) {
		seen = append(seen, run.StartedAt)
		return snapshot, nil
	}
	saves := 0
	f.save = func(_ context.Context, in activities.SaveDocuments) (postgres.RunResult, error) {
		seen = append(seen, in.Run.StartedAt)
		if saves++; saves < rounds {
			return postgres.RunResult{}, errFactsChanged
		}
		return postgres.RunResult{}, nil
	}
	_, err := calculated(t, f)
	require.NoError(t, err)
	require.Len(t, seen, 2*rounds)
	for _, at := range seen {
		require.Equal(t, seen[0], at)
	}
}

func TestAStepThatFailsGoesOnWhereAnOperatorSeesIt(t *testing.T) {
	var local, ordinary int
	f := working()
	f.load = func(ctx context.Context, _ postgres.Run) (postgres.Snapshot, error) {
		if activity.GetInfo(ctx).IsLocalActivity {
			local++
			return postgres.Snapshot{}, errors.New("the database is away")
		}
		if ordinary++; ordinary < 3 {
			return postgres.Snapshot{}, errors.New("the database is still away")
		}
		return snapshot, nil
	}
	_, err := calculated(t, f)
	require.NoError(t, err)
	require.Positive(t, local)
	require.Equal(t, 3, ordinary)
}

func TestPricing(t *testing.T) {
	priced := func(f *fakes) (Priced, error) {
		env := environment(t, f)
		env.ExecuteWorkflow(CalculatePricing, request)
		var result Priced
		if err := env.GetWorkflowError(); err != nil {
			return result, err
		}
		return result, env.GetWorkflowResult(&result)
	}
	result, err := priced(working())
	require.NoError(t, err)
	require.Equal(t, rational.Int(620), *result.Score)
	require.Contains(t, result.describe(), "evaluation_score is **620**")
	require.Contains(t, result.describe(), "- **+120** old.")

	f := working()
	f.price = func(context.Context, activities.PricingInput) (requirement.PricingResult, error) {
		return requirement.PricingResult{Gaps: []requirement.Gap{{Code: "FIELDS_REQUIRED"}}}, nil
	}
	_, err = priced(f)
	refused, ok := refusal.FromError(err)
	require.True(t, ok)
	require.Equal(t, refusal.MissingRequirements, refused.Code)

	f = working()
	f.saveScore = func(context.Context, activities.SaveScore) (postgres.RunResult, error) {
		return postgres.RunResult{}, errFactsChanged
	}
	f.scoreLocks = func(_ context.Context, in activities.ScoreRun) (activities.ScoredUnderLocks, error) {
		require.Equal(t, "sb_1", in.AccountID)
		score := rational.Int(480)
		return activities.ScoredUnderLocks{Snapshot: snapshot, RunResult: postgres.RunResult{Score: &score}}, nil
	}
	result, err = priced(f)
	require.NoError(t, err)
	require.Equal(t, rational.Int(480), *result.Score)
}
