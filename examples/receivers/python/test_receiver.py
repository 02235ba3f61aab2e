import base64
import json
import pathlib
import unittest

from receiver import Refusal, open_webhook

VECTORS = pathlib.Path(__file__).resolve().parents[3] / "docs" / "webhook-vectors.json"


class Vectors(unittest.TestCase):
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


if __name__ == "__main__":
    unittest.main()
