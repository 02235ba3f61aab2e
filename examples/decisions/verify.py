#!/usr/bin/env python3
"""Verify an export of decisions, and digests that were received: verify.py EXPORT [RECEIVED].
docs/decision-export.md describes the form. It needs only Python's standard library."""
import hashlib, json, string, sys, time, unicodedata
FIELDS = """decision_id workflow_id business_id number kind outcome decided_at previous_at as_of user_id user_type trace_id rule_version_id
    rule_set_sha256 pricing_version_id pricing_model_sha256 changes results personal_sha256 previous_digest""".split()
VERSION = """version_id version content effective_from applies_to keep_approvals proposed_by proposed_by_type proposed_at proposal_comment
    approved_by approved_by_type approved_at published_by published_at comment""".split()
PRICES = "version_id version content published_by published_at".split()  # all that form 1 has
# Default_Ignorable_Code_Point, first and last
INVISIBLE = [(int(r.split("-")[0], 16), int(r.split("-")[-1], 16)) for r in """ad 34f 61c 115f-1160 17b4-17b5 180b-180f 200b-200f 202a-202e
    2060-206f 3164 fe00-fe0f feff ffa0 fff0-fff8 1bca0-1bca3 1d173-1d17a e0000-e0fff""".split()]
DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase
WRONG = ValueError, KeyError, TypeError, AttributeError, RecursionError
problems, received, seen, ended, erased, living, versions, told = [], {}, set(), set(), set(), [], {}, set()
def say(d, text): problems.append(f"workflow {d['workflow_id']}, decision {d['number']} ({d['decision_id']}): {text}")
def sha256(*pairs):  # of lines NAME=LENGTH:VALUE, with the length in bytes; NAME= where there is no value
    lines = [f"{name}={len(value.encode())}:{value}\n" if value else f"{name}=\n" for name, value in pairs]
    return hashlib.sha256("".join(lines).encode()).hexdigest()
def is_id(text, *prefixes):
    prefix, _, digits = text.partition("_")
    return prefix in prefixes and 20 <= len(digits) <= 22 and set(digits) <= set(DIGITS) and digits[0] != "0"
def made(name):  # ids begin with their time
    number = 0
    for digit in name[4:]: number = number * 62 + DIGITS.index(digit)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime((number >> 80) // 1000)) + f".{(number >> 80) % 1000:03}000Z"
def version_hash(v):  # form 1 is of the content alone
    return sha256(*((name, str(v.get(name, ""))) for name in VERSION)) if v["form"] == 2 else hashlib.sha256(v["content"].encode()).hexdigest()
def folded(name):  # one name in two forms is one person
    for _ in "twice":
        visible = "".join(c for c in name if not any(first <= ord(c) <= last for first, last in INVISIBLE))
        name = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold())
    return name.split()
def contradictions(v):  # fields that cannot be true beside each other, or that the form does not have
    get, at = lambda name: v.get(name, ""), made(v["version_id"])
    published, two = get("published_at"), [get(name) for name in VERSION[6:13]]
    approved = v["form"] == 2 and any(two)
    return [text for text, wrong in ((f"its id was made at {at}, which is not published_at", published[:23] + published[26:] != at[:23] + "Z" or not set(published[23:26]) <= set(string.digits)),
        *((f"it is of form 1, which has no {name}", name not in PRICES and v["form"] == 1) for name in VERSION if get(name)),
        ("it has only a part of a proposal and its approval", approved and "" in two),
        ("published_by is not proposed_by", approved and get("published_by") != get("proposed_by")),
        ("approved_at is not published_at", approved and get("approved_at") != published),
        ("approved_by is proposed_by", approved and folded(get("approved_by")) == folded(get("proposed_by"))),
        ("neither who proposed nor who approved is a credential", approved and "API_KEY" not in (get("proposed_by_type"), get("approved_by_type")))) if wrong]
def check_version(d, of, used, stated):  # each is reported once
    form, has = versions.get(used, (2, ""))
    if has == stated and form == (2 if of == "rules" else 1) or (used, stated) in told: return
    told.add((used, stated))
    what = f"changed: its {'fields have' if form == 2 else 'content has'} the SHA-256 {has}, and the decision names {stated}"
    if has == stated: what = f"changed: it is of form {form}"
    say(d, f"version {used} of the {of} was {what if has else 'removed or moved: it does not come before'}")
def check_decision(d):
    get = lambda name: str(d.get(name, ""))
    if sha256(*((name, get(name)) for name in FIELDS), *[("sandbox_today", "true")] * ("sandbox_today" in d)) != get("digest"): say(d, "was changed: its content has another digest than it states")
    if received.get(get("decision_id"), get("digest")) != get("digest"): say(d, "is not the one that was answered: the received digest is another")
    if made(d["decision_id"])[:23] != d["decided_at"][:23]: say(d, f"was changed: its id was made at {made(d['decision_id'])}")
    if d["decided_at"] < since: say(d, f"was decided at {d['decided_at']}, before the export begins")
    personal, complete = get("personal"), get("kind") != "ERASURE"
    content = [("kind", get("kind")), ("outcome", get("outcome")), ("rules", get("rule_version_id")), ("prices", get("pricing_version_id")), ("results", get("results"))]
    if {"results" in d, "personal_sha256" in d} != {complete} or {"salt" in d, "fingerprint" in d} != {"personal" in d} or personal and not complete:
        say(d, "was changed: it has fields that do not belong together")
    elif personal and get("fingerprint") != sha256(*content, ("personal", personal)): say(d, "was changed: its fingerprint is not that of its content")
    if personal and complete and len(get("salt")) != 64: say(d, f"was changed: its salt has {len(get('salt')) // 2} bytes, and not 32")
    if personal and complete and get("personal_sha256") != hashlib.sha256(bytes.fromhex(get("salt")) + personal.encode()).hexdigest():
        say(d, "was changed: its personal part is not the one that was recorded")
def after_erasure(d):  # whether the facts say that the business had been erased
    try: return isinstance(json.loads(d["personal"])["facts"]["business"]["erased_at"], str)
    except WRONG: return False

def check_workflow(decisions, end):
    first, last, erasure, missing, kept = decisions[0], None, None, [], []
    for d in decisions:
        check_decision(d)
        place = d["number"], d.get("previous_digest"), d.get("previous_at")
        if last and (place != (last["number"] + 1, last.get("digest"), last["decided_at"]) or d["decided_at"] < last["decided_at"]):
            say(d, f"does not follow decision {last['number']}: decisions were removed, inserted or moved")
        if not last and place != (1, None, None) and (d["number"] == 1 or d.get("previous_at", "9") >= since):
            say(d, "is not the first: decisions before it were removed, although they are to be kept")
        if d["business_id"] != first["business_id"]: say(d, f"is about another business than decision {first['number']}")
        if d.get("kind") == "ERASURE":
            if kept: say(kept[0], f"keeps its facts, although decision {d['number']} says that they were erased")
            erasure, missing, kept = d, [], []
        else: (kept if "personal" in d else missing).append(d)
        last = d
    for d in missing: say(d, "its personal part was removed without an erasure")
    if erasure and end and not end["erased"]: say(erasure, "records an erasure, although the business was not erased")
    if erasure or end and end["erased"]: erased.add(first["business_id"])
    lives = next((d for d in kept if not after_erasure(d)), None)
    if lives: living.append({name: lives[name] for name in ("workflow_id", "business_id", "decision_id", "number")})
    if last["decided_at"] >= until and last.get("kind") != "ERASURE": say(last, f"was decided at {last['decided_at']}, after the export ends")
    if not end or (end["number"], end["digest"]) != (last["number"], last.get("digest")):
        say(last, "is not the last one of its workflow: decisions or the line with the end were removed, inserted or moved")
    elif end["business_id"] != first["business_id"]: problems.append(f"workflow {end['workflow_id']}: is about another business than decision {first['number']}")
    ended.add(last["workflow_id"])
    return []

def once(pairs):  # no name comes twice, and each text can be written
    for name, value in pairs: (name + value if isinstance(value, str) else name).encode()
    if len(dict(pairs)) < len(pairs): raise ValueError
    return dict(pairs)
def read(text):  # the object of a line; empty for what an export does not write
    try:
        line = json.loads(text.decode(), object_pairs_hook=once)
        of, kinds = line.get("end", line), lambda o: {name: type(value) for name, value in o.items()}
        good = "business_id" not in of or is_id(of["business_id"], "b") and is_id(of["workflow_id"], "w")
        if "decision_id" in line:
            salt = line.get("salt", "")
            good = good and {"business_id", "number"} <= line.keys() <= {*FIELDS, "sandbox_today", "digest", "personal", "salt", "fingerprint"} and line.get("sandbox_today", "true") == "true" and is_id(line["decision_id"], "dec") and len(line["decided_at"]) == 27 \
                and all(type(value) is (int if name == "number" else str) and value != "" for name, value in line.items()) and bytes.fromhex(salt).hex() == salt
        elif "export" in line:
            good = kinds(line) == {"export": int, "account_id": str, "complete_since": str, "complete_until": str} and is_id(line["account_id"], "sb", "lv") \
                and line["complete_since"].endswith("-01T00:00:00.000000Z")
            for name in "complete_since", "complete_until": good = good and len(line[name]) == 27 and time.strptime(line[name], "%Y-%m-%dT%H:%M:%S.%fZ")
        elif "version" in line:
            v = line["version"]
            good = len(line) == 1 and {"form", "version_id", "version", "content"} <= v.keys() <= {"form", *VERSION} and v["form"] in (1, 2) and 0 < v["version"] < 1 << 31 and is_id(v["version_id"], "rul") and v["content"][0] == "{" \
                and all(type(value) is (int if name in ("form", "version") else str) and value != "" for name, value in v.items())
        elif "end" in line: good = good and len(line) == 1 and kinds(of) == {"workflow_id": str, "business_id": str, "number": int, "digest": str, "erased": bool}
        else: good = len(line) == 1 and kinds(line["summary"]) == {"workflows": int, "decisions": int}
        return line if good else {}
    except WRONG: return {}

def receive(decision, digest):
    if not is_id(decision, "dec"): sys.exit(f"received digests: {decision!r} is not a decision id")
    if received.setdefault(decision, digest.lower()) != digest.lower(): problems.append(f"decision {decision}: was received with two digests")
if len(sys.argv) not in (2, 3): sys.exit(__doc__)
rest = open(sys.argv[2], encoding="utf-8").read().strip() if len(sys.argv) > 2 else ""
while rest:  # lines DECISION_ID DIGEST, or JSON with objects that have both
    if rest[0] in "{[":
        hook = lambda o: receive(o["decision_id"], o["digest"]) if [type(o.get(name)) for name in ("decision_id", "digest")] == [str, str] else None
        length = json.JSONDecoder(object_hook=hook).raw_decode(rest)[1]
    else:
        length = len(rest.split("\n")[0])
        if len(rest[:length].split()) != 2: sys.exit("received digests: a line is DECISION_ID DIGEST, or JSON")
        receive(*rest[:length].split())
    rest = rest[length:].strip()
decisions, pending, header, summary, count = [], [], None, None, 0
for number, line in enumerate(map(read, open(sys.argv[1], "rb")), 1):
    if number == 1:
        if line.get("export") != 2: sys.exit("the file is no export of decisions")
        header, since, until = line, line["complete_since"], line["complete_until"]
        continue
    if "version" in line and not summary:
        v, name = line["version"], line["version"]["version_id"]
        if name in versions: problems.append(f"line {number}: version {name} was inserted: it comes twice")
        else:
            versions[name] = v["form"], version_hash(v)
            pending.append(name)
            problems += [f"line {number}: version {name} was changed: {text}" for text in contradictions(v)]
        continue
    problems += [f"line {number}: version {v} was inserted or moved: what follows it does not name it" for v in pending if line and v not in (line.get("rule_version_id"), line.get("pricing_version_id"))]
    pending = [] if line else pending
    same = decisions and decisions[0]["workflow_id"] == line.get("end", line).get("workflow_id")
    if decisions and (not same or "end" in line): decisions = check_workflow(decisions, line.get("end") if same else None)
    elif "end" in line: problems.append(f"line {number}: all decisions of the workflow were removed or moved")
    if "decision_id" in line and not summary:
        if "rule_version_id" in line: check_version(line, "rules", line["rule_version_id"], line.get("rule_set_sha256"))
        if "pricing_version_id" in line: check_version(line, "prices", line["pricing_version_id"], line.get("pricing_model_sha256"))
        if line["workflow_id"] in ended: say(line, "was inserted or moved: it comes after the end of its workflow")
        decisions.append(line); seen.add(line["decision_id"]); count += 1
    elif "summary" in line and not summary: summary = line["summary"]
    elif "end" not in line or summary: problems.append(f"line {number}: was changed, inserted, moved or cut off")
if not header: sys.exit("the file is no export of decisions")
if decisions: check_workflow(decisions, None)
if summary != {"workflows": len(ended), "decisions": count}: problems.append("lines were removed or inserted: the summary is another")
for d in living:
    if d["business_id"] in erased: say(d, f"keeps its facts, although its business {d['business_id']} was erased")
absent = sorted(set(received) - seen)
older, newer = [d for d in absent if made(d) < since], [d for d in absent if made(d) >= until]
problems += [f"decision {d}: was received, and is not in the record: it was removed" for d in absent if since <= made(d) < until]
print(*problems, f"The export claims to hold every decision of {header['account_id']} from {since[:19]}Z until {until[:19]}Z.",
      f"{len(problems)} problem(s): {count} decision(s) of {len(ended)} workflow(s), {len(seen & set(received))} of {len(received)} received digest(s) found, "
      f"{len(older)} too old and {len(newer)} too new to be in the export", sep="\n")
sys.exit(bool(problems))
