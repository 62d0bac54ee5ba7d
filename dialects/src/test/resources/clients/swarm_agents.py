"""Foreign tools: programs and agents that use Swarm's queues as its design does.

swarm_agents.py send SWARM FROM TO COUNT      sendMessage: into the outbox, and at once into the inbox
swarm_agents.py drain SWARM AGENT FILE STOP   removes what is in the inbox as soon as it is there and
                                              notes the bodies, until STOP exists and all is quiet
swarm_agents.py hand SWARM FROM TO COUNT      writes its outbox as an agent does by hand: without most
                                              fields and always with the same id
swarm_agents.py rename SWARM FROM TO COUNT    the same without a lock: reads its outbox, adds an entry
                                              and puts another file in its place
swarm_agents.py inplace SWARM FROM TO COUNT   the same, and writes into the file itself
swarm_agents.py memory SWARM FROM TO COUNT    overwrites its outbox with all it remembers, each time, as
                                              it wrote it: without ids, into the file itself, no lock
"""
import datetime
import json
import os
import random
import sys
import time
import uuid

action, swarm, *rest = sys.argv[1:]


def queue(box, agent):
    return f"{swarm}/messages/{box}/{agent}.json"


class Sentinel:
    """Breaks a lock whose owner is gone, five seconds after it was taken."""

    def __init__(self, path):
        self.lock = path + ".lock"

    def __enter__(self):
        while True:
            try:
                with open(self.lock, "x") as f:
                    f.write(f"{os.getpid()}\n{int(time.time() * 1000)}")
                return
            except FileExistsError:
                self.break_if_stale()
                time.sleep(0.002)

    def break_if_stale(self):
        try:
            with open(self.lock) as f:
                owner, since = f.read().split("\n")
            if not os.path.exists(f"/proc/{owner}") and time.time() * 1000 - int(since) > 5000:
                os.remove(self.lock)
        except (FileNotFoundError, ValueError):
            pass

    def __exit__(self, *_):
        os.remove(self.lock)


def read(path):
    with open(path) as f:
        return json.load(f)


def write(path, messages):
    temporary = f"{path}.tmp.{os.getpid()}"
    with open(temporary, "w") as f:
        json.dump(messages, f, indent=2)
    os.rename(temporary, path)


def add(path, message):
    with Sentinel(path):
        write(path, read(path) + [message])


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(
        timespec="milliseconds").replace("+00:00", "Z")


if action == "send":
    sender, to, count = rest
    for i in range(int(count)):
        message = {
            "id": str(uuid.uuid4()), "timestamp": now(), "from": sender, "to": to,
            "type": "task", "priority": "normal",
            "content": {"subject": "s", "body": f"sent {i}"}, "requiresResponse": False,
        }
        add(queue("outbox", sender), message)
        add(queue("inbox", to), message)
elif action == "hand":
    sender, to, count = rest
    for i in range(int(count)):
        add(queue("outbox", sender), {
            "id": "msg-001", "to": to, "type": "finding",
            "content": {"subject": "s", "body": f"by hand {i}"},
        })
        time.sleep(0.2)
elif action in ("rename", "inplace", "memory"):
    sender, to, count = rest
    path = queue("outbox", sender)
    written = []
    for i in range(int(count)):
        entry = {"to": to, "type": "finding", "content": {"subject": "s", "body": f"{action} {i}"}}
        if action == "memory":
            written.append(entry)
        else:
            written = read(path) + [{"id": "msg-001"} | entry]
        if action == "rename":
            write(path, written)
        else:
            with open(path, "w") as f:
                json.dump(written, f, indent=2)
        time.sleep(random.uniform(0, 0.6))
else:
    agent, file, stop = rest
    path = queue("inbox", agent)
    quiet = 0
    while quiet < 100:
        messages = []
        if read(path):
            with Sentinel(path):
                messages = read(path)
                with open(file, "a") as f:
                    f.writelines(each["content"]["body"] + "\n" for each in messages)
                write(path, [])
        quiet = quiet + 1 if os.path.exists(stop) and not messages else 0
        time.sleep(0.001)
