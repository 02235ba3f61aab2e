"""Is checked by test_types, and not run. A line that ends in "wrong" must be refused, and no other."""
from typing import Dict, List, Any

import requisite
from requisite import Event, LaterEventType


def told(event: Event) -> object:
    if event["event_type"] == "WORKFLOW_PRICING_CALCULATED":
        score: object = event["data"]["evaluation_score"]
        return score, event["data"]["state"]  # wrong
    elif event["event_type"] == "REQUIRED_DOCUMENTS_CALCULATED":
        return [document["required_document_id"] for document in event["data"]["added"]]
    elif event["event_type"] == "WORKFLOW_ENDED":  # wrong
        return None
    return event.get("workflow_id")


def later(event: requisite.types.LaterEvent) -> Dict[str, Any]:
    kind: LaterEventType = event["event_type"]
    return {str(kind): event["data"]}


async def told_later(event: Event) -> None:
    told(event)


def one_handler(client: requisite.Client, event_id: str) -> List[object]:
    def handle(event: Event) -> None:
        told(event)
    requisite.Receiver(lambda account, key: None, requisite.MemoryProcessed(), handle, tests=True)
    requisite.AsyncReceiver(lambda account, key: None, requisite.MemoryProcessed(), told_later)
    requisite.AsyncReceiver(lambda account, key: None, requisite.MemoryProcessed(), handle)
    requisite.Receiver(lambda account, key: None, requisite.MemoryProcessed(), told_later)  # wrong
    handle(client.webhook_event_get(event_id=event_id).data)
    listed = client.webhook_event_list(account_id="sb_1", include_data=True).data["events"]
    return [told(event) for event in client.events(account_id="sb_1")] + [told(event) for event in listed]


def answers(client: requisite.Client) -> str:
    if client.workflow_get(workflow_id="w_1").data["state"] == "FINISHED":  # wrong
        return ""
    return client.webhook_key_create(account_id="sb_1").data["shared_secret"]
