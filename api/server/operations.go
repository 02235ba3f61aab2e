package server

import (
	"context"
	"log/slog"
	"reflect"

	"requisite/api/spec"
	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/store"
)

// Size limits of a request body, in bytes.
const (
	bodyLimit  = 64 << 10
	rulesLimit = 1 << 20
)

// caller is the sender of a request, with the data that recognizes a repeat.
type caller struct {
	call       domain.Call
	credential domain.Credential
	traceID    string
	// For the log, see record. accountID is the account of the record found last.
	apiKey, accountID string
	operator          *Operator // nil for a request with a credential
	entities          []slog.Attr
	// asked is the answer that a caller of the sandbox asks for. played reports that the caller got
	// it: then the answer does not show how the service works.
	asked  spec.SandboxAnswer
	played bool
}

// operation is one operation of the API with its handler.
type operation struct {
	spec.Operation
	handle func(context.Context, *Server, *caller, any) (wire.Reply, error)
	// ofOwn is a permission that is enough for records that the caller has made. The handler checks
	// who has made the record.
	ofOwn domain.Permission
	// credentialOnly excludes operators.
	credentialOnly bool
	// explains makes the refusal of a wrong signature contain the string to sign.
	explains bool
}

// read defines an operation that changes nothing. It needs PermissionRead.
func read[Req, Data any](name, summary string, handle func(context.Context, *store.Records, *Req) (Data, error)) operation {
	return define[Req, Data](name, summary, func(ctx context.Context, s *Server, c *caller, in *Req) (wire.Reply, error) {
		r := s.store.Records(c.call.Scope)
		data, err := handle(ctx, r, in)
		c.accountID = r.AccountID()
		return wire.Reply{Data: &data}, err
	}).needs(domain.PermissionRead)
}

// write defines an operation that runs in one transaction, which also saves its outcome
// under the Idempotency-Key. It needs PermissionWrite, unless needs names others.
func write[Req, Data any](name, summary string, handle func(context.Context, *store.Records, *Req) (Data, error)) operation {
	return define[Req, Data](name, summary, func(ctx context.Context, s *Server, c *caller, in *Req) (wire.Reply, error) {
		return s.store.Write(ctx, c.call, func(r *store.Records) (any, error) {
			data, err := handle(ctx, r, in)
			c.accountID = r.AccountID()
			return data, err
		})
	}).writing()
}

// writeWarning is write for an operation that can return warnings.
func writeWarning[Req, Data any](name, summary string, handle func(context.Context, *store.Records, *Req) (Data, []refusal.Warning, error)) operation {
	return define[Req, Data](name, summary, func(ctx context.Context, s *Server, c *caller, in *Req) (wire.Reply, error) {
		return s.store.WriteWarning(ctx, c.call, func(r *store.Records) (wire.Reply, error) {
			data, warnings, err := handle(ctx, r, in)
			c.accountID = r.AccountID()
			return wire.Reply{Data: data, Warnings: warnings}, err
		})
	}).writing()
}

// define defines an operation. It needs PermissionWrite, unless needs names others.
func define[Req, Data any](name, summary string, handle func(context.Context, *Server, *caller, *Req) (wire.Reply, error)) operation {
	return operation{
		Operation: spec.Operation{
			Name:        name,
			Summary:     summary,
			Permissions: domain.Permissions{domain.PermissionWrite},
			BodyLimit:   bodyLimit,
			Request:     reflect.TypeFor[Req](),
			Data:        reflect.TypeFor[Data](),
		},
		handle: func(ctx context.Context, s *Server, c *caller, in any) (wire.Reply, error) {
			return handle(ctx, s, c, in.(*Req))
		},
	}
}

// needs replaces the permissions that a caller needs, in the order of
// domain.AllPermissions. A caller needs all of them. An operation that returns facts on
// file must include PermissionRead.
func (o operation) needs(permissions ...domain.Permission) operation {
	o.Permissions = append(domain.Permissions{}, permissions...)
	return o
}

// orOfOwn names a permission that is enough for records that the caller has made. The handler must
// refuse other records.
func (o operation) orOfOwn(permission domain.Permission) operation {
	o.ofOwn = permission
	return o
}

// explaining marks the operation with which callers find mistakes in their signatures.
func (o operation) explaining() operation {
	o.explains = true
	return o
}

// takingRules marks an operation whose request contains rules. It raises the body limit.
func (o operation) takingRules() operation {
	o.BodyLimit, o.Rules = rulesLimit, true
	return o
}

// writing marks an operation that changes something and takes an Idempotency-Key.
func (o operation) writing() operation {
	o.Writes = true
	return o
}

// waiting marks an operation that waits for a run. It takes a slot for waiting callers.
func (o operation) waiting() operation {
	o.Waits = true
	return o
}

// sandbox marks an operation for credentials of the sandbox only.
func (o operation) sandbox() operation {
	o.Sandbox = true
	return o
}

// deciding marks an operation that records a decision. Headers of the answer name the decision.
func (o operation) deciding() operation {
	o.Decides = true
	return o
}

// withCredential excludes operators: the operation is about the credential that signs.
func (o operation) withCredential() operation {
	o.credentialOnly = true
	return o
}

// operations lists all operations of the API, sorted by name.
func operations() []operation {
	return []operation{
		read("account.get", "Read an account.", accountGet),
		read("account.list", "List the accounts of the credential, newest first.", accountList),
		read("account.documentRules.get", "Read a version of an account's rules: the one in force, or the one named.", rulesGet),
		read("account.documentRules.list", "List the versions of an account's rules, newest first.", rulesList),
		define[rulesPreviewRequest, RulesPreviewData]("account.documentRules.preview",
			"Show what a calculation would do to a workflow, by the rules in force or by rules not published yet; writes nothing.", rulesPreview).
			takingRules().needs(domain.PermissionRead, domain.PermissionRules),
		writeWarning("account.documentRules.proposal.approve",
			"Put in force what another person has proposed.", proposalApprove).needs(domain.PermissionApproveRules),
		writeWarning("account.documentRules.proposal.create",
			"Propose a rule set for an account, which another person approves.", proposalCreate).
			takingRules().needs(domain.PermissionRules),
		read("account.documentRules.proposal.get", "Read a proposal with its rules, and which documents it changes.", proposalGet),
		read("account.documentRules.proposal.list", "List the proposals of an account, newest first, without their rules.", proposalList),
		define[proposalRejectRequest, wire.Empty]("account.documentRules.proposal.reject",
			"Reject a proposal. For your own, the permission rules is enough.", proposalReject).
			writing().needs(domain.PermissionApproveRules).orOfOwn(domain.PermissionRules),
		writeWarning("account.documentRules.publish",
			"Put a rule set in force for an account, as a new immutable version.", rulesPublish).
			takingRules().needs(domain.PermissionRules),
		define[rulesValidateRequest, rulesChecked]("account.documentRules.validate",
			"Check a rule set without publishing it.", rulesValidate).takingRules().needs(domain.PermissionRules),
		read("account.fact.list", "List the facts that the account declares itself, and the built-in ones where asked: what a form needs to ask for them.", factList),
		write("account.recalculation.cancel",
			"End a recalculation; what it has calculated stays.", recalculationCancel).
			needs(domain.PermissionWrite, domain.PermissionRules),
		read("account.recalculation.get", "Read the progress of a recalculation.", recalculationGet),
		write("account.recalculation.start",
			"Calculate the required documents of an account's workflows that have not ended; goes on in the background.", recalculationStart).
			needs(domain.PermissionWrite, domain.PermissionRules),
		writeWarning("business.create",
			"Put a business on record, with its persons and its sales if they are known: all or nothing. Warns as person.create does.", businessCreate),
		read("business.get", "Read a business with its sales and the ids of its persons.", businessGet),
		read("business.list", "List an account's businesses, newest first.", businessList),
		write("business.update",
			"Change the fields of a business that are named; null clears one. Warns of a value that looks wrong.", businessUpdate),
		define[salesInfoCreateRequest, salesInfoIDData]("business.salesInfo.create",
			"State the sales of a business, in place of earlier ones if replaces names them; or only check them.", salesInfoCreate).
			writing(),
		write("business.salesInfo.delete", "Remove the stated sales of a business.", salesInfoDelete),
		read("meta.checkVersion", "Show the version of the API that answers, and the newest.", checkVersion),
		define[wire.Empty, whoamiData]("meta.whoami",
			"Show the credential that signs the request, and what it may do.", whoami).needs().withCredential().explaining(),
		writeWarning("person.create",
			"Put a person of a business on record, or several: all or none. Warns when its persons own more than 100 percent together.", personCreate),
		write("person.delete", "Remove a person, and what the documents and findings of the person say of them, in all workflows of the business.", personDelete),
		read("person.get", "Read a person.", personGet),
		read("person.list", "List the persons of a business.", personList),
		writeWarning("person.update", "Change the fields of a person that are named; null clears one. Warns as person.create does.", personUpdate),
		write("webhook.config.create", "Add an endpoint to which an account's webhooks are sent.", configCreate).needs(domain.PermissionWebhooks),
		write("webhook.config.delete", "Delete an endpoint; its open deliveries are canceled.", configDelete).needs(domain.PermissionWebhooks),
		writeWarning("webhook.config.flush", "Send all open deliveries of an endpoint now, after you have fixed it.", configFlush).needs(domain.PermissionWebhooks),
		read("webhook.config.get", "Read an endpoint and its health.", configGet),
		read("webhook.config.list", "List an account's endpoints, newest first.", configList),
		write("webhook.config.test",
			"Send an example of an event, WEBHOOK_TEST or of another type, to one endpoint alone.", configTest).
			needs(domain.PermissionWebhooks),
		write("webhook.config.update", "Change the fields of an endpoint that are named; disable or enable it.", configUpdate).needs(domain.PermissionWebhooks),
		write("webhook.delivery.cancel", "Give up on a delivery: it is FAILED, and can be recovered.", deliveryCancel).needs(domain.PermissionWebhooks),
		read("webhook.delivery.get", "Read a delivery: what it waits for, and each of its attempts.", deliveryGet),
		read("webhook.delivery.list", "List an account's deliveries, newest first.", deliveryList),
		define[recoverRequest, DeliveryCount]("webhook.delivery.recover",
			"Send the FAILED deliveries of an endpoint again, for events since a given time.", deliveryRecover).
			writing().waiting().needs(domain.PermissionWebhooks),
		write("webhook.delivery.retry", "Try a delivery again at once, from the start of its schedule.", deliveryRetry).needs(domain.PermissionWebhooks),
		read("webhook.event.get", "Read an event with its content, which webhooks carry encrypted.", eventGet),
		read("webhook.event.list", "List an account's events, newest first, or oldest first as a feed that misses none.", eventList),
		write("webhook.event.replay",
			"Send events of a period to an endpoint again, or for the first time when it was added later; goes on in the background.", eventReplay).
			needs(domain.PermissionWebhooks),
		read("webhook.event.replayed", "Read the progress of a replay.", eventReplayed),
		define[KeyRequest, keyActivateData]("webhook.key.activate",
			"Make a key the account's only active one; the previous one is deleted. Warns if no answer has carried its secret.", keyActivate).
			writing().waiting().needs(domain.PermissionKeys),
		define[AccountRequest, keyCreateData]("webhook.key.create",
			"Create a webhook key, INACTIVE, and show its secret this once.", keyCreate).
			writing().waiting().needs(domain.PermissionKeys),
		write("webhook.key.delete", "Delete a key that is INACTIVE; it can never become active.", keyDelete).needs(domain.PermissionKeys),
		read("webhook.key.get", "Read a webhook key, without its secret.", keyGet),
		read("webhook.key.list", "List an account's webhook keys, newest first.", keyList),
		writeWarning("workflow.complete", "End a started workflow; warns when its required documents are not done, or with strict refuses.", workflowComplete),
		write("workflow.create", "Open a workflow for a business.", workflowCreate),
		write("workflow.deadlines.apply",
			"Do for one workflow what the service does by itself on the day that X-Sandbox-Today names: expiry, renewal, overdue documents, reminders.", deadlinesApply).sandbox(),
		read("workflow.decision.get", "Read a decision: the facts on file, each rule's result with its reason, and what was changed.", decisionGet),
		read("workflow.decision.list", "List a workflow's decisions, newest first.", decisionList),
		read("workflow.get", "Read a workflow, how many of its required documents are open, and whether they are up to date.", workflowGet),
		read("workflow.list", "List an account's workflows, newest first.", workflowList),
		define[WorkflowRequest, wire.Empty]("workflow.pricing.calculate",
			"Set a workflow's evaluation score from the account's pricing model.", pricingCalculate).
			writing().waiting().deciding(),
		define[WorkflowRequest, wire.Empty]("workflow.requiredDocument.calculate",
			"Decide which documents a workflow requires.", documentsCalculate).writing().waiting().deciding(),
		define[documentCreateRequest, DocumentRequest]("workflow.requiredDocument.create",
			"Require a document of a workflow by hand.", documentCreate).writing().deciding(),
		read("workflow.requiredDocument.get", "Read a required document.", documentGet),
		read("workflow.requiredDocument.list", "List a workflow's required documents: all of them, or a page.", documentsList),
		define[documentUpdateRequest, wire.Empty]("workflow.requiredDocument.update",
			"Review a required document: move it to another status, with evidence.", documentUpdate).writing().deciding(),
		define[documentWaiveRequest, wire.Empty]("workflow.requiredDocument.waive", "Do without a required document.", documentWaive).writing().deciding(),
		write("workflow.start", "Start a created workflow.", workflowStart),
		write("workflow.update", "Change the declared facts or the external_id of a workflow that has not ended; null clears one.", workflowUpdate),
	}
}

// Operations returns all operations of the API without their handlers, sorted by name.
func Operations() (list []spec.Operation) {
	for _, o := range operations() {
		list = append(list, o.Operation)
	}
	return list
}
