"""fill_gaps with a service that fails at any request."""
import enum
import json
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import httpx

from requisite import Client, NoAnswerError, RequisiteError, Retry

META = {"status": "SUCCESS", "trace_id": "t", "version": "v"}
SIZES = ((3, 5), (4, 17_000))  # owners and the bytes of their notes; the second does not fit into one request


class Fault(enum.Enum):
    """What happens to a request."""

    UNREACHED = "it does not arrive"
    OVERLOAD = "it is answered 503"
    UNANSWERED = "it takes effect, and its answer is lost"
    ABORTED = "the caller gives up while it takes effect"
    LATE = "the same, and it takes effect just before the next request that writes"


class Aborted(BaseException):
    """The caller gives up."""


class Office:
    """A service with one application, as far as gaps go. A fault may strike each request."""

    def __init__(self, owners, note):
        self.owners, self.note = owners, note
        self.facts, self.amounts, self.sales, self.scored = {}, {"AVERAGE_MONTHLY_CREDIT_SALES": 60000}, 0, False
        self.persons, self.deleted = [], 0  # p_0, p_1 and so on
        self.outcomes = {}  # of Idempotency-Keys: body and answer
        self.strike = lambda: None
        self.late = []  # a request that was late

    def run(self):
        """Runs the program once."""
        with httpx.Client(transport=httpx.MockTransport(self.received)) as http:
            Client("https://api.example.com", "sb_k", "c2VjcmV0", "token", retry=Retry(2, 0, 0.01), http=http).fill_gaps("w_1", self.form)

    def received(self, request):
        call = request.url.path[1:], request.headers.get("Idempotency-Key"), request.content
        fault = self.strike()
        if fault is Fault.UNREACHED:
            raise httpx.ConnectError("refused")
        if fault is Fault.OVERLOAD:
            return self.refusal(503, code="UNAVAILABLE")
        if fault is Fault.LATE:
            self.late.append(call)
            raise Aborted
        response = self.serve(*call)
        if fault is Fault.ABORTED:
            raise Aborted
        if fault is Fault.UNANSWERED:
            raise httpx.ReadError("reset")
        return response

    @staticmethod
    def refusal(status, **entry):
        return httpx.Response(status, json={"meta": META, "errors": [{"message": "m", **entry}]})

    def serve(self, operation, key, body):
        assert len(body) <= 64 << 10, f"{operation} has {len(body)} bytes"
        if operation == "workflow.requiredDocument.calculate":
            gaps = self.gaps()
            return self.refusal(400, code="MISSING_REQUIREMENTS", details=gaps) if gaps else httpx.Response(200, json={"meta": META, "data": {}})
        while self.late:
            self.serve(*self.late.pop())
        if (operation, key) in self.outcomes:
            before, data = self.outcomes[operation, key]
            assert before == body, f"{operation}: another body has the key"
        else:
            data = self.write(operation, json.loads(body))
            if data is None:
                return self.refusal(400, code="ENTITY_NOT_FOUND")
            self.outcomes[operation, key] = body, data
        return httpx.Response(200, json={"meta": META, "data": data})

    def write(self, operation, request):
        if operation == "workflow.update":
            self.facts |= request["workflow"]["custom"]
        elif operation == "business.salesInfo.create":
            if request.get("replaces") != f"bsi_{self.sales}":
                return None
            self.sales, self.amounts = self.sales + 1, {one["type"]: one["value"] for one in request["sales_info"]["sales_amount"]}
        elif operation == "person.create":
            first = self.deleted + len(self.persons)
            self.persons += request["persons"]
            return {"person_ids": [f"p_{first + i}" for i in range(len(request["persons"]))]}
        elif operation == "person.update":
            person = self.person(request["person_id"])
            if person is None:
                return None
            person |= request["person"]
        elif operation == "workflow.pricing.calculate":
            self.scored = "sells" in self.facts
        else:
            raise AssertionError(f"{operation} is not needed")
        return {}

    def person(self, entity_id):
        number = int(entity_id[2:]) - self.deleted if entity_id.startswith("p_") else -1
        return self.persons[number] if number >= 0 else None

    def gaps(self):
        def gap(entity_type, entity_id, save, *missing, **more):
            return {"code": "FIELDS_REQUIRED", "entity_type": entity_type, "entity_id": entity_id, "message": "m",
                    "related_endpoints": save, "missing": list(missing), **more}

        def field(name, value_type="TEXT", **more):
            return {"field": name, "value_type": value_type, **more}

        def amount(kind, **more):
            return field("sales_amount", "AMOUNT", type=kind, currency="USD", **more)
        gaps = []
        if "first_sale" not in self.facts:
            gaps.append(gap("Workflow", "w_1", ["workflow.update"], field("custom.first_sale", "DATE")))
        if len(self.amounts) == 1:
            present = [amount(kind, value=value) for kind, value in self.amounts.items()]
            gaps.append(gap("BusinessSalesInfo", f"bsi_{self.sales}", ["business.salesInfo.delete", "business.salesInfo.create"],
                            amount("HIGHEST_TICKET_SALE"), business_id="b_1", delete_first=f"bsi_{self.sales}", present=present))
        if not self.persons:
            names = ("first_name", "last_name", "citizenship", "custom.note")
            gaps.append(gap("Person", "b_1", ["person.create"], *map(field, names), business_id="b_1"))
        for i, person in enumerate(self.persons):
            missing = [field(name) for name in ("citizenship", "custom.note") if name.split(".")[0] not in person]
            if missing:
                gaps.append(gap("Person", f"p_{self.deleted + i}", ["person.update"], *missing))
        if not self.scored:
            sells = [] if "sells" in self.facts else [gap("Workflow", "w_1", ["workflow.update"], field("custom.sells", "BOOLEAN"))]
            gaps.append(gap("Workflow", "w_1", ["workflow.pricing.calculate"], pricing_missing=sells) | {"code": "CALCULATED_PRICING_REQUIRED"})
        return gaps

    def form(self, question):
        """Answers for the owners, each with a note."""
        of, on_record = question["person"], self.person(question["gap"]["entity_id"])
        if on_record:
            of = int(on_record["first_name"].split()[1])
        return {
            "persons": self.owners, "first_name": f"Owner {of}", "last_name": "Lie", "citizenship": f"N{of}", "custom.note": "n" * self.note + str(of),
            "sales_amount": 98.5, "custom.sells": False, "custom.first_sale": "2026-01-02",
        }[question["field"]]

    def on_file(self):
        return self.facts, self.amounts, self.sales, self.persons, self.scored


class Gaps(unittest.TestCase):
    def test_gaps_are_filled_once_although_the_program_fails_and_runs_again(self):
        for owners, note in SIZES:
            whole, sent, faults = Office(owners, note), [], list(Fault)
            whole.strike = lambda: sent.append(None)
            whole.run()
            first = len(sent) * len(faults)  # each fault at each request, and then random ones
            for seed in range(first + 60):
                with self.subTest(owners=owners, seed=seed):
                    office, numbers, failed = Office(owners, note), random.Random(seed), True
                    for run in range(100):
                        at, kind = numbers.randrange(2 * len(sent)), numbers.choice(faults)
                        if seed < first and run == 0:
                            at, kind = seed % len(sent), faults[seed // len(sent)]
                        # The last number says whether the network stays down until the program ends. Otherwise a retry mends it.
                        failed = self.fails(office, at, kind, numbers.random() < 0.5)
                        self.assertIn(len(office.persons), (0, owners))
                        self.assertEqual(office.amounts["AVERAGE_MONTHLY_CREDIT_SALES"], 60000)
                        if not failed:
                            break
                    self.assertFalse(failed)
                    self.assertEqual(office.on_file(), whole.on_file())

    def fails(self, office, at, kind, lasts):
        came = []

        def strike():
            came.append(None)
            if len(came) == at + 1:
                return kind
            return Fault.UNREACHED if len(came) > at + 1 and lasts else None
        office.strike = strike
        try:
            office.run()
        except (Aborted, NoAnswerError, RequisiteError):
            return True
        return False

    def test_deleted_persons_are_created_again(self):
        """Although the service answers for the deleted ones at first."""
        for owners, note in SIZES:
            office = Office(owners, note)
            for _ in range(4):
                office.run()
                self.assertEqual(len(office.persons), owners)
                office.deleted, office.persons = office.deleted + owners, []


if __name__ == "__main__":
    unittest.main()
