import base64
import json
import pathlib
import unittest
import unittest.mock

from receiver import Refusal, open_webhook, process_once

VECTORS = pathlib.Path(__file__).resolve().parents[3] / "docs" / "webhook-vectors.json"


class Receiver(unittest.TestCase):
    def test_vectors(self):
        file = json.loads(VECTORS.read_text(encoding="utf-8"))
        self.assertTrue(file["vectors"])

        def secret(account_id, key_id):
            try:
                return base64.b64decode(file["keys"][f"{account_id}/{key_id}"])
            except KeyError:
                raise Refusal(401, "unknown key") from None

        for vector in file["vectors"]:
            with self.subTest(vector["name"]):
                arguments = vector["body"].encode(), vector["headers"], vector["now"], secret
                if vector["accepted"]:
                    self.assertEqual(open_webhook(*arguments), vector["event"])
                else:
                    self.assertRaises(Refusal, open_webhook, *arguments)

    @unittest.mock.patch("receiver.process")
    def test_an_event_is_done_only_when_it_has_been_processed(self, process):
        event = {"id": "wh_1"}
        process.side_effect = OSError("the database is away")
        self.assertRaises(OSError, process_once, event)

        def while_in_hand(_):
            with self.assertRaises(Refusal) as refused:
                process_once(event)
            self.assertEqual(refused.exception.status, 409)

        process.side_effect = while_in_hand
        self.assertEqual(process_once(event), 204)
        process.side_effect = OSError("not called")
        self.assertEqual(process_once(event), 200)


if __name__ == "__main__":
    unittest.main()
