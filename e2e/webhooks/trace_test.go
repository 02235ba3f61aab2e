//go:build deep

package webhooks_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	"google.golang.org/protobuf/proto"

	"requisite/e2e/harness"
)

// tracesSink is a collector of traces. It stores all requests unchanged.
type tracesSink struct {
	mu    sync.Mutex
	raw   bytes.Buffer
	spans map[string]span // by span id
}

type span struct {
	Name, Program, Trace, ID, Parent string
	Attributes                       map[string]string
}

func (c *tracesSink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var request collector.ExportTraceServiceRequest
	if err != nil || proto.Unmarshal(body, &request) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw.Write(body)
	for _, from := range request.ResourceSpans {
		program := ""
		for _, a := range from.Resource.Attributes {
			if a.Key == "service.name" {
				program = a.Value.GetStringValue()
			}
		}
		for _, scope := range from.ScopeSpans {
			for _, s := range scope.Spans {
				got := span{Name: s.Name, Program: program, Trace: hex.EncodeToString(s.TraceId), ID: hex.EncodeToString(s.SpanId),
					Parent: hex.EncodeToString(s.ParentSpanId), Attributes: map[string]string{}}
				for _, a := range s.Attributes {
					got.Attributes[a.Key] = a.Value.GetStringValue()
					if number, is := a.Value.Value.(*commonpb.AnyValue_IntValue); is {
						got.Attributes[a.Key] = strconv.FormatInt(number.IntValue, 10)
					}
				}
				c.spans[got.ID] = got
			}
		}
	}
}

// of returns the spans of a trace by name.
func (c *tracesSink) of(trace string) map[string][]span {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := map[string][]span{}
	for _, s := range c.spans {
		if s.Trace == trace {
			found[s.Name] = append(found[s.Name], s)
		}
	}
	return found
}

func header(name, value string) func(http.Header) {
	return func(h http.Header) { h.Set(name, value) }
}

// TestTrace_LeadsFromTheCallerToTheReceiver: a caller's trace contains the request, the run,
// its steps and their SQL, the attempt and the receiver. The session that makes the attempt
// has its own trace, because it also makes other attempts.
func TestTrace_LeadsFromTheCallerToTheReceiver(t *testing.T) {
	t.Parallel()
	c := &tracesSink{spans: map[string]span{}}
	collecting := httptest.NewServer(c)
	defer collecting.Close()
	s := ownStack(t, "OTEL_EXPORTER_OTLP_ENDPOINT="+collecting.URL, "OTEL_BSP_SCHEDULE_DELAY=100", "REQUISITE_LOG_LEVEL=debug")
	k := s.sink(nil, "REQUIRED_DOCUMENTS_CALCULATED")
	w := s.Application(t)

	const trace, caller, traceID = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", "trc_Kgywt6S99MKiCkM5FLT48"
	const planted = "plantedname"
	answer := s.Send(t, "workflow.requiredDocument.calculate", w, header("traceparent", "00-"+trace+"-"+caller+"-01"),
		header("tracestate", "vendor="+planted), header("baggage", "name="+planted))
	require.Equal(t, traceID, answer.Meta.TraceID)
	require.Contains(t, answer.Header.Get("traceparent"), trace)
	got := k.await("the event", count(1))[0]

	var spans map[string][]span
	s.Await(t, "the whole trace", func(context.Context) error {
		spans = c.of(trace)
		for _, name := range []string{"POST", "workflow.requiredDocument.calculate", "RunWorkflow:CalculateRequiredDocuments"} {
			if n := len(spans[name]); n != 1 {
				return fmt.Errorf("%d spans %s", n, name)
			}
		}
		return nil
	})
	parent := func(s span) span {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.spans[s.Parent]
	}
	// Every span has its cause as parent, from the receiver upwards.
	post := spans["POST"][0]
	require.Equal(t, "00-"+trace+"-"+post.ID+"-01", got.Header.Get("traceparent"))
	require.Empty(t, got.Header.Get("tracestate")+got.Header.Get("baggage"))
	require.Equal(t, k.URL, "http://"+post.Attributes["server.address"]+":"+post.Attributes["server.port"])
	chain := []string{}
	at := post
	for ; at.ID != ""; at = parent(at) {
		chain = append(chain, strings.TrimPrefix(at.Program, "requisite-")+" "+at.Name)
	}
	require.Equal(t, []string{"worker POST", "api workflow.requiredDocument.calculate"}, chain)
	request := spans["workflow.requiredDocument.calculate"][0]
	require.Equal(t, caller, request.Parent)
	require.Contains(t, request.Attributes["requisite.trace_id"], traceID)
	const read, save = "RunActivity:LoadFacts", "RunActivity:SaveRequiredDocuments"
	require.NotEmpty(t, spans[read])
	require.NotEmpty(t, spans[save])
	for _, try := range slices.Concat(spans[read], spans[save]) { // there are several on a busy machine
		run := parent(try)
		for !strings.HasPrefix(run.Name, "RunWorkflow:") {
			run = parent(run)
		}
		require.Equal(t, "RunWorkflow:CalculateRequiredDocuments", run.Name)
		start := parent(run)
		require.Equal(t, "StartWorkflow:CalculateRequiredDocuments", start.Name)
		require.Equal(t, request, parent(start))
	}
	below := map[string]bool{}
	for _, name := range []string{"SELECT", "INSERT"} {
		for _, statement := range spans[name] {
			above := parent(statement)
			if above.Name == "batch start" { // the parent is the begin of the transaction
				above = parent(above)
			}
			below[above.Name+" "+name] = true
		}
	}
	for _, want := range []string{"workflow.requiredDocument.calculate SELECT", read + " SELECT", save + " INSERT"} {
		require.True(t, below[want], "%s is not among %v", want, below)
	}

	// The logs and the search attribute of the run have the same id.
	for _, program := range []string{"api", "worker"} {
		s.Await(t, program+" to log the trace", func(context.Context) error {
			log, err := os.ReadFile(filepath.Join(s.Dir, program+".log"))
			if err == nil && !strings.Contains(string(log), `"trace_id":"`+traceID+`"`) {
				err = errors.New("it has not")
			}
			return err
		})
	}
	s.awaitOneRun(s.Temporal(t), fmt.Sprintf("TraceId = %q", traceID))

	// No span contains values of a request, neither facts nor refused values.
	for operation, in := range map[string]any{
		"business.create":            harness.Object{"account_id": s.AccountID, "business": harness.Object{"legal_name": planted, "established_date": "2001-01-01"}},
		"person.create":              harness.Object{"business_id": planted, "person": harness.Object{"first_name": planted, planted: planted}},
		"unknown." + planted:         harness.Object{},
		"webhook.key.get":            harness.Object{"account_id": s.AccountID, "key_id": planted},
		"account.documentRules.list": harness.Object{"account_id": planted},
	} {
		trace := s.Send(t, operation, in).Header.Get("traceparent")[3:35]
		s.Await(t, "the span of a request", func(context.Context) error {
			if len(c.of(trace)) == 0 {
				return errors.New("there is none")
			}
			return nil
		})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, text := range []string{planted, "Outage Ltd", "/hooks"} {
		require.NotContains(t, c.raw.String(), text)
	}
}
