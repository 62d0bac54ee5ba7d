"""Folds a ledger and mailboxes by what docs/LOG.md says, without any of Parley's code."""

import json

PRIORITIES = {"low": 0, "normal": 1, "high": 2, "critical": 3}
SILENCE = 1800.0


def lines(path):
    """The envelopes of a topic, each with its position: the byte where its line ends."""
    at = 0
    for raw in path.read_bytes().splitlines(keepends=True):
        at += len(raw)
        if raw.strip():
            envelope = json.loads(raw)
            envelope["position"] = at
            yield envelope


class Ledger:
    def __init__(self):
        self.now = 0.0
        self.boot = None
        self.rules = 0
        self.members = {}  # name -> {"session", "heard"}
        self.tasks = {}  # id -> dict, in the order in which they were added
        self.leases = {}  # token -> {"session", "name", "paths", "until", "task", "claim"}
        self.boards = {}
        self.decided = {}  # position -> what was decided, of claims and leases
        self.events = {}  # position -> who did what to which task, as `watch` tells it
        self.lost = []  # who lost which task, because nothing was heard of them
        self.failed = []  # who failed in which task

    def read(self, path):
        for envelope in lines(path):
            self.apply(envelope)
        return self

    def owner_of(self, session):
        return next((n for n, m in self.members.items() if m["session"] == session), None)

    def apply(self, e):
        boot, _, millis = e.get("clock", "").partition(":")
        if millis:
            assert self.boot in (None, boot), "this day has one boot"
            self.boot = boot
            self.now = max(self.now, int(millis) / 1000)
        payload = e.get("payload", {})
        session = payload.get("session", "")
        self.end_what_is_over()
        handler = getattr(self, "on_" + e["type"].replace(".", "_").replace("-", "_"), None)
        name = e["sender"]
        member = self.members.get(name)
        own = member is not None and session and member["session"] == session
        if own:
            member["heard"] = self.now
        if handler and (own or e["type"] in ("rules", "join")):
            accepted = handler(name, session, payload, e["position"])
            if accepted:
                self.events[e["position"]] = (name, e["type"], accepted if accepted is not True else None)
        self.end_what_is_over()
        self.check()

    def end_what_is_over(self):
        for task in self.tasks.values():
            if task["state"] in ("claimed", "blocked"):
                heard = self.members[task["owner"]]["heard"]
                ends = [heard + SILENCE] + ([task["until"]] if task["until"] else [])
                if self.now >= min(ends):
                    self.lost.append((task["owner"], task["task"]))
                    self.unclaim(task, "ready" if task["tried"] < task["tries"] else "failed")
        for token in [t for t, l in self.leases.items() if not l["claim"] and self.now >= l["until"]]:
            self.end_lease(token)

    def end_lease(self, token, but=None):
        """Ends a lease, but for what other claims of its session need; rules 4."""
        lease = self.leases.pop(token)
        others = {p for l in self.leases.values() if l["session"] == lease["session"] for p in l["paths"]}
        need = [
            (t["task"], p)
            for t in self.tasks.values()
            if self.rules >= 4 and t["session"] == lease["session"] and t["takes"] and t["task"] != but
            for p in t["files"]
            if p in lease["paths"] and p not in others
        ]
        if need:
            kept = {"task": need[0][0], "paths": list(dict.fromkeys(p for _, p in need))}
            self.leases[token] = lease | kept | {"until": None, "claim": True, "kept": True}

    def unclaim(self, task, state):
        session = task["session"]
        task.update(state=state, session=None, until=None, progress=-1)
        for token, lease in list(self.leases.items()):
            if lease["session"] == session and (lease.get("kept") or lease["task"] == task["task"]):
                self.end_lease(token)

    def check(self):
        """No file has two holders, in whichever worktrees; no task is held without its owner."""
        held = {}
        for lease in self.leases.values():
            for path in lease["paths"]:
                other = held.setdefault(path, lease["session"])
                assert other == lease["session"], f"{path} has two holders"
        for task in self.tasks.values():
            assert (task["session"] is not None) == (task["state"] in ("claimed", "blocked"))
            if task["session"] and task["takes"] and self.rules >= 4:
                for path in task["files"]:
                    assert held.get(path) == task["session"], f"{task['task']} is without {path}"

    def on_rules(self, name, session, payload, position):
        self.rules = max(self.rules, payload.get("rules", 0))

    def on_join(self, name, session, payload, position):
        member = self.members.get(name)
        if member and member["session"] not in (None, session) and not payload.get("takeOver"):
            return
        self.members[name] = {"session": session, "heard": self.now}
        return True

    def on_leave(self, name, session, payload, position):
        self.members[name]["session"] = None
        self.leases = {t: l for t, l in self.leases.items() if l["session"] != session}
        for task in self.tasks.values():
            if task["session"] == session:
                self.unclaim(task, "ready")

    def on_task_add(self, name, session, payload, position):
        if payload["task"] not in self.tasks:
            task = {
                "task": payload["task"],
                "files": payload.get("files", []),
                "after": payload.get("after", []),
                "priority": PRIORITIES[payload.get("priority", "normal")],
                "tries": payload.get("tries", 3),
                "tried": 0,
                "state": "pending",
                "owner": None,
                "session": None,
                "until": None,
                "ttl": None,
                "progress": -1,
                "token": 0,
                "takes": False,
            }
            self.tasks[payload["task"]] = task
            self.settle()
            return task["task"]
        return None

    def settle(self):
        for task in self.tasks.values():
            if task["state"] == "pending" and all(
                self.tasks.get(a, {}).get("state") == "done" for a in task["after"]
            ):
                task["state"] = "ready"

    def files_are_free(self, task, session):
        return not any(
            path in lease["paths"] and lease["session"] != session
            for lease in self.leases.values()
            for path in task["files"]
        )

    def claim(self, task, name, session, payload, position):
        task.update(state="claimed", owner=name, session=session, token=position, progress=-1)
        task["tried"] += 1
        task["takes"] = payload.get("files", True)
        task["ttl"] = payload.get("ttl")
        task["until"] = self.now + task["ttl"] if task["ttl"] else None
        own = {p for l in self.leases.values() if l["session"] == session for p in l["paths"]}
        for lease in self.leases.values():
            if lease["session"] == session and lease["task"] == task["task"]:
                lease["claim"] = True
        rest = [p for p in task["files"] if p not in own]
        if rest and payload.get("files", True):
            self.leases[position] = {
                "session": session,
                "name": name,
                "paths": rest,
                "task": task["task"],
                "until": None,
                "claim": True,
            }
        self.decided[position] = task["task"]

    def on_task_claim(self, name, session, payload, position):
        task = self.tasks.get(payload["task"])
        if task and task["state"] == "ready" and self.files_are_free(task, session):
            self.claim(task, name, session, payload, position)
            return task["task"]
        return None

    def on_task_next(self, name, session, payload, position):
        ready = [t for t in self.tasks.values() if t["state"] == "ready"]
        ready.sort(key=lambda t: -t["priority"])  # stable: of equals the one that was added first
        for task in ready:
            if self.files_are_free(task, session):
                self.claim(task, name, session, payload, position)
                return task["task"]
        return None

    def own(self, session, payload):
        task = self.tasks.get(payload["task"])
        return task if task and task["session"] == session else None

    def on_task_progress(self, name, session, payload, position):
        task = self.own(session, payload)
        if task:
            task["state"] = "claimed"
            task["progress"] = payload.get("progress", task["progress"])
            task["until"] = self.now + task["ttl"] if task["ttl"] else None
            if "progress" in payload or payload.get("note"):
                return task["task"]
        return None

    def on_task_block(self, name, session, payload, position):
        task = self.own(session, payload)
        if task:
            task["state"] = "blocked"
            return task["task"]
        return None

    def on_task_release(self, name, session, payload, position):
        task = self.own(session, payload)
        if task:
            self.unclaim(task, "ready")
            return task["task"]
        return None

    def on_task_fail(self, name, session, payload, position):
        task = self.own(session, payload)
        if task:
            self.failed.append((name, task["task"]))
            self.unclaim(task, "failed")

    def on_task_retry(self, name, session, payload, position):
        task = self.tasks[payload["task"]]
        if task["state"] == "failed":
            task["state"] = "ready"
            return task["task"]
        return None

    def on_task_done(self, name, session, payload, position):
        task = self.own(session, payload)
        if task:
            self.unclaim(task, "done")
            self.settle()
            return task["task"]
        return None

    def on_lease_request(self, name, session, payload, position):
        paths = payload["paths"]
        others = [l for l in self.leases.values() if l["session"] != session]
        own = {p for l in self.leases.values() if l["session"] == session for p in l["paths"]}
        rest = [p for p in paths if p not in own]
        if rest and not any(p in l["paths"] for l in others for p in rest):
            self.leases[position] = {
                "session": session,
                "name": name,
                "paths": rest,
                "task": payload.get("task"),
                "until": self.now + payload.get("ttl", 1800),
                "claim": False,
            }

    def on_lease_release(self, name, session, payload, position):
        lease = self.leases.get(payload["token"])
        if lease and lease["session"] == session:
            self.end_lease(payload["token"], lease["task"] if lease["claim"] else None)

    def on_lease_renew(self, name, session, payload, position):
        lease = self.leases.get(payload["token"])
        if lease and lease["session"] == session and not lease["claim"]:
            lease["until"] = max(lease["until"], self.now + payload.get("ttl", 1800))

    def on_board_open(self, name, session, payload, position):
        board = f"board-{len(self.boards) + 1}"
        self.boards[board] = {
            "electorate": payload["electorate"],
            "phase": "ASSESS",
            "in": set(),
        }
        return True

    def step(self, name, payload, phase, following):
        board = self.boards[payload["board"]]
        if board["phase"] == phase and name in board["electorate"]:
            board["in"].add(name)
            if board["in"] == set(board["electorate"]):
                board.update(phase=following, **{"in": set()})
            return True
        return False

    def on_board_assess(self, name, session, payload, position):
        return self.step(name, payload, "ASSESS", "VOTE")

    def on_board_vote(self, name, session, payload, position):
        return self.step(name, payload, "VOTE", "RESOLVE")

    def on_board_resolve(self, name, session, payload, position):
        self.boards[payload["board"]]["phase"] = "COMPLETE"
        return True

    def tasks_of(self, name):
        session = self.members[name]["session"]
        return sorted(
            (t for t in self.tasks.values() if session and t["session"] == session),
            key=lambda t: t["token"],
        )

    def waiting_boards(self, name):
        return [
            b
            for b, board in self.boards.items()
            if board["phase"] in ("ASSESS", "VOTE")
            and name in board["electorate"]
            and name not in board["in"]
        ]


STATES = ["stored", "delivered", "seen", "overdue", "done"]


def mailbox(bus, agent):
    """Every message in a mailbox: its sender, its type, how far it has come, how it ended."""
    mail, receipts = bus / f"mail.{agent}.jsonl", bus / f"receipts.{agent}.jsonl"
    seen = set()  # what is sent again with a key is not another message
    messages = {
        e["position"]: {"id": e["id"], "from": e["sender"], "type": e["type"], "how": None}
        | {"state": "stored", "payload": e["payload"], "replyTo": e.get("replyTo")}
        for e in (lines(mail) if mail.exists() else [])
        if not e["type"].startswith("mail.")
        and not ("key" in e and ((e["sender"], e["key"]) in seen or seen.add((e["sender"], e["key"]))))
    }

    def reaches(message, state):
        message["state"] = max(message["state"], state, key=STATES.index)

    for e in lines(receipts) if receipts.exists() else []:
        payload = e["payload"]
        if e["type"] == "mail.receipt":
            for state in ("delivered", "seen"):
                marks = payload.get(state, {})
                for position, message in messages.items():
                    if position <= marks.get("through", 0) and position not in marks["except"]:
                        reaches(message, state)
        elif e["type"] == "mail.overdue":
            reaches(messages[payload["position"]], "overdue")
        elif e["type"] == "mail.end":
            for message in messages.values():
                if message["id"] in payload["ids"]:
                    reaches(message, "done")
                    message["how"] = message["how"] or payload["how"]
    return messages
