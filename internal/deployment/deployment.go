// Package deployment knows which versions of the worker there are, which of them begins
// runs, and which runs stay on which: Temporal's Worker Versioning, for this service.
package deployment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	deploymentpb "go.temporal.io/api/deployment/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	taskqueuepb "go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"requisite/internal/temporalclient"
	"requisite/workflows"
)

// Status is what a version is there for.
type Status string

// The statuses of a version. Inactive has never begun runs; Draining begins none any more,
// and runs are still on it; Drained has none left.
const (
	Current  Status = "CURRENT"
	Ramping  Status = "RAMPING"
	Draining Status = "DRAINING"
	Drained  Status = "DRAINED"
	Inactive Status = "INACTIVE"
)

// Version is one build of the worker.
type Version struct {
	BuildID   string    `json:"build_id"`
	Status    Status    `json:"status"`
	Percent   float32   `json:"ramp_percent,omitempty"` // of the runs that begin, while it is RAMPING
	CreatedAt time.Time `json:"created_at"`
	// LastCurrentAt is when it became the current one for the last time; zero if it never was.
	LastCurrentAt time.Time `json:"last_current_at,omitzero"`
	// PolledAt is when a worker of it last asked for work; zero for "not in the last five
	// minutes". A worker without work asks about once a minute.
	PolledAt time.Time `json:"polled_at,omitzero"`
	Runs     int64     `json:"runs"` // open ones that stay on it
}

// silence is how long a version's workers may be silent and count as there.
const silence = 90 * time.Second

// Polled reports whether a worker of the version asks for work.
func (v Version) Polled(now time.Time) bool { return now.Sub(v.PolledAt) < silence }

// Stranded reports that runs stay on the version and no worker of it asks for work.
func (v Version) Stranded(now time.Time) bool { return v.Runs > 0 && !v.Polled(now) }

// State is which version begins runs.
type State struct {
	Current   string    // build id; empty before the first one
	Ramping   string    // build id; empty when no version is being ramped
	ChangedAt time.Time // when that changed last
	Versions  []Version // newest first
}

// Version finds one by its build id; nil when it is not known.
func (s State) Version(buildID string) *Version {
	i := slices.IndexFunc(s.Versions, func(v Version) bool { return v.BuildID == buildID })
	if i < 0 {
		return nil
	}
	return &s.Versions[i]
}

// Previous is the version that was current before the current one; nil when there was none.
func (s State) Previous() (previous *Version) {
	for i, v := range s.Versions {
		if v.BuildID != s.Current && !v.LastCurrentAt.IsZero() && (previous == nil || v.LastCurrentAt.After(previous.LastCurrentAt)) {
			previous = &s.Versions[i]
		}
	}
	return previous
}

// Deployment is the worker deployment of a namespace.
type Deployment struct {
	client    client.Client
	namespace string
}

// New is the deployment of the namespace that the client is connected to.
func New(c client.Client, namespace string) *Deployment { return &Deployment{c, namespace} }

// queues are the task queues whose runs stay on a version.
var queues = []string{temporalclient.Endpoints, temporalclient.Upkeep}

// State looks everything up. Before a worker has asked for work for the first time it is empty.
func (d *Deployment) State(ctx context.Context) (State, error) {
	return d.state(ctx, func(Version) bool { return true })
}

// state counts the runs of a version only where that counts: a namespace allows few
// such questions.
func (d *Deployment) state(ctx context.Context, counts func(Version) bool) (State, error) {
	var found *workflowservice.DescribeWorkerDeploymentResponse
	err := patiently(ctx, func() (err error) {
		found, err = d.client.WorkflowService().DescribeWorkerDeployment(ctx, &workflowservice.DescribeWorkerDeploymentRequest{Namespace: d.namespace, DeploymentName: workflows.Deployment})
		return err
	})
	var none *serviceerror.NotFound
	if errors.As(err, &none) {
		return State{}, nil
	}
	if err != nil {
		return State{}, fmt.Errorf("look up the worker's versions: %w", err)
	}
	polled, err := d.pollers(ctx)
	if err != nil {
		return State{}, err
	}
	routing := found.GetWorkerDeploymentInfo().GetRoutingConfig()
	s := State{Current: routing.GetCurrentDeploymentVersion().GetBuildId(), Ramping: routing.GetRampingDeploymentVersion().GetBuildId()}
	for _, at := range []time.Time{routing.GetCurrentVersionChangedTime().AsTime(), routing.GetRampingVersionChangedTime().AsTime()} {
		if at.After(s.ChangedAt) {
			s.ChangedAt = at
		}
	}
	for _, summary := range found.GetWorkerDeploymentInfo().GetVersionSummaries() {
		v := versionOf(summary)
		v.PolledAt = polled[v.BuildID]
		switch v.BuildID {
		case s.Current:
			v.Status = Current
		case s.Ramping:
			v.Status, v.Percent = Ramping, routing.GetRampingVersionPercentage()
		}
		if v.Status != Drained && v.Status != Inactive && counts(v) {
			if v.Runs, err = d.countRuns(ctx, v.BuildID); err != nil {
				return State{}, err
			}
			if v.Status == Draining && v.Runs == 0 {
				v.Status = Drained // the server notices it minutes later
			}
		}
		s.Versions = append(s.Versions, v)
	}
	slices.SortFunc(s.Versions, func(a, b Version) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return s, nil
}

func versionOf(summary *deploymentpb.WorkerDeploymentInfo_WorkerDeploymentVersionSummary) Version {
	v := Version{BuildID: summary.GetDeploymentVersion().GetBuildId(), Status: Inactive, CreatedAt: summary.GetCreateTime().AsTime()}
	if at := summary.GetLastCurrentTime(); at != nil {
		v.LastCurrentAt = at.AsTime()
	}
	switch {
	case summary.GetStatus() == enumspb.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINED:
		v.Status = Drained
	case summary.GetFirstActivationTime() != nil:
		v.Status = Draining // or what the routing says
	}
	return v
}

// pollers are when workers last asked for work, by build id. The server remembers it for
// five minutes.
func (d *Deployment) pollers(ctx context.Context) (map[string]time.Time, error) {
	last := map[string]time.Time{}
	for _, queue := range queues {
		found, err := d.client.WorkflowService().DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{
			Namespace: d.namespace, TaskQueue: &taskqueuepb.TaskQueue{Name: queue}, TaskQueueType: enumspb.TASK_QUEUE_TYPE_WORKFLOW})
		if err != nil {
			return nil, fmt.Errorf("look for workers at task queue %s: %w", queue, err)
		}
		for _, p := range found.GetPollers() {
			id, at := p.GetDeploymentOptions().GetBuildId(), p.GetLastAccessTime().AsTime()
			if id != "" && at.After(last[id]) {
				last[id] = at
			}
		}
	}
	return last, nil
}

// onVersion is the query for the open runs that stay on a version.
func onVersion(buildID string) string {
	return fmt.Sprintf("TemporalWorkerDeploymentVersion = '%s' AND TemporalWorkflowVersioningBehavior = 'Pinned' AND ExecutionStatus = 'Running'",
		strings.ReplaceAll(workflows.Deployment+":"+buildID, "'", "''"))
}

func (d *Deployment) countRuns(ctx context.Context, buildID string) (int64, error) {
	counted, err := d.client.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{Query: onVersion(buildID)})
	if err != nil {
		return 0, fmt.Errorf("count the runs of version %s: %w", buildID, err)
	}
	return counted.GetCount(), nil
}

// ErrNotThere reports a version that no worker asks for work for, so that runs would wait.
var ErrNotThere = errors.New("no worker of this version asks for work")

// MakeCurrent makes a version begin all runs from now on. It fails with ErrNotThere while
// the server does not know all of its task queues. Doing it again changes nothing.
func (d *Deployment) MakeCurrent(ctx context.Context, buildID string) error {
	err := patiently(ctx, func() error {
		_, err := d.handle().SetCurrentVersion(ctx, client.WorkerDeploymentSetCurrentVersionOptions{BuildID: buildID})
		return err
	})
	return told(err, "make version "+buildID+" current")
}

// Ramp makes a version begin a part of the runs from now on; each id of a run falls
// into the same part every time.
func (d *Deployment) Ramp(ctx context.Context, buildID string, percent float32) error {
	err := patiently(ctx, func() error {
		_, err := d.handle().SetRampingVersion(ctx, client.WorkerDeploymentSetRampingVersionOptions{BuildID: buildID, Percentage: percent})
		return err
	})
	return told(err, "ramp version "+buildID)
}

// EndRamp makes the current version begin all runs again.
func (d *Deployment) EndRamp(ctx context.Context) error {
	err := patiently(ctx, func() error {
		_, err := d.handle().SetRampingVersion(ctx, client.WorkerDeploymentSetRampingVersionOptions{})
		return err
	})
	return told(err, "end the ramp")
}

func (d *Deployment) handle() client.WorkerDeploymentHandle {
	return d.client.WorkerDeploymentClient().GetHandle(workflows.Deployment)
}

func told(err error, doing string) error {
	var none *serviceerror.NotFound
	var not *serviceerror.FailedPrecondition
	if errors.As(err, &none) || errors.As(err, &not) {
		return fmt.Errorf("%s: %w: %w", doing, ErrNotThere, err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// How often a call is tried again that may succeed the next time. The server lets few
// calls be under way for one deployment.
const (
	patience = 20
	pause    = 500 * time.Millisecond
)

// patiently repeats a call, which changes nothing when it was done already, for as long
// as the server has no room for it or gives it up.
func patiently(ctx context.Context, call func() error) error {
	for n := 1; ; n++ {
		err := call()
		if n == patience || ctx.Err() != nil || !passing(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// passing reports errors that a call may not meet the next time, and for which the SDK
// does not repeat it, or not for long: the server has no room for it, or has given it
// up, which it calls canceled.
func passing(err error) bool {
	var full *serviceerror.ResourceExhausted
	var gaveUp *serviceerror.Canceled
	return errors.As(err, &full) || errors.As(err, &gaveUp)
}
