package workflows

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	sdkpb "go.temporal.io/api/sdk/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulestest"
	"requisite/internal/sending"
	"requisite/internal/store"
	"requisite/internal/store/deliveries"
	"requisite/internal/temporalclient"
	"requisite/internal/testkit/temporaltest"
)

var (
	ruleSet  = &calculation.VersionRef{WireID: "rul_1", Version: 7}
	snapshot = calculation.Snapshot{Facts: fact.Facts{AsOf: fact.Date{Year: 2026, Month: 11, Day: 20}}, RuleSet: ruleSet}
	passport = requirement.Requirement{DocumentTypeCode: "PASSPORT", EntityType: "Person", EntityID: "p_1", Reason: requirement.Reason{Message: "Because."}}
	request  = Request{AccountID: id.Account(id.AccountSandbox, id.New()), WorkflowID: id.WorkflowID{UUID: id.New()}}
)

// environment runs workflows over activities that stand in for the real ones.
func environment(t *testing.T, fakes map[string]any) *testsuite.TestWorkflowEnvironment {
	env := temporaltest.Workflows()
	for name, fake := range fakes {
		env.RegisterActivityWithOptions(fake, activity.RegisterOptions{Name: name})
	}
	t.Cleanup(func() { env.AssertExpectations(t) })
	return env
}

// script scripts the steps of a calculation of required documents. A step that is
// left out succeeds.
type script struct {
	load     func(context.Context, activities.Calculation) (activities.Loaded, error)
	evaluate func(context.Context, activities.Evaluation) (activities.Evaluated, error)
	save     func(context.Context, activities.SavingDocuments) (activities.Saved, error)
	record   func(context.Context, activities.Refusing) (activities.Recorded, error)
	find     func(context.Context, domain.Run) (store.Outcome, error)
	timers   *[]time.Duration // gets the timers that the run sets
}

// run runs a calculation by the script.
func (s script) run(t *testing.T) (Answer[activities.Saved], *testsuite.TestWorkflowEnvironment) {
	fakes := map[string]any{
		"LoadFacts": s.load, "EvaluateRules": s.evaluate, "SaveRequiredDocuments": s.save, "RecordRefusal": s.record, "FindOutcome": s.find,
	}
	if s.load == nil {
		fakes["LoadFacts"] = func(context.Context, activities.Calculation) (activities.Loaded, error) {
			return activities.Loaded{Snapshot: snapshot, Took: activities.Took{MS: 1.25}}, nil
		}
	}
	if s.evaluate == nil {
		fakes["EvaluateRules"] = func(context.Context, activities.Evaluation) (activities.Evaluated, error) {
			return activities.Evaluated{ByRules: activities.ByRules{Required: []requirement.Requirement{passport}}}, nil
		}
	}
	if s.save == nil {
		fakes["SaveRequiredDocuments"] = func(context.Context, activities.SavingDocuments) (activities.Saved, error) {
			return activities.Saved{}, nil
		}
	}
	if s.record == nil {
		fakes["RecordRefusal"] = recorded
	}
	if s.find == nil {
		fakes["FindOutcome"] = nothingFound
	}
	env := environment(t, fakes)
	if s.timers != nil {
		env.SetOnTimerScheduledListener(func(_ string, d time.Duration) { *s.timers = append(*s.timers, d) })
	}
	env.ExecuteWorkflow(CalculateRequiredDocuments, request)
	require.True(t, env.IsWorkflowCompleted())
	require.NoError(t, env.GetWorkflowError())
	var answer Answer[activities.Saved]
	require.NoError(t, env.GetWorkflowResult(&answer))
	return answer, env
}

func nothingFound(context.Context, domain.Run) (store.Outcome, error) {
	return store.Outcome{}, nil
}

// recorded records a refusal.
func recorded(context.Context, activities.Refusing) (activities.Recorded, error) {
	return activities.Recorded{Decision: &theDecision}, nil
}

var theDecision = refusal.DecisionRef{DecisionID: id.DecisionID{UUID: id.UUID{1}}, Digest: "00"}

// refusing is an evaluation that is refused.
func refusing(r *refusal.Refusal) func(context.Context, activities.Evaluation) (activities.Evaluated, error) {
	return func(context.Context, activities.Evaluation) (activities.Evaluated, error) {
		return activities.Evaluated{}, r.Failure()
	}
}

var added = calculation.RunResult{Documents: &calculation.DocumentCounts{Added: 1, Reopened: 2}}

// details are what a run tells operators, below its heading.
func details(t *testing.T, env *testsuite.TestWorkflowEnvironment) string {
	found, err := env.QueryWorkflow("__temporal_workflow_metadata")
	require.NoError(t, err)
	var metadata sdkpb.WorkflowMetadata
	require.NoError(t, found.Get(&metadata))
	told, headed := strings.CutPrefix(metadata.CurrentDetails, "### What happened\n\n")
	require.True(t, headed, "the Temporal UI does not say what the text is: %q", metadata.CurrentDetails)
	return told
}

func TestCalculation_ReadsEvaluatesAndSaves(t *testing.T) {
	answer, env := script{
		load: func(_ context.Context, in activities.Calculation) (activities.Loaded, error) {
			require.Equal(t, request.AccountID, in.AccountID)
			require.Equal(t, request.WorkflowID, in.Run.WorkflowID)
			require.NotEmpty(t, in.Run.ID)
			require.False(t, in.Run.StartedAt.IsZero())
			return activities.Loaded{Snapshot: snapshot, Took: activities.Took{MS: 1.25}}, nil
		},
		evaluate: func(_ context.Context, in activities.Evaluation) (activities.Evaluated, error) {
			require.Equal(t, snapshot, in.Snapshot)
			return activities.Evaluated{ByRules: activities.ByRules{Required: []requirement.Requirement{passport}}}, nil
		},
		save: func(_ context.Context, in activities.SavingDocuments) (activities.Saved, error) {
			require.Equal(t, snapshot, in.Snapshot)
			require.Equal(t, "PASSPORT", in.Required[0].DocumentTypeCode)
			return activities.Saved{RunResult: added}, nil
		},
	}.run(t)
	result, err := answer.Get()
	require.NoError(t, err)
	require.Equal(t, added, result.RunResult)
	told := details(t, env)
	require.Contains(t, told, "Added 1, kept 0, restored 0, removed 0.")
	require.Contains(t, told, "By rule set version 7 (rul_1), for 2026-11-20")
	require.Contains(t, told, "- **PASSPORT** for Person p_1. Because.")
	require.Contains(t, told, "Read in 1.2 ms, evaluated in 0.0 ms, saved in 0.0 ms.")
}

// Each round has a task of its own, after a pause that grows.
func TestCalculation_ReadsAgainWhenFactsHaveChanged(t *testing.T) {
	for changes := range MaxRounds + 1 {
		var read, saved int
		var timers []time.Duration
		answer, _ := script{
			timers: &timers,
			load: func(context.Context, activities.Calculation) (activities.Loaded, error) {
				read++
				return activities.Loaded{Snapshot: snapshot}, nil
			},
			save: func(context.Context, activities.SavingDocuments) (activities.Saved, error) {
				if saved++; saved <= changes {
					return activities.Saved{}, temporal.NewNonRetryableApplicationError("changed", activities.FactsChanged, nil)
				}
				return activities.Saved{RunResult: added}, nil
			},
		}.run(t)
		require.Equal(t, min(changes+1, MaxRounds), read, "each round reads once")
		require.Equal(t, read, saved, "what has changed is saved no second time")
		require.Len(t, timers, read-1)
		var total time.Duration
		for i, pause := range timers {
			require.Equal(t, firstPause<<i, pause)
			total += pause
		}
		if changes < MaxRounds {
			require.Equal(t, added, answer.Result.RunResult)
			continue
		}
		require.Equal(t, refusal.FactsKeepChanging, answer.Refusal.SubCode)
		require.Nil(t, answer.Refusal.Decision)
		require.InDelta(t, time.Minute, total, float64(30*time.Second))
	}
}

// Facts that changed after the commit do not change the answer.
func TestCalculation_ReturnsTheCommittedResultOfAnEarlierAttempt(t *testing.T) {
	found, err := json.Marshal(added)
	require.NoError(t, err)
	ended := refusal.Ended("w_1")
	gaps := refusal.Missing([]fact.Gap{{Code: "FIELDS_REQUIRED", EntityType: "Person", EntityID: "p_1"}})
	find := func(outcome store.Outcome) func(context.Context, domain.Run) (store.Outcome, error) {
		return func(_ context.Context, run domain.Run) (store.Outcome, error) {
			require.NotEmpty(t, run.ID)
			return outcome, nil
		}
	}
	earlier := func(context.Context, activities.Refusing) (activities.Recorded, error) {
		return activities.Recorded{}, nil
	}
	var timers []time.Duration
	answer, env := script{evaluate: refusing(gaps), record: earlier, find: find(store.Outcome{Result: found}), timers: &timers}.run(t)
	require.Nil(t, answer.Refusal)
	require.Len(t, timers, 1, "one task does not hold the refusal and the other outcome")
	require.Equal(t, added, answer.Result.RunResult)
	require.Contains(t, details(t, env), "An earlier attempt had already saved this.")

	save := func(context.Context, activities.SavingDocuments) (activities.Saved, error) {
		return activities.Saved{}, ended.Failure()
	}
	answer, env = script{save: save, find: find(store.Outcome{Result: found})}.run(t)
	require.Nil(t, answer.Refusal)
	require.Equal(t, added, answer.Result.RunResult)
	require.Contains(t, details(t, env), "An earlier attempt had already saved this.")
	answer, _ = script{save: save, find: find(store.Outcome{Refusal: ended})}.run(t)
	require.Equal(t, refusal.WorkflowEnded, answer.Refusal.SubCode)
	answer, _ = script{
		save: func(context.Context, activities.SavingDocuments) (activities.Saved, error) {
			return activities.Saved{}, ended.Failure()
		},
		find: find(store.Outcome{}),
	}.run(t)
	require.Equal(t, refusal.WorkflowEnded, answer.Refusal.SubCode)
}

// TestCalculation_RecordsItsRefusal: what is missing, and a rule without an answer, are
// decisions. Facts that change before that is recorded are read again.
func TestCalculation_RecordsItsRefusal(t *testing.T) {
	gaps := refusal.Missing([]fact.Gap{{Code: "FIELDS_REQUIRED", EntityType: "Person", EntityID: "p_1"}})
	for _, r := range []*refusal.Refusal{gaps, refusal.Rule(refusal.EntityDocumentRules, "rul_1", refusal.RuleNotEvaluable, "it divides by zero")} {
		tries := 0
		answer, env := script{evaluate: refusing(r), record: func(ctx context.Context, in activities.Refusing) (activities.Recorded, error) {
			require.Equal(t, decision.Calculation, in.Kind)
			require.Equal(t, r.Code, in.Refusal.Code)
			require.Equal(t, snapshot.WithoutFacts(), in.Snapshot)
			if tries++; tries == 1 {
				return activities.Recorded{}, temporal.NewNonRetryableApplicationError("changed", activities.FactsChanged, nil)
			}
			return recorded(ctx, in)
		}}.run(t)
		require.Equal(t, 2, tries)
		require.Equal(t, &theDecision, answer.Refusal.Decision)
		require.Contains(t, details(t, env), theDecision.DecisionID.String())
	}
}

// TestDetails_ShowTheFirstGaps, for a query answers them, which is one payload.
func TestDetails_ShowTheFirstGaps(t *testing.T) {
	gaps := make([]fact.Gap, 4000)
	for i := range gaps {
		gaps[i] = fact.Gap{EntityType: fact.EntityPerson, EntityID: fmt.Sprintf("p_%d", i), Missing: []fact.MissingField{{Field: "citizenship"}}}
	}
	gaps[0].PricingMissing = slices.Clone(gaps)
	answer, env := script{evaluate: refusing(refusal.Missing(gaps))}.run(t)
	var all []fact.Gap
	require.NoError(t, json.Unmarshal(answer.Refusal.Details, &all))
	require.Len(t, all, len(gaps), "the answer holds all")
	shown := details(t, env)
	require.Contains(t, shown, "**Missing facts: 4000.**")
	require.Contains(t, shown, "of Person p_19:")
	require.NotContains(t, shown, "p_20")
	require.Contains(t, shown, "\n- and 3980 more\n")
	require.Contains(t, shown, "\n  - and 3980 more\n")
}

// The Temporal UI renders Markdown.
func TestDetails_EscapeMarkdownOfTenantsAndReceivers(t *testing.T) {
	const hostile = "[documents](https://evil.example) **x** \u202e<img src=x>\n# title"
	const shown = "`[documents](https://evil.example) **x** \\u202e<img src=x> # title`"
	reason := requirement.Reason{Message: hostile}
	require.Contains(t, describeRequired(snapshot, []requirement.Requirement{{DocumentTypeCode: "A_B", EntityType: "Workflow", EntityID: "w_1", Reason: reason}}),
		"- **A_B** for Workflow w_1. "+shown+"\n")
	require.Contains(t, describeApplied([]requirement.AppliedRule{{Name: hostile, Points: rational.Int(1), Reason: reason}}), "- **+1** "+shown+". "+shown+"\n")
	failure := sending.Failure{DeliveryID: "whd_1", EndpointID: "whc_1", EventType: "WEBHOOK_TEST", Host: "www.evil.example", Error: hostile}
	require.Contains(t, sending.Sent{Failed: 1, Failures: []sending.Failure{failure}}.Describe(), "to `www.evil.example` of endpoint whc_1: "+shown+"\n")
	require.Contains(t, sending.Retried{Claim: deliveries.RunClaim{Waiting: 1, Host: "www.evil.example", LastError: hostile}}.Describe(), "for `www.evil.example`: "+shown+"; next")

	_, env := script{evaluate: refusing(refusal.Rule(refusal.EntityDocumentRules, "rul_1", "NOT_EVALUABLE", "Evaluate documents[0] (X_DOC): no answer."))}.run(t)
	require.Contains(t, details(t, env), "**`Evaluate documents[0] (X_DOC): no answer.`**")
}

// The api answers with the activity's result before the run has ended.
func TestRun_ResultEqualsThatOfTheCommittingActivity(t *testing.T) {
	score := rational.Int(7)
	calculated := activities.Saved{RunResult: calculation.RunResult{Warnings: []refusal.Warning{{Code: refusal.ScoreOutdated}}}}
	priced := activities.Saved{RunResult: calculation.RunResult{Score: &score}}
	created := domain.CreatedKey{KeyID: "whk_20261120_01"}
	activated := domain.ActivatedKey{KeyID: "whk_20261120_02"}
	load := func(context.Context, activities.Calculation) (activities.Loaded, error) {
		return activities.Loaded{}, nil
	}
	evaluate := func(context.Context, activities.Evaluation) (activities.Evaluated, error) {
		return activities.Evaluated{}, nil
	}
	priceIt := func(context.Context, activities.Evaluation) (activities.Scored, error) {
		return activities.Scored{}, nil
	}
	for name, c := range map[string]struct {
		kind                  Kind
		run, in, step, result any
		others                map[string]any
	}{
		CalculateRequiredDocumentsName: {Calculation, CalculateRequiredDocuments, request, func(context.Context, activities.SavingDocuments) (activities.Saved, error) {
			return calculated, nil
		}, calculated,
			map[string]any{"LoadFacts": load, "EvaluateRules": evaluate}},
		CalculatePricingName: {Pricing, CalculatePricing, request, func(context.Context, activities.SavingScore) (activities.Saved, error) { return priced, nil }, priced,
			map[string]any{"LoadFacts": load, "EvaluatePricing": priceIt}},
		CreateWebhookKeyName:   {KeyCreation, CreateWebhookKey, KeyRequest{}, func(context.Context, activities.KeyStep) (domain.CreatedKey, error) { return created, nil }, created, nil},
		ActivateWebhookKeyName: {KeyActivation, ActivateWebhookKey, KeyRequest{}, func(context.Context, activities.KeyStep) (domain.ActivatedKey, error) { return activated, nil }, activated, nil},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, name, c.kind.Workflow)
			require.Subset(t, CommittingActivities(), c.kind.CommittingActivities)
			fakes := map[string]any{c.kind.CommittingActivities[0]: c.step}
			maps.Copy(fakes, c.others)
			env := environment(t, fakes)
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

// An unknown name would never answer a caller.
func TestCommittingActivities_AreRegistered(t *testing.T) {
	for _, name := range CommittingActivities() {
		_, exists := reflect.TypeFor[*activities.Activities]().MethodByName(name)
		require.True(t, exists, name)
	}
}

// The run is COMPLETED, and its outcome is the code of the refusal.
func TestRefusal_CompletesTheRun(t *testing.T) {
	gap := fact.Gap{Code: "FIELDS_REQUIRED", EntityType: "Person", EntityID: "p_1", Fields: []string{"citizenship"}, RelatedEndpoints: []string{"person.update"},
		Missing: []fact.MissingField{{Field: "citizenship"}}}
	sales := fact.Gap{Code: "FIELDS_REQUIRED", EntityType: "BusinessSalesInfo", EntityID: "b_1", Missing: []fact.MissingField{{Field: "sales_amount", Type: "HIGHEST_TICKET_SALE"}},
		Present: []fact.MissingField{{Field: "sales_amount", Type: "AVERAGE_INDIVIDUAL_SALE", Value: rulestest.Decimal(7318.37)}}}
	score := fact.Gap{Code: "CALCULATED_PRICING_REQUIRED", EntityType: "Workflow", EntityID: "w_1", RelatedEndpoints: []string{"workflow.pricing.calculate"},
		Missing: []fact.MissingField{{Field: "evaluation_score"}}, PricingMissing: []fact.Gap{sales}}
	answer, env := script{evaluate: refusing(refusal.Missing([]fact.Gap{gap, score}))}.run(t)
	_, err := answer.Get()
	refused := answer.Refusal
	require.Equal(t, error(refused), err)
	require.Equal(t, refusal.MissingRequirements, refused.Code)
	var gaps []fact.Gap
	require.NoError(t, json.Unmarshal(refused.Details, &gaps))
	require.Equal(t, []fact.Gap{gap, score}, gaps)
	require.Contains(t, details(t, env), "**Missing facts: 2.** The caller supplies each with the operation beside it:\n\n- **citizenship** of Person p_1: person.update\n")
	require.Contains(t, details(t, env), "**evaluation_score** of Workflow w_1: workflow.pricing.calculate\n  - for pricing: **sales_amount HIGHEST_TICKET_SALE** of BusinessSalesInfo b_1\n")
	require.NotContains(t, details(t, env), "7318", "the text shows no amount on file")

	_, err = Answer[activities.Saved]{}.Get()
	require.Error(t, err, "neither a result nor a refusal")
}

// refusable are the kinds of runs that callers wait for, with their steps.
var refusable = []struct {
	workflow, input any
	steps           []string
}{
	{CalculateRequiredDocuments, request, []string{"LoadFacts", "EvaluateRules", "SaveRequiredDocuments"}},
	{CalculatePricing, request, []string{"LoadFacts", "EvaluatePricing", "SaveScore"}},
	{CreateWebhookKey, KeyRequest{}, []string{"CreateWebhookKey"}},
	{ActivateWebhookKey, KeyRequest{}, []string{"ActivateWebhookKey"}},
	{RecoverDeliveries, RecoverRequest{}, []string{"RecoverSome", "KeepRecovered"}},
}

// stepInstead runs a workflow with a step that does something else, and returns the outcomes that the run sets.
func stepInstead(t *testing.T, workflow, input any, steps []string, at string, do func(*testsuite.TestWorkflowEnvironment, context.Context) error) (*testsuite.TestWorkflowEnvironment, []string) {
	env := environment(t, map[string]any{"FindOutcome": nothingFound, "RecordRefusal": recorded})
	for _, name := range steps {
		env.RegisterActivityWithOptions(func(ctx context.Context) (json.RawMessage, error) {
			if name == at {
				return nil, do(env, ctx)
			}
			return json.RawMessage(`{}`), nil
		}, activity.RegisterOptions{Name: name})
	}
	var outcomes []string
	env.OnUpsertTypedSearchAttributes(mock.Anything).Run(func(args mock.Arguments) {
		found, _ := args.Get(0).(temporal.SearchAttributes).GetKeyword(temporalclient.Outcome)
		outcomes = append(outcomes, found)
	}).Return(nil).Maybe()
	env.ExecuteWorkflow(workflow, input)
	return env, outcomes
}

// TestOutcome_IsTheCodeOfEveryRefusal at each step of each kind of run.
func TestOutcome_IsTheCodeOfEveryRefusal(t *testing.T) {
	refusals := []*refusal.Refusal{
		refusal.Missing([]fact.Gap{{Code: "FIELDS_REQUIRED"}}), {Code: refusal.EntityNotFound}, {Code: refusal.TooManyRequests}, {Code: refusal.IdempotencyKeyReused},
		{Code: refusal.SystemRuleViolation, SubCode: refusal.RuleNotEvaluable}, {Code: refusal.SystemRuleViolation, SubCode: refusal.DailyLimitExceeded},
		{Code: refusal.SystemRuleViolation, SubCode: refusal.WorkflowEnded},
	}
	for _, run := range refusable {
		for _, at := range run.steps {
			for _, r := range refusals {
				env, outcomes := stepInstead(t, run.workflow, run.input, run.steps, at, func(*testsuite.TestWorkflowEnvironment, context.Context) error { return r.Failure() })
				require.NoError(t, env.GetWorkflowError(), at)
				require.Equal(t, []string{r.SpecificCode()}, outcomes, at)
			}
		}
	}
	// Facts that keep changing are refused by the run itself.
	for _, run := range refusable[:2] {
		changed := temporal.NewNonRetryableApplicationError("changed", activities.FactsChanged, nil)
		env, outcomes := stepInstead(t, run.workflow, run.input, run.steps, run.steps[2], func(*testsuite.TestWorkflowEnvironment, context.Context) error { return changed })
		require.NoError(t, env.GetWorkflowError())
		require.Equal(t, []string{"FACTS_KEEP_CHANGING"}, outcomes)
	}
}

// TestOutcome_OfACanceledRun is CANCELED at each step of each kind of run.
func TestOutcome_OfACanceledRun(t *testing.T) {
	for _, run := range refusable {
		for _, at := range run.steps {
			env, outcomes := stepInstead(t, run.workflow, run.input, run.steps, at, func(env *testsuite.TestWorkflowEnvironment, ctx context.Context) error {
				env.CancelWorkflow()
				<-ctx.Done()
				return ctx.Err()
			})
			require.True(t, temporal.IsCanceledError(env.GetWorkflowError()), "%s: %v", at, env.GetWorkflowError())
			require.Equal(t, []string{"CANCELED"}, outcomes, at)
			require.Contains(t, details(t, env), "somebody canceled this run")
		}
	}
}

// An error that is not a refusal, and that no retry can fix, fails the run.
func TestFault_FailsTheRun(t *testing.T) {
	env := environment(t, map[string]any{"LoadFacts": func(context.Context, activities.Calculation) (activities.Loaded, error) {
		return activities.Loaded{}, temporal.NewNonRetryableApplicationError("broken", "BROKEN", nil)
	}})
	env.ExecuteWorkflow(CalculateRequiredDocuments, request)
	require.ErrorContains(t, env.GetWorkflowError(), "broken")
}

func TestStep_BecomesAnOrdinaryActivityAfterALocalFailure(t *testing.T) {
	var local, ordinary int
	var at []time.Time
	script{load: func(ctx context.Context, in activities.Calculation) (activities.Loaded, error) {
		at = append(at, in.Run.StartedAt)
		if activity.GetInfo(ctx).IsLocalActivity {
			local++
			return activities.Loaded{}, errors.New("the database is away")
		}
		if ordinary++; ordinary < 3 {
			return activities.Loaded{}, errors.New("the database is still away")
		}
		return activities.Loaded{Snapshot: snapshot}, nil
	}}.run(t)
	require.Positive(t, local)
	require.Equal(t, 3, ordinary)
	for _, one := range at {
		require.Equal(t, at[0], one, "the clock is read once")
	}
}

func TestPricing_SavesTheScore(t *testing.T) {
	score := rational.Int(620)
	env := environment(t, map[string]any{
		"LoadFacts": func(_ context.Context, in activities.Calculation) (activities.Loaded, error) {
			require.Equal(t, request.AccountID, in.AccountID)
			return activities.Loaded{Snapshot: snapshot}, nil
		},
		"EvaluatePricing": func(_ context.Context, in activities.Evaluation) (activities.Scored, error) {
			require.Equal(t, snapshot, in.Snapshot)
			return activities.Scored{Priced: activities.Priced{Score: score, Applied: []requirement.AppliedRule{{Name: "old", Points: rational.Int(120)}}}}, nil
		},
		"SaveScore": func(_ context.Context, in activities.SavingScore) (activities.Saved, error) {
			return activities.Saved{RunResult: calculation.RunResult{Score: &in.Score}}, nil
		},
	})
	env.ExecuteWorkflow(CalculatePricing, request)
	require.NoError(t, env.GetWorkflowError())
	var answer Answer[activities.Saved]
	require.NoError(t, env.GetWorkflowResult(&answer))
	require.Equal(t, score, *answer.Result.Score)
	require.Contains(t, details(t, env), "evaluation_score is **620**")
	require.Contains(t, details(t, env), "- **+120** old.")
}

func TestRecovery_ContinuesAsNewBetweenBatches(t *testing.T) {
	var env *testsuite.TestWorkflowEnvironment
	begun := map[int]activities.RecoverStep{}
	env = environment(t, map[string]any{
		"RecoverSome": func(_ context.Context, in activities.RecoverStep) (domain.Recovered, error) {
			begun[in.Part] = in
			env.SetContinueAsNewSuggested(true)
			return domain.Recovered{Count: 1000, StartedAt: in.Run.StartedAt}, nil
		},
		"KeepRecovered": func(context.Context, activities.KeepRecovered) (domain.Recovered, error) {
			return domain.Recovered{}, errors.New("it has not ended")
		},
	})
	in := RecoverRequest{AccountID: request.AccountID, ConfigID: id.WebhookConfigID{UUID: id.New()}, Since: "2026-11-20T00:00:00Z"}
	env.SetStartWorkflowOptions(client.StartWorkflowOptions{ID: "the request"})
	env.ExecuteWorkflow(RecoverDeliveries, in)
	var renewed *workflow.ContinueAsNewError
	require.ErrorAs(t, env.GetWorkflowError(), &renewed)
	require.Len(t, begun, 1)
	var next RecoverRequest
	require.NoError(t, converter.GetDefaultDataConverter().FromPayloads(renewed.Input, &next))
	require.EqualValues(t, 1000, next.Continued.Count)
	require.WithinDuration(t, begun[1].Run.StartedAt, next.Continued.StartedAt, 0, "what fails after the first start is left")
	require.Equal(t, 1, next.Continued.Parts)
	require.Equal(t, "the request/", begun[1].Run.ID, "the request, and not the Temporal run")

	// The next run goes on, and counts everything.
	var kept activities.KeepRecovered
	second := environment(t, map[string]any{
		"RecoverSome": func(_ context.Context, in activities.RecoverStep) (domain.Recovered, error) {
			require.WithinDuration(t, next.Continued.StartedAt, in.Run.StartedAt, 0)
			if in.Part == 2 { // the first run had one
				return domain.Recovered{Count: 7, StartedAt: in.Run.StartedAt}, nil
			}
			return domain.Recovered{}, nil
		},
		"KeepRecovered": func(_ context.Context, in activities.KeepRecovered) (domain.Recovered, error) {
			kept = in
			return in.Recovered, nil
		},
	})
	second.ExecuteWorkflow(RecoverDeliveries, next)
	require.NoError(t, second.GetWorkflowError())
	require.EqualValues(t, 1007, kept.Recovered.Count)
}

// TestGapList_NamesTheBusinessOfARecordThatIsMissing, and not as the record itself.
func TestGapList_NamesTheBusinessOfARecordThatIsMissing(t *testing.T) {
	for want, f := range map[string]fact.Facts{
		"of a new Person of Business b_1: person.create": {BusinessID: "b_1", WorkflowID: "w_1"},
		"of Person p_1: person.update":                   {BusinessID: "b_1", WorkflowID: "w_1", Persons: []fact.PersonFacts{{PersonID: "p_1"}}},
	} {
		set := requirement.RuleSet{Documents: []requirement.DocumentRule{{
			DocumentTypeCode: "A", Name: "n", Category: "c", RequirementText: "t", EntityType: fact.EntityPerson, When: `person.citizenship != "US"`,
		}}}
		program, problems := requirement.Compile(set, requirement.Options{})
		require.Empty(t, problems)
		found, err := program.Evaluate(t.Context(), f)
		require.NoError(t, err)
		details, err := json.Marshal(found.Gaps)
		require.NoError(t, err)
		require.Contains(t, gapList(&refusal.Refusal{Code: refusal.MissingRequirements, Details: details}), want)
	}
}
