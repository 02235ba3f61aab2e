#!/usr/bin/env python3
"""Verify an export of decisions, and digests that were received: verify.py EXPORT [RECEIVED].
docs/decision-record.md describes the form. It needs only Python's standard library."""
import hashlib, json, string, sys, time
FIELDS = """decision_id workflow_id number kind outcome decided_at previous_at as_of user_id user_type trace_id rule_version_id
    rule_set_sha256 pricing_version_id pricing_model_sha256 same_as changes results personal_sha256 previous_digest""".split()
KNOWN = {*FIELDS, "digest", "personal", "salt", "fingerprint"}
problems, received, seen, ended = [], {}, set(), set()
def say(d, text): problems.append(f"workflow {d['workflow_id']}, decision {d['number']} ({d['decision_id']}): {text}")
def sha256(*pairs):  # of lines NAME=LENGTH:VALUE, with the length in bytes; NAME= where there is no value
    lines = [f"{name}={len(value.encode())}:{value}\n" if value else f"{name}=\n" for name, value in pairs]
    return hashlib.sha256("".join(lines).encode()).hexdigest()
def check_decision(d):
    get = lambda name: str(d.get(name, ""))
    if sha256(*((name, get(name)) for name in FIELDS)) != get("digest"): say(d, "was changed: its digest is another")
    if received.get(get("decision_id"), get("digest")).lower() != get("digest"): say(d, "another digest was received")
    content = [("kind", get("kind")), ("outcome", get("outcome")), ("rules", get("rule_version_id")), ("prices", get("pricing_version_id"))]
    personal, content = get("personal"), [*content, ("results", get("results")), ("personal", get("personal"))]
    if get("fingerprint") != (personal and sha256(*content)): say(d, "was changed: its fingerprint is another")
    if personal and get("personal_sha256") != hashlib.sha256(bytes.fromhex(get("salt")) + personal.encode()).hexdigest():
        say(d, "was changed: its personal part is not the one that was recorded")

def check_workflow(decisions, end):
    last, unerased, complete = None, [], {}
    for d in decisions:
        check_decision(d)
        place = d["number"], d.get("previous_digest"), d.get("previous_at")
        if last and (place != (last["number"] + 1, last.get("digest"), last["decided_at"]) or d["decided_at"] < last["decided_at"]):
            say(d, f"does not follow decision {last['number']}: decisions were removed, inserted or moved")
        if not last and place != (1, None, None) and d.get("previous_at", "9")[:7] >= begins:
            say(d, "is not the first: decisions before it were removed, although they are to be kept")
        if d.get("kind") == "ERASURE": unerased = []
        elif "same_as" not in d:
            complete[d["decision_id"]] = d["decided_at"][:7]
            unerased += [d] if "personal" not in d else []
        elif complete.get(d["same_as"]) != d["decided_at"][:7] and (d["same_as"] in complete or d["decided_at"][:7] >= begins): say(d, f"refers to {d['same_as']}, no earlier one of its month")
        last = d
    for d in unerased: say(d, "its personal part was removed without an erasure")
    if end != {"workflow_id": last["workflow_id"], "number": last["number"], "digest": last.get("digest")}:
        say(last, "is not the last one of its workflow: decisions or the line with the end were removed, inserted or moved")
    ended.add(last["workflow_id"])
    return []

def made(decision):  # ids begin with their time
    digits, number = string.digits + string.ascii_uppercase + string.ascii_lowercase, 0
    for digit in decision[4:]: number = number * 62 + digits.index(digit)
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime((number >> 80) // 1000))
def read(text):  # the object of a line; empty for what is no line of an export
    try:
        line = json.loads(text)
        if "decision_id" in line and not ({"workflow_id", "decided_at"} <= set(line) <= KNOWN and type(line["number"]) is int): return {}
        bytes.fromhex(line.get("salt", ""))
        return line
    except (ValueError, TypeError, KeyError, AttributeError): return {}

receive = lambda o: received.update({o["decision_id"]: o["digest"]} if {"decision_id", "digest"} <= o.keys() else {}) or o
if len(sys.argv) not in (2, 3): sys.exit(__doc__)
rest = open(sys.argv[2], encoding="utf-8").read().strip() if len(sys.argv) > 2 else ""
while rest:  # lines DECISION_ID DIGEST, or JSON with objects that have both
    length = json.JSONDecoder(object_hook=receive).raw_decode(rest)[1] if rest[0] in "{[" else len(rest.split("\n")[0])
    if rest[0] not in "{[": received.update([rest[:length].split()])
    rest = rest[length:].strip()
decisions, summary, count = [], None, 0
for number, line in enumerate(map(read, open(sys.argv[1], "rb")), 1):
    if number == 1 and line.get("export") != 1: sys.exit("the file is no export of decisions")
    if number == 1: begins, exported = max(line["kept_since"], line.get("since", ""))[:7], line["exported_at"][:19] + "Z"; continue
    same = decisions and decisions[0]["workflow_id"] == line.get("end", line).get("workflow_id")
    if decisions and (not same or "end" in line): decisions = check_workflow(decisions, line.get("end") if same else None)
    elif "end" in line: problems.append(f"line {number}: the decisions of this workflow were removed or moved")
    if "decision_id" in line and not summary:
        if line["workflow_id"] in ended: say(line, "was inserted or moved: it comes after the end of its workflow")
        decisions.append(line); seen.add(line["decision_id"]); count += 1
    elif "summary" in line and not summary: summary = line["summary"]
    elif "end" not in line or summary: problems.append(f"line {number}: was changed, inserted, moved or cut off")
if decisions: check_workflow(decisions, None)
if summary != {"workflows": len(ended), "decisions": count}: problems.append("lines were removed or inserted: the summary is another")
problems += [f"decision {d}: was received, and is not in the record: it was removed" for d in set(received) - seen if begins <= made(d)[:7] and made(d) <= exported]
print(*problems, f"{len(problems)} problem(s): {count} decision(s) of {len(ended)} workflow(s), {len(seen & set(received))} of "
      f"{len(received)} received digest(s) found", sep="\n")
sys.exit(bool(problems))
