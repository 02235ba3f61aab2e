"""What type checkers prove: a comparison of event_type with a name gives data the type of that event, and one handler takes both sources."""
import pathlib
import shutil
import subprocess
import unittest

HERE = pathlib.Path(__file__).resolve().parent
CHECKED = HERE / "typed.py"


class Types(unittest.TestCase):
    @unittest.skipUnless(shutil.which("mypy"), "apt-get install mypy")
    def test_the_types_of_events(self):
        checked = subprocess.run(
            ["mypy", "--strict", "--follow-imports=silent", "--cache-dir=/dev/null", str(CHECKED)], cwd=HERE.parent, capture_output=True, text=True,
        )
        found = [line.split(":")[1] for line in checked.stdout.splitlines() if " error: " in line]
        wrong = [str(number) for number, line in enumerate(CHECKED.read_text("utf-8").splitlines(), 1) if line.endswith("# wrong")]
        self.assertEqual(found, wrong, checked.stdout + checked.stderr)


if __name__ == "__main__":
    unittest.main()
