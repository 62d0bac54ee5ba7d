"""A foreign worker: locks a file in locks.json, counts in it, and gives it back, again and again.

conductor_worker.py BUS NAME PATH COUNTER ROUNDS [talk]

Takes flock on .lock_mutex without waiting, as newer versions of the design do. One that talks posts
what it does, each round as a task of its own, and keeps its status.
"""
import contextlib
import fcntl
import json
import pathlib
import random
import sys
import time
import uuid
from datetime import datetime, timedelta, timezone

bus, name, path, counter, rounds = sys.argv[1:5] + [int(sys.argv[5])]
talks = sys.argv[6:] == ["talk"]


@contextlib.contextmanager
def mutex():
    with open(f"{bus}/.lock_mutex", "a") as handle:
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(0.001)
        yield


def stamp(later=timedelta()):
    return (datetime.now(timezone.utc).replace(tzinfo=None) + later).isoformat() + "Z"


def change(how, file="locks.json"):
    with open(f"{bus}/{file}") as f:
        entries = json.load(f)
    if how(entries):
        with open(f"{bus}/{file}", "w") as f:
            json.dump(entries, f, indent=2)
        return True
    return False


def post(kind, payload):
    if talks:
        message = {"id": f"msg-{uuid.uuid4()}", "type": kind, "source": name, "timestamp": stamp(), "payload": payload}
        with open(f"{bus}/queue.jsonl", "a") as f:
            f.write(json.dumps(message) + "\n")
        if kind in ("TASK_COMPLETE", "FILE_UNLOCK"):
            pathlib.Path(f"{bus}/events/{kind}_{payload.get('task_id', 'all')}.event").touch()


def say(status, task, progress):
    def mine(statuses):
        statuses[name] = {"task_id": task, "status": status, "progress_pct": progress, "last_heartbeat": stamp()}
        return True

    if talks:
        with mutex():
            change(mine, "worker-status.json")


def take(locks):
    held = locks.get(path)
    if held and held["expires_at"] > stamp() and held["worker_id"] != name:
        return False
    locks[path] = {"worker_id": name, "acquired_at": stamp(), "expires_at": stamp(timedelta(minutes=30))}
    return True


def give(locks):
    assert locks[path]["worker_id"] == name, locks
    del locks[path]
    return True


done = 0
while done < rounds:
    task = f"{name}.{done}"
    with mutex():
        taken = change(take)
    if not taken:
        time.sleep(0.002)
        continue
    post("FILE_LOCK", {"filepath": path})
    post("PROGRESS", {"task_id": task, "progress_pct": 50})
    say("RUNNING", task, 50)
    with open(counter) as f:
        count = int(f.read())
    time.sleep(0.001)
    with open(counter, "w") as f:
        f.write(str(count + 1))
    with mutex():
        change(give)
    post("FILE_UNLOCK", {"filepath": path})
    post("TASK_COMPLETE", {"task_id": task, "commit_sha": "abc", "files_modified": [path], "unblocks": []})
    done += 1
    if talks:
        time.sleep(random.uniform(0, 0.4))
say("COMPLETE", f"{name}.{rounds - 1}", 100)
