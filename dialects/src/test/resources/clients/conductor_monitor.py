"""A foreign monitor: prints the members of a circle of blocked workers, or an empty line.

conductor_monitor.py BUS

As the design has it, it knows nothing but BLOCKED messages: each worker waits for whatever the last
one of them names in waiting_for.
"""
import json
import sys

waits = {}
with open(f"{sys.argv[1]}/queue.jsonl") as queue:
    for line in queue:
        message = json.loads(line)
        target = message["payload"].get("waiting_for") if message["type"] == "BLOCKED" else None
        if target:
            waits[message["source"]] = target
for start in waits:
    way = [start]
    while way[-1] in waits and waits[way[-1]] not in way:
        way.append(waits[way[-1]])
    if waits.get(way[-1]) in way:
        print(*way[way.index(waits[way[-1]]):])
        break
else:
    print()
