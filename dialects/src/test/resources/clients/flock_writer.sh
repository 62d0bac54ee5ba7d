#!/bin/sh
# A foreign tool: appends lines under flock, as Conclave's file bus does.
# flock_writer.sh FILE COUNT NAME
i=1
while [ $i -le "$2" ]; do
  {
    flock 9
    printf '{"id":"%s-%s","seq":%s,"timestamp":"2026-02-01T12:00:00.%09d+01:00","sender":"%s","topic":"debate","type":"debate.finding","payload":{"text":"%s"}}\n' \
      $$ $i $i $i "$3" "$i" >>"$1"
  } 9>>"$1"
  i=$((i + 1))
done
