"""Plays the scenario of e2e/guide against a running service, which the environment names."""
import asyncio
import json
import os
import pathlib
import sys
import threading
from decimal import Decimal
from wsgiref.simple_server import WSGIRequestHandler, make_server

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import requisite
from test_client import Blocking

scenario = json.loads(pathlib.Path(os.environ["REQUISITE_SCENARIO"]).read_text("utf-8"), parse_float=Decimal)
variables = scenario["variables"]
credential = [os.environ["REQUISITE_" + name] for name in ("BASE_URL", "API_KEY", "SECRET_KEY", "AUTH_TOKEN")]
if os.environ.get("REQUISITE_ASYNCIO"):
    client = Blocking(requisite.AsyncClient(*credential), asyncio.Runner().run)
else:
    client = requisite.Client(*credential)
secrets, received, errors, arrived = {}, set(), [], threading.Condition()


def handle(event):
    assert event["data"]["version"] == "1.0", event
    with arrived:
        received.add(event["event_type"] + (" as a test" if event.get("test") else ""))
        arrived.notify_all()


receiver = requisite.Receiver(lambda account, key: secrets.get((account, key)), requisite.MemoryProcessed(), handle, errors.append, tests=True)


def application(environ, start_response):
    if environ["PATH_INFO"] == "/webhooks":
        return receiver(environ, start_response)
    start_response("204 No Content" if environ["PATH_INFO"] == "/working" else "500 Internal Server Error", [])
    return [b""]


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


server = make_server("127.0.0.1", 0, application, handler_class=Quiet)
threading.Thread(target=server.serve_forever, daemon=True).start()
variables["receiver_url"] = f"http://127.0.0.1:{server.server_port}/webhooks"
variables["failing_url"] = f"http://127.0.0.1:{server.server_port}/failing"
variables["working_url"] = f"http://127.0.0.1:{server.server_port}/working"


def filled(value):
    if isinstance(value, str) and value.startswith("$"):
        return variables[value[1:]]
    if isinstance(value, list):
        return [filled(one) for one in value]
    if isinstance(value, dict):
        return {name: filled(one) for name, one in value.items()}
    return value


def at(data, path):
    for name in path.split("."):
        data = data[int(name)] if isinstance(data, list) else data[name]
    return data


def play(step):
    arguments = filled(step["request"])
    if "all" in step:
        page = arguments.pop("page")
        return list(getattr(client, requisite.OPERATIONS[step["all"]] + "_all")(**arguments, page_size=page["limit"], after=page.get("after"))), []
    answer = getattr(client, requisite.OPERATIONS[step["call"]])(**arguments, sandbox_answer=step.get("sandbox_answer"))
    return answer.data, answer.meta.get("warnings", [])


operations = []
for step in scenario["steps"]:
    if "await" in step:
        wanted = set(filled(step["await"]))
        with arrived:
            while not wanted <= received:  # without limit: the test stops this program
                print("waits for", wanted - received, file=sys.stderr, flush=True)
                arrived.wait()
        continue
    name = step.get("call") or step["all"]
    if "refused" in step:
        want = step["refused"]
        try:
            play(step)
        except requisite.RequisiteError as error:
            assert error.code == want["code"] and error.sub_code == want.get("sub_code"), (name, error)
            assert error.trace_id.startswith("trc_") and len(error.gaps) == want.get("gaps", 0), (name, error)
            assert [p["field"] for p in error.problems] == ([want["field"]] if "field" in want else []), (name, error)
            continue
        raise AssertionError(f"{name} was not refused")
    if "lost" in step:
        try:
            play(step)
        except requisite.SecretLost as error:
            variables[step["lost"]] = error.key_id
            continue
        raise AssertionError(f"{name} lost no secret")
    data, warnings = play(step)
    if "warns" in step:
        assert [w["code"] for w in warnings] == [step["warns"]], (name, warnings)
    operations.append(name)
    if "count" in step:
        assert len(data) == step["count"], (name, data)
    for variable, path in step.get("save", {}).items():
        variables[variable] = at(data, path)
    if step.get("secret"):
        secrets[variables["account_id"], data["key_id"]] = data["shared_secret"]
server.shutdown()
assert not errors, errors
pathlib.Path(os.environ["REQUISITE_SUMMARY"]).write_text(json.dumps({"operations": operations, "events": sorted(received)}))
