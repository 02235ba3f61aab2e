// Command scenario plays the scenario of e2e/guide with the Go client. The environment names
// the service, the credential and the scenario. clients/typescript/test/scenario.ts and
// clients/python/tests/scenario.py do the same with the other clients.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strconv"
	"strings"
	"sync"

	requisite "requisite/clients/go"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run plays the scenario, and returns the first difference from it.
func run(ctx context.Context) error {
	var scenario struct {
		Variables map[string]any
		Steps     []struct {
			Call, All string
			Await     any
			Request   map[string]any
			Save      map[string]string
			Secret    bool
			Count     int
			Lost      string
			Warns     string
			// The answer that the client asks for.
			SandboxAnswer string `json:"sandbox_answer"`
			Refused       *struct {
				Code, Field string
				SubCode     string `json:"sub_code"`
				Gaps        int
			}
		}
	}
	text, err := os.ReadFile(os.Getenv("REQUISITE_SCENARIO"))
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&scenario); err != nil {
		return err
	}
	c, err := requisite.New(os.Getenv("REQUISITE_BASE_URL"), os.Getenv("REQUISITE_API_KEY"), os.Getenv("REQUISITE_SECRET_KEY"), os.Getenv("REQUISITE_AUTH_TOKEN"))
	if err != nil {
		return err
	}
	var mu sync.Mutex
	wrong := make(chan error, 10_000)
	secrets, received, arrived := map[string]string{}, map[string]bool{}, make(chan string, 10_000)
	mux := http.NewServeMux()
	mux.Handle("/webhooks", &requisite.Receiver{
		Secrets: func(_ context.Context, accountID, keyID string) (string, error) {
			mu.Lock()
			defer mu.Unlock()
			if secret, ok := secrets[accountID+"/"+keyID]; ok {
				return secret, nil
			}
			return "", requisite.ErrUnknownKey
		},
		Processed: &requisite.Memory{},
		Handle: func(_ context.Context, e requisite.Event) error {
			var content struct{ Version string }
			if err := e.Content(&content); err != nil || content.Version == "" {
				return fmt.Errorf("content %s: %w", e.Data, err)
			}
			if e.Test {
				arrived <- e.EventType + " as a test"
			} else {
				arrived <- e.EventType
			}
			return nil
		},
		Tests: true,
		Log:   func(err error) { wrong <- err },
	})
	mux.HandleFunc("/failing", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	mux.HandleFunc("/working", func(http.ResponseWriter, *http.Request) {})
	server := httptest.NewServer(mux)
	defer server.Close()

	variables := scenario.Variables
	variables["receiver_url"], variables["failing_url"], variables["working_url"] = server.URL+"/webhooks", server.URL+"/failing", server.URL+"/working"
	var succeeded []string
	for _, step := range scenario.Steps {
		if step.Await != nil {
			for _, eventType := range filled(step.Await, variables).([]any) {
				for !received[eventType.(string)] { // without a timeout: the test stops this program
					fmt.Fprintf(os.Stderr, "waits for %s; received so far: %v\n", eventType, received)
					received[<-arrived] = true
				}
			}
			continue
		}
		name := step.Call + step.All
		request := filled(step.Request, variables)
		var options []requisite.Option
		if step.SandboxAnswer != "" {
			options = append(options, requisite.SandboxAnswer(step.SandboxAnswer))
		}
		data, warnings, err := play(ctx, c, name, request, step.All != "", options)
		var lost *requisite.SecretLost
		if step.Lost != "" && errors.As(err, &lost) {
			variables[step.Lost] = lost.KeyID
			continue
		}
		if step.Refused != nil {
			var refused requisite.Error
			if !errors.As(err, &refused) || refused.Code != step.Refused.Code || refused.SubCode != step.Refused.SubCode ||
				refused.TraceID == "" || len(refused.Gaps()) != step.Refused.Gaps {
				return fmt.Errorf("the refusal of %s is %w", name, err)
			}
			if problems := refused.Problems(); step.Refused.Field != "" && (len(problems) != 1 || problems[0].Field != step.Refused.Field) {
				return fmt.Errorf("the refusal of %s is %w", name, err)
			}
			continue
		}
		if err != nil || step.Lost != "" {
			return fmt.Errorf("%s: %w", name, err)
		}
		if step.Warns != "" && (len(warnings) != 1 || warnings[0].Code != step.Warns) {
			return fmt.Errorf("%s warns %v, not %s", name, warnings, step.Warns)
		}
		succeeded = append(succeeded, name)
		if step.Count != 0 && len(data.([]any)) != step.Count {
			return fmt.Errorf("%s gave %d elements, not %d", name, len(data.([]any)), step.Count)
		}
		for variable, path := range step.Save {
			if variables[variable], err = at(data, path); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		if step.Secret {
			made := data.(map[string]any)
			mu.Lock()
			secrets[variables["account_id"].(string)+"/"+made["key_id"].(string)] = made["shared_secret"].(string)
			mu.Unlock()
		}
	}
	summary := map[string][]string{"operations": succeeded}
	for eventType := range received {
		summary["events"] = append(summary["events"], eventType)
	}
	server.Close() // waits for webhooks that are being received
	select {
	case err := <-wrong:
		return fmt.Errorf("receive: %w", err)
	default:
	}
	text, err = json.Marshal(summary)
	if err != nil {
		return err
	}
	return os.WriteFile(os.Getenv("REQUISITE_SUMMARY"), text, 0o600)
}

// play calls the method of an operation with a typed request. The request must have a field
// for every value. It returns the typed response as JSON, and its warnings.
func play(ctx context.Context, c *requisite.Client, operation string, request any, all bool, options []requisite.Option) (any, []requisite.Warning, error) {
	name := ""
	for word := range strings.SplitSeq(operation, ".") {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	if all {
		name += "All"
	}
	method := reflect.ValueOf(c).MethodByName(name)
	if !method.IsValid() {
		return nil, nil, fmt.Errorf("there is no method %s", name)
	}
	in := reflect.New(method.Type().In(1))
	written, _ := json.Marshal(request)
	decoder := json.NewDecoder(bytes.NewReader(written))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(in.Interface()); err != nil {
		return nil, nil, fmt.Errorf("%s takes no %s: %v", name, written, err)
	}
	if again, _ := json.Marshal(in.Interface()); !sameJSON(again, written) {
		return nil, nil, fmt.Errorf("%s sends %s instead of %s", name, again, written)
	}
	out := method.CallSlice([]reflect.Value{reflect.ValueOf(ctx), in.Elem(), reflect.ValueOf(options)})
	if all {
		list, err := collected(out[0])
		return list, nil, err
	}
	err, _ := out[1].Interface().(error)
	data, _ := json.Marshal(out[0].FieldByName("Data").Interface())
	return parsed(data), out[0].FieldByName("Meta").Interface().(requisite.Meta).Warnings, err
}

// collected reads all elements of an iterator.
func collected(sequence reflect.Value) (list any, err error) {
	items := []any{}
	for item, e := range reflect.Value.Seq2(sequence) {
		if e, ok := e.Interface().(error); ok {
			return nil, e
		}
		data, _ := json.Marshal(item.Interface())
		items = append(items, parsed(data))
	}
	return items, nil
}

func parsed(text []byte) (value any) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	_ = decoder.Decode(&value)
	return value
}

func sameJSON(a, b []byte) bool { return reflect.DeepEqual(parsed(a), parsed(b)) }

// filled replaces each text $name by the variable of that name.
func filled(value any, variables map[string]any) any {
	switch value := value.(type) {
	case string:
		if name, ok := strings.CutPrefix(value, "$"); ok {
			return variables[name]
		}
	case map[string]any:
		out := map[string]any{}
		for name, one := range value {
			out[name] = filled(one, variables)
		}
		return out
	case []any:
		out := []any{}
		for _, one := range value {
			out = append(out, filled(one, variables))
		}
		return out
	}
	return value
}

// at returns the value at a path, such as deliveries.0.delivery_id.
func at(data any, path string) (any, error) {
	for name := range strings.SplitSeq(path, ".") {
		switch inside := data.(type) {
		case map[string]any:
			data = inside[name]
		case []any:
			i, _ := strconv.Atoi(name)
			if i >= len(inside) {
				return nil, fmt.Errorf("there is no %s", path)
			}
			data = inside[i]
		}
	}
	if data == nil {
		return nil, fmt.Errorf("there is no %s", path)
	}
	return data, nil
}
