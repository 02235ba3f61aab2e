package server

import (
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"time"

	"requisite/internal/requests/refusal"
	"requisite/internal/telemetry"
)

// line is the outcome of a request, for the log.
type line struct {
	status  int
	refused *refusal.Refusal
	outcome string // empty for SUCCESS and for refusals
	started time.Time
	sent    bool // whether the response could be written
}

// record writes the log line of a request. The line contains ids and codes, and no names.
func (s *Server) record(r *http.Request, c *caller, l line) {
	outcome, code, subCode := "SUCCESS", "", ""
	if l.outcome != "" {
		outcome = l.outcome
	}
	if l.refused != nil {
		outcome, code, subCode = l.refused.SpecificCode(), string(l.refused.Code), string(l.refused.SubCode)
	}
	attributes := []slog.Attr{slog.String("operation", c.call.Operation), slog.Int("status", l.status), slog.String("outcome", outcome)}
	for _, optional := range []slog.Attr{
		slog.String("code", code), slog.String("sub_code", subCode), slog.String("api_key", c.apiKey), slog.String("account_id", c.accountID),
		slog.String("sandbox_answer", string(c.asked)), slog.String("sandbox_today", c.call.Scope.SandboxToday),
	} {
		if optional.Value.String() != "" {
			attributes = append(attributes, optional)
		}
	}
	for _, entity := range c.entities {
		if entity.Key != "account_id" || c.accountID == "" {
			attributes = append(attributes, entity)
		}
	}
	attributes = append(attributes, slog.String("trace_id", c.traceID),
		telemetry.DurationMS(s.now().Sub(l.started)), slog.Bool("sent", l.sent))
	s.log.LogAttrs(r.Context(), slog.LevelInfo, "request", attributes...)
}

// idsIn returns the ids in a decoded request and its filters, such as workflow_id.
// The schema has checked their form.
func idsIn(in reflect.Value) []slog.Attr {
	for in.Kind() == reflect.Pointer {
		if in.IsNil() {
			return nil
		}
		in = in.Elem()
	}
	if in.Kind() != reflect.Struct {
		return nil
	}
	var named []slog.Attr
	for i := range in.NumField() {
		field := in.Type().Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		value := in.Field(i)
		switch {
		case field.Anonymous || name == "filters":
			named = append(named, idsIn(value)...)
		case strings.HasSuffix(name, "_id") && field.Tag.Get("pattern") != "" && value.Kind() == reflect.String && value.String() != "":
			named = append(named, slog.String(name, value.String()))
		case strings.HasSuffix(name, "_id") && field.IsExported():
			if id, is := value.Interface().(interface {
				IsZero() bool
				String() string
			}); is && !id.IsZero() {
				named = append(named, slog.String(name, id.String()))
			}
		}
	}
	return named
}
