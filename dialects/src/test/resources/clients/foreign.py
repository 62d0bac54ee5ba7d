"""Foreign tools, each behaving as its design says, until the time is over.

foreign.py MODE FILE NAME SECONDS   prints the mark of each message it wrote, or read

append   one write in append mode, no lock
flock    under flock on the file, in two writes
mkdir    under a lock that is a folder, FILE.d
outbox   changes and replaces its own outbox, no lock
rewrite  the same, but writes into the file itself
sentinel reads, changes and replaces an inbox, under FILE.lock
reader   takes everything out of an inbox, under FILE.lock
"""
import fcntl
import json
import os
import random
import re
import sys
import time

mode, path, name, seconds = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])


def record(number):
    mark = f"{name}.{number}."
    if path.endswith(".md"):
        return (f"\n---\nmessageId: MSG-20260126-101500-{name}-{number}\ntype: FACT\nagent: {name}\n"
                f"timestamp: 2026-01-26T10:15:00Z\nrunId: r\ntaskId: t\n---\n\n{mark}\n\n---\n")
    if path.endswith("queue.jsonl"):
        return json.dumps({"id": f"msg-{mark}", "type": "PROGRESS", "source": name,
                           "timestamp": "2026-02-01T12:00:00Z", "payload": {"text": mark}}) + "\n"
    return json.dumps({"id": f"{os.getpid()}-{number}", "seq": number, "sender": name, "topic": "board",
                       "timestamp": "2026-02-01T12:00:00Z", "type": "board.discovery",
                       "payload": {"text": mark}}) + "\n"


def entry(number):
    return {"id": f"id-{name}-{number}", "timestamp": "2024-01-01T00:00:00.000Z", "from": name,
            "to": "developer", "type": "finding", "priority": "normal",
            "content": {"subject": "\u00e9", "body": f"{name}.{number}."}, "requiresResponse": False}


def append(text):
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, text.encode())
    os.close(file)


def under_flock(text):
    with open(path, "ab", buffering=0) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        data = text.encode()
        file.write(data[:20])
        file.write(data[20:])


def under_folder(text):
    while True:
        try:
            os.mkdir(path + ".d")
            break
        except FileExistsError:
            time.sleep(0.001)
    try:
        append(text)
    finally:
        os.rmdir(path + ".d")


def take():
    while True:
        try:
            with open(path + ".lock", "x") as file:
                file.write(f"{os.getpid()}\n{int(time.time() * 1000)}")
            return
        except FileExistsError:
            time.sleep(0.002)


def load():
    with open(path) as file:
        return json.load(file)


def replace(messages):
    temporary = f"{path}.tmp.{name}"
    with open(temporary, "w") as file:
        json.dump(messages, file, indent=2)
    os.rename(temporary, path)


def sentinel(number):
    take()
    try:
        replace(load() + [entry(number)])
    finally:
        os.remove(path + ".lock")


def reader():
    take()
    try:
        messages = load()
        if messages:
            replace([])
    finally:
        os.remove(path + ".lock")
    return [re.search(r"[a-z]+-[a-z]+-\d+\.\d+\.", m["content"]["body"]).group() for m in messages]


end = time.time() + seconds
number = 0
written = []
while time.time() < end:
    number += 1
    if mode == "append":
        append(record(number))
    elif mode == "flock":
        under_flock(record(number))
    elif mode == "mkdir":
        under_folder(record(number))
    elif mode == "outbox":
        written.append(entry(number))
        replace(written)
    elif mode == "rewrite":
        written.append(entry(number))
        with open(path, "w") as file:
            json.dump(written, file, indent=2)
    elif mode == "sentinel":
        sentinel(number)
    if mode == "reader":
        for mark in reader():
            print(mark)
    else:
        print(f"{name}.{number}.")
    time.sleep(random.uniform(0.005, 0.03))
