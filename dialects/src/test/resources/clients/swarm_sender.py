"""A foreign tool: sends messages to inboxes as the Swarm design does, under the sentinel.

swarm_sender.py INBOX.json COUNT NAME
"""
import json
import os
import sys
import time

path, count, name = sys.argv[1], int(sys.argv[2]), sys.argv[3]


def take(lock):
    while True:
        try:
            with open(lock, "x") as f:
                f.write(f"{os.getpid()}\n{int(time.time() * 1000)}")
            return
        except FileExistsError:
            time.sleep(0.002)


for i in range(count):
    take(path + ".lock")
    try:
        with open(path) as f:
            messages = json.load(f)
        messages.append({
            "id": f"{name}-{i}", "timestamp": "2024-01-01T00:00:00.000Z", "from": name,
            "to": "developer", "type": "finding", "priority": "normal",
            "content": {"subject": "s", "body": f"é {i}"}, "requiresResponse": False,
        })
        temporary = f"{path}.tmp.{name}"
        with open(temporary, "w") as f:
            json.dump(messages, f, indent=2)
        os.rename(temporary, path)
    finally:
        os.remove(path + ".lock")
