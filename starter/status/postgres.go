package status

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"requisite/app"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
	"requisite/internal/store/schema"
	"requisite/internal/webhooks/delivery"
	"requisite/internal/webhooks/webhook"
	"requisite/starter/cli"
)

const (
	postgres    = "postgres"
	connections = "connections"
)

// ofPostgres checks the database and the records in it.
func (i *Inspector) ofPostgres() []check {
	list := []check{{postgres, func(ctx context.Context, name string) []Finding { return one(i.postgres(ctx, name)) }}}
	with := func(name string, look func(context.Context, *store.Store, string) Finding) {
		list = append(list, check{name, func(ctx context.Context, name string) []Finding {
			s, err := i.openStore()
			if err != nil {
				return one(away(name, postgres))
			}
			return one(look(ctx, s, name))
		}})
	}
	server := func(judge func(string, store.Server, time.Time) Finding) func(context.Context, *store.Store, string) Finding {
		return func(ctx context.Context, s *store.Store, name string) Finding {
			found, err := s.Database.Server(ctx)
			switch {
			case err != nil && name == connections && code(err) == "":
				return away(name, postgres) // what is not known about connections explains nothing
			case err != nil:
				return failed(name, err)
			}
			return judge(name, found, time.Now())
		}
	}
	// These count records, of which row-level security hides some from every role but the owner's.
	records := func(name string, look func(context.Context, *store.Store, string) Finding) {
		with(name, func(ctx context.Context, s *store.Store, name string) Finding {
			all, role, err := s.Database.SeesAll(ctx)
			switch {
			case err != nil:
				return failed(name, err)
			case !all:
				return unknown(name, asOwner, "Postgres hides records from the role %s", role)
			}
			return look(ctx, s, name)
		})
	}
	with("schema", schemaOf)
	with("role of the api", func(ctx context.Context, s *store.Store, name string) Finding {
		return i.role(ctx, s, name, i.APIRole, schema.API)
	})
	with("role of the worker", func(ctx context.Context, s *store.Store, name string) Finding {
		return i.role(ctx, s, name, i.WorkerRole, schema.Worker)
	})
	with("collations", collations)
	with(connections, server(judgeConnections))
	with("transactions", server(judgeTransactions))
	with("clock", server(judgeClock))
	with("disk", disk)
	with("archive", server(judgeArchive))
	with("backup", backup)
	records("keyset of secrets", i.secrets)
	for _, of := range schedules() {
		with("success of "+string(of), func(ctx context.Context, s *store.Store, name string) Finding {
			now, err := s.Upkeep.BackgroundState(ctx, false)
			if err != nil {
				return failed(name, err)
			}
			return judgeSuccess(name, of, now.LastSuccess[of], time.Now())
		})
	}
	records("backlog", backlog)
	records("longest waiting", longestWaiting)
	records("endpoints", endpoints)
	return list
}

// asOwner is what to do where the role of the command may not see what a check needs.
const asOwner = "ask as the owner of the schema, with its DATABASE_URL"

// failed is the finding of a check whose query failed: Postgres refused it, or the connection is lost.
func failed(name string, err error) Finding {
	switch code(err) {
	case "":
		if name == postgres {
			return wrong(name, "see Postgres's log, and the network to it", "%s", db.Advise(err))
		}
		return wrong(name, see(postgres)+", and the network to Postgres", "%s", db.Advise(err))
	case codeDenied:
		return unknown(name, asOwner, "Postgres refused it: %s", err)
	case codeTooMany:
		return wrong(name, manyConnections, "%s", err)
	}
	return wrong(name, "see Postgres's log", "%s", db.Advise(err))
}

// manyConnections is what to do where Postgres has no connection left.
const manyConnections = "end sessions that are not needed, or raise max_connections; docs/operating/alerts.md#requisitepostgresconnections"

// code is Postgres's code of an error; empty if it is not Postgres's.
func code(err error) string {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return ""
	}
	return pg.Code
}

// postgres connects as the programs do. The connection refuses a server that is too old, another
// encoding, and settings that it cannot change.
func (i *Inspector) postgres(ctx context.Context, name string) Finding {
	s, err := i.openStore()
	if code(err) == codeTooMany {
		return failed(name, err)
	}
	switch {
	case i.Service.DatabaseURL == "":
		return wrong(name, cli.SetByUp, "%s", err)
	case err != nil:
		return wrong(name, "start it, or mend DATABASE_URL", "%s", db.Advise(err))
	}
	if err := s.Database.Usable(ctx); err != nil {
		var lack db.Lack
		if errors.As(err, &lack) {
			return wrong(name, "docs/operating/postgres.md", "%s", lack)
		}
		return failed(name, err)
	}
	found, err := s.Database.Server(ctx)
	if err != nil {
		return failed(name, err)
	}
	return ok(name, "Postgres %s, UTF8; database %s can be written, and each connection has a session of its own", found.Version, found.Database)
}

func schemaOf(ctx context.Context, s *store.Store, name string) Finding {
	applied, newest, err := s.Database.Schema().Versions(ctx)
	if err != nil {
		return failed(name, err)
	}
	var lack db.Lack
	switch err := s.Database.Schema().Known(ctx); {
	case errors.As(err, &lack):
		return wrong(name, "docs/operating/upgrade.md#a-database-of-other-migrations", "%s", lack)
	case err != nil:
		return failed(name, err)
	}
	return judgeSchema(name, applied, newest)
}

func judgeSchema(name string, applied, newest int64) Finding {
	switch {
	case applied < newest:
		return wrong(name, "run `starter migrate`", "version %d, and this release needs %d", applied, newest)
	case applied > newest:
		return ok(name, "version %d, of a newer release than this starter, which knows %d", applied, newest)
	}
	return ok(name, "version %d", applied)
}

// role checks the rights of a program's role, as the program does when it starts.
func (i *Inspector) role(ctx context.Context, s *store.Store, name, role string, p schema.Program) Finding {
	if role == "" {
		return unknown(name, fmt.Sprintf("name it with REQUISITE_%s_ROLE", strings.ToUpper(string(p))), "--%s-role is not set", p)
	}
	why, err := s.Database.Schema().Bypass(ctx, role)
	switch {
	case err != nil:
		return failed(name, err)
	case why != "":
		return wrong(name, "take that from it; docs/operating/postgres.md", "row-level security does not bind %s: %s", role, why)
	}
	if err := s.Database.RoleReady(ctx, p, role); err != nil {
		return judgeRights(name, role, p, err)
	}
	return ok(name, "%s has its rights, and row-level security binds it", role)
}

// judgeRights says why a role does not have its rights.
func judgeRights(name, role string, p schema.Program, err error) Finding {
	var lack db.Lack
	switch {
	case errors.As(err, &lack):
		return wrong(name, fmt.Sprintf("run `starter migrate --%s-role %s`", p, role), "%s", lack)
	case code(err) == codeUndefined:
		return wrong(name, "create the role, and run `starter migrate` with it; docs/operating/postgres.md", "%s", err)
	}
	return failed(name, err)
}

// collations looks for indexes whose order no longer matches the server's library: Temporal's, or an operator's own.
func collations(ctx context.Context, s *store.Store, name string) Finding {
	outdated, err := s.Database.OutdatedCollations(ctx)
	switch {
	case err != nil:
		return failed(name, err)
	case len(outdated) > 0:
		cure := fmt.Sprintf("rebuild the indexes that are not Requisite's, then ALTER %s REFRESH COLLATION VERSION; "+
			"docs/operating/postgres.md#when-a-library-of-postgres-has-changed", outdated[0])
		return wrong(name, cure, "another version of a library ordered the texts of %s", strings.Join(outdated, ", "))
	}
	return ok(name, "no library has changed that orders texts; Requisite's own sort by their bytes")
}

// The limits beyond which a check reports a problem. Those of schedules and backups are the limits of the alerts.
const (
	connectionsAtMost = 90 // percent
	transactionAtMost = time.Hour
	clockAtMost       = db.ClockSkew
	heldBackAtMost    = 10 << 30
	archivedWithin    = 10 * time.Minute
	backedUpWithin    = 48 * time.Hour
	restoredWithin    = 14 * 24 * time.Hour
	waitsAtMost       = 10 * time.Minute
	unreachedShare    = 50 // percent of the enabled endpoints
	unreachedHosts    = 3  // different ones: fewer are the trouble of their owners
)

func judgeConnections(name string, s store.Server, _ time.Time) Finding {
	if s.Connections*100 > s.MaxConnections*connectionsAtMost {
		return wrong(name, manyConnections, "%d of %d are in use, %d of them by the role %s", s.Connections, s.MaxConnections, s.BusiestConnections, s.Busiest)
	}
	return ok(name, "%d of %d are in use", s.Connections, s.MaxConnections)
}

func judgeTransactions(name string, s store.Server, _ time.Time) Finding {
	oldest := "none is open"
	if s.OldestTransaction != nil {
		if s.Now.Sub(*s.OldestTransaction) > transactionAtMost {
			return wrong(name, "end it: look in pg_stat_activity and pg_prepared_xacts",
				"one has been open for %s, which delays replays and lets tables grow", long(s.Now.Sub(*s.OldestTransaction)))
		}
		oldest = "the oldest began " + ago(s.Now, *s.OldestTransaction)
	}
	if s.Hidden > 0 {
		return unknown(name, fmt.Sprintf("GRANT pg_read_all_stats TO %s, as the server's administrator", pgx.Identifier{s.Role}.Sanitize()),
			"Postgres hides from %s the transactions of %d of %d connections; of the others, %s", s.Role, s.Hidden, s.Connections, oldest)
	}
	return ok(name, "%s", oldest)
}

func judgeClock(name string, s store.Server, now time.Time) Finding {
	if apart := s.Now.Sub(now).Abs(); apart > clockAtMost {
		return wrong(name, "synchronize the clocks of both hosts: callers are refused when clocks differ",
			"the clocks of Postgres and of this host differ by %s", long(apart))
	}
	return ok(name, "the clocks of Postgres and of this host agree")
}

// disk checks what Postgres knows about its disk. Postgres does not know how full the disk is.
func disk(ctx context.Context, s *store.Store, name string) Finding {
	found, err := s.Database.Server(ctx)
	if err != nil {
		return failed(name, err)
	}
	if err := s.Database.HasRoom(ctx); err != nil {
		return judgeRoom(name, err)
	}
	return judgeDisk(name, found, time.Time{})
}

// judgeRoom says why Postgres did not write a file.
func judgeRoom(name string, err error) Finding {
	switch code(err) {
	case codeDenied:
		return unknown(name, "grant TEMPORARY on the database to this role", "whether Postgres can write files: this role may not make temporary tables")
	case codeReadOnly:
		return unknown(name, fmt.Sprintf("see the line %q", postgres), "whether Postgres can write files: it is read-only")
	case codeDiskFull, codeIO:
		return wrong(name, "make room on Postgres's disk; docs/operating/alerts.md#requisitedisknearlyfull", "Postgres cannot write: %s", err)
	}
	return failed(name, err)
}

// Codes of Postgres.
const (
	codeDenied    = "42501"
	codeDiskFull  = "53100"
	codeIO        = "58030"
	codeReadOnly  = "25006"
	codeTooMany   = "53300"
	codeUndefined = "42704"
)

func judgeDisk(name string, s store.Server, _ time.Time) Finding {
	if s.HeldBackBytes > heldBackAtMost {
		return wrong(name, "drop the replication slot, or start what reads from it",
			"an inactive replication slot holds back %s of write-ahead log", size(s.HeldBackBytes))
	}
	return ok(name, "the database has %s, and Postgres can write; it does not know how full its disk is", size(s.Bytes))
}

func judgeArchive(name string, s store.Server, _ time.Time) Finding {
	switch {
	case !s.Archives:
		return ok(name, "archive_mode is off: no point in time can be restored, only a backup")
	case s.LastArchiveFailed != nil && (s.LastArchived == nil || s.LastArchiveFailed.After(*s.LastArchived)):
		return wrong(name, "see Postgres's log: until it archives, its disk fills up", "archiving failed %s", ago(s.Now, *s.LastArchiveFailed))
	}
	// A command that hangs does not fail. The service writes something every minute.
	since, often := s.Started, time.Duration(s.ArchiveTimeoutSeconds)*time.Second
	if s.LastArchived != nil && s.LastArchived.After(since) {
		since = *s.LastArchived
	}
	if often > 0 && s.Now.Sub(since) > archivedWithin+2*often {
		return wrong(name, "see what archive_command waits for, and that it is not empty: until it archives, the disk fills up",
			"nothing has been archived for %s, although archive_timeout is %s", long(s.Now.Sub(since)), long(often))
	}
	if s.LastArchived == nil {
		return ok(name, "archive_mode is on, and nothing has been archived yet")
	}
	return ok(name, "the last write-ahead log was archived %s", ago(s.Now, *s.LastArchived))
}

func backup(ctx context.Context, s *store.Store, name string) Finding {
	now, err := s.Upkeep.BackgroundState(ctx, false)
	if err != nil {
		return failed(name, err)
	}
	server, err := s.Database.Server(ctx)
	if err != nil {
		return failed(name, err)
	}
	taken := recorded{now.LastSuccess[store.Backup], server.NeverBackedUp}
	return judgeBackup(name, taken, recorded{now.LastSuccess[store.Restore], server.NeverRestored}, time.Now())
}

// recorded is the last success that a job recorded. If it never recorded one, at is when the schema was made.
type recorded struct {
	at    time.Time
	never bool
}

// judgeBackup judges when a backup was taken, and when one was restored and verified. Only the second shows that backups are good.
func judgeBackup(name string, taken, restored recorded, now time.Time) Finding {
	const take = "make one, and let the job record it; docs/operating/backup.md#back-up"
	const restore = "restore the newest; docs/operating/backup.md#show-that-a-backup-can-be-restored"
	late := func(r recorded, within time.Duration) bool { return now.Sub(r.at) > within }
	since := func(r recorded) string {
		if r.never {
			return "since the schema was made, " + ago(now, r.at)
		}
		return "for " + long(now.Sub(r.at))
	}
	switch {
	case late(taken, backedUpWithin):
		return wrong(name, take, "none has been recorded %s", since(taken))
	case taken.never:
		return unknown(name, take, "none has been recorded %s", since(taken))
	case late(restored, restoredWithin):
		return wrong(name, restore, "taken %s; none has been restored and verified %s", ago(now, taken.at), since(restored))
	case restored.never:
		return unknown(name, restore, "taken %s; none has been restored and verified %s", ago(now, taken.at), since(restored))
	}
	return ok(name, "taken %s; one was restored and verified %s", ago(now, taken.at), ago(now, restored.at))
}

// succeeded is how long ago the last success of each schedule may be.
var succeeded = map[store.Schedule]time.Duration{
	store.ScheduleReconcile: 15 * time.Minute, store.ScheduleDeadlines: time.Hour, store.SchedulePrune: 2 * time.Hour, store.ScheduleRecalculations: 3 * time.Hour,
}

func judgeSuccess(name string, of store.Schedule, last, now time.Time) Finding {
	if now.Sub(last) > succeeded[of] {
		cure := fmt.Sprintf("open the latest run of %s in the Temporal UI; start a worker if none runs", of)
		return wrong(name, cure, "it has not succeeded for %s", long(now.Sub(last)))
	}
	return ok(name, "it succeeded %s", ago(now, last))
}

// secrets looks at the keyset that seals secrets in the database.
func (i *Inspector) secrets(ctx context.Context, _ *store.Store, name string) Finding {
	if i.Service.KEKFile == "" {
		return unknown(name, "name it with REQUISITE_KEK_FILE", "--kek-file is not set")
	}
	_, infos, err := i.keyset(ctx, i.Service.CheckKEK, i.Service.KEK)
	if err != nil {
		return wrong(name, "restore it from its backup", "%s", err)
	}
	s, err := app.OpenStore(ctx, &i.Service, "starter", true)
	if err != nil {
		return failed(name, err)
	}
	defer s.Close()
	use, err := s.Secrets.Sealing(ctx)
	if errors.Is(err, store.ErrWrongKeyset) {
		return wrong(name, "name the keyset that the programs use, or restore it from its backup", "it does not open the secrets in this database")
	}
	if err != nil {
		return failed(name, err)
	}
	found := ok(name, "%d key(s) open all %d secrets in the database", len(infos), use.Secrets)
	if use.Old > 0 {
		found.Found += fmt.Sprintf("; older keys seal %d: `starter keyset rewrap` moves them", use.Old)
	}
	return found
}

func backlog(ctx context.Context, s *store.Store, name string) Finding {
	now, err := s.Upkeep.BackgroundState(ctx, true)
	if err != nil {
		return failed(name, err)
	}
	return judgeBacklog(name, now)
}

func judgeBacklog(name string, now store.BackgroundState) Finding {
	var said []string
	for _, b := range now.Backlog {
		text := fmt.Sprintf("%d %s", b.Count, b.State)
		if b.Count > 0 && b.Oldest > time.Second {
			text += ", the oldest for " + long(b.Oldest)
		}
		said = append(said, text)
	}
	all := strings.Join(said, "; ")
	if now.Overdue > 0 {
		return wrong(name, "docs/operating/alerts.md#requisitenothingdispatched",
			"%d could have been sent two minutes ago, and nobody sends them; %s", now.Overdue, all)
	}
	return ok(name, "%s", all)
}

// longestWaiting finds the delivery that has been due for the longest time at a healthy endpoint, and says
// why it waits.
func longestWaiting(ctx context.Context, s *store.Store, name string) Finding {
	d, due, found, err := s.Deliveries.Overview.LongestWaiting(ctx)
	if err != nil {
		return failed(name, err)
	}
	if !found {
		return ok(name, "no delivery waits at an endpoint that is well")
	}
	record := delivery.Record{ID: d}
	waits, err := s.AllWebhooks.Waits(ctx, []delivery.Record{record})
	if err != nil {
		return failed(name, err)
	}
	return judgeWaiting(name, record.WireID().String(), due, waits[d])
}

func judgeWaiting(name, id string, due time.Duration, waits []delivery.Wait) Finding {
	text := fmt.Sprintf("%s has been due for %s: %s", id, long(due), delivery.CausesOf(waits))
	if due > waitsAtMost {
		return wrong(name, fmt.Sprintf("starter delivery get %s; docs/operating/webhooks.md has each cause", id), "%s", text)
	}
	return ok(name, "%s", text)
}

func endpoints(ctx context.Context, s *store.Store, name string) Finding {
	all, err := s.Deliveries.Overview.Endpoints(ctx)
	if err != nil {
		return failed(name, err)
	}
	lookups, err := s.Deliveries.Overview.FailingWith(ctx, webhook.FailureLookup)
	if err != nil {
		return failed(name, err)
	}
	unreached, err := s.Deliveries.Overview.FailingWith(ctx, webhook.Unreached()...)
	if err != nil {
		return failed(name, err)
	}
	return judgeEndpoints(name, all, lookups, unreached)
}

// judgeEndpoints tells the operator's own network from receivers that fail: lookups are the failing endpoints whose names no
// name server looked up, and unreached all to which there is no connection.
func judgeEndpoints(name string, all deliveries.Endpoints, lookups, unreached deliveries.FailingHosts) Finding {
	count := all.Failing + all.Healthy
	found := fmt.Sprintf("%d of %d enabled ones are failing", all.Failing, count)
	if unreached.Endpoints > 0 {
		found += fmt.Sprintf(": %d answer badly or slowly, and %d at %d host(s) get no connection", all.Failing-unreached.Endpoints, unreached.Endpoints, unreached.Hosts)
	}
	const network = "look at the network of the workers: DNS, firewall, gateway to the internet; docs/operating/alerts.md#requisitenothingarrives"
	switch {
	case lookups.Hosts >= unreachedHosts:
		return wrong(name, network, "%s; name servers look up none of %d hosts", found, lookups.Hosts)
	case unreached.Hosts >= unreachedHosts && unreached.Endpoints*100 > count*unreachedShare:
		return wrong(name, network, "%s", found)
	}
	f := ok(name, "%s", found)
	if all.Failing > 0 {
		f.Do = "starter delivery list --status RETRYING shows the errors, and whose endpoints they are: receivers that fail are their owners' to mend"
	}
	return f
}
