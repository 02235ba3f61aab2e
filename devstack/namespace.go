package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	persistencespb "go.temporal.io/server/api/persistence/v1"
	"go.temporal.io/server/common"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/metrics"
	"go.temporal.io/server/common/persistence"
	"go.temporal.io/server/common/persistence/serialization"
	"go.temporal.io/server/common/persistence/sql"
	"go.temporal.io/server/common/resolver"
	"go.temporal.io/server/common/searchattribute/sadefs"
	"google.golang.org/protobuf/types/known/durationpb"
)

// prepareNamespace creates the namespace, or gives an existing one the retention and the search attributes that it lacks.
// It writes to the store while no server uses it, so every service loads the complete namespace at its start, and a search
// attribute is usable from the first request on. With the API, it is usable only once all caches have been refreshed.
func prepareNamespace(ctx context.Context, d *database, o options, logger log.Logger) error {
	serializer := serialization.NewSerializer()
	factory := sql.NewFactory(*d.sqlConfig(storeDatabase), resolver.NewNoopResolver(), clusterName, logger,
		metrics.NoopMetricsHandler, serializer)
	defer factory.Close()

	clusterStore, err := factory.NewClusterMetadataStore()
	if err != nil {
		return fmt.Errorf("open Temporal's store: %w", err)
	}
	clusters := persistence.NewClusterMetadataManagerImpl(clusterStore, serializer, clusterName, logger)
	if err := checkHistoryShards(ctx, clusters, o.historyShards); err != nil {
		return err
	}
	metadataStore, err := factory.NewMetadataStore()
	if err != nil {
		return fmt.Errorf("open Temporal's store: %w", err)
	}
	namespaces := persistence.NewMetadataManagerImpl(metadataStore, serializer, logger, clusterName)
	if err := saveNamespace(ctx, namespaces, o); err != nil {
		return fmt.Errorf("prepare the namespace %s: %w", o.namespace, err)
	}
	return nil
}

// checkHistoryShards refuses a number of shards that differs from the store's, which Temporal would silently ignore.
func checkHistoryShards(ctx context.Context, clusters persistence.ClusterMetadataManager, wanted int) error {
	found, err := clusters.GetClusterMetadata(ctx, &persistence.GetClusterMetadataRequest{ClusterName: clusterName})
	var notFound *serviceerror.NotFound
	switch {
	case errors.As(err, &notFound):
		return nil
	case err != nil:
		return fmt.Errorf("read Temporal's cluster metadata: %w", err)
	case int(found.HistoryShardCount) != wanted:
		return fmt.Errorf("the store has %d history shards, which cannot be changed to %d; "+
			"give --history-shards %d, or another --dir", found.HistoryShardCount, wanted, found.HistoryShardCount)
	default:
		return nil
	}
}

func saveNamespace(ctx context.Context, namespaces persistence.MetadataManager, o options) error {
	found, err := namespaces.GetNamespace(ctx, &persistence.GetNamespaceRequest{Name: o.namespace})
	var notFound *serviceerror.NamespaceNotFound
	if errors.As(err, &notFound) {
		return createNamespace(ctx, namespaces, o)
	}
	if err != nil {
		return err
	}
	return updateNamespace(ctx, namespaces, found, o)
}

func createNamespace(ctx context.Context, namespaces persistence.MetadataManager, o options) error {
	aliases, err := withAliases(nil, o.searchAttributes)
	if err != nil {
		return err
	}
	_, err = namespaces.CreateNamespace(ctx, &persistence.CreateNamespaceRequest{
		Namespace: &persistencespb.NamespaceDetail{
			Info: &persistencespb.NamespaceInfo{
				Id:    uuid.NewString(),
				Name:  o.namespace,
				State: enumspb.NAMESPACE_STATE_REGISTERED,
			},
			Config: &persistencespb.NamespaceConfig{
				Retention:                    durationpb.New(o.retention),
				HistoryArchivalState:         enumspb.ARCHIVAL_STATE_DISABLED,
				VisibilityArchivalState:      enumspb.ARCHIVAL_STATE_DISABLED,
				CustomSearchAttributeAliases: aliases,
			},
			ReplicationConfig: &persistencespb.NamespaceReplicationConfig{
				ActiveClusterName: clusterName,
				Clusters:          []string{clusterName},
			},
			FailoverVersion:             common.EmptyVersion,
			FailoverNotificationVersion: -1,
		},
	})
	return err
}

func updateNamespace(
	ctx context.Context,
	namespaces persistence.MetadataManager,
	found *persistence.GetNamespaceResponse,
	o options,
) error {
	settings := found.Namespace.Config
	aliases, err := withAliases(settings.CustomSearchAttributeAliases, o.searchAttributes)
	if err != nil {
		return err
	}
	if maps.Equal(aliases, settings.CustomSearchAttributeAliases) && settings.Retention.AsDuration() == o.retention {
		return nil
	}
	settings.CustomSearchAttributeAliases = aliases
	settings.Retention = durationpb.New(o.retention)
	found.Namespace.ConfigVersion++
	metadata, err := namespaces.GetMetadata(ctx)
	if err != nil {
		return err
	}
	return namespaces.UpdateNamespace(ctx, &persistence.UpdateNamespaceRequest{
		Namespace:           found.Namespace,
		IsGlobalNamespace:   found.IsGlobalNamespace,
		NotificationVersion: metadata.NotificationVersion,
	})
}

// withAliases maps columns of the visibility store to the names of search attributes. It keeps the existing mappings, and
// adds a free column of the right type for each attribute without one.
func withAliases(existing map[string]string, wanted searchAttributes) (map[string]string, error) {
	columns := sadefs.GetDBIndexSearchAttributes(nil).CustomSearchAttributes
	aliases := maps.Clone(existing)
	if aliases == nil {
		aliases = map[string]string{}
	}
	columnOf := map[string]string{}
	for column, name := range aliases {
		columnOf[name] = column
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		column, mapped := columnOf[name]
		if !mapped {
			var err error
			if column, err = freeColumn(columns, aliases, wanted[name]); err != nil {
				return nil, fmt.Errorf("search attribute %s: %w", name, err)
			}
			aliases[column] = name
		}
		if columns[column] != wanted[name] {
			return nil, fmt.Errorf("search attribute %s has type %s, which cannot be changed to %s",
				name, columns[column], wanted[name])
		}
	}
	return aliases, nil
}

func freeColumn(columns searchAttributes, taken map[string]string, valueType enumspb.IndexedValueType) (string, error) {
	count := 0
	for _, column := range slices.Sorted(maps.Keys(columns)) {
		if columns[column] != valueType {
			continue
		}
		if _, used := taken[column]; !used {
			return column, nil
		}
		count++
	}
	return "", fmt.Errorf("all %d search attributes of type %s are taken", count, valueType)
}
