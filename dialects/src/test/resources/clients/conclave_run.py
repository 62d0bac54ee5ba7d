#!/usr/bin/env python3
"""Behaves as a run of Conclave does: makes the bus folder anew, with a .pid and a wave's folder,
appends to the wave's board and to a topic under flock, and removes everything when it ends.

conclave_run.py FOLDER RUN COUNT: it ends when its input does.
"""
import fcntl, json, os, shutil, sys
from datetime import datetime, timezone

folder, run, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
wave = os.path.join(folder, "wave-0")
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(wave)
with open(os.path.join(folder, ".pid"), "w") as pid:
    pid.write(str(os.getpid()))

def append(path, topic, kind, number, text):
    with open(path, "a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f") + "000Z"
        line = {"id": f"{os.getpid()}-{number}", "seq": number, "timestamp": now,
                "sender": f"task-{run}", "topic": topic, "type": kind, "payload": {"text": text}}
        file.write(json.dumps(line, separators=(",", ":")) + "\n")

for i in range(1, count + 1):
    append(os.path.join(wave, "parallel.wave-0.board.jsonl"), "parallel.wave-0.board",
           "board.discovery", 2 * i, f"run {run} note {i}")
    append(os.path.join(folder, "debate.jsonl"), "debate", "debate.finding", 2 * i + 1,
           f"run {run} finding {i}")
print("written", flush=True)
sys.stdin.read()
shutil.rmtree(folder)
