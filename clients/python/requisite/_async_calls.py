# Code generated from the OpenAPI description by clients/generate; DO NOT EDIT.
"""A method for each operation."""
from __future__ import annotations

from typing import Any, AsyncIterator, Dict, List, Literal, Optional, Union

from . import _types as t
from ._base import UNSET, Answer, fields
from ._client import AsyncBase


class AsyncClient(AsyncBase):
    """Calls the API with one credential, with asyncio. Use it in async with, or call aclose.

    Each operation is a method, such as workflow_get for workflow.get, whose arguments are the fields of its request. One
    that answers in pages has a second method, such as workflow_list_all: async for goes through all of them.
    """

    async def account_document_rules_get(self, *, account_id: str, version_id: str = UNSET, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.RulesData]:
        """Read a version of an account's rules: the one in force, or the one named."""
        return await self.call("account.documentRules.get", fields(account_id=account_id, version_id=version_id), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def account_document_rules_list(self, *, account_id: str, page: t.Page = UNSET, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.RulesListData]:
        """List the versions of an account's rules, newest first."""
        return await self.call("account.documentRules.list", fields(account_id=account_id, page=page), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    def account_document_rules_list_all(self, *, account_id: str, page_size: Optional[int] = None, after: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> AsyncIterator[t.RulesVersion]:
        """Go through all pages of account.documentRules.list, or those that follow an earlier answer's next."""
        return self.pages("account.documentRules.list", "versions", fields(account_id=account_id), page_size, after, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def account_document_rules_preview(self, *, workflow_id: str, as_of: str = UNSET, rules: Any = UNSET, version_id: str = UNSET, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.RulesPreviewData]:
        """Show what a calculation would do to a workflow, by the rules in force or by rules not published yet; writes nothing."""
        return await self.call("account.documentRules.preview", fields(workflow_id=workflow_id, as_of=as_of, rules=rules, version_id=version_id), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def account_document_rules_proposal_approve(self, *, proposal_id: str, comment: Optional[str] = UNSET, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.ProposalApproved]:
        """Put in force what another person has proposed."""
        return await self.call("account.documentRules.proposal.approve", fields(proposal_id=proposal_id, comment=comment), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def account_document_rules_proposal_create(self, *, account_id: str, comment: str, rules: Any, applies_to: Literal["ALL", "NEW"] = UNSET, effective_from: str = UNSET, keep_approvals: List[str] = UNSET, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.ProposalCreated]:
        """Propose a rule set for an account, which another person approves."""
        return await self.call("account.documentRules.proposal.create", fields(account_id=account_id, comment=comment, rules=rules, applies_to=applies_to, effective_from=effective_from, keep_approvals=keep_approvals), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def account_document_rules_proposal_get(self, *, proposal_id: str, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.ProposalData]:
        """Read a proposal with its rules, and which documents it changes."""
        return await self.call("account.documentRules.proposal.get", fields(proposal_id=proposal_id), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def account_document_rules_proposal_list(self, *, account_id: str, filters: t.ProposalFilters = UNSET, page: t.Page = UNSET, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.ProposalListData]:
        """List the proposals of an account, newest first, without their rules."""
        return await self.call("account.documentRules.proposal.list", fields(account_id=account_id, filters=filters, page=page), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    def account_document_rules_proposal_list_all(self, *, account_id: str, filters: t.ProposalFilters = UNSET, page_size: Optional[int] = None, after: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> AsyncIterator[t.ProposalListed]:
        """Go through all pages of account.documentRules.proposal.list, or those that follow an earlier answer's next."""
        return self.pages("account.documentRules.proposal.list", "proposals", fields(account_id=account_id, filters=filters), page_size, after, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def account_document_rules_proposal_reject(self, *, comment: str, proposal_id: str, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.Empty]:
        """Reject a proposal. For your own, the permission rules is enough."""
        return await self.call("account.documentRules.proposal.reject", fields(comment=comment, proposal_id=proposal_id), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def account_document_rules_publish(self, *, account_id: str, rules: Any, applies_to: Literal["ALL", "NEW"] = UNSET, comment: Optional[str] = UNSET, effective_from: str = UNSET, keep_approvals: List[str] = UNSET, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.RulesPublished]:
        """Put a rule set in force for an account, as a new immutable version."""
        return await self.call("account.documentRules.publish", fields(account_id=account_id, rules=rules, applies_to=applies_to, comment=comment, effective_from=effective_from, keep_approvals=keep_approvals), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def account_document_rules_validate(self, *, account_id: str, rules: Any, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.RulesChecked]:
        """Check a rule set without publishing it."""
        return await self.call("account.documentRules.validate", fields(account_id=account_id, rules=rules), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def account_fact_list(self, *, account_id: str, include_built_in: bool = UNSET, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.FactListData]:
        """List the facts that the account declares itself, and the built-in ones where asked: what a form needs to ask for them."""
        return await self.call("account.fact.list", fields(account_id=account_id, include_built_in=include_built_in), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def account_get(self, *, account_id: str, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.AccountData]:
        """Read an account."""
        return await self.call("account.get", fields(account_id=account_id), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def account_list(self, *, page: t.Page = UNSET, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.AccountListData]:
        """List the accounts of the credential, newest first."""
        return await self.call("account.list", fields(page=page), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    def account_list_all(self, *, page_size: Optional[int] = None, after: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> AsyncIterator[t.AccountData]:
        """Go through all pages of account.list, or those that follow an earlier answer's next."""
        return self.pages("account.list", "accounts", fields(), page_size, after, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def account_recalculation_cancel(self, *, run_id: str, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None) -> Answer[t.Empty]:
        """End a recalculation; what it has calculated stays."""
        return await self.call("account.recalculation.cancel", fields(run_id=run_id), idempotency_key, sandbox_answer=sandbox_answer)

    async def account_recalculation_get(self, *, run_id: str, sandbox_answer: Optional[str] = None) -> Answer[t.RecalculationData]:
        """Read the progress of a recalculation."""
        return await self.call("account.recalculation.get", fields(run_id=run_id), sandbox_answer=sandbox_answer)

    async def account_recalculation_start(self, *, account_id: str, only_stale: bool = UNSET, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None) -> Answer[t.RecalculationRequest]:
        """Calculate the required documents of an account's workflows that have not ended; goes on in the background."""
        return await self.call("account.recalculation.start", fields(account_id=account_id, only_stale=only_stale), idempotency_key, sandbox_answer=sandbox_answer)

    async def business_create(self, *, account_id: str, business: t.BusinessCreateRequestBusiness, persons: List[t.NewPerson] = UNSET, sales_info: t.NewSalesInfo = UNSET, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.BusinessCreateData]:
        """Put a business on record, with its persons and its sales if they are known: all or nothing. Warns as person.create does."""
        return await self.call("business.create", fields(account_id=account_id, business=business, persons=persons, sales_info=sales_info), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def business_get(self, *, business_id: str, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.BusinessOnRecord]:
        """Read a business with its sales and the ids of its persons."""
        return await self.call("business.get", fields(business_id=business_id), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def business_list(self, *, account_id: str, filters: t.ExternalIDFilter = UNSET, page: t.Page = UNSET, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.BusinessListData]:
        """List an account's businesses, newest first."""
        return await self.call("business.list", fields(account_id=account_id, filters=filters, page=page), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    def business_list_all(self, *, account_id: str, filters: t.ExternalIDFilter = UNSET, page_size: Optional[int] = None, after: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> AsyncIterator[t.BusinessOnRecord]:
        """Go through all pages of business.list, or those that follow an earlier answer's next."""
        return self.pages("business.list", "businesses", fields(account_id=account_id, filters=filters), page_size, after, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def business_sales_info_create(self, *, business_id: str, sales_info: t.NewSalesInfo, replaces: str = UNSET, validate_only: bool = UNSET, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.SalesInfoIDData]:
        """State the sales of a business, in place of earlier ones if replaces names them; or only check them."""
        return await self.call("business.salesInfo.create", fields(business_id=business_id, sales_info=sales_info, replaces=replaces, validate_only=validate_only), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def business_sales_info_delete(self, *, sales_info_id: str, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.Empty]:
        """Remove the stated sales of a business."""
        return await self.call("business.salesInfo.delete", fields(sales_info_id=sales_info_id), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def business_update(self, *, business: t.BusinessUpdateRequestBusiness, business_id: str, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.Empty]:
        """Change the fields of a business that are named; null clears one. Warns of a value that looks wrong."""
        return await self.call("business.update", fields(business=business, business_id=business_id), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def meta_check_version(self, *, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.VersionData]:
        """Show the version of the API that answers, and the newest."""
        return await self.call("meta.checkVersion", fields(), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def meta_whoami(self, *, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.WhoamiData]:
        """Show the credential that signs the request, and what it may do."""
        return await self.call("meta.whoami", fields(), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def person_create(self, *, business_id: str, person: t.NewPerson = UNSET, persons: List[t.NewPerson] = UNSET, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.PersonCreateData]:
        """Put a person of a business on record, or several: all or none. Warns when its persons own more than 100 percent together."""
        return await self.call("person.create", fields(business_id=business_id, person=person, persons=persons), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def person_delete(self, *, person_id: str, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.Empty]:
        """Remove a person, and what the documents and findings of the person say of them, in all workflows of the business."""
        return await self.call("person.delete", fields(person_id=person_id), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def person_get(self, *, person_id: str, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.PersonOnRecord]:
        """Read a person."""
        return await self.call("person.get", fields(person_id=person_id), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def person_list(self, *, business_id: str, filters: t.ExternalIDFilter = UNSET, page: t.Page = UNSET, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.PersonListData]:
        """List the persons of a business."""
        return await self.call("person.list", fields(business_id=business_id, filters=filters, page=page), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    def person_list_all(self, *, business_id: str, filters: t.ExternalIDFilter = UNSET, page_size: Optional[int] = None, after: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> AsyncIterator[t.PersonOnRecord]:
        """Go through all pages of person.list, or those that follow an earlier answer's next."""
        return self.pages("person.list", "persons", fields(business_id=business_id, filters=filters), page_size, after, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def person_update(self, *, person: t.PersonUpdateRequestPerson, person_id: str, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.Empty]:
        """Change the fields of a person that are named; null clears one. Warns as person.create does."""
        return await self.call("person.update", fields(person=person, person_id=person_id), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def webhook_config_create(self, *, account_id: str, config: t.ConfigCreateRequestConfig, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None) -> Answer[t.ConfigRequest]:
        """Add an endpoint to which an account's webhooks are sent."""
        return await self.call("webhook.config.create", fields(account_id=account_id, config=config), idempotency_key, sandbox_answer=sandbox_answer)

    async def webhook_config_delete(self, *, config_id: str, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None) -> Answer[t.Empty]:
        """Delete an endpoint; its open deliveries are canceled."""
        return await self.call("webhook.config.delete", fields(config_id=config_id), idempotency_key, sandbox_answer=sandbox_answer)

    async def webhook_config_flush(self, *, config_id: str, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None) -> Answer[t.DeliveryCount]:
        """Send all open deliveries of an endpoint now, after you have fixed it."""
        return await self.call("webhook.config.flush", fields(config_id=config_id), idempotency_key, sandbox_answer=sandbox_answer)

    async def webhook_config_get(self, *, config_id: str, sandbox_answer: Optional[str] = None) -> Answer[t.ConfigData]:
        """Read an endpoint and its health."""
        return await self.call("webhook.config.get", fields(config_id=config_id), sandbox_answer=sandbox_answer)

    async def webhook_config_list(self, *, account_id: str, sandbox_answer: Optional[str] = None) -> Answer[t.ConfigListData]:
        """List an account's endpoints, newest first."""
        return await self.call("webhook.config.list", fields(account_id=account_id), sandbox_answer=sandbox_answer)

    async def webhook_config_test(self, *, config_id: str, event_type: Literal["WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "REQUIRED_DOCUMENT_OVERDUE", "REQUIRED_DOCUMENT_EXPIRING", "REQUIRED_DOCUMENT_EXPIRED", "WORKFLOW_FINDINGS_CHANGED", "DOCUMENT_RULES_PUBLISHED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"] = UNSET, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None) -> Answer[t.EventIDData]:
        """Send an example of an event, WEBHOOK_TEST or of another type, to one endpoint alone."""
        return await self.call("webhook.config.test", fields(config_id=config_id, event_type=event_type), idempotency_key, sandbox_answer=sandbox_answer)

    async def webhook_config_update(self, *, config: t.ConfigUpdateRequestConfig, config_id: str, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None) -> Answer[t.Empty]:
        """Change the fields of an endpoint that are named; disable or enable it."""
        return await self.call("webhook.config.update", fields(config=config, config_id=config_id), idempotency_key, sandbox_answer=sandbox_answer)

    async def webhook_delivery_cancel(self, *, delivery_id: str, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None) -> Answer[t.Empty]:
        """Give up on a delivery: it is FAILED, and can be recovered."""
        return await self.call("webhook.delivery.cancel", fields(delivery_id=delivery_id), idempotency_key, sandbox_answer=sandbox_answer)

    async def webhook_delivery_get(self, *, delivery_id: str, sandbox_answer: Optional[str] = None) -> Answer[t.DeliveryData]:
        """Read a delivery: what it waits for, and each of its attempts."""
        return await self.call("webhook.delivery.get", fields(delivery_id=delivery_id), sandbox_answer=sandbox_answer)

    async def webhook_delivery_list(self, *, account_id: str, filters: t.DeliveryListRequestFilters = UNSET, page: t.Page = UNSET, sandbox_answer: Optional[str] = None) -> Answer[t.DeliveryListData]:
        """List an account's deliveries, newest first."""
        return await self.call("webhook.delivery.list", fields(account_id=account_id, filters=filters, page=page), sandbox_answer=sandbox_answer)

    def webhook_delivery_list_all(self, *, account_id: str, filters: t.DeliveryListRequestFilters = UNSET, page_size: Optional[int] = None, after: Optional[str] = None, sandbox_answer: Optional[str] = None) -> AsyncIterator[t.DeliveryView]:
        """Go through all pages of webhook.delivery.list, or those that follow an earlier answer's next."""
        return self.pages("webhook.delivery.list", "deliveries", fields(account_id=account_id, filters=filters), page_size, after, sandbox_answer=sandbox_answer)

    async def webhook_delivery_recover(self, *, config_id: str, since: str, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None) -> Answer[t.DeliveryCount]:
        """Send the FAILED deliveries of an endpoint again, for events since a given time."""
        return await self.call("webhook.delivery.recover", fields(config_id=config_id, since=since), idempotency_key, sandbox_answer=sandbox_answer)

    async def webhook_delivery_retry(self, *, delivery_id: str, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None) -> Answer[t.Empty]:
        """Try a delivery again at once, from the start of its schedule."""
        return await self.call("webhook.delivery.retry", fields(delivery_id=delivery_id), idempotency_key, sandbox_answer=sandbox_answer)

    async def webhook_event_get(self, *, event_id: str, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.Event]:
        """Read an event with its content, which webhooks carry encrypted."""
        return await self.call("webhook.event.get", fields(event_id=event_id), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def webhook_event_list(self, *, account_id: str, filters: t.EventListRequestFilters = UNSET, include_data: bool = UNSET, order: Literal["NEWEST_FIRST", "OLDEST_FIRST"] = UNSET, page: t.Page = UNSET, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.EventListData]:
        """List an account's events, newest first, or oldest first as a feed that misses none."""
        return await self.call("webhook.event.list", fields(account_id=account_id, filters=filters, include_data=include_data, order=order, page=page), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    def webhook_event_list_all(self, *, account_id: str, filters: t.EventListRequestFilters = UNSET, include_data: bool = UNSET, order: Literal["NEWEST_FIRST", "OLDEST_FIRST"] = UNSET, page_size: Optional[int] = None, after: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> AsyncIterator[t.Event]:
        """Go through all pages of webhook.event.list, or those that follow an earlier answer's next."""
        return self.pages("webhook.event.list", "events", fields(account_id=account_id, filters=filters, include_data=include_data, order=order), page_size, after, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def webhook_event_replay(self, *, config_id: str, since: str, event_types: List[Literal["WORKFLOW_CREATED", "WORKFLOW_STARTED", "WORKFLOW_COMPLETED", "WORKFLOW_PRICING_CALCULATED", "REQUIRED_DOCUMENTS_CALCULATED", "REQUIRED_DOCUMENT_ADDED", "REQUIRED_DOCUMENT_UPDATED", "REQUIRED_DOCUMENT_OVERDUE", "REQUIRED_DOCUMENT_EXPIRING", "REQUIRED_DOCUMENT_EXPIRED", "WORKFLOW_FINDINGS_CHANGED", "DOCUMENT_RULES_PUBLISHED", "WEBHOOK_KEY_ACTIVATED", "WEBHOOK_TEST", "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"]] = UNSET, until: str = UNSET, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None) -> Answer[t.RunRequest]:
        """Send events of a period to an endpoint again, or for the first time when it was added later; goes on in the background."""
        return await self.call("webhook.event.replay", fields(config_id=config_id, since=since, event_types=event_types, until=until), idempotency_key, sandbox_answer=sandbox_answer)

    async def webhook_event_replayed(self, *, run_id: str, sandbox_answer: Optional[str] = None) -> Answer[t.ReplayedData]:
        """Read the progress of a replay."""
        return await self.call("webhook.event.replayed", fields(run_id=run_id), sandbox_answer=sandbox_answer)

    async def webhook_key_activate(self, *, key_id: str, account_id: str = UNSET, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None) -> Answer[t.KeyActivateData]:
        """Make a key the account's only active one; the previous one is deleted. Warns if no answer has carried its secret."""
        return await self.call("webhook.key.activate", fields(key_id=key_id, account_id=account_id), idempotency_key, sandbox_answer=sandbox_answer)

    async def webhook_key_create(self, *, account_id: str, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None) -> Answer[t.KeyCreateData]:
        """Create a webhook key, INACTIVE, and show its secret this once."""
        return await self.call("webhook.key.create", fields(account_id=account_id), idempotency_key, sandbox_answer=sandbox_answer)

    async def webhook_key_delete(self, *, key_id: str, account_id: str = UNSET, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None) -> Answer[t.Empty]:
        """Delete a key that is INACTIVE; it can never become active."""
        return await self.call("webhook.key.delete", fields(key_id=key_id, account_id=account_id), idempotency_key, sandbox_answer=sandbox_answer)

    async def webhook_key_get(self, *, key_id: str, account_id: str = UNSET, sandbox_answer: Optional[str] = None) -> Answer[t.KeyData]:
        """Read a webhook key, without its secret."""
        return await self.call("webhook.key.get", fields(key_id=key_id, account_id=account_id), sandbox_answer=sandbox_answer)

    async def webhook_key_list(self, *, account_id: str, page: t.Page = UNSET, sandbox_answer: Optional[str] = None) -> Answer[t.KeyListData]:
        """List an account's webhook keys, newest first."""
        return await self.call("webhook.key.list", fields(account_id=account_id, page=page), sandbox_answer=sandbox_answer)

    def webhook_key_list_all(self, *, account_id: str, page_size: Optional[int] = None, after: Optional[str] = None, sandbox_answer: Optional[str] = None) -> AsyncIterator[t.KeyData]:
        """Go through all pages of webhook.key.list, or those that follow an earlier answer's next."""
        return self.pages("webhook.key.list", "keys", fields(account_id=account_id), page_size, after, sandbox_answer=sandbox_answer)

    async def workflow_complete(self, *, workflow_id: str, strict: bool = UNSET, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.Empty]:
        """End a started workflow; warns when its required documents are not done, or with strict refuses."""
        return await self.call("workflow.complete", fields(workflow_id=workflow_id, strict=strict), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def workflow_create(self, *, account_id: str, workflow: t.WorkflowCreateRequestWorkflow, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.WorkflowRequest]:
        """Open a workflow for a business."""
        return await self.call("workflow.create", fields(account_id=account_id, workflow=workflow), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def workflow_deadlines_apply(self, *, workflow_id: str, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.DeadlinesApplyData]:
        """Do for one workflow what the service does by itself on the day that X-Sandbox-Today names: expiry, renewal, overdue documents, reminders."""
        return await self.call("workflow.deadlines.apply", fields(workflow_id=workflow_id), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def workflow_decision_get(self, *, decision_id: str, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.DecisionData]:
        """Read a decision: the facts on file, each rule's result with its reason, and what was changed."""
        return await self.call("workflow.decision.get", fields(decision_id=decision_id), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def workflow_decision_list(self, *, workflow_id: str, filters: t.DecisionListRequestFilters = UNSET, page: t.Page = UNSET, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.DecisionListData]:
        """List a workflow's decisions, newest first."""
        return await self.call("workflow.decision.list", fields(workflow_id=workflow_id, filters=filters, page=page), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    def workflow_decision_list_all(self, *, workflow_id: str, filters: t.DecisionListRequestFilters = UNSET, page_size: Optional[int] = None, after: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> AsyncIterator[t.ListedDecision]:
        """Go through all pages of workflow.decision.list, or those that follow an earlier answer's next."""
        return self.pages("workflow.decision.list", "decisions", fields(workflow_id=workflow_id, filters=filters), page_size, after, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def workflow_get(self, *, workflow_id: str, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.WorkflowData]:
        """Read a workflow, how many of its required documents are open, and whether they are up to date."""
        return await self.call("workflow.get", fields(workflow_id=workflow_id), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def workflow_list(self, *, account_id: str, filters: t.WorkflowListRequestFilters = UNSET, page: t.Page = UNSET, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.WorkflowListData]:
        """List an account's workflows, newest first."""
        return await self.call("workflow.list", fields(account_id=account_id, filters=filters, page=page), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    def workflow_list_all(self, *, account_id: str, filters: t.WorkflowListRequestFilters = UNSET, page_size: Optional[int] = None, after: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> AsyncIterator[t.ListedWorkflow]:
        """Go through all pages of workflow.list, or those that follow an earlier answer's next."""
        return self.pages("workflow.list", "workflows", fields(account_id=account_id, filters=filters), page_size, after, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def workflow_pricing_calculate(self, *, workflow_id: str, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.Empty]:
        """Set a workflow's evaluation score from the account's pricing model."""
        return await self.call("workflow.pricing.calculate", fields(workflow_id=workflow_id), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def workflow_required_document_calculate(self, *, workflow_id: str, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.Empty]:
        """Decide which documents a workflow requires."""
        return await self.call("workflow.requiredDocument.calculate", fields(workflow_id=workflow_id), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def workflow_required_document_create(self, *, document: t.DocumentCreateRequestDocument, reason: str, workflow_id: str, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.DocumentRequest]:
        """Require a document of a workflow by hand."""
        return await self.call("workflow.requiredDocument.create", fields(document=document, reason=reason, workflow_id=workflow_id), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def workflow_required_document_get(self, *, required_document_id: str, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.DocumentData]:
        """Read a required document."""
        return await self.call("workflow.requiredDocument.get", fields(required_document_id=required_document_id), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def workflow_required_document_list(self, *, workflow_id: str, filters: t.DocumentsListRequestFilters = UNSET, page: t.Page = UNSET, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.DocumentsListData]:
        """List a workflow's required documents: all of them, or a page."""
        return await self.call("workflow.requiredDocument.list", fields(workflow_id=workflow_id, filters=filters, page=page), sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    def workflow_required_document_list_all(self, *, workflow_id: str, filters: t.DocumentsListRequestFilters = UNSET, page_size: Optional[int] = None, after: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> AsyncIterator[t.DocumentData]:
        """Go through all pages of workflow.requiredDocument.list, or those that follow an earlier answer's next."""
        return self.pages("workflow.requiredDocument.list", "required_documents", fields(workflow_id=workflow_id, filters=filters), page_size, after, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def workflow_required_document_update(self, *, required_document: t.DocumentUpdateRequestRequiredDocument, required_document_id: str, decision_id: str = UNSET, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.Empty]:
        """Review a required document: move it to another status, with evidence."""
        return await self.call("workflow.requiredDocument.update", fields(required_document=required_document, required_document_id=required_document_id, decision_id=decision_id), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def workflow_required_document_waive(self, *, reason: str, required_document_id: str, decision_id: str = UNSET, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.Empty]:
        """Do without a required document."""
        return await self.call("workflow.requiredDocument.waive", fields(reason=reason, required_document_id=required_document_id, decision_id=decision_id), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def workflow_start(self, *, workflow_id: str, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.Empty]:
        """Start a created workflow."""
        return await self.call("workflow.start", fields(workflow_id=workflow_id), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)

    async def workflow_update(self, *, workflow: t.WorkflowUpdateRequestWorkflow, workflow_id: str, idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None) -> Answer[t.Empty]:
        """Change the declared facts or the external_id of a workflow that has not ended; null clears one."""
        return await self.call("workflow.update", fields(workflow=workflow, workflow_id=workflow_id), idempotency_key, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)
