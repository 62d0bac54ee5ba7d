#!/bin/sh
# An agent's status loop: appends records without an end to a journal.
# status_loop.sh FILE COUNT
i=1
while [ $i -le "$2" ]; do
  printf -- '---\nmessageId: MSG-20260126-1015%02d-claude-%s\ntype: PROGRESS\nagent: claude-dev-1\ntimestamp: 2026-01-26T10:15:00Z\nrunId: run_1\ntaskId: T\n---\n\nstatus %s\n' \
    $((i % 60)) $i $i >>"$1"
  i=$((i + 1))
done
