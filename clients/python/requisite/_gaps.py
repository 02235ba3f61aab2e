"""Fills the gaps of a calculation."""
from __future__ import annotations

import hashlib
import re
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, cast

from . import _types as types
from ._base import Answer, Base, Question, RefusedAnswer, RequisiteError, Steps, encode


#: Limits how often records are created again. Gaps that stay after records were created mean that the service has answered for
#: earlier ones, which were deleted since. A key with the next number creates new ones.
_MAX_NUMBER = 9

_CALCULATE_PRICING = "workflow.pricing.calculate"

#: The most bytes of a request that the service takes.
_MAX_REQUEST = 64 << 10


class _Filling(NamedTuple):
    """A call that puts facts on record."""

    operation: str
    request: Dict[str, Any]
    #: The fields of each person for which the request of person.create has no room.
    rest: Sequence[Mapping[str, Any]] = ()
    #: The questions, by the path of the answer in the request.
    asked: Mapping[str, Question] = {}

    def creates(self) -> bool:
        return self.operation.endswith(".create")

    def encoded(self) -> bytes:
        return encode(self.request).encode()


def fill_gaps(client: Base, workflow_id: str, sandbox_today: Optional[str]) -> Steps[Answer[types.Empty]]:
    """The steps of fill_gaps."""
    before: List[types.Gap] = []
    calls: List[_Filling] = []
    number = 0
    while True:
        try:
            return (yield from client._call("workflow.requiredDocument.calculate", {"workflow_id": workflow_id}, sandbox_today=sandbox_today))
        except RequisiteError as refused:
            if not refused.gaps:
                raise
            if refused.gaps == before:
                calls = [one for one in calls if one.creates()]
                if number == _MAX_NUMBER or not calls:
                    raise
                number += 1
            else:
                before, number, calls = refused.gaps, 0, []
        calls = calls or (yield from _calls(workflow_id, before))
        for one in calls:
            yield from _fill(client, one, number, sandbox_today)


def _fill(client: Base, one: _Filling, number: int, sandbox_today: Optional[str]) -> Steps[None]:
    day = f"-{sandbox_today}" if sandbox_today else ""  # a key belongs to one day
    key = f"fill-gaps-{number}-{hashlib.sha256(one.encoded()).hexdigest()}{day}" if one.creates() else None
    try:
        answer = yield from client._call(one.operation, one.request, key, sandbox_today=sandbox_today)
    except RequisiteError as refused:
        if one.operation == _CALCULATE_PRICING and refused.gaps:
            return  # what is on record now asks for more: the next calculation tells it
        _blame(refused, one)
        raise
    for i, (person_id, fields) in enumerate(zip(answer.data["person_ids"] if one.rest else (), one.rest)):  # after an error, gaps tell which persons lack them
        if not fields:
            continue
        try:
            yield from client._call("person.update", {"person_id": person_id, "person": fields}, sandbox_today=sandbox_today)
        except RequisiteError as refused:
            if refused.code == "ENTITY_NOT_FOUND":
                return  # deleted since: the gaps come back
            _blame(refused, one, f"persons[{i}]")
            raise


def _blame(refused: RequisiteError, one: _Filling, person: str = "person") -> None:
    """Adds to a refusal which answers it is about. person is where the fields of a person are in asked."""
    answers = []
    for problem in refused.problems:
        field = re.sub("^person(?=[.])", person, problem["field"])
        while field and field not in one.asked:
            field = re.sub(r"(^|[.\[])[^.\[]*$", "", field)
        if field:
            answers.append(RefusedAnswer(one.asked[field], problem))
    refused.about(answers)


def _put_persons(business_id: str, persons: List[Dict[str, Any]], asked: Mapping[str, Question]) -> _Filling:
    """The call that puts all persons of a business on record.

    If it had only some of them, no gap would tell of the others. So a request that is too large has the names alone.
    """
    whole = _Filling("person.create", {"business_id": business_id, "persons": persons}, asked=asked)
    if len(whole.encoded()) <= _MAX_REQUEST:
        return whole
    names = [{field: person[field] for field in ("first_name", "last_name") if field in person} for person in persons]
    rest = [{field: value for field, value in person.items() if field not in ("first_name", "last_name")} for person in persons]
    named = _Filling("person.create", {"business_id": business_id, "persons": names}, rest, asked)
    if len(named.encoded()) > _MAX_REQUEST:
        raise ValueError("the names of the persons do not fit into one request: put the persons on record before, with person.create")
    return named


def _calls(workflow_id: str, gaps: List[types.Gap]) -> Steps[List[_Filling]]:
    """Asks for everything, and returns the calls that put it on record."""
    score: Mapping[str, Any] = next((gap for gap in gaps if gap["code"] == "CALCULATED_PRICING_REQUIRED"), {})
    records: Dict[Tuple[str, ...], List[types.Gap]] = {}
    for gap in [*gaps, *score.get("pricing_missing", [])]:
        if gap is not score:
            records.setdefault((gap["entity_id"], *gap["related_endpoints"]), []).append(gap)
    calls: List[_Filling] = []
    words: Dict[str, Dict[str, Any]] = {}  # the first entry of a field alone has them
    for (entity_id, *endpoints), record in records.items():
        gap, save = record[0], endpoints[-1]  # such as business.salesInfo.create
        name = re.sub("[A-Z]", lambda c: "_" + c[0].lower(), save.split(".")[-2])  # such as sales_info
        missing: Dict[Any, Mapping[str, Any]] = {}
        for m in (m for one in record for m in one["missing"]):
            missing.setdefault((m["field"], m.get("type")), m)
        count = (yield from _count_persons(gap)) if save == "person.create" else 1
        filled: List[Dict[str, Any]] = []  # one record, or each person
        asked: Dict[str, Question] = {}
        for person in range(count):
            values: Dict[str, Any] = {}
            for m in [*gap.get("present", []), *missing.values()]:
                known = words.setdefault(m["field"], {})
                known.update((k, v) for k, v in m.items() if k in ("label", "ask", "choices"))
                question = cast(Question, {**known, **m, "gap": gap, "person": person})
                value = m["value"] if "value" in m else (yield question)
                field, _, part = m["field"].partition(".")  # such as custom and legal_form
                if "value" not in m:
                    place = f"[{len(values.get(field, []))}]" if "type" in m else ""
                    asked[(f"persons[{person}]" if save == "person.create" else name) + "." + m["field"] + place] = question
                if "type" in m:
                    values.setdefault(field, []).append({"type": m["type"], "value": value, "currency": m["currency"]})
                elif part:
                    values.setdefault(field, {})[part] = value
                else:
                    values[field] = value
            filled.append(values)
        if count == 0:
            calls.append(_Filling("business.update", {"business_id": gap["business_id"], "business": {"no_persons_attested": True}}, asked={
                "business.no_persons_attested": _how_many(gap),
            }))
        elif save == "person.create":
            calls.append(_put_persons(gap["business_id"], filled, asked))
        else:
            request: Dict[str, Any] = {"business_id": gap["business_id"]} if "business_id" in gap else {name + "_id": entity_id}
            if "delete_first" in gap:
                request["replaces"] = gap["delete_first"]
            request[name] = filled[0]
            calls.append(_Filling(save, request, asked=asked))
    if score:
        calls.append(_Filling(_CALCULATE_PRICING, {"workflow_id": workflow_id}))
    return calls


def _how_many(gap: types.Gap) -> Question:
    return {
        "field": "persons", "value_type": "NUMBER", "label": "number of persons", "ask": "How many persons does the business have?",
        "gap": gap, "person": 0,
    }


def _count_persons(gap: types.Gap) -> Steps[int]:
    count = yield _how_many(gap)
    if not isinstance(count, int) or count < 0:
        raise ValueError("the answer to persons is how many there are")
    return count
