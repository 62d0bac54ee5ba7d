#!/bin/sh
# One of three agents that need no model: what it says depends on who it is and on what it is asked for.
cat >/dev/null
sleep 0.3
say() {
  printf '%s\n' "$@"
}
case $PARLEY_AGENT:$PARLEY_STAGE in
  ann:analysis)
    say '## Strong Points' '- One file, no server to run.' '## Moderate Points' 'None' \
      '## Weak Points / Concerns' '- One writer at a time.' \
      'THESIS: SQLite is enough: ten agents write a few lines a second, and a file needs no operator.' \
      'POSITION: SQLite'
    ;;
  ben:analysis)
    say '## Strong Points' '- Many writers at once.' '## Moderate Points' '- Everybody knows it.' \
      '## Weak Points / Concerns' '- A server must run wherever an agent works.' \
      'THESIS: PostgreSQL: two writers on SQLite block each other, and that will hurt later.' \
      'POSITION: PostgreSQL'
    ;;
  cid:analysis)
    say '## Strong Points' '- The tests need no set-up.' '## Moderate Points' 'None' \
      '## Weak Points / Concerns' '- Backups need a pause, or the backup command.' \
      'THESIS: SQLite in WAL mode: readers and the writer do not block each other.' \
      'POSITION: SQLite'
    ;;
  ben:debate)
    say 'WAL mode answers my point: a write takes a millisecond, and nobody waits longer than that.' \
      'CHANGED: with WAL, readers do not block, and ten writers queue for milliseconds.' \
      'POSITION: SQLite'
    ;;
  *:debate)
    say 'The one who wants a server gives no number of writers. Ten agents do not need one.' \
      'POSITION: SQLite'
    ;;
  *:synthesis)
    say '## Areas of Agreement' 'The load is small.' '## Areas of Disagreement' \
      'Whether a server pays off later. One agent changed its mind, for a stated reason.' \
      '## Confidence Level' 'High: the changed position names what WAL mode does.' \
      '## Synthesized Recommendation' 'SQLite in WAL mode, with a busy time-out.' 'POSITION: SQLite'
    ;;
  cid:assess)
    say '{"verdict": "CONCERNS", "score": 6, "concerns": ["nobody said how it is backed up"], "recommendations": ["try a restore"]}'
    ;;
  *:assess)
    say '{"verdict": "APPROVE", "score": 8, "concerns": [], "recommendations": []}'
    ;;
  cid:discuss)
    say '{"to": "ALL", "type": "QUESTION", "message": "How do we restore it?", "changes_my_verdict": false}'
    ;;
  *:discuss)
    say '{"to": "ALL", "type": "CLARIFY", "message": "A nightly backup command, tried once a month.", "changes_my_verdict": false}'
    ;;
  cid:vote)
    say '{"final_verdict": "APPROVE", "confidence": 0.7, "conditions": ["a restore was tried"], "reason": "the answer was good"}'
    ;;
  *:vote)
    say '{"final_verdict": "APPROVE", "confidence": 0.9, "conditions": [], "reason": "small and enough"}'
    ;;
  *) say 'yes' ;;
esac
