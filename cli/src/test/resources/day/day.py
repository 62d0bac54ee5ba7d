"""A day of six agents in six worktrees: every command is a process tree of its own."""

import itertools
import json
import os
import pathlib
import subprocess
import sys
import threading
import time

import fold

PARLEY, ROOT, TASKS = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
AGENTS = ["ann", "ben", "cid", "dot", "eve", "fay"]
KILLED = "fay"
MAIN = ROOT / "main"
BUS = MAIN / ".parley"
numbers = itertools.count()
held, held_lock = {}, threading.Lock()
claims, answers = [], []
failures = []


def run(agent, *words, where=None, ok=(0,)):
    """Runs a command in a tree whose shells end before it does, so that it is left to init."""
    base = ROOT / f"call-{next(numbers)}"
    script = '"$@" > "$base.out" 2> "$base.err" < /dev/null; echo $? > "$base.tmp"; mv "$base.tmp" "$base.rc"'
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PARLEY_") or k == "PARLEY_STATE"}
    environment.update(base=str(base), script=script)
    subprocess.run(
        ["bash", "-c", '(setsid bash -c "$script" day "$@" &)', "day", PARLEY, *words, "--as", agent],
        cwd=where or MAIN,
        env=environment,
        check=True,
    )
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
        words = ["task", "add", f"t{n}", "--priority", ["normal", "high"][n % 5 == 0]]
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
            if turn % 3 == 0:
                to = others[(number + turn) % len(others)]
                run(agent, "send", to, "--type", "question", "--needs-reply", "--body", f"May I? {turn}", where=where)
            give_back(agent, claim)
            run(agent, "task", "done", claim["task"], where=where)
        look_around(agent, where)
        if code != 0 and said[0].get("open") == 0:
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


def guarded(agent, number):
    try:
        work(agent, number)
    except BaseException as e:
        failures.append(f"{agent}: {e!r}")


def main():
    set_up()
    # One agent claims a task and is never heard of again; its claim lasts as long as it said.
    _, lost = answer(KILLED, "task", "next", "--ttl", "2s", where=ROOT / KILLED)
    claims.append((lost[0]["token"], lost[0]["task"], KILLED))
    run("lead", "board", "open", "PLAN", "--electorate", "ann,ben,cid", "--rounds", "0")
    threads = [
        threading.Thread(target=guarded, args=(agent, n), daemon=True)
        for n, agent in enumerate(a for a in AGENTS if a != KILLED)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=1500)
        assert not thread.is_alive(), "somebody never came to an end"
    assert not failures, failures
    # Everybody has answered what was asked while they worked.
    for agent in AGENTS[:-1]:
        look_around(agent, ROOT / agent)
        look_around(agent, ROOT / agent)
    run("lead", "board", "resolve", "board-1")
    # One person at two terminals, and some work that is going on.
    run("human", "inbox", where=ROOT / "ann")
    run("human", "inbox", where=MAIN)
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
    asked = 0
    for agent in AGENTS:
        ends = fold.questions(BUS, agent)
        asked += len(ends)
        assert set(ends.values()) <= {"answered"}, (agent, ends)
        assert statuses[agent]["boards"] == ledger.waiting_boards(agent)
        assert statuses[agent]["needReply"] == []
    compare_watch(ledger)
    sessions = [e for e in fold.lines(BUS / "ledger.jsonl") if e["type"] == "join"]
    assert len(sessions) == len(ledger.members), "nobody ever began a second session"
    print(
        f"{next(numbers)} commands, {len(ledger.decided)} claims, {asked} questions,"
        f" {len(ledger.events)} events, {len(ledger.lost)} lost claims"
    )


def compare_watch(ledger):
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
    assert {p: e[:2] for p, e in good.items() if p.startswith("mail.")} == fold.letters(BUS)
    # Of the agent that was never heard of again, watch says what it lost.
    assert ledger.lost and all(
        any(e["bad"] and (e["agent"], e.get("task")) == lost for e in told) for lost in ledger.lost
    ), ledger.lost


main()
