"""The vectors and known answers, repeats, refusals and pages of the client."""
import asyncio
import base64
import contextlib
import datetime
import email.utils
import functools
import gc
import http.server
import inspect
import io
import json
import os
import pathlib
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import unittest
import warnings
from decimal import Decimal
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import httpx
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from requisite import AsyncClient, AsyncReceiver, Claim, Client, MemoryProcessed, NoAnswerError, OPERATIONS, Receiver, RequisiteError, Retry, SecretLost, SetupError, Signer, WebhookRefused, verify_and_decrypt
from requisite._base import Base, encode
from requisite._types import PAGED

DOCS = pathlib.Path(__file__).resolve().parents[3] / "docs"


class Vectors(unittest.TestCase):
    def test_signatures(self):
        file = json.loads((DOCS / "signature-vectors.json").read_text("utf-8"))
        signer = Signer(file["api_key"], file["secret_key"], file["auth_token"])
        self.assertGreaterEqual(len(file["vectors"]), 6)
        for v in file["vectors"]:
            with self.subTest(v["name"]):
                self.assertEqual("Sig1-HMAC-SHA256 " + signer.signature(v["string_to_sign"]), v["headers"]["authorization"])
                if v["nonce"]:  # the API key alone is never signed here
                    headers = signer.headers(v["method"], v["target"], v["body"].encode(), int(v["timestamp"]), v["nonce"],
                                             v.get("idempotency_key"), v.get("api_version"))
                    self.assertEqual(headers, v["headers"])

    def test_webhooks(self):
        file = json.loads((DOCS / "webhook-vectors.json").read_text("utf-8"))
        self.assertGreaterEqual(len(file["vectors"]), 47)
        for v in file["vectors"]:
            with self.subTest(v["name"]):
                for body in (v["body"].encode(), v["body"], bytearray(v["body"].encode())):
                    def opened():
                        secret = lambda account, key: file["keys"].get(f"{account}/{key}")
                        return verify_and_decrypt(body, v["headers"], secret, lambda _: False, v["now"])
                    if not v["accepted"]:
                        self.assertRaises(WebhookRefused, opened)
                        continue
                    event = opened()
                    workflow = v["event"]["data"].get("workflow_id")
                    self.assertEqual(event, v["event"] if workflow is None or v["event"].get("test") else {**v["event"], "workflow_id": workflow})

    def test_credentials(self):
        file = json.loads((DOCS / "credential-vectors.json").read_text("utf-8"))
        webhook = next(v for v in json.loads((DOCS / "webhook-vectors.json").read_text("utf-8"))["vectors"] if v["accepted"])
        clear = json.loads(webhook["body"])
        names = {"API key": "api_key", "secret key": "secret_key", "auth token": "auth_token"}
        whole = {name: file[name] for name in names.values()}
        Client("https://api.example.com", **whole)
        self.assertGreaterEqual(len(file["vectors"]), 90)
        for v in file["vectors"]:
            with self.subTest(v["name"]):
                if v["credential"] == "shared secret":
                    want = f"the shared secret of {clear['account_id']}/{clear['key_id']} {v['fault']}"
                    with self.assertRaises(ValueError) as raised:
                        verify_and_decrypt(webhook["body"], webhook["headers"], lambda *_: v["value"], lambda _: False, webhook["now"])
                else:
                    want = f"the {v['credential']} {v['fault']}"
                    with self.assertRaises(ValueError) as raised:
                        Client("https://api.example.com", **{**whole, names[v["credential"]]: v["value"]})
                self.assertEqual(str(raised.exception), want)
                if v["value"].strip():
                    told = "".join(traceback.format_exception(raised.exception, limit=0))
                    self.assertNotIn(v["value"].strip(), told)
        self.assertRaisesRegex(ValueError, "the API key is not set", Client, "https://api.example.com", **{**whole, "api_key": None})
        self.assertRaisesRegex(ValueError, "the API key is not text", Client, "https://api.example.com", **{**whole, "api_key": b"sb_k"})


class Answers:
    """Stands for the service: answers one request after the other."""

    def __init__(self, *answers):
        self.answers, self.seen = list(answers), []

    def __call__(self, request):
        self.seen.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        status, body, headers = answer
        return httpx.Response(status, headers=headers, content=(body if isinstance(body, str) else json.dumps(body)).encode())


LOOP = asyncio.Runner()  # an AsyncClient with an http of its own is used in one event loop


def tearDownModule():
    LOOP.close()


class Blocking:
    """An AsyncClient whose methods wait, so that the tests of Client are those of AsyncClient too."""

    def __init__(self, client, run=LOOP.run):
        self._client, self._run = client, run

    def __getattr__(self, name):
        method = getattr(self._client, name)

        async def waited(*arguments, **named):
            made = method(*arguments, **named)
            return [one async for one in made] if hasattr(made, "__aiter__") else await made
        return functools.wraps(method)(lambda *arguments, **named: self._run(waited(*arguments, **named)))


def client(*answers, retry=Retry(4, 0, 0.01), asynchronous=False, base_url="https://api.example.com/v1/"):
    service = Answers(*answers)
    transport = httpx.MockTransport(service)
    credential = base_url, "sb_k", "c2VjcmV0", "token"
    if asynchronous:
        return Blocking(AsyncClient(*credential, retry=retry, http=httpx.AsyncClient(transport=transport))), service
    return Client(*credential, retry=retry, http=httpx.Client(transport=transport)), service


def refusal(**entry):
    return {"meta": {"status": "ERROR", "trace_id": "trc_2", "version": "v"}, "errors": [{"message": "m", **entry}]}


DONE = {"meta": {"status": "SUCCESS", "trace_id": "trc_1", "version": "v", "later": 1}, "data": {"business_id": "b_1", "later": [{}]}}
UNAVAILABLE = refusal(code="UNAVAILABLE")


def counting(connections):
    """A handler that keeps connections open, and notes that of each request."""
    class Counting(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self):
            connections.append(self.client_address)
            self.rfile.read(int(self.headers["Content-Length"]))
            content = json.dumps(DONE).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass
    return Counting


def certificate():
    """What a server of TLS needs, with a certificate that nobody trusts."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    begins = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=1)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), begins, begins + datetime.timedelta(days=3)).sign(key, hashes.SHA256())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.NamedTemporaryFile() as file:
        file.write(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        file.write(made.public_bytes(serialization.Encoding.PEM))
        file.flush()
        context.load_cert_chain(file.name)
    return context


@contextlib.contextmanager
def serving(handler, tls=None):
    """A server of the test, and its address."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        if tls is not None:
            server.socket, server.handle_error = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False), lambda *_: None
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http{'s' if tls else ''}://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class Calls(unittest.TestCase):
    asynchronous = False

    def client(self, *answers, **options):
        return client(*answers, **options, asynchronous=self.asynchronous)

    def test_a_request_is_repeated_with_its_key_and_a_new_nonce(self):
        c, service = self.client((503, UNAVAILABLE, {"Retry-After": "0"}), httpx.ReadError("reset"), (502, "<html>", {}), (200, DONE, {}))
        answer = c.business_create(account_id="sb_1", business={"legal_name": "A", "email": None})
        self.assertEqual((answer.data["business_id"], answer.meta["trace_id"]), ("b_1", "trc_1"))
        self.assertEqual(len(service.seen), 4)
        self.assertEqual(len({r.headers.get("X-api-nonce") for r in service.seen}), 4)
        self.assertEqual(len({r.headers.get("Idempotency-key") for r in service.seen}), 1)
        for r in service.seen:
            self.assertEqual(str(r.url), "https://api.example.com/v1/business.create")
            self.assertEqual(r.content, b'{"account_id":"sb_1","business":{"legal_name":"A","email":null}}')
            self.assertTrue(r.headers.get("X-api-signed-elements").endswith(";Idempotency-Key"))

    @contextlib.contextmanager
    def connected(self, url, **options):
        """A client that keeps its connections to a server, in one event loop if it has one."""
        if not self.asynchronous:
            with Client(url, "sb_k", "c2VjcmV0", "token", **options) as c:
                yield c
            return
        with asyncio.Runner() as runner:
            c = AsyncClient(url, "sb_k", "c2VjcmV0", "token", **options)
            yield Blocking(c, runner.run)
            runner.run(c.aclose())

    def test_a_key_that_cannot_be_one_is_not_sent(self):
        for key in ("", " ", "a ", "\n", "a\n", "é", "k" * 256):
            c, service = self.client()
            with self.assertRaisesRegex(ValueError, "printable ASCII"):
                c.business_create(account_id="sb_1", business={"legal_name": "A"}, idempotency_key=key)
            self.assertEqual(service.seen, [])
        c, service = self.client((200, DONE, {}))
        c.business_create(account_id="sb_1", business={"legal_name": "A"}, idempotency_key="order 7, " + "k" * 246)
        self.assertEqual(len(service.seen), 1)

    def test_an_answer_that_is_cut_off_is_asked_for_again(self):
        whole = json.dumps(DONE).encode()
        sent = []

        class Cut(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                sent.append(self.headers["Idempotency-Key"])
                self.send_response(200)
                self.send_header("Content-Length", str(len(whole)))
                self.end_headers()
                self.wfile.write(whole if len(sent) == 2 else whole[:-9])

            def log_message(self, *_):
                pass

        with serving(Cut) as url, self.connected(url, retry=Retry(4, 0, 0.01)) as c:
            answer = c.business_create(account_id="sb_1", business={"legal_name": "A"})
        self.assertEqual(answer.data["business_id"], "b_1")
        self.assertEqual((len(sent), len(set(sent))), (2, 1))

    def test_repeating_is_bounded(self):
        c, service = self.client(*[(503, UNAVAILABLE, {})] * 4)
        with self.assertRaises(RequisiteError) as raised:
            c.meta_check_version()
        self.assertEqual((raised.exception.code, raised.exception.trace_id, raised.exception.http_status), ("UNAVAILABLE", "trc_2", 503))
        self.assertEqual(len(service.seen), 4)
        self.assertIsNone(service.seen[0].headers.get("Idempotency-key"))
        c, service = self.client((429, refusal(code="TOO_MANY_REQUESTS"), {"Retry-After": "3"}))
        with self.assertRaises(RequisiteError) as raised:
            c.meta_check_version()
        self.assertEqual(raised.exception.retry_after, 3)

    def in_time(self, retry, *answers):
        """Sends one request on a clock that waits make go on. Returns when each attempt came, in seconds."""
        clock, at = mock.Mock(now=1_800_000_000.0), []
        clock.time = clock.monotonic = lambda: clock.now
        clock.sleep = lambda seconds: setattr(clock, "now", clock.now + seconds)

        async def sleep(seconds):
            clock.sleep(seconds)
        c, service = self.client(*answers, retry=retry)
        answer = service.__call__

        def opened(request):
            at.append(clock.now - 1_800_000_000)
            return answer(request)
        with mock.patch("requisite._base.time", clock), mock.patch("requisite._client.time", clock), mock.patch("asyncio.sleep", sleep), \
                mock.patch.object(Answers, "__call__", lambda _, request: opened(request)):
            try:
                c.meta_check_version()
            except (RequisiteError, NoAnswerError):
                pass
        self.assertEqual(len({r.headers.get("X-api-nonce") for r in service.seen}), len(at))
        return at

    def test_each_wait_is_twice_as_long_and_partly_random(self):
        busy = (503, UNAVAILABLE, {})
        at = self.in_time(Retry(), busy, httpx.ReadError("reset"), busy, busy, busy)
        self.assertEqual(len(at), 5)
        for i, longest in enumerate((0.5, 1, 2, 4)):
            self.assertTrue(longest / 2 <= round(at[i + 1] - at[i], 3) <= longest, at)

    def test_retry_after_is_waited_for(self):
        date = email.utils.formatdate(1_800_000_000 + 16, usegmt=True)
        limited = (429, refusal(code="TOO_MANY_REQUESTS"), {"Retry-After": "7"})
        self.assertEqual(self.in_time(Retry(), limited, (503, "busy", {"Retry-After": date}), (200, DONE, {})), [0, 7, 16])

    def test_retries_end_with_their_total_and_can_be_turned_off(self):
        busy = (503, UNAVAILABLE, {"Retry-After": "10"})
        self.assertEqual(self.in_time(Retry(100, total=35), *[busy] * 5), [0, 10, 20, 30])
        self.assertEqual(self.in_time(Retry(1), busy), [0])

    def test_a_clock_that_is_wrong_is_corrected_for_one_call(self):
        """Over TLS or to a loopback address, by a day at most."""
        tls = "https://api.example.com"
        for base_url, difference, corrected in (
            (tls, 86_400, True), (tls, -86_400, True), (tls, 86_401, False), (tls, -86_401, False), (tls, "3600", False), (tls, None, False),
            ("http://api.example.com", 3600, False), ("http://127.0.0.1.example.com", 3600, False), ("http://localhost.example.com", 3600, False),
            ("http://127.0.0.1:8080", 3600, True), ("http://localhost:8080/v1", 3600, True), ("http://[::1]:8080", 3600, True),
        ):
            for attempts in (1, 2):
                with self.subTest(base_url=base_url, difference=difference, attempts=attempts):
                    expired = 401, refusal(code="AUTH_TIMESTAMP_EXPIRED", server_time="2027-01-15T09:00:00.000Z", difference_seconds=difference), {}
                    c, service = self.client(expired, *[(503, UNAVAILABLE, {})] * (attempts - 1), (200, DONE, {}), expired, expired,
                                             retry=Retry(attempts, 0, 0.01), base_url=base_url)
                    clock = mock.Mock(time=lambda: 1_800_000_000.0, monotonic=time.monotonic, sleep=time.sleep)
                    with mock.patch("requisite._base.time", clock):
                        if corrected:
                            c.workflow_start(workflow_id="w_1")
                        with self.assertRaises(RequisiteError) as raised:  # the next call begins with its own clock, and corrects it once
                            c.workflow_start(workflow_id="w_1")
                    refused = raised.exception
                    self.assertEqual((refused.code, refused.server_time, refused.difference_seconds),
                                     ("AUTH_TIMESTAMP_EXPIRED", "2027-01-15T09:00:00.000Z", difference))
                    ahead = [int(r.headers["X-API-Timestamp"]) - 1_800_000_000 for r in service.seen]
                    self.assertEqual(ahead, [0, *[difference] * attempts, 0, difference] if corrected else [0])
                    self.assertEqual(len({r.headers["X-API-Nonce"] for r in service.seen}), len(ahead))
                    self.assertEqual(len({r.headers["Idempotency-Key"] for r in service.seen}), 2 if corrected else 1)

    def test_a_signature_that_does_not_match_names_both_paths(self):
        c, _ = self.client((401, refusal(code="AUTH_SIGNATURE_MISMATCH", received_path="/workflow.start"), {}))
        with self.assertRaises(RequisiteError) as raised:
            c.workflow_start(workflow_id="w_1")
        refused = raised.exception
        self.assertEqual((refused.received_path, refused.signed_path), ("/workflow.start", "/v1/workflow.start"))
        self.assertEqual(str(refused), "AUTH_SIGNATURE_MISMATCH: m\n- The client signed the path /v1/workflow.start, and /workflow.start arrived.")

    def test_a_refusal_is_typed_and_not_repeated(self):
        c, service = self.client(
            (400, refusal(code="BAD_REQUEST", details=[{"field": "a.b", "message": "wrong"}, {"field": "", "message": "odd"}]), {}),
            (400, refusal(code="SYSTEM_RULE_VIOLATION", sub_code="WORKFLOW_ENDED", entity_type="Workflow", entity_id="w_1"), {}),
            (400, refusal(code="MISSING_REQUIREMENTS", details=[{"code": "FIELDS_REQUIRED", "entity_id": "p_1", "message": "State it."}]), {}),
            (302, "", {"Location": "/elsewhere"}),
        )

        def refused(kind=RequisiteError):
            with self.assertRaises(kind) as raised:
                c.workflow_start(workflow_id="w_1", idempotency_key="mine")
            return raised.exception
        first = refused()
        self.assertEqual((first.problems[0], first.gaps), ({"field": "a.b", "message": "wrong"}, []))
        self.assertEqual(str(first), "BAD_REQUEST: m\n- a.b: wrong\n- odd")
        second = refused()
        self.assertEqual((second.sub_code, second.entity_id), ("WORKFLOW_ENDED", "w_1"))
        third = refused()
        self.assertEqual((third.gaps[0]["entity_id"], str(third)), ("p_1", "MISSING_REQUIREMENTS: m\n- State it."))
        self.assertEqual(refused(NoAnswerError).http_status, 302)
        self.assertEqual(service.seen[0].headers.get("Idempotency-key"), "mine")

    def test_a_lost_secret_is_an_error(self):
        key = {"key_id": "whk_20261120_01", "status": "INACTIVE", "created_at": "2026-11-20T09:30:00.000Z"}
        warned = {**DONE["meta"], "warnings": [{"code": "SECRET_ALREADY_SHOWN", "message": "m"}]}
        c, service = self.client(httpx.ReadError("reset"), (200, {"meta": warned, "data": key}, {}), (200, {**DONE, "data": {**key, "shared_secret": SECRET}}, {}))
        with self.assertRaisesRegex(SecretLost, "whk_20261120_01 is lost.*create another key; this one stays INACTIVE") as raised:
            c.webhook_key_create(account_id="sb_1")
        self.assertEqual((raised.exception.key_id, raised.exception.trace_id), ("whk_20261120_01", "trc_1"))
        self.assertEqual((len(service.seen), len({r.headers.get("Idempotency-key") for r in service.seen})), (2, 1))
        self.assertEqual(c.webhook_key_create(account_id="sb_1").data["shared_secret"], SECRET)

    def test_decisions_are_members_of_answers_and_refusals(self):
        decided = {"Requisite-Decision-Id": "dec_1", "Requisite-Decision-Digest": "abc"}
        c, _ = self.client((200, DONE, decided), (400, refusal(code="MISSING_REQUIREMENTS", details=[]), decided), (200, DONE, {}))
        answer = c.workflow_required_document_calculate(workflow_id="w_1")
        self.assertEqual((answer.decision_id, answer.decision_digest, answer.trace_id), ("dec_1", "abc", "trc_1"))
        with self.assertRaises(RequisiteError) as raised:
            c.workflow_required_document_calculate(workflow_id="w_1")
        self.assertEqual((raised.exception.decision_id, raised.exception.decision_digest, raised.exception.trace_id), ("dec_1", "abc", "trc_2"))
        answer = c.workflow_start(workflow_id="w_1")
        self.assertEqual((answer.decision_id, answer.decision_digest), (None, None))

    def test_all_pages_are_read(self):
        def page(ids, next):
            return 200, {**DONE, "data": {"workflows": [{"workflow_id": i} for i in ids], "next": next}}, {}
        c, service = self.client(page(["w_1", "w_2"], "m1"), page(["w_3"], None))
        self.assertEqual([w["workflow_id"] for w in c.workflow_list_all(account_id="sb_1", page_size=2)], ["w_1", "w_2", "w_3"])
        self.assertEqual(json.loads(service.seen[1].content)["page"], {"limit": 2, "after": "m1"})
        c, service = self.client(page(["w_3"], None))
        self.assertEqual([w["workflow_id"] for w in c.workflow_list_all(account_id="sb_1", after="m1")], ["w_3"])
        self.assertEqual(json.loads(service.seen[0].content)["page"], {"after": "m1"})

    def test_every_list_with_pages_has_an_iterator(self):
        self.assertGreaterEqual(len(PAGED), 5)
        for operation, items in PAGED.items():
            c, service = self.client((200, {**DONE, "data": {items: [{}, {}], "next": "m1"}}, {}), (200, {**DONE, "data": {items: [{}], "next": None}}, {}))
            method = getattr(c, OPERATIONS[operation] + "_all")
            required = {p.name: "x" for p in inspect.signature(method).parameters.values() if p.default is p.empty}
            self.assertEqual(len(list(method(**required))), 3, operation)
            self.assertEqual(json.loads(service.seen[1].content)["page"], {"after": "m1"}, operation)

    def test_a_feed_ends_when_it_has_caught_up(self):
        def page(ids, next, caught_up):
            return 200, {**DONE, "data": {"events": [{"id": i, "data": {}} for i in ids], "next": next, "caught_up": caught_up}}, {}
        c, service = self.client(page([], "m1", False), page(["wh_1"], "m2", True), page(["wh_1", "wh_2"], "m2", True))
        self.assertEqual([e["id"] for e in c.webhook_event_list_all(account_id="sb_1", order="OLDEST_FIRST")], ["wh_1"])
        self.assertEqual([(e["id"], e["data"]) for e in c.events(account_id="sb_1", filters={"workflow_id": "w_1"}, page_size=7, after="m0")],
                         [("wh_1", {}), ("wh_2", {})])
        self.assertEqual(json.loads(service.seen[2].content), {
            "account_id": "sb_1", "filters": {"workflow_id": "w_1"}, "order": "OLDEST_FIRST", "include_data": True, "page": {"limit": 7, "after": "m0"},
        })

    def test_an_answer_for_work_of_an_earlier_request_says_so(self):
        replayed = {"Idempotent-Replayed": "true"}
        c, service = self.client((200, DONE, {}), (200, DONE, replayed), (400, refusal(code="SYSTEM_RULE_VIOLATION"), replayed))

        def create():
            return c.business_create(account_id="sb_1", business={"legal_name": "A"}, idempotency_key="k")
        self.assertEqual([create().replayed, create().replayed], [False, True])
        with self.assertRaises(RequisiteError) as raised:
            create()
        self.assertTrue(raised.exception.replayed)
        self.assertEqual(service.seen[0].headers["User-Agent"], "requisite-client-python/1.0.0")

    def test_numbers_are_exact(self):
        self.assertEqual(encode({"a": [Decimal("9999999999999.99"), Decimal("1E+2"), 33.33, 1, True, None, "é"]}),
                         '{"a":[9999999999999.99,100,33.33,1,true,null,"\\u00e9"]}')
        c, _ = self.client((200, json.dumps({**DONE, "data": {}}).replace('"data": {}', '"data": {"value": 0.10}'), {}))
        self.assertEqual(str(c.meta_check_version().data["value"]), "0.10")
        for wrong in (float("nan"), Decimal("Infinity")):
            self.assertRaises(ValueError, encode, wrong)

    def test_a_base_url_that_is_none_is_told_at_once(self):
        for base_url in ("", "api.example.com", "ftp://api.example.com", "https://", "https://api.example.com\n", " https://api.example.com",
                         "https://[::1", "https://api:port", "https://api:99999", "https://api..example.com", "https://-\u00fc-.example.com"):
            with self.subTest(base_url):
                self.assertRaisesRegex(ValueError, "^the base URL must be the address of the API, such as", Client, base_url, "sb_k", "c2VjcmV0", "t")
        for base_url in ("https://b\u00fccher.example.com", "http://[::1]:8080/api/", "http://localhost"):
            Client(base_url, "sb_k", "c2VjcmV0", "t")

    def test_a_header_that_cannot_be_one_is_not_sent(self):
        kind = AsyncClient if self.asynchronous else Client
        for value in ("", "2025-03-24\n", "\u00e9"):
            with self.assertRaisesRegex(ValueError, "an API version has 1 to 255 printable ASCII"):
                kind("https://api.example.com", "sb_k", "c2VjcmV0", "t", api_version=value)
            c, service = self.client()
            with self.assertRaisesRegex(ValueError, "an answer of the sandbox has 1 to 255 printable ASCII"):
                c.meta_check_version(sandbox_answer=value)
            with self.assertRaisesRegex(ValueError, "a day of the sandbox has 1 to 255 printable ASCII"):
                c.meta_check_version(sandbox_today=value)
            self.assertEqual(service.seen, [])

    def test_a_proxy_that_cannot_be_used_says_what_to_do(self):
        kind = AsyncClient if self.asynchronous else Client
        for proxy in ("ftp://user:hunter2@proxy", "socks5://user:hunter2@proxy"):
            with mock.patch.dict(os.environ, {"ALL_PROXY": proxy}), mock.patch.dict(sys.modules, {"socksio": None}):
                with self.assertRaisesRegex(SetupError, "ALL_PROXY: for a SOCKS proxy install httpx.socks.; or name another, or give an httpx") as raised:
                    kind("https://api.example.com", "sb_k", "c2VjcmV0", "t")
                self.assertNotIn("hunter2", "".join(traceback.format_exception(raised.exception)))

    def test_an_http_of_the_other_kind_is_told_at_once(self):
        kind, other = (AsyncClient, httpx.Client()) if self.asynchronous else (Client, httpx.AsyncClient())
        with self.assertRaisesRegex(TypeError, f"http must be an httpx.{kind.__name__}, not {type(other).__name__}"):
            kind("https://api.example.com", "sb_k", "c2VjcmV0", "t", http=other)

    def test_an_unknown_authority_says_what_to_do(self):
        with serving(counting([]), certificate()) as url, self.connected(url, retry=Retry(1)) as c:
            with self.assertRaisesRegex(NoAnswerError, "(?i)certificate.verify.failed.*; name a file with its authority in SSL_CERT_FILE, or give"):
                c.meta_check_version()

    def test_a_call_of_the_sandbox_asks_for_an_answer_and_a_day_with_each_retry(self):
        c, service = self.client((503, UNAVAILABLE, {}), (200, DONE, {}), (200, {**DONE, "data": {"workflows": [], "next": None}}, {}), (200, DONE, {}), (200, DONE, {}))
        c.workflow_start(workflow_id="w_1", sandbox_answer="UNAVAILABLE", sandbox_today="2027-06-01")
        self.assertEqual(list(c.workflow_list_all(account_id="sb_1", sandbox_answer="RATE_LIMITED", sandbox_today="2027-06-02")), [])
        c.call("workflow.get", {"workflow_id": "w_1"}, sandbox_answer="STILL_RUNNING", sandbox_today="2027-06-03")
        c.workflow_get(workflow_id="w_1")
        self.assertEqual([r.headers.get("X-Sandbox-Answer") for r in service.seen], ["UNAVAILABLE", "UNAVAILABLE", "RATE_LIMITED", "STILL_RUNNING", None])
        self.assertEqual([r.headers.get("X-Sandbox-Today") for r in service.seen], ["2027-06-01", "2027-06-01", "2027-06-02", "2027-06-03", None])
        self.assertFalse([r for r in service.seen if "Sandbox" in r.headers["X-API-Signed-Elements"]])

    def test_connections_are_kept(self):
        connections = []
        with serving(counting(connections)) as url, self.connected(url) as c:
            for _ in range(60):
                self.assertEqual(c.business_get(business_id="b_1").data["business_id"], "b_1")
        self.assertEqual((len(connections), len(set(connections))), (60, 1))

    def test_an_attempt_ends_with_its_timeout(self):
        sent, signed = [], Base._signed

        def noted(*arguments):  # a slow server may not have read a request when its time is over
            request = signed(*arguments)
            sent.append(request.headers["Idempotency-Key"])
            return request

        class Slow(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.send_response(200)
                self.end_headers()
                try:
                    while True:  # until the client hangs up: something always comes before the timeout of one read
                        self.wfile.write(b" ")
                        self.wfile.flush()
                        time.sleep(0.01)
                except OSError:
                    pass

            def log_message(self, *_):
                pass

        with serving(Slow) as url, self.connected(url, timeout=0.3, retry=Retry(2, 0, 0)) as c:
            with mock.patch.object(Base, "_signed", noted), self.assertRaises(NoAnswerError) as raised:
                c.workflow_start(workflow_id="w_1")
        self.assertIsInstance(raised.exception.cause, httpx.TimeoutException)
        self.assertEqual((len(sent), len(set(sent))), (2, 1), "a timeout is repeated, with the same key")

    def test_no_answer_has_its_cause(self):
        reset = httpx.ReadError("connection reset")
        c, _ = self.client(reset, retry=Retry(1))
        with self.assertRaisesRegex(NoAnswerError, "^meta.checkVersion got no answer: ReadError: connection reset$") as raised:
            c.meta_check_version()
        self.assertIs(raised.exception.cause, reset)
        self.assertIs(raised.exception.__cause__, reset)
        c, _ = self.client((200, "<html>", {}), (400, {}, {}))
        with self.assertRaises(NoAnswerError) as raised:
            c.meta_check_version()
        self.assertIsInstance(raised.exception.cause, ValueError)
        with self.assertRaises(NoAnswerError) as raised:
            c.meta_check_version()
        self.assertIsNone(raised.exception.cause)

    def test_gaps_are_asked_for_filled_and_calculated(self):
        gaps, empty = (400, refusal(code="MISSING_REQUIREMENTS", details=GAPS), {}), (200, {**DONE, "data": {}}, {})
        c, service = self.client(gaps, *[empty] * 4, (200, {**DONE, "data": {}}, {"Requisite-Decision-Id": "dec_1"}))
        asked, values = [], {"persons": 2, "sales_amount": Decimal("98.50"), "first_name": "Ida", "citizenship": "NO", "custom.sells": False}

        def ask(question):
            asked.append((question["field"], question["person"], question.get("label"), question["gap"]["entity_type"]))
            return values.get(question["field"], "2026-01-02")

        async def ask_later(question):
            return ask(question)
        self.assertEqual(c.fill_gaps("w_1", ask_later if self.asynchronous else ask).decision_id, "dec_1")
        self.assertEqual(asked, [
            ("custom.first_sale", 0, "first sale", "Workflow"), ("custom.sells", 0, None, "Workflow"), ("sales_amount", 0, None, "BusinessSalesInfo"),
            ("persons", 0, "number of persons", "Person"),
            ("first_name", 0, None, "Person"), ("citizenship", 0, None, "Person"), ("first_name", 1, None, "Person"), ("citizenship", 1, None, "Person"),
        ])
        amounts = '[{"type":"AVERAGE_MONTHLY_CREDIT_SALES","value":60000,"currency":"USD"},{"type":"HIGHEST_TICKET_SALE","value":98.50,"currency":"USD"}]'
        ida = '{"first_name":"Ida","citizenship":"NO"}'
        self.assertEqual([(r.url.path.split("/")[-1], r.content.decode()) for r in service.seen[1:]], [
            ("workflow.update", '{"workflow_id":"w_1","workflow":{"custom":{"first_sale":"2026-01-02","sells":false}}}'),
            ("business.salesInfo.create", f'{{"business_id":"b_1","replaces":"bsi_1","sales_info":{{"sales_amount":{amounts}}}}}'),
            ("person.create", f'{{"business_id":"b_1","persons":[{ida},{ida}]}}'), ("workflow.pricing.calculate", '{"workflow_id":"w_1"}'),
            ("workflow.requiredDocument.calculate", '{"workflow_id":"w_1"}'),
        ])

    def test_each_call_of_fill_gaps_names_the_day_and_a_key_belongs_to_one(self):
        """Also where the persons need several calls."""
        gaps, empty = (400, refusal(code="MISSING_REQUIREMENTS", details=GAPS), {}), (200, {**DONE, "data": {}}, {})
        made = 200, {**DONE, "data": {"person_ids": ["p_0", "p_1"]}}, {}
        values, keys = {"persons": 2, "citizenship": "x" * 40_000}, []
        for day in ("2027-06-01", "2027-06-02", "2027-06-02"):
            c, service = self.client(gaps, empty, empty, made, *[empty] * 4)
            c.fill_gaps("w_1", lambda question: values.get(question["field"]), sandbox_today=day)
            self.assertEqual([r.headers.get("X-Sandbox-Today") for r in service.seen], [day] * 8)
            keys.append([r.headers["Idempotency-Key"] for r in service.seen if r.url.path.endswith(".create")])
        self.assertEqual(keys[1], keys[2])
        self.assertEqual(len({*keys[0], *keys[1]}), 4)

    def test_a_fact_that_pricing_asks_for_only_when_another_is_on_record_is_asked_for(self):
        def gap(field):
            return {"code": "FIELDS_REQUIRED", "entity_type": "Workflow", "entity_id": "w_1", "message": "m", "related_endpoints": ["workflow.update"],
                    "missing": [{"field": "custom." + field, "value_type": "TEXT"}]}

        def refused(*gaps):
            return 400, refusal(code="MISSING_REQUIREMENTS", details=list(gaps)), {}

        def score(field):
            return refused({"code": "CALCULATED_PRICING_REQUIRED", "entity_type": "Workflow", "entity_id": "w_1", "message": "m",
                            "related_endpoints": ["workflow.pricing.calculate"], "missing": [], "pricing_missing": [gap(field)]})
        empty = (200, {**DONE, "data": {}}, {})
        c, service = self.client(score("form"), empty, refused(gap("shares")), score("shares"), empty, empty, empty)
        c.fill_gaps("w_1", lambda question: question["field"])
        self.assertEqual(len(service.seen), 7)
        self.assertEqual(service.seen[4].content, b'{"workflow_id":"w_1","workflow":{"custom":{"shares":"custom.shares"}}}')

    def test_a_refusal_says_which_answers_it_is_about(self):
        gaps, empty = (400, refusal(code="MISSING_REQUIREMENTS", details=GAPS), {}), (200, {**DONE, "data": {}}, {})
        for operation, before, fields, told in (
            ("workflow.update", 0, ["workflow.custom.first_sale", "workflow_id"], ["custom.first_sale of Workflow w_1"]),
            ("business.salesInfo.create", 1, ["sales_info.sales_amount[1].value"], ["sales_amount HIGHEST_TICKET_SALE of BusinessSalesInfo bsi_1"]),
            ("person.create", 2, ["persons[1].citizenship", "persons[0].first_name"], ["citizenship of persons[1]", "first_name of persons[0]"]),
        ):
            details = [{"field": field, "code": "WRONG_FORMAT", "message": "m"} for field in fields]
            c, _ = self.client(gaps, *[empty] * before, (400, refusal(code="BAD_REQUEST", details=details), {}))
            with self.assertRaises(RequisiteError) as raised:
                c.fill_gaps("w_1", lambda question: 2)
            self.assertEqual(raised.exception.operation, operation)
            self.assertEqual([answer.problem["code"] for answer in raised.exception.refused_answers], ["WRONG_FORMAT"] * len(told))
            self.assertEqual(str(raised.exception).split("\n- ")[-len(told):], [f"{operation} refused the answer for {of}" for of in told])

    def test_gaps_that_stay_are_raised(self):
        gaps = 400, refusal(code="MISSING_REQUIREMENTS", details=GAPS[2:3]), {}
        c, service = self.client(gaps, (200, {**DONE, "data": {}}, {}), gaps)
        with self.assertRaises(RequisiteError) as raised:
            c.fill_gaps("w_1", lambda question: 0)
        self.assertEqual(len(raised.exception.gaps), 1)
        self.assertEqual(service.seen[1].content, b'{"business_id":"b_1","business":{"no_persons_attested":true}}')

    def test_nothing_is_written_if_ask_raises(self):
        def ask(question):
            if question["person"] == 1:
                raise LookupError("the form is closed")
            return 2
        for fails, error in ((ask, LookupError), (lambda question: "two", ValueError)):
            c, service = self.client((400, refusal(code="MISSING_REQUIREMENTS", details=GAPS[2:3]), {}))
            self.assertRaises(error, c.fill_gaps, "w_1", fails)
            self.assertEqual(len(service.seen), 1)


class AsyncCalls(Calls):
    """The same, with asyncio."""

    asynchronous = True

    def test_both_clients_have_the_same_methods(self):
        def surface(of):
            return {name: list(inspect.signature(method).parameters) for name, method in inspect.getmembers(of, inspect.isfunction) if name[0] != "_"}
        asynchronous = surface(AsyncClient)
        asynchronous["close"] = asynchronous.pop("aclose")
        self.assertEqual(asynchronous, surface(Client))

    def test_a_call_is_canceled(self):
        """While it waits for an answer, and while it waits for its next attempt. Nothing is sent afterwards."""
        async def canceled(answered):
            sent, waits = [], asyncio.Event()

            async def wait(*_):
                waits.set()
                await asyncio.Event().wait()

            async def handler(request):
                sent.append(request)
                return answered or await wait()
            async with httpx.AsyncClient(transport=httpx.MockTransport(handler)) as http:
                with mock.patch("asyncio.sleep", wait):
                    task = asyncio.create_task(AsyncClient("https://api.example.com", "sb_k", "c2VjcmV0", "token", http=http).meta_check_version())
                    await waits.wait()
                    task.cancel()
                    with self.assertRaises(asyncio.CancelledError):
                        await task
            self.assertEqual(len(sent), 1)
        asyncio.run(canceled(None))
        asyncio.run(canceled(httpx.Response(503, json=UNAVAILABLE)))


class EventLoops(unittest.TestCase):
    def test_a_client_goes_on_in_another_event_loop(self):
        connections = []
        with serving(counting(connections)) as url:
            c = AsyncClient(url, "sb_k", "c2VjcmV0", "token", retry=Retry(1))

            async def twice(end):
                await c.meta_check_version()
                await c.meta_check_version()
                if end:
                    await c.aclose()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ResourceWarning)  # the first event loop ended with its connection open
                for end in (False, False, True):
                    asyncio.run(twice(end))
                asyncio.run(c.aclose())
                gc.collect()
        self.assertEqual((len(connections), len(set(connections))), (6, 3), "connections are kept, in each event loop")

    def test_an_http_of_another_event_loop_says_what_to_do(self):
        http = httpx.AsyncClient(transport=httpx.MockTransport(lambda _: httpx.Response(200, json=DONE)))
        c = AsyncClient("https://api.example.com", "sb_k", "c2VjcmV0", "token", http=http)
        asyncio.run(c.call("meta.checkVersion", {}))
        with self.assertRaisesRegex(SetupError, "make an AsyncClient in each event loop"):
            asyncio.run(c.call("meta.checkVersion", {}))

    def test_a_call_without_asyncio_says_what_to_do(self):
        call = AsyncClient("https://api.example.com", "sb_k", "c2VjcmV0", "token").meta_check_version()
        with self.assertRaisesRegex(SetupError, "asyncio.run has begun, or use a Client"):
            call.send(None)


class Forks(unittest.TestCase):
    def test_a_fork_shares_no_connection(self):
        connections = []
        program = """if True:
            import os, sys, requisite
            client = requisite.Client(sys.argv[1], "sb_k", "c2VjcmV0", "token")
            client.meta_check_version()
            child = os.fork()
            client.meta_check_version()
            if child and os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
                sys.exit("the child failed")
            """
        with serving(counting(connections)) as url:
            subprocess.run([sys.executable, "-c", program, url], check=True, cwd=pathlib.Path(__file__).resolve().parent.parent)
        self.assertEqual((len(connections), len(set(connections))), (3, 2))


GAPS = [
    {"code": "FIELDS_REQUIRED", "entity_type": "Workflow", "entity_id": "w_1", "message": "m", "related_endpoints": ["workflow.update"],
     "missing": [{"field": "custom.first_sale", "value_type": "DATE", "label": "first sale", "ask": "The day."}]},
    {"code": "FIELDS_REQUIRED", "entity_type": "BusinessSalesInfo", "entity_id": "bsi_1", "business_id": "b_1", "delete_first": "bsi_1", "message": "m",
     "related_endpoints": ["business.salesInfo.delete", "business.salesInfo.create"],
     "missing": [{"field": "sales_amount", "value_type": "AMOUNT", "type": "HIGHEST_TICKET_SALE", "currency": "USD"}],
     "present": [{"field": "sales_amount", "value_type": "AMOUNT", "type": "AVERAGE_MONTHLY_CREDIT_SALES", "currency": "USD", "value": 60000}]},
    {"code": "FIELDS_REQUIRED", "entity_type": "Person", "entity_id": "b_1", "business_id": "b_1", "message": "m", "related_endpoints": ["person.create"],
     "missing": [{"field": "first_name", "value_type": "TEXT"}, {"field": "citizenship", "value_type": "TEXT"}]},
    {"code": "CALCULATED_PRICING_REQUIRED", "entity_type": "Workflow", "entity_id": "w_1", "message": "m", "related_endpoints": ["workflow.pricing.calculate"], "missing": [],
     "pricing_missing": [{"code": "FIELDS_REQUIRED", "entity_type": "Workflow", "entity_id": "w_1", "message": "m", "related_endpoints": ["workflow.update"],
                          "missing": [{"field": "custom.first_sale", "value_type": "DATE"}, {"field": "custom.sells", "value_type": "BOOLEAN"}]}]},
]


SECRET = "+9bSQ4sROs7wz6Z0gYpeF97a6q5stt73M/v6yMYgzgM="


def sealed(content=b'{"version":"1.0","state":"ENDED","later":1}'):
    iat = int(time.time())
    clear = {"id": "wh_1", "event_type": "WORKFLOW_COMPLETED", "timestamp": "2025-11-21T10:15:29.417Z", "account_id": "sb_1",
             "schema_version": "2025-11-21", "retry_count": 0}

    def encoded(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
    header, nonce = encoded(json.dumps({"alg": "dir", "enc": "A256GCM", "kid": "whk_1", **clear, "iat": iat}).encode()), os.urandom(12)
    text = AESGCM(base64.b64decode(SECRET)).encrypt(nonce, content, header.encode())
    token = ".".join([header, "", encoded(nonce), encoded(text[:-16]), encoded(text[-16:])])
    return json.dumps({**clear, "key_id": "whk_1", "data": token}).encode(), {"webhook-id": "wh_1", "webhook-timestamp": str(iat)}


class Receiving(unittest.TestCase):
    def test_a_repeat_is_dropped(self):
        processed, (body, headers) = set(), sealed()

        def opened(headers=headers):
            return verify_and_decrypt(body, headers, lambda account, key: SECRET, processed.__contains__)
        self.assertEqual(opened()["id"], "wh_1")
        processed.add("wh_1")
        self.assertIsNone(opened())
        with self.assertRaises(WebhookRefused) as raised:
            opened({})  # it is verified first
        self.assertEqual(raised.exception.status, 401)

    def test_a_receiver_processes_an_event_once(self):
        handled, errors, processed = [], [], MemoryProcessed()

        def handle(event):
            handled.append(event)
            if len(handled) == 1:
                raise RuntimeError("not today")
        receiver = Receiver(lambda account, key: SECRET, processed, handle, errors.append)
        self.assertEqual([receiver.receive(*sealed())[0] for _ in range(3)], [500, 204, 204])
        self.assertEqual((len(handled), len(errors)), (2, 1))
        self.assertEqual(handled[1]["data"], {"version": "1.0", "state": "ENDED", "later": 1})
        self.assertIs(processed.claim("wh_2"), Claim.CLAIMED)
        self.assertIs(processed.claim("wh_2"), Claim.IN_PROCESS)

    def test_a_receiver_gives_tests_to_a_handler_that_asks_for_them(self):
        example, handled = sealed(b'{"version":"1.0","workflow_id":"w_1","state":"ENDED","test":true}'), []
        for asked in ({}, {"tests": False}, {"tests": True}):
            receiver = Receiver(lambda account, key: SECRET, MemoryProcessed(), handled.append, **asked)
            self.assertEqual(receiver.receive(*example), (204, ""))
        self.assertEqual([(event["test"], event.get("workflow_id")) for event in handled], [(True, None)], "the workflow of a test does not exist")
        self.assertNotIn("test", verify_and_decrypt(*sealed(), lambda *_: SECRET, lambda _: False))

    def test_a_receiver_refuses_coroutine_functions(self):
        async def handle(event):
            raise AssertionError("nobody awaits this")
        errors, processed = [], MemoryProcessed()
        self.assertEqual(Receiver(lambda *_: SECRET, processed, handle, errors.append).receive(*sealed())[0], 500)
        self.assertRegex(str(errors), "needs an AsyncReceiver")
        self.assertIs(processed.claim("wh_1"), Claim.CLAIMED, "the event was released")

    def test_an_asynchronous_receiver_awaits_what_it_is_given(self):
        class Table(MemoryProcessed):
            async def claim(self, event_id):
                await asyncio.sleep(0)
                return super().claim(event_id)

            async def done(self, event_id):
                await asyncio.sleep(0)
                super().done(event_id)

            async def release(self, event_id):
                await asyncio.sleep(0)
                super().release(event_id)

        async def secret(account, key):
            await asyncio.sleep(0)
            return SECRET
        handled, errors = [], []

        async def handle(event):
            await asyncio.sleep(0)
            handled.append(event["id"])
            if len(handled) == 1:
                raise RuntimeError("not today")

        async def on_error(error):
            await asyncio.sleep(0)
            errors.append(str(error))
            raise RuntimeError("the log is full")

        async def run(secrets, processed, handle):
            receiver = AsyncReceiver(secrets, processed, handle, on_error)
            return [(await receiver.receive(*sealed()))[0] for _ in range(3)]
        self.assertEqual(asyncio.run(run(secret, Table(), handle)), [500, 204, 204])
        self.assertEqual((handled, errors), (["wh_1", "wh_1"], ["not today"]))
        self.assertEqual(asyncio.run(run(lambda *_: SECRET, MemoryProcessed(), handled.append)), [204, 204, 204], "functions need not be asynchronous")
        self.assertEqual(len(handled), 3)

    def test_an_asynchronous_receiver_releases_an_event_whose_task_is_canceled(self):
        async def run():
            processed, began = MemoryProcessed(), asyncio.Event()

            async def handle(event):
                began.set()
                await asyncio.Event().wait()
            task = asyncio.create_task(AsyncReceiver(lambda *_: SECRET, processed, handle).receive(*sealed()))
            await began.wait()
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            return processed.claim("wh_1")
        self.assertIs(asyncio.run(run()), Claim.CLAIMED)

    def test_an_asynchronous_receiver_is_an_asgi_application(self):
        receiver = AsyncReceiver(lambda account, key: SECRET, MemoryProcessed(), lambda event: None)

        def send(body, headers, method="POST", gone=False):
            sent = []
            parts = [{"type": "http.request", "body": body[:9], "more_body": True},
                     {"type": "http.disconnect"} if gone else {"type": "http.request", "body": body[9:]}]

            async def receive():
                return parts.pop(0)

            async def answer(message):
                sent.append(message)
            scope = {"type": "http", "method": method, "headers": [(name.encode(), value.encode()) for name, value in headers.items()]}
            asyncio.run(receiver(scope, receive, answer))
            return sent[0]["status"], sent[1]["body"]
        self.assertEqual(send(*sealed()), (204, b""))
        self.assertEqual(send(b"{}", {}), (400, b"the body is not a webhook\n"))
        self.assertEqual(send(b"", {}, "GET"), (405, b"webhooks are sent with POST\n"))
        self.assertEqual(send(b" " * (2 << 20), {})[0], 413)
        self.assertEqual(send(*sealed(), gone=True)[0], 400)
        with self.assertRaises(ValueError):  # a server takes it for an application without a lifespan
            asyncio.run(receiver({"type": "lifespan"}, None, None))

    def test_a_receiver_answers_whatever_on_error_does(self):
        def fail(*_):
            raise RuntimeError("not today")
        self.assertEqual(Receiver(lambda account, key: SECRET, MemoryProcessed(), fail, fail).receive(*sealed())[0], 500)

    def test_a_body_that_a_framework_has_read(self):
        errors = []
        receiver = Receiver(lambda account, key: SECRET, MemoryProcessed(), lambda event: None, errors.append)
        body, headers = sealed()
        for given in (body, body.decode(), bytearray(body), memoryview(body)):
            self.assertEqual(receiver.receive(given, headers), (204, ""))
        for given in (json.loads(body), None, [body]):
            status, text = receiver.receive(given, headers)
            self.assertEqual(status, 500)
            self.assertRegex(text, "pass the raw body.*get_data")
            self.assertIsInstance(errors.pop(), TypeError)
            self.assertRaisesRegex(TypeError, "pass the raw body", verify_and_decrypt, given, headers, lambda *_: SECRET, lambda _: False)
        self.assertEqual(receiver.receive("", headers)[0], 400)
        self.assertRegex(receiver.receive(b"", headers)[1], "the body is empty.*raw body")
        self.assertEqual(receiver.receive("\ud800", headers)[0], 400)
        self.assertEqual(receiver.receive("é" * (1 << 20), headers)[0], 413)

    def test_a_receiver_is_a_wsgi_application(self):
        receiver, statuses = Receiver(lambda account, key: SECRET, MemoryProcessed(), lambda event: None), []

        def send(body, headers, method="POST"):
            environ = {"REQUEST_METHOD": method, "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body)}
            environ.update({"HTTP_" + name.upper().replace("-", "_"): value for name, value in headers.items()})
            receiver(environ, lambda status, headers: statuses.append(int(status.split()[0])))
        send(*sealed())
        send(b"{}", {})
        send(b"", {}, "GET")
        send(b" " * (2 << 20), {})
        self.assertEqual(statuses, [204, 400, 405, 413])

    def test_a_body_in_chunks_is_read_where_the_server_says_that_it_ends(self):
        class Parts(io.RawIOBase):
            """Gives less than it is asked for, as some servers do."""

            def __init__(self, body):
                self.whole, self.given = io.BytesIO(body), 0

            def readable(self):
                return True

            def readinto(self, into):
                part = self.whole.read(min(len(into), 100_000))
                into[:len(part)] = part
                self.given += len(part)
                return len(part)
        answers, (body, headers) = [], sealed()
        receiver = Receiver(lambda account, key: SECRET, MemoryProcessed(), lambda event: None)
        for given, more in ((body, {"wsgi.input_terminated": True}), (b" " * (2 << 20), {"wsgi.input_terminated": True}), (body, {}),
                            (body, {"wsgi.input_terminated": False}), (body, {"CONTENT_LENGTH": str(len(body))})):
            parts = Parts(given)
            environ = {"REQUEST_METHOD": "POST", "HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input": parts, **more}
            environ.update({"HTTP_" + name.upper().replace("-", "_"): value for name, value in headers.items()})
            receiver(environ, lambda status, headers: answers.append(int(status.split()[0])))
            self.assertLessEqual(parts.given, 1 << 20 | 1)
        self.assertEqual(answers, [204, 413, 411, 411, 204])


if __name__ == "__main__":
    unittest.main()
