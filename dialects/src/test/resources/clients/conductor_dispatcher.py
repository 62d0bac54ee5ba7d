"""A foreign dispatcher: gives each task to one worker, which fails, and then to another.

conductor_dispatcher.py BUS COUNT

As the design does, it says to nobody that a task is tried again: the second worker just begins.
"""
import json
import pathlib
import random
import sys
import time
import uuid
from datetime import datetime, timezone

bus, count = sys.argv[1], int(sys.argv[2])


def post(kind, worker, task, **payload):
    message = {
        "id": f"msg-{uuid.uuid4()}", "type": kind, "source": worker,
        "timestamp": datetime.now(timezone.utc).replace(tzinfo=None).isoformat() + "Z",
        "payload": {"task_id": task, **payload},
    }
    with open(f"{bus}/queue.jsonl", "a") as f:
        f.write(json.dumps(message) + "\n")
    if kind in ("TASK_COMPLETE", "TASK_FAILED"):
        pathlib.Path(f"{bus}/events/{kind}_{task}.event").touch()
    time.sleep(random.uniform(0, 0.15))


for i in range(count):
    task = f"1.{i}"
    first, second = f"worker-{task}-a", f"worker-{task}-b"
    post("PROGRESS", first, task, progress_pct=10)
    post("TASK_FAILED", first, task, error="tests do not pass")
    post("PROGRESS", second, task, progress_pct=50)
    post("TASK_COMPLETE", second, task, commit_sha=f"commit-{i}", files_modified=[])
