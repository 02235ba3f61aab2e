"""What the package exports can be copied and pickled: a program may send it to another process."""
import concurrent.futures
import copy
import enum
import inspect
import multiprocessing
import pathlib
import pickle
import sys
import typing
import unittest
from decimal import Decimal

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import httpx

import requisite
from requisite import types

CREDENTIAL = "https://api.example.com", "sb_k", "c2VjcmV0", "token"
ENTRY = {
    "code": "BAD_REQUEST", "message": "wrong", "entity_type": "Workflow", "entity_id": "w_1", "details": [{"field": "a.b", "message": "odd"}],
}


def nothing(*_):
    """A function of a program."""


def with_a_request():
    request = httpx.Request("POST", CREDENTIAL[0], headers={"x-api-auth-token": "token"}, content=b"of a person")
    return httpx.ConnectError("no route", request=request)


def of_a_hook():
    """An error of httpx that cannot be pickled. A hook that calls raise_for_status raises it."""
    request = httpx.Request("POST", CREDENTIAL[0])
    return httpx.HTTPStatusError("late", request=request, response=httpx.Response(503, request=request))


def remembering():
    processed = requisite.MemoryProcessed()
    processed.claim("wh_1")
    processed.done("wh_1")
    return processed


GAP = {"code": "FIELDS_REQUIRED", "entity_type": "Person", "entity_id": "p_1", "message": "m", "related_endpoints": [], "missing": []}

#: For each exported class, one of its values at least.
VALUES = {
    "Answer": [requisite.Answer({"a": Decimal("0.10")}, {"status": "SUCCESS", "trace_id": "trc_1", "version": "v"}, "dec_1", "abc")],
    "AsyncReceiver": [requisite.AsyncReceiver(nothing, requisite.MemoryProcessed(), nothing, nothing, tests=True)],
    "AsyncClient": [requisite.AsyncClient(*CREDENTIAL, retry=requisite.Retry(2), timeout=7, api_version="2025-03-24")],
    "Claim": list(requisite.Claim),
    "Client": [requisite.Client(*CREDENTIAL, retry=requisite.Retry(2), timeout=7, api_version="2025-03-24")],
    "MemoryProcessed": [requisite.MemoryProcessed(), remembering()],
    "NoAnswerError": [
        requisite.NoAnswerError("meta.checkVersion"), requisite.NoAnswerError("meta.checkVersion", 502, 1.5),
        requisite.NoAnswerError("meta.checkVersion", cause=with_a_request()), requisite.NoAnswerError("meta.checkVersion", cause=OSError(2, "gone")),
    ],
    "Question": [requisite.Question({"field": "persons", "value_type": "NUMBER", "gap": GAP, "person": 0})],
    "Receiver": [requisite.Receiver(nothing, requisite.MemoryProcessed(), nothing, nothing)],
    "RequisiteError": [requisite.RequisiteError(ENTRY, 400, "trc_1", 1.5, "dec_1", "abc"), requisite.RequisiteError({"code": "X"}, 500, "", None)],
    "Retry": [requisite.Retry(3, total=1)],
    "SecretLost": [requisite.SecretLost("whk_20261120_01", "trc_1")],

    "SetupError": [requisite.SetupError("no proxy")],
    "Signer": [requisite.Signer(*CREDENTIAL[1:])],
    "WebhookRefused": [requisite.WebhookRefused(401, "not yours")],
}

COPIES = {
    "copy": copy.copy, "deepcopy": copy.deepcopy,
    **{f"pickle {protocol}": lambda value, protocol=protocol: pickle.loads(pickle.dumps(value, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)},
}


def told(value):
    """What a value says of itself: its text, and its attributes to the last."""
    if isinstance(value, BaseException):
        return type(value), str(value), repr(value), value.args, {name: told(one) for name, one in vars(value).items()}
    if type(value).__module__.startswith("requisite") and not isinstance(value, enum.Enum):
        connections = ("_client", "_home")  # each copy has its own
        return type(value), {name: told(one) for name, one in vars(value).items() if name not in connections}
    return value


class Copies(unittest.TestCase):
    def test_every_exported_class_can_be_copied(self):
        classes = {name for name in requisite.__all__ if inspect.isclass(getattr(requisite, name)) and typing.get_origin(getattr(requisite, name)) is None}
        others = {"Processed", "AsyncProcessed", "LaterEventType"}
        self.assertEqual(classes - others, set(VALUES), "programs make classes of their own for the protocols; no value of LaterEventType exists")
        for name, values in VALUES.items():
            for value in values:
                self.assertIsInstance(value, dict if name == "Question" else getattr(requisite, name))
                for way, copied in COPIES.items():
                    with self.subTest(name, way=way):
                        self.assertEqual(told(copied(value)), told(value))

    def test_a_subclass_can_be_copied(self):
        self.assertEqual(told(pickle.loads(pickle.dumps(Later("whk_1", "trc_1")))), told(Later("whk_1", "trc_1")))

    def test_unset_stays_the_same(self):
        for way, copied in COPIES.items():
            with self.subTest(way):
                self.assertIs(copied(requisite.UNSET), requisite.UNSET)

    def test_a_pickled_error_has_no_request(self):
        """A request has the credential's token, and what is on file of persons."""
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            pickled = pickle.dumps(requisite.NoAnswerError("person.create", cause=with_a_request()), protocol)
            self.assertNotIn(b"token", pickled)
            self.assertNotIn(b"of a person", pickled)

    def test_a_cause_that_cannot_be_pickled_is_told_in_the_text(self):
        error = requisite.NoAnswerError("meta.checkVersion", cause=of_a_hook())
        copied = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(copied), copied.cause), (str(error), None))
        self.assertEqual(str(error), "meta.checkVersion got no answer: HTTPStatusError: late")

    def test_a_copied_client_has_connections_of_its_own(self):
        client = requisite.Client(*CREDENTIAL)
        with copy.copy(client) as copied:
            self.assertIsNot(copied._http(), client._http())
        self.assertFalse(client._http().is_closed)
        given = requisite.Client(*CREDENTIAL, http=httpx.Client())
        self.assertRaisesRegex(requisite.SetupError, "make a Client in each process", pickle.dumps, given)

    def test_errors_come_out_of_a_process_pool(self):
        errors = [error for values in VALUES.values() for error in values if isinstance(error, Exception)] + [
            requisite.NoAnswerError("meta.checkVersion", cause=of_a_hook())]
        self.assertGreaterEqual(len(errors), 9)
        with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            for i, error in enumerate(errors):
                with self.subTest(str(error)):
                    raised = pool.submit(fail, i).exception()
                    self.assertEqual((type(raised), str(raised)), (type(error), str(error)))
            self.assertEqual(pool.submit(abs, -1).result(), 1, "the pool goes on")


class Later(requisite.SecretLost):
    """An error of a program."""


def fail(number):
    """Raises an error in another process."""
    errors = [error for values in VALUES.values() for error in values if isinstance(error, Exception)]
    raise (errors + [requisite.NoAnswerError("meta.checkVersion", cause=of_a_hook())])[number]


if __name__ == "__main__":
    unittest.main()
