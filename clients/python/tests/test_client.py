"""The vectors and known answers, repeats, refusals and pages of the client."""
import base64
import email.message
import email.utils
import http.server
import inspect
import io
import json
import os
import pathlib
import sys
import threading
import time
import traceback
import unittest
import urllib.error
from decimal import Decimal
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from requisite import Claim, Client, MemoryProcessed, NoAnswerError, OPERATIONS, Receiver, RequisiteError, Retry, Signer, WebhookRefused, verify_and_decrypt
from requisite._base import encode
from requisite._calls import PAGED

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
                    self.assertEqual({name: getattr(event, name) for name in v["event"]}, v["event"])

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
    """Stands for an opener of urllib: answers one request after the other."""

    def __init__(self, *answers):
        self.answers, self.seen = list(answers), []

    def open(self, request, timeout):
        self.seen.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        status, body, headers = answer
        message = email.message.Message()
        for name, value in headers.items():
            message[name] = value
        content = io.BytesIO((body if isinstance(body, str) else json.dumps(body)).encode())
        if status >= 300:
            raise urllib.error.HTTPError(request.full_url, status, "", message, content)
        content.status, content.headers = status, message
        return content


def client(*answers):
    opener = Answers(*answers)
    return Client("https://api.example.com/v1/", "sb_k", "c2VjcmV0", "token", retry=Retry(4, 0, 0.01), opener=opener), opener


def refusal(**entry):
    return {"meta": {"status": "ERROR", "trace_id": "trc_2", "version": "v"}, "errors": [{"message": "m", **entry}]}


DONE = {"meta": {"status": "SUCCESS", "trace_id": "trc_1", "version": "v", "later": 1}, "data": {"business_id": "b_1", "later": [{}]}}
UNAVAILABLE = refusal(code="UNAVAILABLE")


class Calls(unittest.TestCase):
    def test_a_request_is_repeated_with_its_key_and_a_new_nonce(self):
        c, opener = client((503, UNAVAILABLE, {"Retry-After": "0"}), ConnectionResetError(), (502, "<html>", {}), (200, DONE, {}))
        answer = c.business_create(account_id="sb_1", business={"legal_name": "A", "email": None})
        self.assertEqual((answer.data["business_id"], answer.meta["trace_id"]), ("b_1", "trc_1"))
        self.assertEqual(len(opener.seen), 4)
        self.assertEqual(len({r.get_header("X-api-nonce") for r in opener.seen}), 4)
        self.assertEqual(len({r.get_header("Idempotency-key") for r in opener.seen}), 1)
        for r in opener.seen:
            self.assertEqual(r.full_url, "https://api.example.com/v1/business.create")
            self.assertEqual(r.data, b'{"account_id":"sb_1","business":{"legal_name":"A","email":null}}')
            self.assertTrue(r.get_header("X-api-signed-elements").endswith(";Idempotency-Key"))

    def test_a_key_that_cannot_be_one_is_not_sent(self):
        for key in ("", " ", "a ", "\n", "a\n", "é", "k" * 256):
            c, opener = client()
            with self.assertRaisesRegex(ValueError, "printable ASCII"):
                c.business_create(account_id="sb_1", business={"legal_name": "A"}, idempotency_key=key)
            self.assertEqual(opener.seen, [])
        c, opener = client((200, DONE, {}))
        c.business_create(account_id="sb_1", business={"legal_name": "A"}, idempotency_key="order 7, " + "k" * 246)
        self.assertEqual(len(opener.seen), 1)

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

        with http.server.HTTPServer(("127.0.0.1", 0), Cut) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            c = Client(f"http://127.0.0.1:{server.server_port}", "sb_k", "c2VjcmV0", "token", retry=Retry(4, 0, 0.01))
            answer = c.business_create(account_id="sb_1", business={"legal_name": "A"})
            server.shutdown()
        self.assertEqual(answer.data["business_id"], "b_1")
        self.assertEqual((len(sent), len(set(sent))), (2, 1))

    def test_repeating_is_bounded(self):
        c, opener = client(*[(503, UNAVAILABLE, {})] * 4)
        with self.assertRaises(RequisiteError) as raised:
            c.meta_check_version()
        self.assertEqual((raised.exception.code, raised.exception.trace_id, raised.exception.http_status), ("UNAVAILABLE", "trc_2", 503))
        self.assertEqual(len(opener.seen), 4)
        self.assertIsNone(opener.seen[0].get_header("Idempotency-key"))
        c, opener = client((429, refusal(code="TOO_MANY_REQUESTS"), {"Retry-After": "3"}))
        with self.assertRaises(RequisiteError) as raised:
            c.meta_check_version()
        self.assertEqual(raised.exception.retry_after, 3)

    def in_time(self, retry, *answers):
        """Sends one request on a clock that waits make go on. Returns when each attempt came, in seconds."""
        clock, at = mock.Mock(now=1_800_000_000.0), []
        clock.time = clock.monotonic = lambda: clock.now
        clock.sleep = lambda seconds: setattr(clock, "now", clock.now + seconds)
        c, opener = client(*answers)
        c._retry, answer = retry, opener.open

        def opened(request, timeout):
            at.append(clock.now - 1_800_000_000)
            return answer(request, timeout)
        opener.open = opened
        with mock.patch("requisite._base.time", clock):
            try:
                c.meta_check_version()
            except (RequisiteError, NoAnswerError):
                pass
        self.assertEqual(len({r.get_header("X-api-nonce") for r in opener.seen}), len(at))
        return at

    def test_each_wait_is_twice_as_long_and_partly_random(self):
        busy = (503, UNAVAILABLE, {})
        at = self.in_time(Retry(), busy, ConnectionResetError(), busy, busy, busy)
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

    def test_a_refusal_is_typed_and_not_repeated(self):
        c, opener = client(
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
        self.assertEqual(opener.seen[0].get_header("Idempotency-key"), "mine")

    def test_all_pages_are_read(self):
        def page(ids, next):
            return 200, {**DONE, "data": {"workflows": [{"workflow_id": i} for i in ids], "next": next}}, {}
        c, opener = client(page(["w_1", "w_2"], "m1"), page(["w_3"], None))
        self.assertEqual([w["workflow_id"] for w in c.workflow_list_all(account_id="sb_1", page_size=2)], ["w_1", "w_2", "w_3"])
        self.assertEqual(json.loads(opener.seen[1].data)["page"], {"limit": 2, "after": "m1"})
        c, opener = client(page(["w_3"], None))
        self.assertEqual([w["workflow_id"] for w in c.workflow_list_all(account_id="sb_1", after="m1")], ["w_3"])
        self.assertEqual(json.loads(opener.seen[0].data)["page"], {"after": "m1"})

    def test_every_list_with_pages_has_an_iterator(self):
        self.assertGreaterEqual(len(PAGED), 5)
        for operation, items in PAGED.items():
            c, opener = client((200, {**DONE, "data": {items: [{}, {}], "next": "m1"}}, {}), (200, {**DONE, "data": {items: [{}], "next": None}}, {}))
            method = getattr(c, OPERATIONS[operation] + "_all")
            required = {p.name: "x" for p in inspect.signature(method).parameters.values() if p.default is p.empty}
            self.assertEqual(len(list(method(**required))), 3, operation)
            self.assertEqual(json.loads(opener.seen[1].data)["page"], {"after": "m1"}, operation)

    def test_a_feed_ends_when_it_has_caught_up(self):
        def page(ids, next, caught_up):
            return 200, {**DONE, "data": {"events": [{"event_id": i} for i in ids], "next": next, "caught_up": caught_up}}, {}
        c, _ = client(page([], "m1", False), page(["wh_1"], "m2", True))
        self.assertEqual([e["event_id"] for e in c.webhook_event_list_all(account_id="sb_1", order="OLDEST_FIRST")], ["wh_1"])

    def test_numbers_are_exact(self):
        self.assertEqual(encode({"a": [Decimal("9999999999999.99"), Decimal("1E+2"), 33.33, 1, True, None, "é"]}),
                         '{"a":[9999999999999.99,100,33.33,1,true,null,"\\u00e9"]}')
        c, _ = client((200, json.dumps({**DONE, "data": {}}).replace('"data": {}', '"data": {"value": 0.10}'), {}))
        self.assertEqual(str(c.meta_check_version().data["value"]), "0.10")
        for wrong in (float("nan"), Decimal("Infinity")):
            self.assertRaises(ValueError, encode, wrong)

    def test_a_base_url_that_is_none_is_told_at_once(self):
        for base_url in ("", "api.example.com", "ftp://api.example.com", "https://", "https://api.example.com\n", " https://api.example.com"):
            with self.subTest(base_url):
                self.assertRaisesRegex(ValueError, "^the base URL must be the address of the API, such as", Client, base_url, "sb_k", "c2VjcmV0", "t")


SECRET = "+9bSQ4sROs7wz6Z0gYpeF97a6q5stt73M/v6yMYgzgM="


def sealed():
    iat = int(time.time())
    clear = {"id": "wh_1", "event_type": "WORKFLOW_COMPLETED", "timestamp": "2025-11-21T10:15:29.417Z", "account_id": "sb_1",
             "schema_version": "2025-11-21", "retry_count": 0}

    def encoded(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
    header, nonce = encoded(json.dumps({"alg": "dir", "enc": "A256GCM", "kid": "whk_1", **clear, "iat": iat}).encode()), os.urandom(12)
    text = AESGCM(base64.b64decode(SECRET)).encrypt(nonce, b'{"version":"1.0","state":"ENDED","later":1}', header.encode())
    token = ".".join([header, "", encoded(nonce), encoded(text[:-16]), encoded(text[-16:])])
    return json.dumps({**clear, "key_id": "whk_1", "data": token}).encode(), {"webhook-id": "wh_1", "webhook-timestamp": str(iat)}


class Receiving(unittest.TestCase):
    def test_a_repeat_is_dropped(self):
        processed, (body, headers) = set(), sealed()

        def opened(headers=headers):
            return verify_and_decrypt(body, headers, lambda account, key: SECRET, processed.__contains__)
        self.assertEqual(opened().id, "wh_1")
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
        self.assertEqual(handled[1].data, {"version": "1.0", "state": "ENDED", "later": 1})
        self.assertIs(processed.claim("wh_2"), Claim.CLAIMED)
        self.assertIs(processed.claim("wh_2"), Claim.IN_PROCESS)

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


if __name__ == "__main__":
    unittest.main()
