"""A foreign director: takes part in the first session it sees, through the files of board/ alone.

conductor_director.py BUS DIRECTOR VERDICT
"""
import contextlib
import fcntl
import glob
import json
import os
import sys
import time

bus, director, verdict = sys.argv[1:4]
board = f"{bus}/board"
end = time.time() + 180


@contextlib.contextmanager
def mutex():
    with open(f"{bus}/.lock_mutex", "a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def put(file, value):
    with mutex():
        with open(f"{board}/{file}") as f:
            entries = json.load(f)
        entries[director] = value
        with open(f"{board}/{file}", "w") as f:
            json.dump(entries, f, indent=2)


def until(condition):
    while time.time() < end:
        for file in glob.glob(f"{board}/session-*.json"):
            try:
                with open(file) as f:
                    session = json.load(f)
            except ValueError:
                continue
            if condition(session):
                return
        time.sleep(0.01)
    sys.exit(f"{director}: nothing came")


until(lambda s: s["status"] == "ASSESSING")
put("assessments.json", {"verdict": verdict, "score": 7, "concerns": [f"concern of {director}"], "recommendations": []})
for done in range(3):
    until(lambda s: s["status"] == "DISCUSSING" and s["phases"]["discuss"]["rounds"] == done)
    line = {"from": director, "to": "ALL", "type": "AGREE", "message": f"round {done}", "changes_my_verdict": False}
    with open(f"{board}/discussion.jsonl", "a") as f:
        f.write(json.dumps(line) + "\n")
until(lambda s: s["status"] == "VOTING")
put("votes.json", {"final_verdict": verdict, "confidence": 0.9, "conditions": [f"condition of {director}"]})
while time.time() < end and not os.path.exists(f"{board}/resolution.md"):
    time.sleep(0.01)
sys.exit(0 if os.path.exists(f"{board}/resolution.md") else 1)
