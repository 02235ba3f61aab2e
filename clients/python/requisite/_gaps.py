"""Fills the gaps of a calculation."""
from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping, Tuple, cast

from . import _types as types
from ._base import Answer, Base, Question, RequisiteError, Steps


def fill_gaps(client: Base, workflow_id: str) -> Steps[Answer[types.Empty]]:
    """The steps of fill_gaps."""
    before: List[types.Gap] = []
    while True:
        try:
            return (yield from client._call("workflow.requiredDocument.calculate", {"workflow_id": workflow_id}))
        except RequisiteError as refused:
            if not refused.gaps or refused.gaps == before:
                raise
            before = refused.gaps
        made: List[str] = []  # persons
        for operation, request in (yield from _calls(workflow_id, before)):
            try:
                answer = yield from client._call(operation, request)
            except RequisiteError:
                if operation == "person.create":  # if some persons stayed, no gap would tell of the others
                    for person_id in made:
                        yield from client._call("person.delete", {"person_id": person_id})
                raise
            if operation == "person.create":
                made.append(answer.data["person_id"])


def _calls(workflow_id: str, gaps: List[types.Gap]) -> Steps[List[Tuple[str, Dict[str, Any]]]]:
    """Asks for everything, and returns the calls that put it on record."""
    score: Mapping[str, Any] = next((gap for gap in gaps if gap["code"] == "CALCULATED_PRICING_REQUIRED"), {})
    records: Dict[Tuple[str, ...], List[types.Gap]] = {}
    for gap in [*gaps, *score.get("pricing_missing", [])]:
        if gap is not score:
            records.setdefault((gap["entity_id"], *gap["related_endpoints"]), []).append(gap)
    calls: List[Tuple[str, Dict[str, Any]]] = []
    words: Dict[str, Dict[str, Any]] = {}  # the first entry of a field alone has them
    for (entity_id, *endpoints), record in records.items():
        gap, save = record[0], endpoints[-1]  # such as business.salesInfo.create
        name = re.sub("[A-Z]", lambda c: "_" + c[0].lower(), save.split(".")[-2])  # such as sales_info
        missing: Dict[Any, Mapping[str, Any]] = {}
        for m in (m for one in record for m in one["missing"]):
            missing.setdefault((m["field"], m.get("type")), m)
        count = (yield from _persons(gap)) if save == "person.create" else 1
        for person in range(count):
            values: Dict[str, Any] = {}
            for m in [*gap.get("present", []), *missing.values()]:
                known = words.setdefault(m["field"], {})
                known.update((k, v) for k, v in m.items() if k in ("label", "ask", "choices"))
                value = m["value"] if "value" in m else (yield cast(Question, {**known, **m, "gap": gap, "person": person}))
                field, _, part = m["field"].partition(".")  # such as custom and legal_form
                if "type" in m:
                    values.setdefault(field, []).append({"type": m["type"], "value": value, "currency": m["currency"]})
                elif part:
                    values.setdefault(field, {})[part] = value
                else:
                    values[field] = value
            request = {"business_id": gap["business_id"]} if "business_id" in gap else {name + "_id": entity_id}
            request[name] = values
            if "delete_first" in gap:
                calls += [(save, {**request, "validate_only": True}), (endpoints[0], {name + "_id": gap["delete_first"]})]
            calls.append((save, request))
        if count == 0:
            calls.append(("business.update", {"business_id": gap["business_id"], "business": {"no_persons_attested": True}}))
    if score:
        calls.append(("workflow.pricing.calculate", {"workflow_id": workflow_id}))
    return calls


def _persons(gap: types.Gap) -> Steps[int]:
    count = yield {
        "field": "persons", "value_type": "NUMBER", "label": "number of persons", "ask": "How many persons does the business have?",
        "gap": gap, "person": 0,
    }
    if not isinstance(count, int) or count < 0:
        raise ValueError("the answer to persons is how many there are")
    return count
