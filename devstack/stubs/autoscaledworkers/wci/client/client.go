// Package client stands for the client with which the server lets cloud providers start workers. Here none does.
package client

import (
	"context"

	deploymentpb "go.temporal.io/api/deployment/v1"
	"go.temporal.io/api/serviceerror"
	"go.uber.org/fx"

	"go.temporal.io/auto-scaled-workers/wci/workflow/iface"
	"go.temporal.io/server/common/namespace"
)

// Module provides the client.
var Module = fx.Provide(func() Client { return absent{} })

// Client has the methods that the server calls.
type Client interface {
	DeleteWorkerControllerInstance(ctx context.Context, in *namespace.Namespace, version *deploymentpb.WorkerDeploymentVersion, identity string) error
	DescribeWorkerControllerInstance(
		ctx context.Context, in *namespace.Namespace, version *deploymentpb.WorkerDeploymentVersion,
	) (*iface.QueryDescribeWorkerControllerInstanceResponse, []byte, error)
	UpdateWorkerControllerInstance(
		ctx context.Context, in *namespace.Namespace, version *deploymentpb.WorkerDeploymentVersion, conflictToken []byte, identity string,
		upsert map[string]iface.ScalingGroupSpecUpdate, remove []string,
	) (*iface.UpdateWorkerControllerInstanceResponse, error)
	ValidateWorkerControllerInstanceSpec(
		ctx context.Context, in *namespace.Namespace, version *deploymentpb.WorkerDeploymentVersion, identity string,
		upsert map[string]iface.ScalingGroupSpecUpdate, remove []string,
	) error
}

type absent struct{}

var errAbsent = serviceerror.NewUnimplemented("devstack starts no workers at cloud providers")

// DeleteWorkerControllerInstance has nothing to delete.
func (absent) DeleteWorkerControllerInstance(context.Context, *namespace.Namespace, *deploymentpb.WorkerDeploymentVersion, string) error {
	return nil
}

// DescribeWorkerControllerInstance finds no instance, which the server takes for workers that nobody scales.
func (absent) DescribeWorkerControllerInstance(
	context.Context, *namespace.Namespace, *deploymentpb.WorkerDeploymentVersion,
) (*iface.QueryDescribeWorkerControllerInstanceResponse, []byte, error) {
	return nil, nil, serviceerror.NewNotFound("devstack starts no workers at cloud providers")
}

// UpdateWorkerControllerInstance refuses every change.
func (absent) UpdateWorkerControllerInstance(
	context.Context, *namespace.Namespace, *deploymentpb.WorkerDeploymentVersion, []byte, string, map[string]iface.ScalingGroupSpecUpdate, []string,
) (*iface.UpdateWorkerControllerInstanceResponse, error) {
	return nil, errAbsent
}

// ValidateWorkerControllerInstanceSpec refuses every spec.
func (absent) ValidateWorkerControllerInstanceSpec(
	context.Context, *namespace.Namespace, *deploymentpb.WorkerDeploymentVersion, string, map[string]iface.ScalingGroupSpecUpdate, []string,
) error {
	return errAbsent
}
