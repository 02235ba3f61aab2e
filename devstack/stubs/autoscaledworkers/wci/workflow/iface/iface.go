// Package iface has the types with which the server describes workers that a cloud provider starts.
package iface

import (
	"time"

	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
)

// ValidationResultFailed is the result of a validation that found a problem.
const ValidationResultFailed ValidationResult = "failed"

type (
	// ComputeProviderType names a provider of computers.
	ComputeProviderType string
	// ScalingAlgorithmType names how workers are scaled.
	ScalingAlgorithmType string
	// ValidationResult is how a validation ended.
	ValidationResult string
)

// ComputeProviderSpec says where workers are started.
type ComputeProviderSpec struct {
	ProviderType  ComputeProviderType
	Config        *commonpb.Payload
	NexusEndpoint string
}

// ScalingAlgorithmSpec says when workers are started.
type ScalingAlgorithmSpec struct {
	ScalingAlgorithm ScalingAlgorithmType
	Config           *commonpb.Payload
}

// ScalingGroupSpec describes workers that are started together.
type ScalingGroupSpec struct {
	TaskTypes []enumspb.TaskQueueType
	Compute   ComputeProviderSpec
	Scaling   *ScalingAlgorithmSpec
}

// ScalingGroupSpecUpdate changes the fields of a group that its mask names.
type ScalingGroupSpecUpdate struct {
	Spec       ScalingGroupSpec
	UpdateMask []string
}

// WorkerControllerInstanceSpec has the groups by name.
type WorkerControllerInstanceSpec struct {
	ScalingGroupSpecs map[string]ScalingGroupSpec
}

// ValidationStatus is the last validation.
type ValidationStatus struct {
	LastValidationTime time.Time
	Status             ValidationResult
	ErrMessage         string
}

// QueryDescribeWorkerControllerInstanceResponse describes the groups of a version of workers.
type QueryDescribeWorkerControllerInstanceResponse struct {
	Spec             *WorkerControllerInstanceSpec
	ValidationStatus *ValidationStatus
}

// UpdateWorkerControllerInstanceResponse has the groups after a change.
type UpdateWorkerControllerInstanceResponse struct{ Spec *WorkerControllerInstanceSpec }
