"""Runs the code of README.md. The program of the quickstart is run against a service elsewhere."""
import asyncio
import contextlib
import io
import pathlib
import re
import unittest
from unittest import mock

from test_client import DONE, client, refusal, sealed, SECRET

import requisite

README = (pathlib.Path(__file__).resolve().parent.parent / "README.md").read_text("utf-8")


class Readme(unittest.TestCase):
    def run_block(self, section, number=0, **names):
        """Runs a block of a section. Returns the names that it knows then, and what it printed."""
        text = README.split(f"## {section}\n")[1].split("\n## ")[0]
        block = re.findall(r"(?ms)^```python\n(.*?)^```$", text)[number]
        names, printed = {"requisite": requisite, **names}, io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, f"README.md, {section}", "exec"), names)
        return names, printed.getvalue()

    def test_every_block_is_run(self):
        self.assertEqual(len(re.findall("(?m)^```python$", README)), 1 + 5)

    def test_use(self):
        listed = (200, {**DONE, "data": {"workflows": [{"workflow_id": "w_1", "state": "STARTED"}], "next": None}}, {})
        of, service = client(listed, (200, {**DONE, "data": {}}, {}))
        made = of._http()
        with mock.patch("httpx.Client", lambda **_: made):
            _, printed = self.run_block("Use", base_url="https://api.example.com", api_key="sb_k", secret_key="c2VjcmV0", auth_token="token",
                                        account_id="sb_1", business_id="b_1")
        self.assertEqual(printed, "w_1 STARTED\n")
        self.assertEqual(service.seen[1].content, b'{"business":{"website":null},"business_id":"b_1"}')
        self.assertEqual(service.seen[1].headers["Idempotency-Key"], "order-4711")

    def test_asyncio(self):
        listed = (200, {**DONE, "data": {"workflows": [{"workflow_id": "w_1", "state": "STARTED"}], "next": None}}, {})
        made = client(listed, asynchronous=True)[0]._client._client
        names, _ = self.run_block("Use", 1, base_url="https://api.example.com", api_key="sb_k", secret_key="c2VjcmV0", auth_token="token", account_id="sb_1")
        with mock.patch("httpx.AsyncClient", lambda **_: made):
            self.assertEqual(asyncio.run(names["states"]()), ["STARTED"])

    def test_errors(self):
        made, _ = client((400, refusal(code="MISSING_REQUIREMENTS", entity_type="Workflow", entity_id="w_1", details=[{"message": "State it."}]), {"Requisite-Decision-Id": "dec_1"}))
        _, printed = self.run_block("Errors", client=made, workflow_id="w_1")
        self.assertEqual(printed, "MISSING_REQUIREMENTS None Workflow w_1 400 trc_2 dec_1\n")

    def test_webhooks(self):
        body, headers = sealed()
        names, _ = self.run_block("Webhooks", 0, load_secret=lambda account, key: SECRET, my_table=requisite.MemoryProcessed())
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(names["receiver"].receive(body, headers)[0], 204)
        for secret, seen, status, count in ((SECRET, False, 200, 1), (SECRET, True, 200, 0), (None, False, 401, 0)):
            processed = []
            names, _ = self.run_block("Webhooks", 1, body=body, headers=headers, load_secret=lambda *_: secret, seen=lambda _: seen, process=processed.append)
            self.assertEqual((names["status"], len(processed)), (status, count))


if __name__ == "__main__":
    unittest.main()
