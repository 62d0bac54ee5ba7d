"""A foreign tool: the Swarm design's program, as far as its database goes.

swarm_orchestrator.py DATABASE write SESSION ID THREAD FROM TO   makes the tables as the design does
                                     (no others, no more columns), the session and a message
swarm_orchestrator.py DATABASE read SESSION THREAD               prints the rows as a JSON array
swarm_orchestrator.py DATABASE hold                              locks it until its stdin ends
"""
import json
import sqlite3
import sys

path, action, *rest = sys.argv[1:]
db = sqlite3.connect(path, isolation_level=None)
db.row_factory = sqlite3.Row
if action == "hold":
    db.execute("BEGIN EXCLUSIVE")
    print("held", flush=True)
    sys.stdin.read()
elif action == "write":
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA foreign_keys = ON")
    db.execute(
        "CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, workflow_type TEXT NOT NULL,"
        " goal TEXT NOT NULL, status TEXT NOT NULL, created_at TEXT NOT NULL,"
        " updated_at TEXT NOT NULL, completed_at TEXT)")
    db.execute(
        "CREATE TABLE IF NOT EXISTS messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL,"
        " thread_id TEXT, from_agent TEXT NOT NULL, to_agent TEXT NOT NULL,"
        " message_type TEXT NOT NULL, priority TEXT NOT NULL, content TEXT NOT NULL,"
        " created_at TEXT NOT NULL,"
        " FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE)")
    session, identity, thread, sender, to = rest
    time = "2026-01-01T00:00:00.000Z"
    db.execute(
        "INSERT OR IGNORE INTO sessions (id, workflow_type, goal, status, created_at, updated_at)"
        " VALUES (?, 'development', 'theirs', 'initializing', ?, ?)", (session, time, time))
    db.execute(
        "INSERT INTO messages (id, session_id, thread_id, from_agent, to_agent, message_type,"
        " priority, content, created_at) VALUES (?, ?, ?, ?, ?, 'task', 'high', ?, ?)",
        (identity, session, thread, sender, to,
         json.dumps({"subject": "s", "body": "theirs"}), time))
else:
    session, thread = rest
    rows = db.execute(
        "SELECT * FROM messages WHERE session_id = ? AND thread_id = ? ORDER BY created_at",
        (session, thread)).fetchall()
    print(json.dumps([dict(row) for row in rows]), flush=True)
