// What strict compilation proves: the comparison of event_type with a name gives data the type of that event, for all events.
import assert from "node:assert/strict";
import { test } from "node:test";
import { EVENT_TYPES, type Contents, type LaterEventType, type Event } from "../src/index.js";

/** Does not compile unless each case narrows the content, and the cases are all types of events. */
function told(event: Event): unknown {
  switch (event.event_type) {
    case "DOCUMENT_RULES_PUBLISHED": return event.data.version_number.toFixed();
    case "REQUIRED_DOCUMENTS_CALCULATED": return event.data.reinstated.map((document) => document.required_document_id);
    case "REQUIRED_DOCUMENT_ADDED": return event.data.due_on?.slice(0, 4);
    case "REQUIRED_DOCUMENT_EXPIRED": return event.data.workflow_state + event.data.previous_status;
    case "REQUIRED_DOCUMENT_EXPIRING": return event.data.valid_until.slice(0, 4);
    case "REQUIRED_DOCUMENT_OVERDUE": return event.data.due_on.slice(0, 4);
    case "REQUIRED_DOCUMENT_UPDATED": return event.data.evidence?.length;
    case "WEBHOOK_DELIVERY_FAILED": return event.data.attempt_count + (event.data.last_error ?? "").length;
    case "WEBHOOK_ENDPOINT_DISABLED": return event.data.disabled_reason?.length;
    case "WEBHOOK_ENDPOINT_FAILING": return event.data.waiting.toFixed();
    case "WEBHOOK_ENDPOINT_RECOVERED": return event.data.url_host.length;
    case "WEBHOOK_KEY_ACTIVATED": return event.data.key_id.length;
    case "WEBHOOK_TEST": return event.data.config_id.length;
    case "WORKFLOW_COMPLETED": return event.data.state.length;
    case "WORKFLOW_CREATED": return event.data.state.length;
    case "WORKFLOW_FINDINGS_CHANGED": return event.data.removed.map((finding) => finding.finding_code);
    case "WORKFLOW_PRICING_CALCULATED": return event.data.evaluation_score.toFixed();
    case "WORKFLOW_STARTED": return event.data.state.length;
    default: {
      const later: LaterEventType = event.event_type; // nothing else is left
      const data: Record<string, unknown> = event.data;
      return [String(later).length, data["anything"]];
    }
  }
}

// The types are equal, in both directions.
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;

export function narrows(event: Event, one: Event<"WORKFLOW_COMPLETED">): void {
  if (event.event_type === "WORKFLOW_PRICING_CALCULATED") {
    const same: Equal<typeof event.data, Contents["WORKFLOW_PRICING_CALCULATED"]> = true;
    void same;
    // @ts-expect-error: the content of another event
    void event.data.added;
  }
  // @ts-expect-error: no type is known here
  void event.data.evaluation_score;
  void one.data.state;
  const any: Event = one;
  void any;
  // Optional and null differ, as on the wire.
  const absent: undefined extends Contents["REQUIRED_DOCUMENT_ADDED"]["due_on"] ? true : false = true;
  const notNull: null extends Contents["REQUIRED_DOCUMENT_ADDED"]["due_on"] ? true : false = false;
  const isNull: null extends Contents["WEBHOOK_DELIVERY_FAILED"]["last_error"] ? true : false = true;
  const present: undefined extends Contents["WEBHOOK_DELIVERY_FAILED"]["last_error"] ? true : false = false;
  void [absent, notNull, isNull, present];
}

test("event_type decides the type of data", () => {
  const event = { event_type: "WORKFLOW_PRICING_CALCULATED", data: { evaluation_score: 510 } } as Event;
  assert.equal(told(event), "510");
  assert.deepEqual(told({ event_type: "LATER", data: { anything: 1 } } as unknown as Event), [5, 1]);
  for (const type of EVENT_TYPES) assert.ok(String(told).includes(`case "${type}":`), `${type} has no case above`);
});
