"""A day of six agents in six worktrees: every command is a process tree of its own."""

import itertools
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import fold

PARLEY, ROOT, TASKS = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
AGENTS = ["ann", "ben", "cid", "dot", "eve", "fay"]
KILLED = "fay"
HERE = 300  # seconds of silence after which somebody is quiet
MAIN = ROOT / "main"
BUS = MAIN / ".parley"
numbers = itertools.count()
held, held_lock = {}, threading.Lock()
claims, at_terminals = [], [[], []]
failures = []
working = threading.Event()


def start(agent, *words, where=None):
    """Starts a command in a tree whose shells end before it does, so that it is left to init."""
    base = ROOT / f"call-{next(numbers)}"
    script = (
        'echo $$ > "$base.pid"; "$@" > "$base.out" 2> "$base.err" < /dev/null;'
        ' echo $? > "$base.tmp"; mv "$base.tmp" "$base.rc"'
    )
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PARLEY_") or k == "PARLEY_STATE"}
    environment.update(base=str(base), script=script)
    subprocess.run(
        ["bash", "-c", '(setsid bash -c "$script" day "$@" &)', "day", PARLEY, words[0], "--as", agent, *words[1:]],
        cwd=where or MAIN,
        env=environment,
        check=True,
    )
    return base


def run(agent, *words, where=None, ok=(0,)):
    """Runs a command until it ends."""
    base = start(agent, *words, where=where)
    code = pathlib.Path(f"{base}.rc")
    end = time.monotonic() + 120
    while not code.exists():
        assert time.monotonic() < end, words
        time.sleep(0.005)
    out = pathlib.Path(f"{base}.out").read_text()
    exit_code = int(code.read_text())
    assert exit_code in ok, (agent, words, exit_code, out, pathlib.Path(f"{base}.err").read_text())
    return exit_code, out


def answer(agent, *words, **how):
    code, out = run(agent, *words, "--json", **how)
    return code, [json.loads(line) for line in out.splitlines()]


def git(*words):
    subprocess.run(["git", *words], cwd=MAIN, check=True, stdout=subprocess.DEVNULL)


def set_up():
    MAIN.mkdir()
    git("init", "-q")
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "begin")
    for agent in AGENTS:
        git("worktree", "add", "-q", str(ROOT / agent), "-b", agent)
    run("lead", "init")
    files = max(3, TASKS // 3)
    for n in range(TASKS):
        names = sorted({f"f{n % files}.txt", f"f{n * 7 % files}.txt"})
        words = ["task", "add", f"t{n}", "--priority", ["normal", "high"][n % 5 == 0], "--tries", "20"]
        words += [w for name in names for w in ("--file", name)]
        if n % 6 == 5:
            words += ["--after", f"t{n - 3}"]
        run("lead", *words)
    for agent in AGENTS:
        run(agent, "join", where=ROOT / agent)


def take(agent, claim):
    with held_lock:
        for path in claim["files"]:
            assert path not in held, f"{path} is {held[path]}'s, and now {agent}'s"
            held[path] = agent
        claims.append((claim["token"], claim["task"], agent))


def give_back(agent, claim):
    with held_lock:
        for path in claim["files"]:
            assert held.pop(path) == agent


def work(agent, number):
    where = ROOT / agent
    others = [a for a in AGENTS if a not in (agent, KILLED)]
    for turn in itertools.count():
        code, said = answer(agent, "task", "next", where=where, ok=(0, 3, 4))
        if code == 0:
            claim = said[0]
            take(agent, claim)
            for path in claim["files"]:
                (where / path).write_text(agent)
            for path in claim["files"]:
                (where / path).write_text(agent)
            if turn % 4 == 1:
                run(agent, "send", "human", "--type", "question", "--needs-reply", "--body", f"And I? {turn}", where=where)
                run(agent, "task", "block", claim["task"], "--on", "human", where=where)
                run(agent, "task", "progress", claim["task"], "--progress", "50", where=where)
            if turn % 5 == 2:
                give_back(agent, claim)
                run(agent, "task", "release", claim["task"], where=where)
                continue
            if turn % 5 == 4:
                give_back(agent, claim)
                run(agent, "task", "fail", claim["task"], "--error", "no luck", "--recoverable", where=where)
                run(agent, "task", "retry", claim["task"], where=where)
                continue
            share(agent, where)
            if turn % 3 == 0:
                to = others[(number + turn) % len(others)]
                run(agent, "send", to, "--type", "question", "--needs-reply", "--body", f"May I? {turn}", where=where)
            give_back(agent, claim)
            run(agent, "task", "done", claim["task"], where=where)
        look_around(agent, where)
        if code != 0 and said[0].get("open") == 0:
            return


def share(agent, where):
    """A file that no task has is locked in one worktree at a time."""
    code, _ = answer(agent, "lock", "shared.txt", where=where, ok=(0, 3))
    if code == 0:
        shared = {"files": ["shared.txt"]}
        with held_lock:
            assert "shared.txt" not in held, f"shared.txt is {held['shared.txt']}'s, and now {agent}'s"
            held["shared.txt"] = agent
        give_back(agent, shared)
        run(agent, "unlock", "shared.txt", where=where)


def person(terminal):
    """One person at one of two terminals answers what nobody has answered at the other one."""
    where = [MAIN, ROOT / "ann"][terminal]
    while True:
        last = not working.is_set()
        _, mail = answer("human", "inbox", where=where)
        for letter in mail:
            if letter["needsReply"]:
                said = f"Yes, at terminal {terminal}."
                code, _ = run("human", "reply", letter["id"], "--body", said, where=where, ok=(0, 3))
                if code == 0:
                    at_terminals[terminal].append(letter["id"])
        if last:
            return


def look_around(agent, where):
    _, mail = answer(agent, "inbox", where=where)
    for letter in mail:
        if letter.get("type") == "question":
            run(agent, "reply", letter["id"], "--body", "Yes.", where=where)
    _, status = answer(agent, "status", where=where)
    for board in status[0].get("boards", []):
        _, shown = answer(agent, "board", "show", board, where=where)
        if shown[0]["phase"] == "ASSESS":
            run(agent, "board", "assess", board, "--verdict", "APPROVE", "--score", "8", where=where)
        elif shown[0]["phase"] == "VOTE":
            run(agent, "board", "vote", board, "--verdict", "APPROVE", where=where)


def killed():
    """An agent's worker claims a task, and is killed with all that it started."""
    base = start(KILLED, "run", "--task", "t0", "--grace", "2s", "--", "sleep", "600", where=ROOT / KILLED)
    end = time.monotonic() + 120
    while True:
        _, shown = answer("lead", "task", "show", "t0")
        if shown[0]["state"] == "claimed":
            break
        assert time.monotonic() < end
    claims.append((shown[0]["token"], "t0", KILLED))
    os.killpg(int(pathlib.Path(f"{base}.pid").read_text()), signal.SIGKILL)
    assert not pathlib.Path(f"{base}.rc").exists(), "it was killed before it ended"


def guarded(work, *arguments):
    try:
        work(*arguments)
    except BaseException as e:
        failures.append(f"{arguments}: {e!r}")


def main():
    set_up()
    killed()
    run("lead", "board", "open", "PLAN", "--electorate", "ann,ben,cid", "--rounds", "0")
    working.set()
    agents = [
        threading.Thread(target=guarded, args=(work, agent, n), daemon=True)
        for n, agent in enumerate(a for a in AGENTS if a != KILLED)
    ]
    terminals = [threading.Thread(target=guarded, args=(person, n), daemon=True) for n in (0, 1)]
    for thread in agents + terminals:
        thread.start()
    for thread in agents:
        thread.join(timeout=1500)
        assert not thread.is_alive(), "somebody never came to an end"
    working.clear()
    for thread in terminals:
        thread.join(timeout=100)
        assert not thread.is_alive(), "a terminal never came to an end"
    assert not failures, failures
    # Everybody has answered what was asked while they worked.
    for agent in AGENTS[:-1]:
        look_around(agent, ROOT / agent)
        look_around(agent, ROOT / agent)
    run("lead", "board", "resolve", "board-1")
    # Some work is still going on.
    run("lead", "task", "add", "late", "--file", "late.txt")
    _, late = answer("ann", "task", "claim", "late", where=ROOT / "ann")
    claims.append((late[0]["token"], "late", "ann"))
    run("ann", "task", "progress", "late", "--progress", "40", where=ROOT / "ann")
    compare()


def compare():
    _, who = answer("lead", "who")
    _, tasks = answer("lead", "task", "list")
    tasks = [t for t in tasks if t["task"]]  # the last line says that none is ready
    _, locks = answer("lead", "locks", "list")
    statuses = {a: answer(a, "status", where=ROOT / a)[1][0] for a in AGENTS}
    ledger = fold.Ledger().read(BUS / "ledger.jsonl")
    assert ledger.rules == 4

    for token, task, agent in claims:
        assert ledger.decided.get(token) == task, (token, task, agent, ledger.decided.get(token))
    assert len(ledger.decided) == len(claims), "each claim was somebody's answer"
    done = [t for t in ledger.tasks.values() if t["state"] == "done"]
    assert len(done) == TASKS, [(t["task"], t["state"]) for t in ledger.tasks.values()]
    assert ledger.boards["board-1"]["phase"] == "COMPLETE"

    assert {t["task"]: (t["state"], t.get("owner"), t["token"]) for t in tasks} == {
        t["task"]: (t["state"], t["owner"], t["token"]) for t in ledger.tasks.values()
    }
    assert {m["agent"]: (m["task"], m["progress"], m["doing"]) for m in who} == {
        name: (
            (own[-1]["task"], own[-1]["progress"], "working") if own else (None, -1, "idle")
        )
        for name in ledger.members
        for own in [ledger.tasks_of(name)]
    }
    assert {m["agent"]: m["session"] for m in who} == {
        n: m["session"] for n, m in ledger.members.items()
    }
    assert sorted((l["token"], l["holder"], l["paths"]) for l in locks if l["state"] == "held") == sorted(
        (t, l["name"], l["paths"]) for t, l in ledger.leases.items()
    )
    _, board = answer("lead", "board", "show", "board-1")
    assert board[0]["phase"] == ledger.boards["board-1"]["phase"]
    boxes = {name: fold.mailbox(BUS, name) for name in ledger.members}
    for agent in AGENTS:
        box = [m for m in boxes[agent].values() if m["state"] != "done"]
        assert statuses[agent]["boards"] == ledger.waiting_boards(agent)
        assert statuses[agent]["needReply"] == []
        assert statuses[agent]["inbox"] == len(box), (agent, statuses[agent], box)
        assert statuses[agent]["unread"] == sum(m["state"] not in ("seen", "overdue") for m in box)
    questions = [m for box in boxes.values() for m in box.values() if m["type"] == "question"]
    assert {m["how"] for m in questions} == {"answered"}
    to_human = [m["id"] for m in boxes["human"].values() if m["type"] == "question"]
    answers = [
        (m["replyTo"], m["payload"]["body"])
        for box in boxes.values()
        for m in box.values()
        if m["from"] == "human" and m["type"] == "reply"
    ]
    assert sorted(at_terminals[0] + at_terminals[1]) == sorted(to_human)
    for terminal in (0, 1):
        said = f"Yes, at terminal {terminal}."
        assert sorted(at_terminals[terminal]) == sorted(i for i, body in answers if body == said)
    compare_presence(ledger, who, statuses)
    compare_sent(boxes)
    compare_watch(ledger, boxes)
    sessions = {e["payload"]["session"] for e in fold.lines(BUS / "ledger.jsonl") if e["type"] == "join"}
    assert len(sessions) == len(ledger.members), "nobody ever began a second session"
    print(
        f"{next(numbers)} commands, {len(ledger.decided)} claims, {len(questions)} questions,"
        f" {len(to_human)} of them answered at terminals ({' + '.join(str(len(t)) for t in at_terminals)}),"
        f" {sum(map(len, boxes.values()))} messages, {len(ledger.events)} events,"
        f" {len(ledger.lost)} lost claims, {len(ledger.failed)} failures"
    )


def compare_presence(ledger, who, statuses):
    """Here are those of whom something was heard lately, by the machine's boot clock."""
    now = float(pathlib.Path("/proc/uptime").read_text().split()[0])
    silence = {name: now - m["heard"] for name, m in ledger.members.items()}
    clear = {name for name, s in silence.items() if not HERE - 1 < s < HERE + 60}
    here = {name for name in clear if silence[name] < HERE}
    assert {m["agent"] for m in who if m["presence"] == "here"} & clear == here
    assert {m["agent"] for m in who if m["presence"] == "quiet"} & clear == clear - here
    assert set(statuses[AGENTS[-1]]["here"]) & clear == here


def compare_sent(boxes):
    """Every message has its state, and its sender is told this state."""
    for sender in boxes:
        _, sent = answer(sender, "inbox", "sent")
        told = {m["id"]: m["state"] for m in sent}
        states = {m["id"]: m["state"] for box in boxes.values() for m in box.values() if m["from"] == sender}
        # Of what ended long ago only that is remembered.
        assert {i: s for i, s in told.items() if s != "ended"} == {
            i: s for i, s in states.items() if told.get(i) != "ended"
        }, sender
        assert all(states[i] == "done" for i, s in told.items() if s == "ended"), sender


def compare_watch(ledger, boxes):
    """`watch` tells what was decided, once each, and nothing that was not."""
    _, told = answer("lead", "watch", "--once")
    good = {}
    for event in told:
        if event["bad"]:
            continue
        assert event["envelope"] not in good, event
        good[event["envelope"]] = (event["agent"], event["type"], event.get("task"))
    types = {t for _, t, _ in ledger.events.values()}
    assert {p: e for p, e in good.items() if p.startswith("ledger@") and e[1] in types} == {
        f"ledger@{p}": e for p, e in ledger.events.items()
    }
    letters = {
        f"mail.{name}@{position}": m for name, box in boxes.items() for position, m in box.items()
    }
    calls = {p for p, m in letters.items() if m["type"] == "board-call"}
    mail = {p: e[:2] for p, e in good.items() if p.startswith("mail.")}
    assert {p: e for p, e in mail.items() if p not in calls} == {
        p: (m["from"], m["type"]) for p, m in letters.items() if p not in calls
    }
    assert not set(mail) & set(calls), "what electors say shows that a phase has begun"
    assert sorted((e["agent"], e["task"]) for e in told if e["type"] == "task.fail") == sorted(ledger.failed)
    # Of the agent that was never heard of again, watch says what it lost.
    assert ledger.lost and all(
        any(e["bad"] and (e["agent"], e.get("task")) == lost for e in told) for lost in ledger.lost
    ), ledger.lost


main()
