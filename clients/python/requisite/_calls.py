# Code generated from the OpenAPI description by clients/generate; DO NOT EDIT.
"""A method for each operation."""
from __future__ import annotations

from typing import Any, Dict, Iterator, List, Literal, Optional, Union

from . import _types as t
from ._base import UNSET, Answer, BaseClient, fields

#: The operations that write, and so take an Idempotency-Key.
WRITES = frozenset({
    "account.documentRules.publish",
    "business.create",
    "business.salesInfo.create",
    "business.salesInfo.delete",
    "business.update",
    "person.create",
    "person.delete",
    "person.update",
    "webhook.config.create",
    "webhook.config.delete",
    "webhook.config.flush",
    "webhook.config.test",
    "webhook.config.update",
    "webhook.delivery.cancel",
    "webhook.delivery.recover",
    "webhook.delivery.retry",
    "webhook.event.replay",
    "webhook.key.activate",
    "webhook.key.create",
    "webhook.key.delete",
    "workflow.complete",
    "workflow.create",
    "workflow.pricing.calculate",
    "workflow.requiredDocument.calculate",
    "workflow.requiredDocument.create",
    "workflow.requiredDocument.update",
    "workflow.requiredDocument.waive",
    "workflow.start",
    "workflow.update",
})

#: All operations, and the method of each.
OPERATIONS = {
    "account.documentRules.get": "account_document_rules_get",
    "account.documentRules.list": "account_document_rules_list",
    "account.documentRules.preview": "account_document_rules_preview",
    "account.documentRules.publish": "account_document_rules_publish",
    "account.documentRules.validate": "account_document_rules_validate",
    "account.fact.list": "account_fact_list",
    "account.get": "account_get",
    "account.list": "account_list",
    "business.create": "business_create",
    "business.get": "business_get",
    "business.list": "business_list",
    "business.salesInfo.create": "business_sales_info_create",
    "business.salesInfo.delete": "business_sales_info_delete",
    "business.update": "business_update",
    "meta.checkVersion": "meta_check_version",
    "meta.whoami": "meta_whoami",
    "person.create": "person_create",
    "person.delete": "person_delete",
    "person.get": "person_get",
    "person.list": "person_list",
    "person.update": "person_update",
    "webhook.config.create": "webhook_config_create",
    "webhook.config.delete": "webhook_config_delete",
    "webhook.config.flush": "webhook_config_flush",
    "webhook.config.get": "webhook_config_get",
    "webhook.config.list": "webhook_config_list",
    "webhook.config.test": "webhook_config_test",
    "webhook.config.update": "webhook_config_update",
    "webhook.delivery.cancel": "webhook_delivery_cancel",
    "webhook.delivery.get": "webhook_delivery_get",
    "webhook.delivery.list": "webhook_delivery_list",
    "webhook.delivery.recover": "webhook_delivery_recover",
    "webhook.delivery.retry": "webhook_delivery_retry",
    "webhook.event.get": "webhook_event_get",
    "webhook.event.list": "webhook_event_list",
    "webhook.event.replay": "webhook_event_replay",
    "webhook.event.replayed": "webhook_event_replayed",
    "webhook.key.activate": "webhook_key_activate",
    "webhook.key.create": "webhook_key_create",
    "webhook.key.delete": "webhook_key_delete",
    "webhook.key.get": "webhook_key_get",
    "webhook.key.list": "webhook_key_list",
    "workflow.complete": "workflow_complete",
    "workflow.create": "workflow_create",
    "workflow.decision.get": "workflow_decision_get",
    "workflow.decision.list": "workflow_decision_list",
    "workflow.get": "workflow_get",
    "workflow.list": "workflow_list",
    "workflow.pricing.calculate": "workflow_pricing_calculate",
    "workflow.requiredDocument.calculate": "workflow_required_document_calculate",
    "workflow.requiredDocument.create": "workflow_required_document_create",
    "workflow.requiredDocument.get": "workflow_required_document_get",
    "workflow.requiredDocument.list": "workflow_required_document_list",
    "workflow.requiredDocument.update": "workflow_required_document_update",
    "workflow.requiredDocument.waive": "workflow_required_document_waive",
    "workflow.start": "workflow_start",
    "workflow.update": "workflow_update",
}

#: The operations that answer in pages, and the field of the elements.
PAGED = {
    "account.list": "accounts",
    "business.list": "businesses",
    "person.list": "persons",
    "webhook.delivery.list": "deliveries",
    "webhook.event.list": "events",
    "workflow.decision.list": "decisions",
    "workflow.list": "workflows",
    "workflow.requiredDocument.list": "required_documents",
}


class Calls(BaseClient):
    """The operations."""

    def account_document_rules_get(self, *, account_id: str, version_id: str = UNSET) -> Answer[t.RulesData]:
        """Read a version of an account's rules: the one in force, or the one named."""
        return self.call("account.documentRules.get", fields(account_id=account_id, version_id=version_id))

    def account_document_rules_list(self, *, account_id: str) -> Answer[t.RulesListData]:
        """List the versions of an account's rules, newest first."""
        return self.call("account.documentRules.list", fields(account_id=account_id))

    def account_document_rules_preview(self, *, workflow_id: str, as_of: str = UNSET, rules: Any = UNSET, version_id: str = UNSET) -> Answer[t.RulesPreviewData]:
        """Show what a calculation would do to a workflow, by the rules in force or by rules not published yet; writes nothing."""
        return self.call("account.documentRules.preview", fields(workflow_id=workflow_id, as_of=as_of, rules=rules, version_id=version_id))

    def account_document_rules_publish(self, *, account_id: str, rules: Any, comment: Optional[str] = UNSET, idempotency_key: Optional[str] = None) -> Answer[t.RulesPublished]:
        """Put a rule set in force for an account, as a new immutable version."""
        return self.call("account.documentRules.publish", fields(account_id=account_id, rules=rules, comment=comment), idempotency_key)

    def account_document_rules_validate(self, *, account_id: str, rules: Any) -> Answer[t.RulesChecked]:
        """Check a rule set without publishing it."""
        return self.call("account.documentRules.validate", fields(account_id=account_id, rules=rules))

    def account_fact_list(self, *, account_id: str) -> Answer[t.FactListData]:
        """List the facts that the account declares itself: what a form needs to ask for them."""
        return self.call("account.fact.list", fields(account_id=account_id))

    def account_get(self, *, account_id: str) -> Answer[t.AccountData]:
        """Read an account."""
        return self.call("account.get", fields(account_id=account_id))

    def account_list(self, *, page: t.Page = UNSET) -> Answer[t.AccountListData]:
        """List the accounts of the credential, newest first."""
        return self.call("account.list", fields(page=page))

    def account_list_all(self, *, page_size: Optional[int] = None, after: Optional[str] = None) -> Iterator[t.AccountData]:
        """Go through all pages of account.list, or those that follow an earlier answer's next."""
        return self.pages("account.list", "accounts", fields(), page_size, after)

    def business_create(self, *, account_id: str, business: t.BusinessCreateRequestBusiness, persons: List[t.NewPerson] = UNSET, sales_info: t.NewSalesInfo = UNSET, idempotency_key: Optional[str] = None) -> Answer[t.BusinessCreateData]:
        """Put a business on record, with its persons and its sales if they are known: all or nothing. Warns as person.create does."""
        return self.call("business.create", fields(account_id=account_id, business=business, persons=persons, sales_info=sales_info), idempotency_key)

    def business_get(self, *, business_id: str) -> Answer[t.BusinessOnRecord]:
        """Read a business with its sales and the ids of its persons."""
        return self.call("business.get", fields(business_id=business_id))

    def business_list(self, *, account_id: str, filters: t.ExternalIDFilter = UNSET, page: t.Page = UNSET) -> Answer[t.BusinessListData]:
        """List an account's businesses, newest first."""
        return self.call("business.list", fields(account_id=account_id, filters=filters, page=page))

    def business_list_all(self, *, account_id: str, filters: t.ExternalIDFilter = UNSET, page_size: Optional[int] = None, after: Optional[str] = None) -> Iterator[t.BusinessOnRecord]:
        """Go through all pages of business.list, or those that follow an earlier answer's next."""
        return self.pages("business.list", "businesses", fields(account_id=account_id, filters=filters), page_size, after)

    def business_sales_info_create(self, *, business_id: str, sales_info: t.NewSalesInfo, validate_only: bool = UNSET, idempotency_key: Optional[str] = None) -> Answer[t.SalesInfoIDData]:
        """State the sales of a business, or only check them."""
        return self.call("business.salesInfo.create", fields(business_id=business_id, sales_info=sales_info, validate_only=validate_only), idempotency_key)

    def business_sales_info_delete(self, *, sales_info_id: str, idempotency_key: Optional[str] = None) -> Answer[t.Empty]:
        """Remove the stated sales of a business."""
        return self.call("business.salesInfo.delete", fields(sales_info_id=sales_info_id), idempotency_key)

    def business_update(self, *, business: t.BusinessUpdateRequestBusiness, business_id: str, idempotency_key: Optional[str] = None) -> Answer[t.Empty]:
        """Change the fields of a business that are named; null clears one. Warns of a date that looks like a default."""
        return self.call("business.update", fields(business=business, business_id=business_id), idempotency_key)

    def meta_check_version(self) -> Answer[t.VersionData]:
        """Show the version of the API that answers, and the newest."""
        return self.call("meta.checkVersion", fields())

    def meta_whoami(self) -> Answer[t.WhoamiData]:
        """Show the credential that signs the request, and what it may do."""
        return self.call("meta.whoami", fields())

    def person_create(self, *, business_id: str, person: t.NewPerson, idempotency_key: Optional[str] = None) -> Answer[t.PersonIDData]:
        """Put a person of a business on record; warns when its persons own more than 100 percent together."""
        return self.call("person.create", fields(business_id=business_id, person=person), idempotency_key)

    def person_delete(self, *, person_id: str, idempotency_key: Optional[str] = None) -> Answer[t.Empty]:
        """Remove a person."""
        return self.call("person.delete", fields(person_id=person_id), idempotency_key)

    def person_get(self, *, person_id: str) -> Answer[t.PersonOnRecord]:
        """Read a person."""
        return self.call("person.get", fields(person_id=person_id))

    def person_list(self, *, business_id: str, filters: t.ExternalIDFilter = UNSET, page: t.Page = UNSET) -> Answer[t.PersonListData]:
        """List the persons of a business."""
        return self.call("person.list", fields(business_id=business_id, filters=filters, page=page))

    def person_list_all(self, *, business_id: str, filters: t.ExternalIDFilter = UNSET, page_size: Optional[int] = None, after: Optional[str] = None) -> Iterator[t.PersonOnRecord]:
        """Go through all pages of person.list, or those that follow an earlier answer's next."""
        return self.pages("person.list", "persons", fields(business_id=business_id, filters=filters), page_size, after)

    def person_update(self, *, person: t.PersonUpdateRequestPerson, person_id: str, idempotency_key: Optional[str] = None) -> Answer[t.Empty]:
        """Change the fields of a person that are named; null clears one. Warns as person.create does."""
        return self.call("person.update", fields(person=person, person_id=person_id), idempotency_key)

    def webhook_config_create(self, *, account_id: str, config: t.ConfigCreateRequestConfig, idempotency_key: Optional[str] = None) -> Answer[t.ConfigRequest]:
        """Add an endpoint to which an account's webhooks are sent."""
        return self.call("webhook.config.create", fields(account_id=account_id, config=config), idempotency_key)

    def webhook_config_delete(self, *, config_id: str, idempotency_key: Optional[str] = None) -> Answer[t.Empty]:
        """Delete an endpoint; its open deliveries are canceled."""
        return self.call("webhook.config.delete", fields(config_id=config_id), idempotency_key)

    def webhook_config_flush(self, *, config_id: str, idempotency_key: Optional[str] = None) -> Answer[t.DeliveryCount]:
        """Send all open deliveries of an endpoint now, after you have fixed it."""
        return self.call("webhook.config.flush", fields(config_id=config_id), idempotency_key)

    def webhook_config_get(self, *, config_id: str) -> Answer[t.ConfigData]:
        """Read an endpoint and its health."""
        return self.call("webhook.config.get", fields(config_id=config_id))

    def webhook_config_list(self, *, account_id: str) -> Answer[t.ConfigListData]:
        """List an account's endpoints, newest first."""
        return self.call("webhook.config.list", fields(account_id=account_id))

    def webhook_config_test(self, *, config_id: str, event_type: Literal["WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"] = UNSET, idempotency_key: Optional[str] = None) -> Answer[t.EventIDData]:
        """Send an example of an event, WEBHOOK_TEST or of another type, to one endpoint alone."""
        return self.call("webhook.config.test", fields(config_id=config_id, event_type=event_type), idempotency_key)

    def webhook_config_update(self, *, config: t.ConfigUpdateRequestConfig, config_id: str, idempotency_key: Optional[str] = None) -> Answer[t.Empty]:
        """Change the fields of an endpoint that are named; disable or enable it."""
        return self.call("webhook.config.update", fields(config=config, config_id=config_id), idempotency_key)

    def webhook_delivery_cancel(self, *, delivery_id: str, idempotency_key: Optional[str] = None) -> Answer[t.Empty]:
        """Give up on a delivery: it is FAILED, and can be recovered."""
        return self.call("webhook.delivery.cancel", fields(delivery_id=delivery_id), idempotency_key)

    def webhook_delivery_get(self, *, delivery_id: str) -> Answer[t.DeliveryData]:
        """Read a delivery with each of its attempts."""
        return self.call("webhook.delivery.get", fields(delivery_id=delivery_id))

    def webhook_delivery_list(self, *, account_id: str, filters: t.DeliveryListRequestFilters = UNSET, page: t.Page = UNSET) -> Answer[t.DeliveryListData]:
        """List an account's deliveries, newest first."""
        return self.call("webhook.delivery.list", fields(account_id=account_id, filters=filters, page=page))

    def webhook_delivery_list_all(self, *, account_id: str, filters: t.DeliveryListRequestFilters = UNSET, page_size: Optional[int] = None, after: Optional[str] = None) -> Iterator[t.DeliveryView]:
        """Go through all pages of webhook.delivery.list, or those that follow an earlier answer's next."""
        return self.pages("webhook.delivery.list", "deliveries", fields(account_id=account_id, filters=filters), page_size, after)

    def webhook_delivery_recover(self, *, config_id: str, since: str, idempotency_key: Optional[str] = None) -> Answer[t.DeliveryCount]:
        """Send the FAILED deliveries of an endpoint again, for events since a given time."""
        return self.call("webhook.delivery.recover", fields(config_id=config_id, since=since), idempotency_key)

    def webhook_delivery_retry(self, *, delivery_id: str, idempotency_key: Optional[str] = None) -> Answer[t.Empty]:
        """Try a delivery again at once, from the start of its schedule."""
        return self.call("webhook.delivery.retry", fields(delivery_id=delivery_id), idempotency_key)

    def webhook_event_get(self, *, event_id: str) -> Answer[t.EventFullData]:
        """Read an event with its content, which webhooks carry encrypted."""
        return self.call("webhook.event.get", fields(event_id=event_id))

    def webhook_event_list(self, *, account_id: str, filters: t.EventListRequestFilters = UNSET, include_payload: bool = UNSET, order: Literal["NEWEST_FIRST", "OLDEST_FIRST"] = UNSET, page: t.Page = UNSET) -> Answer[t.EventListData]:
        """List an account's events, newest first, or oldest first as a feed that misses none."""
        return self.call("webhook.event.list", fields(account_id=account_id, filters=filters, include_payload=include_payload, order=order, page=page))

    def webhook_event_list_all(self, *, account_id: str, filters: t.EventListRequestFilters = UNSET, include_payload: bool = UNSET, order: Literal["NEWEST_FIRST", "OLDEST_FIRST"] = UNSET, page_size: Optional[int] = None, after: Optional[str] = None) -> Iterator[t.ListedEventData]:
        """Go through all pages of webhook.event.list, or those that follow an earlier answer's next."""
        return self.pages("webhook.event.list", "events", fields(account_id=account_id, filters=filters, include_payload=include_payload, order=order), page_size, after)

    def webhook_event_replay(self, *, config_id: str, since: str, event_types: List[Literal["WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"]] = UNSET, until: str = UNSET, idempotency_key: Optional[str] = None) -> Answer[t.RunRequest]:
        """Send events of a period to an endpoint again, or for the first time when it was added later; goes on in the background."""
        return self.call("webhook.event.replay", fields(config_id=config_id, since=since, event_types=event_types, until=until), idempotency_key)

    def webhook_event_replayed(self, *, run_id: str) -> Answer[t.ReplayedData]:
        """Read the progress of a replay."""
        return self.call("webhook.event.replayed", fields(run_id=run_id))

    def webhook_key_activate(self, *, key_id: str, account_id: str = UNSET, idempotency_key: Optional[str] = None) -> Answer[t.KeyActivateData]:
        """Make a key the account's only active one; the previous one is deleted."""
        return self.call("webhook.key.activate", fields(key_id=key_id, account_id=account_id), idempotency_key)

    def webhook_key_create(self, *, account_id: str, idempotency_key: Optional[str] = None) -> Answer[t.KeyCreateData]:
        """Create a webhook key, INACTIVE, and show its secret this once."""
        return self.call("webhook.key.create", fields(account_id=account_id), idempotency_key)

    def webhook_key_delete(self, *, key_id: str, account_id: str = UNSET, idempotency_key: Optional[str] = None) -> Answer[t.Empty]:
        """Delete a key that is INACTIVE; it can never become active."""
        return self.call("webhook.key.delete", fields(key_id=key_id, account_id=account_id), idempotency_key)

    def webhook_key_get(self, *, key_id: str, account_id: str = UNSET) -> Answer[t.KeyData]:
        """Read a webhook key, without its secret."""
        return self.call("webhook.key.get", fields(key_id=key_id, account_id=account_id))

    def webhook_key_list(self, *, account_id: str) -> Answer[t.KeyListData]:
        """List an account's webhook keys, newest first."""
        return self.call("webhook.key.list", fields(account_id=account_id))

    def workflow_complete(self, *, workflow_id: str, strict: bool = UNSET, idempotency_key: Optional[str] = None) -> Answer[t.Empty]:
        """End a started workflow; warns when its required documents are not done, or with strict refuses."""
        return self.call("workflow.complete", fields(workflow_id=workflow_id, strict=strict), idempotency_key)

    def workflow_create(self, *, account_id: str, workflow: t.WorkflowCreateRequestWorkflow, idempotency_key: Optional[str] = None) -> Answer[t.WorkflowRequest]:
        """Open a workflow for a business."""
        return self.call("workflow.create", fields(account_id=account_id, workflow=workflow), idempotency_key)

    def workflow_decision_get(self, *, decision_id: str) -> Answer[t.DecisionData]:
        """Read a decision: the facts on file, each rule's result with its reason, and what was changed."""
        return self.call("workflow.decision.get", fields(decision_id=decision_id))

    def workflow_decision_list(self, *, workflow_id: str, filters: t.DecisionListRequestFilters = UNSET, page: t.Page = UNSET) -> Answer[t.DecisionListData]:
        """List a workflow's decisions, newest first."""
        return self.call("workflow.decision.list", fields(workflow_id=workflow_id, filters=filters, page=page))

    def workflow_decision_list_all(self, *, workflow_id: str, filters: t.DecisionListRequestFilters = UNSET, page_size: Optional[int] = None, after: Optional[str] = None) -> Iterator[t.ListedDecision]:
        """Go through all pages of workflow.decision.list, or those that follow an earlier answer's next."""
        return self.pages("workflow.decision.list", "decisions", fields(workflow_id=workflow_id, filters=filters), page_size, after)

    def workflow_get(self, *, workflow_id: str) -> Answer[t.WorkflowData]:
        """Read a workflow, how many of its required documents are open, and whether they are up to date."""
        return self.call("workflow.get", fields(workflow_id=workflow_id))

    def workflow_list(self, *, account_id: str, filters: t.WorkflowListRequestFilters = UNSET, page: t.Page = UNSET) -> Answer[t.WorkflowListData]:
        """List an account's workflows, newest first."""
        return self.call("workflow.list", fields(account_id=account_id, filters=filters, page=page))

    def workflow_list_all(self, *, account_id: str, filters: t.WorkflowListRequestFilters = UNSET, page_size: Optional[int] = None, after: Optional[str] = None) -> Iterator[t.ListedWorkflow]:
        """Go through all pages of workflow.list, or those that follow an earlier answer's next."""
        return self.pages("workflow.list", "workflows", fields(account_id=account_id, filters=filters), page_size, after)

    def workflow_pricing_calculate(self, *, workflow_id: str, idempotency_key: Optional[str] = None) -> Answer[t.Empty]:
        """Set a workflow's evaluation score from the account's pricing model."""
        return self.call("workflow.pricing.calculate", fields(workflow_id=workflow_id), idempotency_key)

    def workflow_required_document_calculate(self, *, workflow_id: str, idempotency_key: Optional[str] = None) -> Answer[t.Empty]:
        """Decide which documents a workflow requires."""
        return self.call("workflow.requiredDocument.calculate", fields(workflow_id=workflow_id), idempotency_key)

    def workflow_required_document_create(self, *, document: t.DocumentCreateRequestDocument, reason: str, workflow_id: str, idempotency_key: Optional[str] = None) -> Answer[t.DocumentRequest]:
        """Require a document of a workflow by hand."""
        return self.call("workflow.requiredDocument.create", fields(document=document, reason=reason, workflow_id=workflow_id), idempotency_key)

    def workflow_required_document_get(self, *, required_document_id: str) -> Answer[t.DocumentData]:
        """Read a required document."""
        return self.call("workflow.requiredDocument.get", fields(required_document_id=required_document_id))

    def workflow_required_document_list(self, *, workflow_id: str, filters: t.DocumentsListRequestFilters = UNSET, page: t.Page = UNSET) -> Answer[t.DocumentsListData]:
        """List a workflow's required documents: all of them, or a page."""
        return self.call("workflow.requiredDocument.list", fields(workflow_id=workflow_id, filters=filters, page=page))

    def workflow_required_document_list_all(self, *, workflow_id: str, filters: t.DocumentsListRequestFilters = UNSET, page_size: Optional[int] = None, after: Optional[str] = None) -> Iterator[t.DocumentData]:
        """Go through all pages of workflow.requiredDocument.list, or those that follow an earlier answer's next."""
        return self.pages("workflow.requiredDocument.list", "required_documents", fields(workflow_id=workflow_id, filters=filters), page_size, after)

    def workflow_required_document_update(self, *, required_document: t.DocumentUpdateRequestRequiredDocument, required_document_id: str, decision_id: str = UNSET, idempotency_key: Optional[str] = None) -> Answer[t.Empty]:
        """Review a required document: move it to another status, with evidence."""
        return self.call("workflow.requiredDocument.update", fields(required_document=required_document, required_document_id=required_document_id, decision_id=decision_id), idempotency_key)

    def workflow_required_document_waive(self, *, reason: str, required_document_id: str, decision_id: str = UNSET, idempotency_key: Optional[str] = None) -> Answer[t.Empty]:
        """Do without a required document."""
        return self.call("workflow.requiredDocument.waive", fields(reason=reason, required_document_id=required_document_id, decision_id=decision_id), idempotency_key)

    def workflow_start(self, *, workflow_id: str, idempotency_key: Optional[str] = None) -> Answer[t.Empty]:
        """Start a created workflow."""
        return self.call("workflow.start", fields(workflow_id=workflow_id), idempotency_key)

    def workflow_update(self, *, workflow: t.WorkflowUpdateRequestWorkflow, workflow_id: str, idempotency_key: Optional[str] = None) -> Answer[t.Empty]:
        """Change the declared facts or the external_id of a workflow that has not ended; null clears one."""
        return self.call("workflow.update", fields(workflow=workflow, workflow_id=workflow_id), idempotency_key)
