package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
)

// Recording is one rule set or one pricing model, with decisions that it made. A corpus is a
// folder of recordings in JSON. Files are added to a corpus and never changed.
type Recording struct {
	RuleSet      json.RawMessage `json:"rule_set,omitempty"`
	PricingModel json.RawMessage `json:"pricing_model,omitempty"`
	// EnvironmentVersion and CostLimit are the values at the time of the publication.
	EnvironmentVersion int    `json:"environment_version"`
	CostLimit          int64  `json:"cost_limit"`
	Decisions          []Case `json:"decisions"`
}

// Rules compiles the rules of the recording.
func (r Recording) Rules(ctx context.Context) (Rules, error) {
	p := calculation.Publication{Content: string(r.RuleSet), EnvironmentVersion: r.EnvironmentVersion, CostLimit: r.CostLimit}
	if r.PricingModel == nil {
		return LoadRuleSet(ctx, p)
	}
	p.Content = string(r.PricingModel)
	return LoadPricing(ctx, p)
}

// LoadRuleSet compiles a published rule set, with the version of the language and the limit
// with which the service loads it.
func LoadRuleSet(ctx context.Context, p calculation.Publication) (Rules, error) {
	program, problems, err := requirement.LoadRuleSet(ctx, []byte(p.Content), p.Options())
	return Rules{RuleSet: program}, notLoaded(problems, err)
}

// LoadPricing compiles a published pricing model, as LoadRuleSet compiles a rule set.
func LoadPricing(ctx context.Context, p calculation.Publication) (Rules, error) {
	model, problems, err := requirement.LoadPricing(ctx, []byte(p.Content), p.Options())
	return Rules{Pricing: model}, notLoaded(problems, err)
}

// ErrNotLoaded reports published rules that this program cannot compile.
var ErrNotLoaded = errors.New("the rules cannot be loaded")

func notLoaded(problems []requirement.Problem, err error) error {
	if err != nil || len(problems) == 0 {
		return err
	}
	return fmt.Errorf("%w: %s: %s", ErrNotLoaded, problems[0].Path, problems[0].Message)
}

// Recordings returns the names of the files of a corpus.
func Recordings(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s holds no recordings: files whose names end with .json", dir)
	}
	return files, err
}

// ReadRecording reads one file of a corpus.
func ReadRecording(file string) (Recording, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return Recording{}, err
	}
	var r Recording
	if err := json.Unmarshal(data, &r); err != nil {
		return Recording{}, fmt.Errorf("%s: %w", file, err)
	}
	if (r.RuleSet == nil) == (r.PricingModel == nil) {
		return Recording{}, fmt.Errorf("%s: a recording has either rule_set or pricing_model", file)
	}
	return r, nil
}
