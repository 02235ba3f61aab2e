package local

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"requisite/app"
	"requisite/internal/config"
	"requisite/internal/secrets/codec"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/temporalclient"
	"requisite/starter/admin"
	"requisite/starter/cli"
	"requisite/starter/compile"
	"requisite/starter/progress"
)

// loopback is an address of this machine that only it can reach.
func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// refuseTaken fails early if the api's port is in use. At the first start, the api would
// fail only after minutes.
func refuseTaken(ctx context.Context, flag string, port int) error {
	if port == 0 {
		return nil
	}
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", loopback(port))
	if err != nil {
		return nil
	}
	return errors.Join(portTaken(flag, port), conn.Close())
}

func portTaken(flag string, port int) error {
	return fmt.Errorf("port %d is in use; stop what uses it, or give --%s 0 to pick a free one", port, flag)
}

// ready is devstack's event once everything in it answers.
type ready struct {
	DatabaseURL     string `json:"database_url"`
	TemporalAddress string `json:"temporal_address"`
	TemporalUIURL   string `json:"temporal_ui_url"`
	Namespace       string `json:"namespace"`
}

// runStack starts the programs one after the other, shows the demonstration and waits. It
// stops the programs in the opposite order. The api and the worker are built meanwhile.
func runStack(ctx context.Context, say *progress.Narrator, o *upOptions, f files, programs *compile.Build) (err error) {
	if err := refuseTaken(ctx, "api-port", o.apiPort); err != nil {
		return err
	}
	// The Temporal UI must know the address before there is anything to serve.
	codecListener, err := new(net.ListenConfig).Listen(ctx, "tcp", loopback(o.codecPort))
	if err != nil {
		return errors.Join(portTaken("codec-port", o.codecPort), err)
	}
	defer codecListener.Close() // it is closed already once it has been served
	var running []*process
	defer func() {
		for i := len(running) - 1; i >= 0; i-- {
			err = errors.Join(err, running[i].stop())
		}
	}()

	base, devstack, err := startDevstack(ctx, say, o, f, codecURL(codecListener))
	if devstack != nil {
		running = append(running, devstack)
	}
	if err != nil {
		return err
	}
	settings := config.Service{
		DatabaseURL: base.DatabaseURL, KEKFile: f.kek, PayloadKeyFile: f.payloadKey,
		TemporalAddress: base.TemporalAddress, TemporalNamespace: base.Namespace, LogLevel: "info",
	}
	signInURL, stopCodec, err := serveCodec(ctx, f, base, codecListener)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stopCodec()) }()

	step := say.Begin("Bring the database schema and the Temporal namespace up to date")
	store, err := app.OpenStore(ctx, &settings, "starter", true)
	if err != nil {
		return err
	}
	defer store.Close()
	applied, err := admin.Migrate(ctx, store, &settings)
	if err != nil {
		return err
	}
	step.Done(fmt.Sprintf("%d migration(s) applied", applied))
	databases, bypass := map[string]string{"api": base.DatabaseURL, "worker": base.DatabaseURL}, true
	if o.ephemeral || os.Getenv("DATABASE_URL") == "" {
		// On the stack's own server the programs get roles as in production.
		if databases, err = serveWithRoles(ctx, store, base.DatabaseURL); err != nil {
			return err
		}
		bypass = false
	}

	step = say.Begin("Build the api and the worker")
	compiled, err := programs.Wait(func() *progress.StepLine { return step })
	if err != nil {
		return err
	}
	step.Done(compile.Result(compiled))

	env := []string{
		"REQUISITE_KEK_FILE=" + f.kek, "REQUISITE_PAYLOAD_KEY_FILE=" + f.payloadKey,
		"TEMPORAL_ADDRESS=" + base.TemporalAddress, "TEMPORAL_NAMESPACE=" + base.Namespace,
		"REQUISITE_LISTEN=" + loopback(o.apiPort),
		"REQUISITE_WEBHOOK_ALLOW=127.0.0.0/8,::1/128",
		"REQUISITE_TRY_IT=true",
		"REQUISITE_HEALTH_LISTEN=127.0.0.1:0",
		"REQUISITE_DRAIN=0s", // there is no load balancer here
		config.BypassVariable + "=" + strconv.FormatBool(bypass),
	}
	if o.rateLimit != 0 {
		env = append(env, "REQUISITE_RATE_LIMIT="+strconv.FormatFloat(o.rateLimit, 'f', -1, 64))
	}
	step = say.Begin("Start a worker and the api")
	envOf := func(program string, metricsPort int) []string {
		return append(slices.Clone(env), "DATABASE_URL="+databases[program], "REQUISITE_METRICS_LISTEN="+loopback(metricsPort))
	}
	worker, workerSays, err := startProcess(f, "worker", envOf("worker", o.workerMetricsPort), []string{"--child"}, true)
	if err != nil {
		return err
	}
	running = append(running, worker)
	api, apiSays, err := startProcess(f, "api", envOf("api", o.apiMetricsPort), []string{"--child"}, true)
	if err != nil {
		return err
	}
	running = append(running, api)
	s := cli.Stack{
		TemporalUIURL: base.TemporalUIURL, TemporalAddress: base.TemporalAddress, Namespace: base.Namespace, DatabaseURL: base.DatabaseURL,
	}
	listening := map[string]config.Listening{}
	for program, says := range map[*process]io.Reader{worker: workerSays, api: apiSays} {
		if listening[program.name], err = awaitListening(ctx, program, says); err != nil {
			return err
		}
	}
	s.BaseURL = "http://" + listening["api"].Address
	s.Metrics = map[string]string{"api": listening["api"].MetricsAddress, "worker": listening["worker"].MetricsAddress}
	if err := waitHealthy(ctx, s.BaseURL, running); err != nil {
		return err
	}
	step.Done("serving at " + s.BaseURL)

	workflowID, err := demonstrate(ctx, say, store, f, &s)
	if err != nil {
		return err
	}
	if err := cli.WritePrivate(f.stack, s); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(f.stack)) }()
	printSummary(say, s, f, signInURL, workflowID)
	return wait(ctx, say, running)
}

// serveWithRoles creates a database role for each program, with a password of
// this stack, and returns the URLs with which they connect.
func serveWithRoles(ctx context.Context, store *store.Store, database string) (map[string]string, error) {
	urls := map[string]string{}
	schema := store.Database.Schema()
	for program, grant := range map[string]func(context.Context, string) error{"api": schema.GrantAPI, "worker": schema.GrantWorker} {
		u, err := url.Parse(database)
		if err != nil {
			return nil, errors.New("the database URL cannot be read")
		}
		role, password := "requisite_"+program, rand.Text()
		if err := schema.EnsureLogin(ctx, role, password); err != nil {
			return nil, err
		}
		if err := grant(ctx, role); err != nil {
			return nil, err
		}
		u.User = url.UserPassword(role, password)
		urls[program] = u.String()
	}
	return urls, nil
}

// wait waits until ctx ends. It reports each program that ends by itself, and then returns an
// error. The other programs run on.
func wait(ctx context.Context, say *progress.Narrator, running []*process) error {
	ended := make(chan *process, len(running))
	for _, p := range running {
		go func() { <-p.exited; ended <- p }()
	}
	var failed error
	for {
		select {
		case <-ctx.Done():
			say.Line("\nStopping: the programs finish their current work first.")
			return failed
		case p := <-ended:
			if ctx.Err() != nil {
				continue // the stack is stopping
			}
			p.reported, failed = true, &cli.ExitError{Code: cli.ExitFailed}
			say.Line("\n%v\nThe other programs run on. To restart %s, stop with Ctrl-C, and run starter up again.", p.failure(), p.name)
		}
	}
}

func startDevstack(ctx context.Context, say *progress.Narrator, o *upOptions, f files, codecURL string) (ready, *process, error) {
	database := strings.TrimRight(os.Getenv("DATABASE_URL"), "\r\n")
	if o.ephemeral {
		database = "" // an ephemeral stack must not leave data in another database
	}
	if database != "" {
		if err := db.CheckURL(database); err != nil {
			return ready{}, nil, fmt.Errorf("DATABASE_URL: %w", err)
		}
	}
	step := say.Begin("Start Postgres, Temporal and the Temporal UI")
	args := []string{
		"--postgres-port", strconv.Itoa(o.postgresPort),
		"--temporal-port", strconv.Itoa(o.temporalPort),
		"--ui-port", strconv.Itoa(o.uiPort),
		"--codec-endpoint", codecURL + codec.Path,
		"--codec-sign-in", codecURL + codec.SignInPath,
		"--stop-on-stdin-eof",
	}
	for _, a := range temporalclient.SearchAttributes() {
		args = append(args, "--search-attribute", a.Name+"="+a.Type.String())
	}
	if o.ephemeral {
		args = append(args, "--ephemeral")
	} else {
		args = append(args, "--dir", f.data)
	}
	devstack, events, err := startProcess(f, "devstack", []string{"DATABASE_URL=" + database}, args, true)
	if err != nil {
		return ready{}, nil, err
	}
	base, err := awaitReady(ctx, devstack, events, step)
	if err != nil {
		return ready{}, devstack, err
	}
	step.Done("Temporal at " + base.TemporalAddress)
	return base, devstack, nil
}

// awaitReady reads devstack's events until it is ready. It keeps reading them afterwards, so
// that devstack never blocks.
func awaitReady(ctx context.Context, devstack *process, events io.Reader, step *progress.StepLine) (ready, error) {
	type event struct {
		Event   string `json:"event"`
		Message string `json:"message"`
		ready
	}
	received := make(chan event)
	go func() {
		for lines := bufio.NewScanner(events); lines.Scan(); {
			var e event
			if json.Unmarshal(lines.Bytes(), &e) == nil {
				select {
				case received <- e:
				case <-ctx.Done():
				}
			}
		}
		close(received)
	}()
	for {
		select {
		case <-ctx.Done():
			go func() {
				for range received { //nolint:revive // read until its end
				}
			}()
			return ready{}, ctx.Err()
		case e, open := <-received:
			switch {
			case !open:
				<-devstack.exited
				return ready{}, devstack.failure()
			case e.Event == "progress":
				step.Progress(e.Message)
			case e.Event == "error":
				return ready{}, errors.New(e.Message)
			case e.Event == "ready":
				go func() {
					for range received { //nolint:revive // drained so that its end is noticed
					}
				}()
				return e.ready, nil
			}
		}
	}
}

// startPatience is how long a program may take to start.
const startPatience = time.Minute

// awaitListening waits until a program has announced where it listens.
func awaitListening(ctx context.Context, p *process, says io.Reader) (listening config.Listening, err error) {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	type answer struct {
		config.Listening
		err error
	}
	read := make(chan answer, 1)
	go func() {
		l, err := config.ReadListening(says)
		read <- answer{l, err}
		_, _ = io.Copy(io.Discard, says)
	}()
	select {
	case a := <-read:
		if errors.Is(a.err, config.ErrNoAnnouncement) {
			<-p.exited
			return listening, p.failure()
		}
		return a.Listening, a.err
	case <-ctx.Done():
		return listening, fmt.Errorf("%s has not announced its address: %w", p.name, ctx.Err())
	}
}

// waitHealthy polls /readyz until the api can serve.
func waitHealthy(ctx context.Context, baseURL string, running []*process) error {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, baseURL+"/readyz", nil)
		if err != nil {
			return err
		}
		if response, err := http.DefaultClient.Do(request); err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		for _, p := range running {
			select {
			case <-p.exited:
				return p.failure()
			default:
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the api does not answer at %s: %w", baseURL, ctx.Err())
		case <-ticker.C:
		}
	}
}

func printSummary(say *progress.Narrator, s cli.Stack, f files, signInURL, workflowID string) {
	say.Line("\nEverything runs.\n")
	say.Line("  API            %s", s.BaseURL)
	say.Line("  Temporal UI    %s/namespaces/%s/workflows", s.TemporalUIURL, s.Namespace)
	say.Line("  Payloads       %s", signInURL)
	say.Line("                 signs a browser in, so that the Temporal UI shows payloads; programs")
	say.Line("                 send the token in %s", f.codecToken)
	say.Line("  Metrics        http://%s/metrics of the api", s.Metrics["api"])
	say.Line("                 http://%s/metrics of the worker", s.Metrics["worker"])
	say.Line("  Credentials    %s", f.stack)
	say.Line("  Logs           %s", f.logs)
	say.Line("\nLists in the Temporal UI, each with an example from the demonstration. Open a run, and\nits tab User Metadata says what happened:\n")
	for _, q := range savedQueries(time.Now(), workflowID) {
		say.Line("  %-21s %s", q.name, q.link(s.TemporalUIURL, s.Namespace))
	}
	at, keys := "", ""
	if usual, err := filepath.Abs(cli.DefaultStackFile); err != nil || f.stack != usual {
		at, keys = " --stack "+shellWord(f.stack), " --keys "+shellWord(f.webhookKeys)
	}
	say.Line("\nTry, in another terminal: read the account, sign a request for curl, and see webhooks\nas they come:\n")
	for _, command := range tryCommands(at, keys, s.Accounts[0].AccountID) {
		say.Line("      %s", command)
	}
	say.Line("\nFor the commands of operators (docs/operating/README.md), in another terminal:\n")
	say.Line("      export DATABASE_URL=$(sed -n 's/.*\"database_url\": \"\\(.*\\)\",/\\1/p' %s)", shellWord(f.stack))
	say.Line("      export TEMPORAL_ADDRESS=%s REQUISITE_KEK_FILE=%s REQUISITE_PAYLOAD_KEY_FILE=%s "+
		"REQUISITE_API_ROLE=requisite_api REQUISITE_WORKER_ROLE=requisite_worker", s.TemporalAddress, shellWord(f.kek), shellWord(f.payloadKey))
	say.Line("      export ACCOUNT=%s WORKFLOW=%s", s.Accounts[0].AccountID, workflowID)
	say.Line("      go run ./starter status%s", at)
	say.Line("\nFor an hour status shows runs as WRONG: the demonstration left %s.\n", failingRun)
	say.Line("Ctrl-C stops everything.")
}

// shellWord quotes an absolute path, where it must, so that a shell reads it as one word.
func shellWord(path string) string {
	if plain.MatchString(path) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

var plain = regexp.MustCompile(`^[A-Za-z0-9_./+:@%=-]+$`)

// tryCommands are the first commands of a new caller. stack and keys are flags that name the
// files of the stack, unless they are the usual ones.
func tryCommands(stack, keys, accountID string) []string {
	body := fmt.Sprintf(`'{"account_id":"%s"}'`, accountID)
	return []string{
		"go run ./starter call" + stack + " account.get " + body,
		"go run ./starter call" + stack + " --curl workflow.list " + body + " | curl --silent --show-error --config -",
		"go run ./starter listen" + stack + keys,
	}
}
