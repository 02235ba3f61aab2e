package workflows

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdkpb "go.temporal.io/api/sdk/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/postgres"
	"requisite/internal/rational"
	"requisite/internal/refusal"
	"requisite/internal/requirement"
	"requisite/internal/sending"
)

var (
	ruleSet  = &domain.VersionRef{WireID: "rul_1", Version: 7}
	facts    = &requirement.Facts{AsOf: requirement.Date{Year: 2026, Month: 11, Day: 20}}
	passport = requirement.Requirement{DocumentTypeCode: "PASSPORT", EntityType: "Person", EntityID: "p_1", Reason: requirement.Reason{Message: "Because."}}
	request  = Request{AccountID: id.Account(id.AccountSandbox, id.New()), WorkflowID: id.WorkflowID{UUID: id.New()}}
)

// environment runs workflows over activities that stand in for the real ones.
func environment(t *testing.T, fakes map[string]any) *testsuite.TestWorkflowEnvironment {
	env := newEnvironment(t)
	for name, fake := range fakes {
		env.RegisterActivityWithOptions(fake, activity.RegisterOptions{Name: name})
	}
	t.Cleanup(func() { env.AssertExpectations(t) })
	return env
}

// calculating runs a calculation of required documents.
func calculating(t *testing.T, do func(context.Context, activities.Calculation) (activities.Calculated, error)) (Answer[activities.Calculated], *testsuite.TestWorkflowEnvironment) {
	env := environment(t, map[string]any{"CalculateRequiredDocuments": do})
	env.ExecuteWorkflow(CalculateRequiredDocuments, request)
	require.True(t, env.IsWorkflowCompleted())
	require.NoError(t, env.GetWorkflowError())
	var answer Answer[activities.Calculated]
	require.NoError(t, env.GetWorkflowResult(&answer))
	return answer, env
}

func details(t *testing.T, env *testsuite.TestWorkflowEnvironment) string {
	found, err := env.QueryWorkflow("__temporal_workflow_metadata")
	require.NoError(t, err)
	var metadata sdkpb.WorkflowMetadata
	require.NoError(t, found.Get(&metadata))
	return metadata.CurrentDetails
}

func TestACalculationSaysWhatItFoundAndWrote(t *testing.T) {
	answer, env := calculating(t, func(_ context.Context, in activities.Calculation) (activities.Calculated, error) {
		require.Equal(t, request.AccountID, in.AccountID)
		require.Equal(t, request.WorkflowID, in.Run.WorkflowID)
		require.NotEmpty(t, in.Run.ID)
		require.False(t, in.Run.StartedAt.IsZero())
		return activities.Calculated{
			Facts: facts, RuleSet: ruleSet, Required: []requirement.Requirement{passport},
			RunResult: domain.RunResult{Added: []domain.DocumentRef{{DocumentTypeCode: "PASSPORT"}}},
		}, nil
	})
	result, err := answer.Get()
	require.NoError(t, err)
	require.Equal(t, "2026-11-20", result.Facts.AsOf.String())
	require.Equal(t, 7, result.RuleSet.Version)
	require.Equal(t, "PASSPORT", result.Required[0].DocumentTypeCode)
	require.Len(t, result.Added, 1)
	require.Contains(t, details(t, env), "By rule set version 7 (rul_1), for 2026-11-20")
	require.Contains(t, details(t, env), "- **PASSPORT** for Person p_1. Because.")
	require.Contains(t, describeCalculated(activities.Calculated{}), "An earlier try had written already.")
}

// What a rule, an account or a receiver says is shown in the Temporal UI, which
// renders Markdown.
func TestNothingThatOthersSayIsMarkupInTheTemporalUI(t *testing.T) {
	const hostile = "[documents](https://evil.example) **x** \u202e<img src=x>\n# title"
	const shown = "`[documents](https://evil.example) **x** \\u202e<img src=x> # title`"
	reason := requirement.Reason{Message: hostile}
	require.Contains(t, describeCalculated(activities.Calculated{Facts: facts, Required: []requirement.Requirement{{DocumentTypeCode: "A_B", EntityType: "Workflow", EntityID: "w_1", Reason: reason}}}),
		"- **A_B** for Workflow w_1. "+shown+"\n")
	require.Contains(t, describePriced(activities.Priced{Applied: []requirement.AppliedRule{{Name: hostile, Points: rational.Int(1), Reason: reason}}}), "- **+1** "+shown+". "+shown+"\n")
	failure := sending.Failure{DeliveryID: "whd_1", EndpointID: "whc_1", EventType: "WEBHOOK_TEST", Host: "www.evil.example", Error: hostile}
	require.Contains(t, sending.Sent{Failed: 1, Failures: []sending.Failure{failure}}.Describe(), "to `www.evil.example` (whc_1): "+shown+"\n")
	require.Contains(t, sending.Retried{Look: postgres.Look{Waiting: 1, Host: "www.evil.example", LastError: hostile}}.Describe(), "for `www.evil.example`: "+shown+"; next")

	_, env := calculating(t, func(context.Context, activities.Calculation) (activities.Calculated, error) {
		return activities.Calculated{}, refusal.Rule(refusal.EntityDocumentRules, "rul_1", "NOT_EVALUABLE", "Evaluate documents[0] (X_DOC): no answer.").Failure()
	})
	require.Contains(t, details(t, env), "**`Evaluate documents[0] (X_DOC): no answer.`**")
}

// TestTheResultOfARunIsThatOfItsStep: the api answers with the latter before the run
// has ended.
func TestTheResultOfARunIsThatOfItsStep(t *testing.T) {
	score := rational.Int(7)
	calculated := activities.Calculated{RuleSet: ruleSet, RunResult: domain.RunResult{Warnings: []refusal.Warning{{Code: refusal.ScoreOutdated}}}}
	priced := activities.Priced{RunResult: domain.RunResult{Score: &score}}
	created := domain.CreatedKey{KeyID: "whk_20261120_01"}
	activated := domain.ActivatedKey{KeyID: "whk_20261120_02"}
	for name, c := range map[string]struct {
		kind                  Kind
		run, in, step, result any
	}{
		CalculateRequiredDocumentsName: {Calculation, CalculateRequiredDocuments, request, func(context.Context, activities.Calculation) (activities.Calculated, error) { return calculated, nil }, calculated},
		CalculatePricingName:           {Pricing, CalculatePricing, request, func(context.Context, activities.Calculation) (activities.Priced, error) { return priced, nil }, priced},
		CreateWebhookKeyName:           {KeyCreation, CreateWebhookKey, KeyRequest{}, func(context.Context, activities.KeyStep) (domain.CreatedKey, error) { return created, nil }, created},
		ActivateWebhookKeyName:         {KeyActivation, ActivateWebhookKey, KeyRequest{}, func(context.Context, activities.KeyStep) (domain.ActivatedKey, error) { return activated, nil }, activated},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, name, c.kind.Workflow)
			require.True(t, c.kind.OneStep)
			env := environment(t, map[string]any{name: c.step})
			env.ExecuteWorkflow(c.run, c.in)
			require.NoError(t, env.GetWorkflowError())
			var answer Answer[json.RawMessage]
			require.NoError(t, env.GetWorkflowResult(&answer))
			want, err := json.Marshal(c.result)
			require.NoError(t, err)
			require.JSONEq(t, string(want), string(*answer.Result))
		})
	}
}

// TestARefusalIsAnAnswer: the run is COMPLETED, and found by the refusal's word.
func TestARefusalIsAnAnswer(t *testing.T) {
	gap := requirement.Gap{Code: "FIELDS_REQUIRED", EntityType: "Person", EntityID: "p_1", Fields: []string{"citizenship"}, RelatedEndpoints: []string{"person.update"},
		Missing: []requirement.MissingField{{Field: "citizenship"}}}
	sales := requirement.Gap{Code: "FIELDS_REQUIRED", EntityType: "BusinessSalesInfo", EntityID: "b_1", Missing: []requirement.MissingField{{Field: "sales_amount", Type: "HIGHEST_TICKET_SALE"}}}
	score := requirement.Gap{Code: "CALCULATED_PRICING_REQUIRED", EntityType: "Workflow", EntityID: "w_1", RelatedEndpoints: []string{"workflow.pricing.calculate"},
		Missing: []requirement.MissingField{{Field: "evaluation_score"}}, PricingMissing: []requirement.Gap{sales}}
	answer, env := calculating(t, func(context.Context, activities.Calculation) (activities.Calculated, error) {
		return activities.Calculated{}, refusal.Missing([]requirement.Gap{gap, score}).Failure()
	})
	_, err := answer.Get()
	refused := answer.Refusal
	require.Equal(t, error(refused), err)
	require.Equal(t, refusal.MissingRequirements, refused.Code)
	var gaps []requirement.Gap
	require.NoError(t, json.Unmarshal(refused.Details, &gaps))
	require.Equal(t, []requirement.Gap{gap, score}, gaps)
	require.Contains(t, details(t, env), "**citizenship** of Person p_1: supplied by person.update")
	require.Contains(t, details(t, env), "**evaluation_score** of Workflow w_1: supplied by workflow.pricing.calculate\n  - for pricing: **sales_amount HIGHEST_TICKET_SALE** of BusinessSalesInfo b_1\n")

	_, err = Answer[activities.Calculated]{}.Get()
	require.Error(t, err, "neither a result nor a refusal")
}

// TestAFaultIsNoAnswer: what is no refusal and cannot be retried fails the run.
func TestAFaultIsNoAnswer(t *testing.T) {
	env := environment(t, map[string]any{"CalculateRequiredDocuments": func(context.Context, activities.Calculation) (activities.Calculated, error) {
		return activities.Calculated{}, temporal.NewNonRetryableApplicationError("broken", "BROKEN", nil)
	}})
	env.ExecuteWorkflow(CalculateRequiredDocuments, request)
	require.ErrorContains(t, env.GetWorkflowError(), "broken")
}

func TestAStepThatFailsGoesOnWhereAnOperatorSeesIt(t *testing.T) {
	var local, ordinary int
	var at []time.Time
	calculating(t, func(ctx context.Context, in activities.Calculation) (activities.Calculated, error) {
		at = append(at, in.Run.StartedAt)
		if activity.GetInfo(ctx).IsLocalActivity {
			local++
			return activities.Calculated{}, errors.New("the database is away")
		}
		if ordinary++; ordinary < 3 {
			return activities.Calculated{}, errors.New("the database is still away")
		}
		return activities.Calculated{Facts: facts}, nil
	})
	require.Positive(t, local)
	require.Equal(t, 3, ordinary)
	for _, one := range at {
		require.Equal(t, at[0], one, "the clock is read once")
	}
}

func TestPricing(t *testing.T) {
	score := rational.Int(620)
	env := environment(t, map[string]any{"CalculatePricing": func(_ context.Context, in activities.Calculation) (activities.Priced, error) {
		require.Equal(t, request.AccountID, in.AccountID)
		return activities.Priced{Facts: facts, Applied: []requirement.AppliedRule{{Name: "old", Points: rational.Int(120)}}, RunResult: domain.RunResult{Score: &score}}, nil
	}})
	env.ExecuteWorkflow(CalculatePricing, request)
	require.NoError(t, env.GetWorkflowError())
	var answer Answer[activities.Priced]
	require.NoError(t, env.GetWorkflowResult(&answer))
	require.Equal(t, score, *answer.Result.Score)
	require.Contains(t, details(t, env), "evaluation_score is **620**")
	require.Contains(t, details(t, env), "- **+120** old.")
}

func TestARecoveryGoesOverToTheCurrentVersionBetweenBatches(t *testing.T) {
	var env *testsuite.TestWorkflowEnvironment
	begun := map[int]activities.ReleaseStep{}
	env = environment(t, map[string]any{
		"RecoverSome": func(_ context.Context, in activities.ReleaseStep) (domain.Released, error) {
			begun[in.Part] = in
			env.SetTargetWorkerDeploymentVersionChanged(true)
			return domain.Released{Count: 1000}, nil
		},
		"KeepReleased": func(context.Context, activities.KeepReleased) (domain.Released, error) {
			return domain.Released{}, errors.New("it has not ended")
		},
	})
	in := ReleaseRequest{AccountID: request.AccountID, ConfigID: id.WebhookConfigID{UUID: id.New()}, Since: "2026-11-20T00:00:00Z"}
	env.ExecuteWorkflow(RecoverDeliveries, in)
	var renewed *workflow.ContinueAsNewError
	require.ErrorAs(t, env.GetWorkflowError(), &renewed)
	require.Len(t, begun, 1)
	var next ReleaseRequest
	require.NoError(t, converter.GetDefaultDataConverter().FromPayloads(renewed.Input, &next))
	require.EqualValues(t, 1000, next.Continued.Count)
	require.WithinDuration(t, begun[1].Run.StartedAt, next.Continued.StartedAt, 0, "what fails after the first start is left")

	// The next run goes on, and counts everything.
	var kept activities.KeepReleased
	second := environment(t, map[string]any{
		"RecoverSome": func(_ context.Context, in activities.ReleaseStep) (domain.Released, error) {
			require.WithinDuration(t, next.Continued.StartedAt, in.Run.StartedAt, 0)
			if in.Part == 1 {
				return domain.Released{Count: 7}, nil
			}
			return domain.Released{}, nil
		},
		"KeepReleased": func(_ context.Context, in activities.KeepReleased) (domain.Released, error) {
			kept = in
			return in.Released, nil
		},
	})
	second.ExecuteWorkflow(RecoverDeliveries, next)
	require.NoError(t, second.GetWorkflowError())
	require.EqualValues(t, 1007, kept.Released.Count)
}
