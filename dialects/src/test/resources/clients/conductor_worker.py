"""A foreign worker: locks a file in locks.json, counts in it, and gives it back, again and again.

conductor_worker.py BUS NAME PATH COUNTER ROUNDS

Takes flock on .lock_mutex without waiting, as newer versions of the design do.
"""
import contextlib
import fcntl
import json
import sys
import time
from datetime import datetime, timedelta, timezone

bus, name, path, counter, rounds = sys.argv[1:5] + [int(sys.argv[5])]


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


def change(how):
    with open(f"{bus}/locks.json") as f:
        locks = json.load(f)
    if how(locks):
        with open(f"{bus}/locks.json", "w") as f:
            json.dump(locks, f, indent=2)
        return True
    return False


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
    with mutex():
        taken = change(take)
    if not taken:
        time.sleep(0.002)
        continue
    with open(counter) as f:
        count = int(f.read())
    time.sleep(0.001)
    with open(counter, "w") as f:
        f.write(str(count + 1))
    with mutex():
        change(give)
    done += 1
