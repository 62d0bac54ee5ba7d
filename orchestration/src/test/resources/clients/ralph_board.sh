#!/bin/sh
# Writes and reads a board as the workers of seed 000 do.
#   ralph_board.sh post <folder> <topic> <sender> <kind> <text>
#   ralph_board.sh read <folder>
case $1 in
  post)
    file=$2/$3.jsonl
    exec 9>>"$file"
    flock 9
    n=$(($(grep -c "\"sender\":\"$4\"" "$file") + 1))
    printf '{"id":"%s-%s","seq":%s,"timestamp":"%s","sender":"%s","topic":"%s","type":"board.%s","payload":{"text":"%s"}}\n' \
      $$ $n $n "$(date -u +%Y-%m-%dT%H:%M:%S.%NZ)" "$4" "$3" "$5" "$6" >&9
    ;;
  read)
    cat "$2"/*.jsonl |
      sed -n 's/.*"sender":"\([^"]*\)","topic":"\([^"]*\)","type":"board\.\([a-z]*\)","payload":{"text":"\([^"]*\)".*/\3 \1 \2: \4/p'
    ;;
esac
